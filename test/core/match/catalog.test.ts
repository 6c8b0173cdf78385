import { describe, expect, test } from 'vitest';
import type { WrittenConfig } from '../../../src/core/config/entry.ts';
import { resolveConfig } from '../../../src/core/config/resolve.ts';
import { explain } from '../../../src/core/findings/explain.ts';
import { matchOffline } from '../../../src/core/match/match.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { checkFit } from '../../../src/core/plan/fit.ts';
import { catalogOf, defined } from '../../support/catalog.ts';
import { brief, entries, validConfig } from '../../support/config.ts';
import { EXAMPLE_CATALOG } from '../../support/dialects.ts';

const catalog = catalogOf(EXAMPLE_CATALOG);

/** Everything in a configuration that does not fit the integrations of a catalog. */
function checkAgainstCatalog(
  config: WrittenConfig,
  integrations: readonly LiveIntegration[],
) {
  const matched = matchOffline(resolveConfig(config), integrations);
  const { diagnostics, installed } = matched;
  return [...diagnostics, ...checkFit(matched.integrations, installed)];
}

/** The findings of a configuration as `code line:column`. */
function found(text: string, integrations = catalog): string[] {
  return checkAgainstCatalog(validConfig(text), integrations).map(brief);
}

/** The findings in words. */
function explained(yaml: string, integrations = catalog) {
  return checkAgainstCatalog(validConfig(entries(yaml)), integrations).map(
    (each) => ({ ...explain(each), place: each.place }),
  );
}

/** The findings of one option of Threat Lookup, which stands in line 6 with its key in column 7. */
function foundIn(option: string): string[] {
  return found(
    entries(`vt:\n  match: threat_lookup_*\n  options:\n    ${option}`),
  );
}

describe('what does not fit an option', () => {
  test.each([
    ['an unknown key', 'nope: 3', 'unknown-option 6:7'],
    ['a number that is none', 'timeout: soon', 'wrong-value 6:16'],
    ['a list for a text', 'url: [a, b]', 'wrong-value 6:12'],
    ['the display of a choice', 'mode: Fast', 'wrong-value 6:13'],
    ['a list for one choice', 'mode: [fast]', 'wrong-value 6:13'],
    ['one choice for a list', 'types: ip', 'wrong-value 6:14'],
    ['an unknown member', 'types: [ip, slow, hash]', 'wrong-value 6:19'],
    ['a secret in clear', 'apiKey: hunter2', 'plain-secret 6:15'],
  ])('%s', (_, option, finding) => {
    expect(foundIn(option)).toEqual([finding]);
  });
  test('is found although another entry matches several', () => {
    const yaml =
      'vt:\n  match: threat_lookup_*\n  options: { nope: 3 }\nall: { match: "t*", autosubscribe: true }';
    expect(found(entries(yaml))).toContain('unknown-option 5:16');
  });
  test('comes with a near name', () => {
    const hintOf = (option: string) => {
      const yaml = `vt:\n  match: threat_lookup_*\n  options: { ${option} }`;
      return explained(yaml)[0]?.hint;
    };
    expect(hintOf('apikey: x')).toContain('apiKey');
    expect(hintOf('mode: fasst')).toContain('fast');
    expect(hintOf('types: [domian]')).toContain('domain');
  });
});

describe('what fits', () => {
  test.each([
    ['a file for a boolean', 'verifyTls: ${file:verify}'],
    ['a reference inside a list', 'types: [ip, "${env:SETPOINT_T}"]'],
    ['a secret by reference', 'apiKey: "${env:SETPOINT_T}"'],
    ['a choice by its value', 'mode: thorough'],
    ['an empty list', 'types: []'],
    ['a field that is not managed any more', 'mode: null'],
  ])('%s', (_, option) => {
    expect(foundIn(option)).toEqual([]);
  });
  test('a select that is filled at run time takes all', () => {
    const lists = { key: 'lists', type: 'select', multiple: true };
    const option = { ...lists, options: [], default: [] };
    const filled = [defined('feed', { name: 'Feed', options: [option] })];
    const foundFor = (value: string) =>
      found(
        entries(`f: { match: feed_*, options: { lists: ${value} } }`),
        filled,
      );
    expect(foundFor('[a, b]')).toEqual([]);
    expect(foundFor('a')).toEqual(['wrong-value 3:41']);
  });
});

