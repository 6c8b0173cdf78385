import { describe, expect, test } from 'vitest';
import { resolveConfig } from '../../../src/core/config/resolve.ts';
import { diffConfigs } from '../../../src/core/diff/config-diff.ts';
import type { DeclaredSide } from '../../../src/core/diff/revision-diff.ts';
import { entries, validConfig } from '../../support/config.ts';

const configs = (...yaml: readonly [string, string]) =>
  yaml.map((text) => resolveConfig(validConfig(text.startsWith('version') ? text : entries(text))));

function diff(base: string, head: string) {
  const [before = [], after = []] = configs(base, head);
  return diffConfigs(before, after);
}

const shown = (side: DeclaredSide | undefined) =>
  side && (side.reference ?? (side.isHidden ? '(hidden)' : side.value));

/** Each difference as its address, its sides and its risks. */
function fields(base: string, head: string) {
  return diff(base, head).flatMap((entry) =>
    entry.fields.map(({ address, before, after, risks }) => [address, shown(before), shown(after), ...risks]),
  );
}

/** The difference of one option. */
const option = (base: string, head: string) =>
  fields(`vt: { options: { p: 1, ${base} } }`, `vt: { options: { p: 1, ${head} } }`);

describe('what differs between two configurations', () => {
  test('is what is declared, whatever the files, the order and the comments are', () => {
    const base =
      'b: { options: { x: 1, y: { value: a, permission: lock-and-hide } } }\na: { autosubscribe: true }';
    const head =
      'a: { autosubscribe: true } # new\nb:\n  options:\n    y: { permission: lock-and-hide, value: "a" }\n    x: "1"';
    expect(diff(base, head)).toEqual([]);
  });
  test('has each kind of declaration, with its place and comment', () => {
    const base =
      'vt: { match: vt_*, autosubscribe: true, options: { a: 1, b: { value: x, permission: lock-and-hide }, c: y } }';
    const head =
      'vt:\n  match: { id: vt_*, name: VT }\n  expect: optional\n  options:\n    a: 2 # as agreed\n    b: { permission: lock-and-show, sensitive: false, rotated: 2026-01-01 }';
    expect(fields(base, head)).toEqual([
      ['vt.autosubscribe', true, undefined],
      ['vt.expect', undefined, 'optional'],
      ['vt.match', 'id: vt_*', 'id: vt_*, name: VT'],
      ['vt.options.a.value', 1, 2],
      ['vt.options.b.permission', 'lock-and-hide', 'lock-and-show'],
      ['vt.options.b.rotated', undefined, '2026-01-01'],
      ['vt.options.b.sensitive', undefined, false],
      ['vt.options.b.value', 'x', undefined],
      ['vt.options.c.value', 'y', undefined],
    ]);
    const a = diff(base, head)[0]?.fields.find(({ option }) => option === 'a');
    expect(a).toMatchObject({ change: 'changed', comment: 'as agreed', source: { line: 7 } });
  });
  test('has entries that are new and gone, and finds one under another name', () => {
    const base =
      'old: { match: vt_*, options: { a: 1 } }\ngone: { options: { a: 1 } }\nsame: { options: { a: 1 } }';
    const head =
      'new: { match: vt_*, options: { a: 2 } }\nmade: { options: { a: 1 } }\nsame: { options: { a: 1 } }';
    expect(diff(base, head).map(({ name, was, change }) => [name, was, change])).toEqual([
      ['gone', undefined, 'released'],
      ['made', undefined, 'added'],
      ['new', 'old', 'changed'],
    ]);
    expect(
      diff('old: { match: vt_*, options: { a: 1 } }', 'new: { match: vt_*, options: { a: 1 } }'),
    ).toEqual([]);
  });
  test('is none where a new name selects the same, or a default is written down', () => {
    expect(diff('demo: { options: { a: 1 } }', 'virus: { match: demo, options: { a: 1 } }')).toEqual([]);
    expect(diff('demo: { options: { a: 1 } }', 'demo: { match: { id: demo }, options: { a: 1 } }')).toEqual(
      [],
    );
    expect(diff('vt: { options: { a: 1 } }', 'vt: { expect: one, options: { a: 1 } }')).toEqual([]);
    expect(
      fields('vt: { expect: any, options: { a: 1 } }', 'vt: { expect: one, options: { a: 1 } }'),
    ).toEqual([['vt.expect', 'any', 'one']]);
  });
  test('takes each of several entries with one selector once, by what they declare', () => {
    const entry = (name: string, key: string, value: number) =>
      `${name}: { match: vt_*, expect: any, options: { ${key}: ${value} } }\n`;
    const base = entry('a', 'x', 1) + entry('b', 'y', 1);
    expect(diff(base, entry('c', 'y', 1) + entry('d', 'x', 1))).toEqual([]);
    const found = diff(base, entry('c', 'y', 2) + entry('d', 'x', 1) + entry('e', 'x', 1));
    expect(found.map(({ name, was, change }) => [name, was, change])).toEqual([
      ['c', 'b', 'changed'],
      ['e', undefined, 'added'],
    ]);
  });
  test('follows named values', () => {
    const named = (values: string, value: string) =>
      `version: 1\nvalues: { ${values} }\nintegrations:\n  vt: { options: { url: ${value} } }\n`;
    expect(fields(named('a: one', '"${value:a}"'), named('b: one', '"${value:b}"'))).toEqual([]);
    expect(fields(named('a: one', '"${value:a}"'), named('a: two', '"${value:a}"'))).toEqual([
      ['vt.options.url.value', 'one', 'two'],
    ]);
    expect(
      fields(
        named('a: "${env:SETPOINT_A}"', '"${value:a}"'),
        named('a: "${env:SETPOINT_B}"', '"${value:a}"'),
      ),
    ).toEqual([['vt.options.url.value', '${env:SETPOINT_A}', '${env:SETPOINT_B}']]);
  });
});

