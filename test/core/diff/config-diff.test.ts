import { describe, expect, test } from 'vitest';
import { resolveConfig } from '../../../src/core/config/resolve.ts';
import { diffConfigs } from '../../../src/core/diff/config-diff.ts';
import { entries, validConfig } from '../../support/config.ts';
import { SUMMARY } from '../../support/plan-summary.ts';
import { SERVER } from '../../support/planned.ts';
import { documented } from '../../support/saved-plan.ts';

/** The changes as `[address, before, after, ...risks]`. */
function changes(base: string, head: string) {
  const [before = [], after = []] = [base, head].map((text) =>
    resolveConfig(
      validConfig(text.startsWith('version') ? text : entries(text)),
    ),
  );
  const integrations = diffConfigs({ before, after });
  const plan = { ...SERVER, summary: SUMMARY, integrations };
  const all = documented(plan).integrations.flatMap((entry) => entry.changes);
  return all.map((change) => {
    const { address, beforeReference, reference, secret, risks } = change;
    const sides = secret
      ? [beforeReference ?? 'secret', reference ?? 'secret']
      : [change.before, change.after];
    return [address, ...sides, ...risks];
  });
}

const vt = (options: string) => `vt: { options: { ${options} } }`;
const option = (base: string, head: string) => changes(vt(base), vt(head));

describe('what two revisions declare differently', () => {
  test('is each field, by the names of entries, in order', () => {
    const base =
      'vt: { match: vt_*, autosubscribe: true, options: { a: 1, b: { value: 2, rotated: 2026-01-01 } } }\nsame: {}';
    const head =
      'same: {}\nvt: { match: vt_1*, expect: optional, options: { b: { value: 2, rotated: 2026-02-01 }, c: [x, y] } }';
    const list = ['x', 'y'].map((value) => ({ display: value, value }));
    expect(changes(base, head)).toEqual([
      ['vt.autosubscribe', true, null],
      ['vt.expect', null, 'optional'],
      ['vt.match', 'vt_*', 'vt_1*'],
      ['vt.options.a.value', 1, null],
      ['vt.options.b.rotated', '2026-01-01', '2026-02-01'],
      ['vt.options.c.value', null, list],
    ]);
  });
  test('of an entry that is new or gone is all that it declares, and its match', () => {
    const gone = 'gone: { options: { a: 1 } }';
    const made = 'made: { match: { name: M }, options: { a: 1 } }';
    expect(changes(gone, made)).toEqual([
      ['gone.match', 'gone', null],
      ['gone.options.a.value', 1, null],
      ['made.match', null, 'name: M'],
      ['made.options.a.value', null, 1],
    ]);
  });
  test('of an entry under another name is its name, and the few fields that differ', () => {
    const many = 'options: { a: 1, b: 2, c: { permission: lock-and-hide } }';
    const old = `old: { match: vt_*, ${many} }`;
    const other = many.replace('2', '3');
    expect(changes(old, `new: { match: { id: vt_* }, ${other} }`)).toEqual([
      ['new.name', 'old', 'new'],
      ['new.options.b.value', 2, 3],
    ]);
    const all = (name: string) =>
      `${name}: { match: "*", expect: any, options: { a: 1 } }`;
    expect(changes(all('x'), all('y'))).toEqual([['y.name', 'x', 'y']]);
  });
  const OPTIONS = 'options: { a: 1 }';
  const selecting = `{ match: vt_*, ${OPTIONS} }`;
  const second = selecting.replace('a: 1', 'b: 2');
  test.each([
    ['by its name alone', `{ ${OPTIONS} }`, `new: { ${OPTIONS} }`],
    ['as defaults', selecting, `new: { match: vt_*, expect: any, ${OPTIONS} }`],
    ['twice', selecting, `n1: ${selecting}\nn2: ${second}`],
  ])('is not renamed if the other selects %s', (_, old, head) => {
    const found = changes(`old: ${old}`, head).map(([address]) => address);
    expect(found).toContain('old.options.a.value');
    expect(found.join()).not.toContain('.name');
  });
  test('is nothing where a default is written down, or a list has another order', () => {
    expect(changes('vt: {}', 'vt: { match: vt, expect: one }')).toEqual([]);
    expect(option('a: [x, y]', 'a: [y, x]')).toEqual([]);
  });
  test('compares named values by what they hold', () => {
    const named = (values: string, name: string) =>
      `version: 1\nvalues: { ${values} }\nintegrations: { vt: { options: { url: "\${value:${name}}" } } }\n`;
    expect(changes(named('a: one', 'a'), named('b: one', 'b'))).toEqual([]);
    expect(changes(named('a: one', 'a'), named('a: two', 'a'))).toEqual([
      ['vt.options.url.value', 'one', 'two'],
    ]);
  });
});