describe('entries and the catalog', () => {
  const options = [{ key: 'url', type: 'text', default: '' }];
  const two = ['servicenow', 'servicenow-sir'].map((name) =>
    defined(name, { name, acronym: name, options }),
  );
  test.each([
    [
      'no integration of that id',
      'a: { match: virustotal_*, options: { x: 1 } }',
      ['no-match 3:15'],
    ],
    [
      'a base name without a match',
      'threat_lookup: { options: { url: x } }',
      ['no-match 3:3'],
    ],
    [
      'one that need not be there',
      'a: { match: no_*, expect: optional, options: { x: 1 } }',
      [],
    ],
    [
      'an exact id with a version, as the key',
      'threat_lookup_3_3_4_node_18_71ff23754e_1725342515: { options: { no: 1 } }',
      ['unknown-option 3:67'],
    ],
  ])('%s', (_, yaml, findings) => {
    expect(found(entries(yaml))).toEqual(findings);
  });
  test('several integrations are a warning without made-up ids, and their options are not checked', () => {
    const yaml = 'a: { match: servicenow*, options: { no: 1 } }';
    const [first, ...others] = explained(yaml, two);
    expect([first?.code, others]).toEqual(['several-matches', []]);
    expect(first).toMatchObject({
      severity: 'warning',
      place: { line: 3, column: 15 },
      hint: expect.stringMatching(/servicenow_\*\).*servicenow_sir_\*\)/),
    });
    expect(first?.hint).not.toContain('node');
    const one = 'a: { match: servicenow_node_*, options: { url: 1 } }';
    expect(found(entries(one), two)).toEqual([]);
  });
  test('one integration under the exact ids of two servers is not several', () => {
    const exact = (time: number) =>
      `s${time}: { match: servicenow_node_18_${time}, expect: optional, options: { url: a } }\n`;
    const yaml = `${exact(1725278818)}${exact(1725278819)}a: { match: servicenow_node_*, autosubscribe: true }`;
    expect(found(entries(yaml), two)).toEqual([]);
    const mistyped = 'a: { match: servicenow_node_*, options: { ulr: a } }';
    const ids = [818, 819].map((time) => `servicenow_node_18_1725278${time}`);
    const pulled = ids.flatMap((id) =>
      two.slice(0, 1).map((one) => ({ ...one, id })),
    );
    expect(found(entries(mistyped), pulled)).toContain('unknown-option 3:45');
  });
  test('a forgotten wildcard, or a mistyped name, is spoken of', () => {
    const hintOf = (match: string) => {
      const all = explained(`a: { match: ${match}, autosubscribe: true }`);
      expect(all).toMatchObject([{ code: 'no-match', severity: 'warning' }]);
      return all[0]?.hint;
    };
    expect(hintOf('case_vault')).toContain('match: case_vault_*');
    const near = 'Case Vault, CVT (match: case_vault_*)';
    expect(hintOf('{ name: Case Vualt }')).toContain(near);
  });
  test('defaults that no integration has are found once, with near names of all', () => {
    const yaml =
      'a: { match: servicenow_*, expect: any, options: { url: x, ulr: 1 } }';
    expect(explained(yaml, two)).toMatchObject([
      {
        code: 'unknown-option',
        place: { line: 3, column: 61 },
        hint: expect.stringContaining('url'),
      },
    ]);
  });
  test('defaults are not checked where some have the option, or an entry speaks of it', () => {
    const places = (asked: string, own?: string) => {
      const all = `all: { match: "*", expect: any, options: { ${asked} } }`;
      const yaml = own === undefined ? all : `${all}\nt: { ${own} }`;
      const unknown = found(entries(yaml)).filter((finding) =>
        finding.startsWith('unknown-option'),
      );
      return unknown.map((finding) => finding.split(' ')[1]);
    };
    expect(places('apiKey: lock')).toEqual([]);
    const entry = 'match: threat_*, options: { orgId: 2 }';
    expect(places('orgId: 1', entry)).toEqual(['4:36']);
    const others = 'expect: any, match: threat_*, options: { no: 1 }';
    expect(places('orgId: 1', others)).toEqual(['4:49']);
  });
});