test('a comment stands beside a difference, unless an older secret may be in it', () => {
  const comment = (line: string) =>
    diff('vt: { options: { a: 1 } }', `vt:\n  options:\n    ${line}`)[0]?.fields.at(-1)?.comment;
  expect(comment('b: 2 # see TICKET-1234, by the desk.')).toBe('see TICKET-1234, by the desk.');
  expect(comment('b: { value: "${env:B}", permission: lock-and-hide } # was hunter2')).toBeUndefined();
});

describe('no difference shows what is likely to be a secret', () => {
  test.each<[string, string, unknown[]]>([
    ['apiKey: first-literal', 'apiKey: second-literal', ['(hidden)', '(hidden)']],
    [
      'apiKey: "${env:SETPOINT_A:-fall-back1}"',
      'apiKey: "${env:SETPOINT_B}"',
      ['${env:SETPOINT_A:-(secret)}', '${env:SETPOINT_B}'],
    ],
    [
      'url: "https://u:pa55word@${env:SETPOINT_A}/x"',
      'url: "${file:b}"',
      ['(secret)${env:SETPOINT_A}(secret)', '${file:b}'],
    ],
    ['o: { value: one, sensitive: true }', 'o: two', ['(hidden)', '(hidden)']],
    ['o: SEC-1', 'o: "index=main sourcetype=1"', ['SEC-1', 'index=main sourcetype=1']],
    [
      'o: "https://${env:SETPOINT_A:-x}/a1"',
      'o: "https://${env:SETPOINT_A}/a2"',
      ['https://${env:SETPOINT_A:-(secret)}/a1', 'https://${env:SETPOINT_A}/a2'],
    ],
    ['o: 5', 'o: AKIAIOSFODNN7EXAMPLE', [5, '(hidden)']],
    ['o: { value: one, sensitive: true }', 'o: { value: two, sensitive: false }', ['(hidden)', '(hidden)']],
    ['list: [a, b]', 'list: ["${env:SETPOINT_A}", c]', ['(hidden)', '[${env:SETPOINT_A}, c]']],
  ])('%s, then %s', (base, head, sides) => {
    const [found] = option(base, head).filter(([address]) => String(address).endsWith('.value'));
    expect(found?.slice(1, 3)).toEqual(sides);
  });
});