describe('secrets are shown by their references', () => {
  /** Both sides of a value. */
  const sides = (base: string, head: string) => {
    const all = option(base, head);
    const found = all.find(([address]) => String(address).endsWith('.value'));
    return found?.slice(1, 3);
  };
  const [a, b] = ['${env:SETPOINT_A}', '${env:SETPOINT_B}'];
  test('that take the place of others, or of a value in clear', () => {
    expect(sides(`apiKey: "${a}"`, `apiKey: "${b}"`)).toEqual([a, b]);
    const clear = sides(`apiKey: "${a}"`, 'apiKey: in-clear');
    expect(clear).toEqual([a, 'secret']);
    expect(sides('host: in-clear', `host: "${b}"`)).toEqual(['secret', b]);
  });
  test('without their fallbacks, of which is told that they changed', () => {
    const [one, two] = ['"${env:A:-one1!}"', '"${env:A:-two2!}"'];
    const hidden = '${env:A:-(secret)}';
    expect(sides(`apiKey: ${one}`, `apiKey: ${two}`)).toEqual([
      hidden,
      `${hidden} (changed)`,
    ]);
  });
  test('not by their texts, whatever makes one of them a secret', () => {
    const secrets = ['secret', 'secret'];
    const literals = sides('apiKey: first-literal', 'apiKey: second-literal');
    expect(literals).toEqual(secrets);
    const marked = 'o: { value: one, sensitive: true }';
    const unmarked = 'o: { value: two, sensitive: false }';
    expect(sides(marked, unmarked)).toEqual(secrets);
    expect(sides('o: 5', 'o: AKIAIOSFODNN7EXAMPLE')).toEqual(secrets);
  });
  test('also where a value moves between defaults and an entry, or to an entry of another name', () => {
    const OUT = 'host: "${env:SETPOINT_H}"';
    const all = (options: string) =>
      `all: { match: "*", expect: any, options: { ${options} } }\n`;
    const own = (options: string, name = 'vt') =>
      `${name}: { match: vt_1*, options: { ${options} } }\n`;
    const byEntry = all('p: 1') + own(`${OUT}, p: 1`);
    const byDefaults = all(`${OUT}, p: 1`) + own('p: 1');
    for (const [base, head] of [
      [all('host: OldClear, p: 1') + own('p: 1'), byEntry],
      [all('p: 1') + own('host: OldClear, p: 1'), byDefaults],
      [own('host: OldClear, p: 1'), own(`${OUT}, q: 1`, 'other')],
    ] as const)
      for (const found of [changes(base, head), changes(head, base)]) {
        expect(JSON.stringify(found)).toContain('${env:SETPOINT_H}');
        expect(JSON.stringify(found)).not.toContain('OldClear');
      }
  });
});

describe('a value of one address is no secret for that of another', () => {
  const out = (selects: string) =>
    `out: { ${selects}, options: { host: "\${env:SETPOINT_H}" } }\n`;
  const clear = (value: string) =>
    `vt: { match: vt_1*, options: { host: ${value} } }\n`;
  test.each<[string, string, string]>([
    ['as the other selects other ids', '', out('match: splunk_*')],
    ['as the other is exactly another', '', out('match: vt_2')],
    ['as the other has both too', out('match: us_*'), out('match: us_*')],
    ['as defaults are overridden', '', out('match: "*", expect: any')],
  ])('%s', (_, base, head) => {
    expect(changes(base + clear('one'), head + clear('two'))).toContainEqual([
      'vt.options.host.value',
      'one',
      'two',
    ]);
  });
  test('on a server that the base lacks', () => {
    const found = changes('{}', out('match: splunk_*') + clear('two'));
    expect(found).toContainEqual(['vt.options.host.value', null, 'two']);
    // Of an integration that both may mean, nobody knows.
    const moved = changes(out('match: "{vt,us}_*"'), clear('two'));
    expect(moved).toContainEqual(['vt.options.host.value', 'secret', 'secret']);
  });
  test('but is where defaults mark it', () => {
    const all =
      'all: { match: "*", expect: any, options: { host: { sensitive: true } } }\n';
    const found = changes(all + clear('one'), all + clear('two'));
    expect(found).toEqual([['vt.options.host.value', 'secret', 'secret']]);
    const none = all.replace('"*"', 'us_*');
    expect(changes(none + clear('one'), none + clear('two'))).toEqual([
      ['vt.options.host.value', 'one', 'two'],
    ]);
  });
});

test('risks are told that show without a server', () => {
  const risks = (base: string, head: string) => {
    const all = option(base, head).flatMap((change) => change.slice(3));
    return [...new Set(all)];
  };
  const flags = (key: string, permission: string) =>
    `${key}: { permission: ${permission} }`;
  const [hide, show] = ['lock-and-hide', 'lock-and-show'];
  const exposed = ['exposes-secret'];
  expect(risks(flags('apiKey', hide), flags('apiKey', show))).toEqual(exposed);
  const shown = 'o: { value: "${env:SETPOINT_A}", permission: lock-and-show }';
  expect(risks('o: x', shown)).toEqual(exposed);
  expect(risks(flags('o', 'user-provides'), flags('o', hide))).toEqual([
    'overrides-users',
  ]);
  expect(risks(flags('timeout', hide), flags('timeout', show))).toEqual([]);
});
