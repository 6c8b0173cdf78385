import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '../../../src/core/config/config.ts';
import { resolveConfig } from '../../../src/core/config/resolve.ts';
import { hasErrors } from '../../../src/core/findings/explain.ts';
import { matchOffline } from '../../../src/core/match/match.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { checkFit } from '../../../src/core/plan/fit.ts';
import { integrationsIn } from '../../../src/core/schema/read-schema.ts';
import { tailoredSchema } from '../../../src/core/schema/tailored-schema.ts';
import { recordAt } from '../../support/at.ts';
import { catalogOf, defined } from '../../support/catalog.ts';
import { entries, validConfig } from '../../support/config.ts';
import { EXAMPLE_CATALOG } from '../../support/dialects.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';
import { IS_SOAK } from '../../support/soak.ts';

const ajv = new Ajv({
  strict: true,
  allowUnionTypes: true,
  strictTypes: false,
  strictRequired: false,
});
const catalog = catalogOf(EXAMPLE_CATALOG);

function validator(integrations: readonly LiveIntegration[]) {
  const schema = tailoredSchema(integrations);
  expect(ajv.validateSchema(schema)).toBe(true);
  return ajv.compile(schema);
}

/** A configuration of one entry with these fields. */
const entry = (fields: object, name = 'vt') => ({
  version: 1,
  integrations: { [name]: fields },
});

/** Integrations with one option each, whose key is how long their name is. */
const named = (...names: readonly string[]) =>
  names.map((name) => {
    const option = { key: `${name.length}`, type: 'text' };
    return defined(name, { name, acronym: 'SN', options: [option] });
  });

describe('an entry gets the options of the integration that it means', () => {
  const valid = validator(named('servicenow', 'servicenow-sir'));
  const [own, other] = [{ '10': 'x' }, { '14': 'x' }];
  test.each([
    'servicenow_*',
    'servicenow*',
    'servicenow_node_18_1725278818',
    'servicenow_v2_3_1_0_node_18_*',
    'servicenow',
  ])('match: %s', (match) => {
    expect(valid(entry({ match, options: own }))).toBe(true);
    expect(valid(entry({ match, options: other }))).toBe(false);
    expect(valid(entry({ match: { id: match }, options: other }))).toBe(false);
  });
  test.each([
    'service*',
    '*',
    'servicenow_ticket_*',
    'servicenow_3_*',
    'servicenowx_*',
    { name: 'service*' },
    { acronym: 'SN' },
  ])('match: %j means none for certain, so all is allowed', (match) => {
    expect(valid(entry({ match, options: own }))).toBe(true);
    expect(valid(entry({ match, options: other }))).toBe(true);
  });
  test('a number behind the base is no version where another integration has it in its name', () => {
    const numbered = validator(named('office', 'office-365'));
    const [ofOffice, of365] = [{ '6': 'x' }, { '10': 'x' }];
    const matching = (match: string, options: object) =>
      numbered(entry({ match, options }));
    expect(matching('office_365_*', of365)).toBe(true);
    expect(matching('office_3_*', ofOffice)).toBe(true);
    const id = 'office_365_node_18_1';
    expect(numbered(entry({ options: of365 }, id))).toBe(true);
    expect(numbered(entry({ options: ofOffice }, id))).toBe(false);
  });
  test('by its key, but what the entry says in match goes first', () => {
    const byKey = (fields: object) => valid(entry(fields, 'servicenow'));
    expect(byKey({ options: own })).toBe(true);
    expect(byKey({ options: other })).toBe(false);
    expect(byKey({ match: 'servicenow_sir_*', options: other })).toBe(true);
    expect(byKey({ match: 'elsewhere_*', options: { any: 1 } })).toBe(true);
  });
});

describe('installed integrations', () => {
  const url = liveOption('url', { value: readable('https://internal') });
  const copies = [
    liveIntegration('vt_node_18_1', [url], { name: 'VT' }),
    liveIntegration('vt_node_18_2', [liveOption('extra')], { name: 'VT 2' }),
  ];
  test('copies of one are one: each is meant by its id and base name', () => {
    const valid = validator(copies);
    for (const key of ['vt', 'vt_node_18_1', 'vt_node_18_2']) {
      const both = { url: 'x', extra: 'x' };
      expect(valid(entry({ options: both }, key))).toBe(true);
      expect(valid(entry({ options: { no: 'x' } }, key))).toBe(false);
    }
  });
  test('what a server holds is no default and stays there', () => {
    expect(JSON.stringify(tailoredSchema(copies))).not.toContain('internal');
  });
});

test('an editor shows titles and descriptions, but no default', () => {
  const schema = tailoredSchema(catalog);
  const keys = ['definitions', 'options-threat_lookup', 'properties'] as const;
  const timeout = recordAt(schema, ...keys, 'timeout');
  expect(timeout).toMatchObject({ title: 'Timeout' });
  const key = { key: 'key', type: 'password', default: 'shipped-by-mistake' };
  const leaky = tailoredSchema([defined('a', { name: 'A', options: [key] })]);
  expect(JSON.stringify(leaky)).not.toContain('shipped-by-mistake');
});