describe('what is hidden for what stands elsewhere', () => {
  test('is what any entry marks as sensitive, since nobody knows which entries match', () => {
    const config = (note: number) =>
      `all: { match: "*", expect: any, options: { note: { sensitive: true } } }\ndemo: { options: { note: ${note} } }`;
    expect(fields(config(4711), config(4712))).toEqual([
      ['demo.options.note.value', '(hidden)', '(hidden)', 'plain-secret'],
    ]);
  });
  test.each([
    ['its name says secret', (word: string) => `dbPassword: ${word}`, '"x ${value:dbPassword}"', 'p: 1'],
    [
      'a secret one is in it',
      (word: string) => `dbPassword: ${word}, a: "x \${value:dbPassword}"`,
      '"${value:a}"',
      'p: 1',
    ],
    [
      'a secret one takes it',
      (word: string) => `dbPassword: "\${value:a}", a: ${word}`,
      '"${value:a}"',
      'p: 1',
    ],
    ['a secret option takes it', (word: string) => `a: ${word}`, '"${value:a}"', 'apiKey: "${value:a}"'],
    [
      'a marked option takes it',
      (word: string) => `a: ${word}`,
      '"${value:a}"',
      'o: { value: "${value:a}", sensitive: true }',
    ],
  ])('is a named value where %s', (_, values, note, other) => {
    const config = (word: string) =>
      `version: 1\nvalues: { ${values(word)} }\nintegrations:\n  vt: { options: { note: ${note}, ${other} } }\n`;
    const found = fields(config('winter'), config('summer')).find(
      ([address]) => address === 'vt.options.note.value',
    );
    expect(found).toEqual(['vt.options.note.value', '(hidden)', '(hidden)']);
    const open = config('winter').replace(`note: ${note}`, `note: { value: ${note}, sensitive: false }`);
    const own = fields(open, open.replace('winter', 'summer')).find(
      ([address]) => address === 'vt.options.note.value',
    );
    expect(own?.[1]).toContain('winter');
  });
});

describe('what one side takes from outside is hidden on the other', () => {
  const OUT = 'host: "${env:SETPOINT_H}"';
  test.each<[string, string, unknown[]]>([
    ['host: OldClear-Sekret-1', OUT, ['(hidden)', '${env:SETPOINT_H}']],
    [OUT, 'host: OldClear-Sekret-1', ['${env:SETPOINT_H}', '(hidden)']],
    ['host: OldClear-Sekret-1', 'host: "${file:keys/host}"', ['(hidden)', '${file:keys/host}']],
    [
      'host: { value: OldClear-Sekret-1, sensitive: false }',
      'host: { value: "${env:SETPOINT_H}", sensitive: false }',
      ['(hidden)', '${env:SETPOINT_H}'],
    ],
    ['host: OldClear-Sekret-1', 'host: a.example.com', ['OldClear-Sekret-1', 'a.example.com']],
  ])('%s, then %s', (base, head, sides) => {
    const [found] = option(base, head).filter(([address]) => String(address).endsWith('.value'));
    expect(found?.slice(1, 3)).toEqual(sides);
  });
  test('also a list, and through a named value', () => {
    expect(option('tags: [a, b]', 'tags: ["${env:SETPOINT_A}", b]')).toEqual([
      ['vt.options.tags.value', '(hidden)', '[${env:SETPOINT_A}, b]'],
    ]);
    const named = (value: string) =>
      `version: 1\nvalues: { h: ${value} }\nintegrations:\n  vt: { options: { host: "\${value:h}" } }\n`;
    expect(fields(named('OldClear'), named('"${env:SETPOINT_H}"'))).toEqual([
      ['vt.options.host.value', '(hidden)', '${env:SETPOINT_H}'],
    ]);
  });
  test('also where it moves between defaults and an entry, or to an entry of another name', () => {
    const all = (options: string) => `all: { match: "*", expect: any, options: { ${options} } }\n`;
    const vt = (options: string, name = 'vt') => `${name}: { options: { ${options} } }\n`;
    const LITERAL = 'host: OldClear';
    const moved = [
      [all(`${LITERAL}, p: 1`) + vt('p: 1'), all('p: 1') + vt(`${OUT}, p: 1`)],
      [all('p: 1') + vt(`${LITERAL}, p: 1`), all(`${OUT}, p: 1`) + vt('p: 1')],
      [all(`${LITERAL}, p: 1`) + vt('p: 1'), all('host: NewClear, p: 1') + vt(`${OUT}, p: 1`)],
      [vt(`${LITERAL}, p: 1`), vt(OUT, 'other')],
    ] as const;
    for (const [base, head] of moved)
      for (const found of [fields(base, head), fields(head, base)]) {
        expect(JSON.stringify(found)).toContain('${env:SETPOINT_H}');
        expect(JSON.stringify(found)).not.toMatch(/OldClear|NewClear/);
      }
  });
  test('not where another entry moves its own, or it was outside before', () => {
    const config = (a: string, b: string) => `a: { options: { ${a} } }\nb: { options: { ${b} } }`;
    expect(fields(config('host: a1', 'host: b1'), config(OUT, 'host: b2'))).toEqual([
      ['a.options.host.value', '(hidden)', '${env:SETPOINT_H}'],
      ['b.options.host.value', 'b1', 'b2'],
    ]);
    const some = (host: string) =>
      `all: { match: "*", expect: any, options: { ${host} } }\nvt: { options: { ${OUT} } }`;
    expect(fields(some('host: a1'), some('host: a2'))).toEqual([['all.options.host.value', 'a1', 'a2']]);
  });
});

describe('what differs though it is not shown', () => {
  test.each([
    ['"${env:A:-one1!}"', '"${env:A:-two2!}"', ['fallback']],
    ['"pa55!${env:A}"', '"pa66!${env:A}"', ['text']],
    ['"pa55!${env:A:-one1!}"', '"pa66!${env:A:-two2!}"', ['fallback', 'text']],
    ['"${env:A}"', '"${env:B}"', undefined],
    ['"${env:A:-one1!}"', '"${env:B:-two2!}"', undefined],
  ])('%s, then %s', (base, head, unshown) => {
    const yaml = (value: string) => `vt: { options: { apiKey: ${value} } }`;
    expect(diff(yaml(base), yaml(head))[0]?.fields[0]?.unshown).toEqual(unshown);
  });
});

describe('risks that show without a server', () => {
  test.each<[string, string, string[]]>([
    ['apiKey: { permission: lock-and-hide }', 'apiKey: { permission: lock-and-show }', ['exposes-secret']],
    ['o: { permission: user-provides }', 'o: { permission: lock-and-hide }', ['overrides-users']],
    ['o: x', 'o: { value: "${env:SETPOINT_A}", permission: lock-and-show }', ['exposes-secret']],
    [
      'key: { value: "${env:SETPOINT_A}", permission: lock-and-show }',
      'key: { value: "${env:SETPOINT_B}", permission: lock-and-show }',
      ['exposes-secret'],
    ],
    ['apiKey: "${env:SETPOINT_A}"', 'apiKey: in-clear-text', ['plain-secret']],
    ['timeout: { permission: lock-and-hide }', 'timeout: { permission: lock-and-show }', []],
  ])('%s, then %s', (base, head, risks) => {
    expect([...new Set(option(base, head).flatMap((each) => each.slice(3)))]).toEqual(risks);
  });
  test('everybody is subscribed', () => {
    expect(fields('vt: { autosubscribe: false }', 'vt: { autosubscribe: true }')).toEqual([
      ['vt.autosubscribe', false, true, 'subscribes-everyone'],
    ]);
  });
});