test('copies, names, acronyms and types are read back', () => {
  const login = 'https://user:pa55w0rd@example.com';
  const jira = defined('jira', {
    name: 'Jira Cloud',
    acronym: 'JC',
    options: [
      { key: 'url', type: 'text', default: login },
      { key: 'key', type: 'password' },
    ],
  });
  const ids = ['jira_node_18_1', 'jira_node_18_2'];
  const schema = tailoredSchema(ids.map((id) => ({ ...jira, id })));
  const read = integrationsIn(JSON.parse(JSON.stringify(schema)));
  const told = read.map(({ id, name, acronym, options }) => {
    const types = [...options.values()].map(({ type }) => type);
    return [id, name, acronym, ...types];
  });
  const own = ['Jira Cloud', 'JC', 'text', 'password'];
  expect(told).toEqual(ids.map((id) => [id, ...own]));
  const yaml = 'b: { match: jira_node_18_2, options: { url: x } }';
  const config = resolveConfig(validConfig(entries(yaml)));
  const { misses, installed } = matchOffline(config, read);
  expect([misses.unmet, installed.length]).toEqual([[], 2]);
});

/** Values of every form, right and wrong for each type of option. */
const POOL = [
  ...['x', 'true', '-1.5', '1e3', '007', 'fast', 'ip', null, 0, 5, true, false],
  ...[
    [],
    ['ip', 'no'],
    ['2', 3],
    [{ display: 'IP', value: 'ip' }],
    ['${env:SETPOINT_X}'],
  ],
  ...['fast', 'no'].map((value) => ({ display: 'Anything', value })),
  ...['${env:SETPOINT_X}', 'a ${env:SETPOINT_X} b'],
];

test('the schema takes a value exactly where validation does', () => {
  // It has an option of every type.
  const { id, options } =
    catalog.find((each) => each.id.startsWith('threat')) ?? expect.fail();
  const schema = tailoredSchema(catalog);
  const valid = ajv.compile(schema);
  const readBack = integrationsIn(JSON.parse(JSON.stringify(schema)));
  const seen = { taken: 0, refused: 0 };
  for (const key of options.keys()) {
    for (const value of POOL) {
      for (const written of [value, { value, permission: 'lock-and-hide' }]) {
        const document = entry({ match: id, options: { [key]: written } });
        const takes = valid(document);
        expect({ key, written, takes }).toEqual({
          key,
          written,
          takes: validates(document, catalog),
        });
        const takesReadBack = validates(document, readBack);
        expect({ key, written, takesReadBack }).toEqual({
          key,
          written,
          takesReadBack: takes,
        });
        seen[takes ? 'taken' : 'refused'] += 1;
      }
    }
  }
  expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(70);
});

/** Whether the configuration has no error but that of a secret in clear, of which a schema says nothing. */
function validates(
  document: object,
  known: readonly LiveIntegration[],
): boolean {
  const { value, diagnostics } = parseConfig([
    [{ path: 'a.yaml', text: JSON.stringify(document) }],
  ]);
  if (value === undefined || hasErrors(diagnostics)) return false;
  const matched = matchOffline(resolveConfig(value), known);
  const found = [
    ...matched.diagnostics,
    ...checkFit(matched.integrations, matched.installed),
  ];
  return !hasErrors(found.filter(({ code }) => code !== 'plain-secret'));
}

describe('the schema of two servers', () => {
  const choice = (value: string) => ({ value, display: value });
  const mode = (...values: readonly string[]) =>
    liveOption('mode', { type: 'select', choices: values.map(choice) });
  const first = liveIntegration('vt_node_18_1', [
    liveOption('url'),
    mode('fast', 'safe'),
    liveOption('limit', { type: 'number' }),
  ]);
  const second = liveIntegration('vt_4_0_0_node_20_2', [
    liveOption('extra'),
    mode('fast', 'deep'),
    liveOption('limit'),
  ]);
  const schema = JSON.parse(JSON.stringify(tailoredSchema([first])));
  const both = tailoredSchema([...integrationsIn(schema), second]);
  const read = integrationsIn(JSON.parse(JSON.stringify(both)));
  test('has the ids, options and choices of both', () => {
    expect(read.map(({ id }) => id)).toEqual([second.id, first.id]);
    const options = [...(read[0]?.options.values() ?? [])];
    const keys = options.map(({ key }) => key);
    expect(keys).toEqual(['url', 'mode', 'limit', 'extra']);
    const choices = options[1]?.choices.map(({ value }) => value);
    expect(choices).toEqual(['fast', 'safe', 'deep']);
  });
  test('takes any value of an option that is not of one type', () => {
    const valid = ajv.compile(both);
    for (const limit of [1, 'text', true])
      expect(valid(entry({ match: 'vt_*', options: { limit } }))).toBe(true);
    const mistyped = { mode: 'slow' };
    expect(valid(entry({ match: 'vt_*', options: mistyped }))).toBe(false);
  });
});

const corpus = process.env['SETPOINT_CORPUS'];
test.skipIf(corpus === undefined || !IS_SOAK)(
  'of the corpus it takes a configuration, and knows every option by its key',
  () => {
    const real = catalogOf(corpus ?? '');
    expect(real.length).toBe(60);
    const valid = validator(real);
    const document: unknown = parse(
      readFileSync('test/fixtures/corpus.yaml', 'utf8'),
    );
    valid(document);
    expect(valid.errors ?? []).toEqual([]);
    for (const { id, options } of real) {
      const permission = 'lock-and-hide';
      const keys = [...options.keys()].map((key) => [key, { permission }]);
      const known = Object.fromEntries(keys);
      expect(valid(entry({ match: id, options: known }))).toBe(true);
      const unknown = { ...known, noSuchOption: 1 };
      expect(valid(entry({ match: id, options: unknown }))).toBe(false);
    }
  },
);
