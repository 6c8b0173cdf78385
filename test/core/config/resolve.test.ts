import { describe, expect, test } from 'vitest';
import {
  parseConfig,
  referenceFindings,
} from '../../../src/core/config/config.ts';
import {
  isFromOutside,
  outsideReferences,
  referenceTable,
  resolveConfig,
} from '../../../src/core/config/resolve.ts';
import { parseText } from '../../../src/core/config/template.ts';
import { hide, isHidden, reveal } from '../../../src/core/model/secret.ts';
import {
  brief,
  entries,
  file,
  merged,
  validConfig,
} from '../../support/config.ts';
import { contentOf, valueIn } from '../../support/resolved.ts';
import { options } from './files/case.ts';

const table: ReturnType<typeof referenceTable> = new Map([
  ['env:SETPOINT_KEY', { text: hide('s3cret') }],
  ['env:SETPOINT_PAD', { text: hide(' x') }],
  ['env:SETPOINT_NONE', { reason: 'it is not set', code: 'ENOENT' }],
  ['env:HOME', { reason: 'it is not allowed' }],
  ['file:key.pem', { text: hide('PEM') }],
  ['file:gone.pem', { reason: 'no such file', code: 'ENOENT' }],
  ['file:locked.pem', { reason: 'permission denied', code: 'EACCES' }],
]);

/** Everything that is missing or does not fit, by the table above. */
function problemsOf(...layers: readonly string[]) {
  const { value } = merged(layers.map((text) => [file(text)]));
  return referenceFindings(resolveConfig(value, table));
}

/** The resolved value of an option, or the codes of what is wrong with it. */
function resolved(written: string, values = '') {
  const text = `version: 1\nvalues: {${values}}\nintegrations: { vt: { options: { o: ${written} } } }\n`;
  const problems = problemsOf(text);
  const [entry] = resolveConfig(validConfig(text), table);
  if (problems.length > 0) return problems.map(({ code }) => code);
  const found = valueIn(entry, 'o');
  // What comes from outside is hidden, everything else is not.
  const want = found?.want;
  const isSecret = want?.kind === 'resolved' && isHidden(want.value);
  expect(isSecret).toBe(found?.isFromOutside === true && want !== undefined);
  return found && { ...found, value: contentOf(want) };
}

describe('references', () => {
  const KEY = '"${env:SETPOINT_KEY}"';
  const fromOutside = (value: string) => ({ value, isFromOutside: true });
  const literal = (value: unknown) => ({ value, isFromOutside: false });
  test('are those of the environment, with a fallback, and of files', () => {
    const reference = '${env:SETPOINT_KEY}';
    const key = { ...fromOutside('s3cret'), reference };
    expect(resolved(KEY)).toMatchObject(key);
    const fallback = resolved('"${env:SETPOINT_NONE:-fall back}"');
    expect(fallback).toMatchObject(fromOutside('fall back'));
    const pem = resolved('"${file:key.pem}"');
    expect(pem).toMatchObject(fromOutside('PEM'));
  });
  test('are no escapes, double braces and dollars', () => {
    expect(resolved('"$${env:X}"')).toMatchObject(literal('${env:X}'));
    const text = '{{a}} $x $';
    expect(resolved(`"${text}"`)).toMatchObject(literal(text));
  });
  test('to named values keep types, make choices of lists, and hide secrets', () => {
    const limit = resolved('"${value:retry-limit}"', 'retry-limit: 5');
    expect(limit).toMatchObject(literal(5));
    const choices = ['a', '1'].map((value) => ({ display: value, value }));
    const list = resolved('"${value:l}"', 'l: [a, 1]');
    expect(list).toMatchObject({ value: choices });
    const choice = '{ display: "D ${value:d}", value: "${value:v}" }';
    expect(resolved(choice, 'd: 1, v: two')).toMatchObject(
      literal({ display: 'D 1', value: 'two' }),
    );
    const secret = { ...fromOutside('s3cret'), reference: '${value:a}' };
    expect(resolved('"${value:a}"', `a: ${KEY}`)).toMatchObject(secret);
  });
  test('that cannot be used are found, all beside one that is not set', () => {
    const unreadable = ['file-unreadable'];
    expect(resolved('"${file:locked.pem}"')).toEqual(unreadable);
    const inText = resolved('"x${value:l}"', 'l: [a]');
    expect(inText).toEqual(['reference-syntax']);
    const takenBack = resolved('"${value:a}"', 'a: null');
    expect(takenBack).toEqual(['reference-missing']);
    const text = `version: 1\nvalues: { limit: 5 }\n${options('o: "${value:limt}"').slice(11)}`;
    const [missing] = parseConfig([[file(text)]]).diagnostics;
    expect(missing?.facts).toEqual({
      needed: ['${value:limt}'],
      hint: 'Did you mean limit?',
    });
    const unset = '"${env:SETPOINT_NONE}", "${file:gone.pem}"';
    const all = `["\${env:HOME}", ${unset}, "\${file:locked.pem}"]`;
    expect(resolved(all)).toEqual(['reference-not-allowed', ...unreadable]);
  });
  test('each outside reference is asked for once, also through values', () => {
    const config = validConfig(
      'version: 1\nvalues: { a: "${env:A}${file:f}", unused: "${env:UNUSED}" }\nintegrations: { vt: { options: { o: "${value:a}", p: "${env:A}", q: [{ display: d, value: "${env:B}" }] } } }\n',
    );
    const references = [...outsideReferences(config).keys()];
    expect(references).toEqual(['env:A', 'file:f', 'env:B']);
  });
  test('are masked unless they are used under `sensitive: false` alone', () => {
    const open = '{ value: "${env:A}", sensitive: false }';
    const marked = '{ value: "${env:A}", sensitive: true }';
    const plain = '"${env:A}"';
    const isMasked = (...options: readonly string[]) => {
      const all = options.map((option, at) => `o${at}: ${option}`).join(', ');
      const yaml = entries(`vt: { options: { ${all} } }`);
      return outsideReferences(validConfig(yaml)).get('env:A')?.isMasked;
    };
    for (const options of [[open], [open, open]])
      expect(isMasked(...options)).toBe(false);
    for (const options of [[plain], [marked], [open, plain], [plain, open]])
      expect(isMasked(...options)).toBe(true);
  });
  test('have a text, or a reason why they have none', () => {
    const names = ['FRAMED', 'EMPTY', 'UNSET', 'toString', 'FORBIDDEN'];
    const env = { FRAMED: '\ufeffx\r\n', EMPTY: '\ufeff\n', FORBIDDEN: 'x' };
    const missing = { reason: 'no such file', code: 'ENOENT' };
    const references = names.map((name) => `o${name}: "\${env:${name}}"`);
    const outside = outsideReferences(
      validConfig(entries(`vt: { options: { ${references.join(', ')} } }`)),
    );
    const found = referenceTable(outside, env, (name) => name !== 'FORBIDDEN', [
      ['framed', { text: '\ufeffa\nb\n' }],
      ['empty', { text: '\n' }],
      ['missing', missing],
    ]);
    const textOrReason = (each: object) =>
      'text' in each ? reveal(each.text) : each;
    const unset = { reason: 'it is not set', code: 'ENOENT' };
    expect([...found.values()].map(textOrReason)).toEqual([
      'x',
      unset,
      unset,
      unset,
      { reason: 'it is not allowed' },
      'a\nb',
      { reason: 'it is empty' },
      missing,
    ]);
  });
  test.each([
    '${',
    '${env:}',
    '${env:A-x}',
    '${env:AB',
    '${file:key.pem',
    '${value:a b}',
    '${env:A:-${env:B}}',
    '${env:A:-{{entity}}}',
    '${vault:x}',
  ])('%s is refused', (text) => {
    expect(parseText(text).problems).not.toEqual([]);
  });
});

test('braces around and beside a fallback are text', () => {
  for (const text of [
    '{"a":"${env:A:-b}"}',
    '{${env:A:-b}} {c}',
    '} ${env:A:-b}',
    '${env:A}}',
    'no reference',
  ])
    expect(parseText(text).problems).toEqual([]);
});

test('a base compares the files of a value as git holds them, and its text as written', () => {
  const digests = new Map([
    ['key.pem', 'digest of the key'],
    ['other.pem', 'digest of another file'],
    ['SETPOINT_KEY', 'digest of a file that is named like a variable'],
  ]);
  const written = '${env:SETPOINT_KEY}${file:key.pem}${file:new.pem}';
  const config = validConfig(entries(`vt: { options: { o: "${written}" } }`));
  const found = new Map(table).set('file:new.pem', { text: hide('NEW') });
  const [entry] = resolveConfig(config, found, digests);
  const { files, want } = valueIn(entry, 'o') ?? {};
  expect([...(files ?? [])]).toEqual([['key.pem', 'digest of the key']]);
  expect(want).toMatchObject({ written });
});

test('references are asked for in entries that are meant, and in defaults', () => {
  const option = 'options: { o: "${env:SETPOINT_NONE}" }';
  const text = entries(
    `meant: { ${option} }\nother: { ${option} }\nall: { match: "*", expect: any, ${option} }`,
  );
  const odd = { reason: 'it is not allowed' };
  const padded = { text: hide(' key') };
  const findingsWith = (found: typeof odd | typeof padded) => {
    const known = new Map([['env:SETPOINT_NONE', found]]);
    const config = resolveConfig(validConfig(text), known);
    const findings = referenceFindings(config, 'meant');
    return findings.map(brief).sort();
  };
  expect(findingsWith(odd)).toEqual([
    'reference-not-allowed 3:26',
    'reference-not-allowed 5:49',
  ]);
  expect(findingsWith(padded)).toEqual([
    'padded-text 3:26',
    'padded-text 5:49',
  ]);
});

test.each([
  [32, []],
  [33, [{ code: 'too-large', facts: { limit: 4 * 1024 * 1024 } }]],
])('named values add up to at most 4 MiB: %s of 128 KiB', (count, expected) => {
  const text = 'x'.repeat(128 * 1024);
  const uses = '${value:a}'.repeat(count);
  const { diagnostics } = parseConfig([
    [
      file(
        `version: 1\nvalues: { a: ${text} }\nintegrations: { vt: { options: { o: "-${uses}" } } }\n`,
      ),
    ],
  ]);
  expect(diagnostics).toMatchObject(expected);
});

test.each<[string, string, object]>([
  ['env:HOME', 'reference-not-allowed', { name: 'HOME' }],
  ['env:SETPOINT_PAD', 'padded-text', { reference: '${env:SETPOINT_PAD}' }],
  [
    'file:locked.pem',
    'file-unreadable',
    { path: '${file:locked.pem}', reason: 'permission denied' },
  ],
])('the finding on ${%s} says what it is about', (name, code, facts) => {
  const [finding] = problemsOf(options(`o: "\${${name}}"`));
  expect(finding).toMatchObject({ code, facts, place: { line: 5 } });
});

test.each([
  ['${env:A}', true],
  ['${value:outside}', true],
  ['${value:inside}', false],
  ['x', false],
])('%s comes from outside: %s', (value, expected) => {
  const named = 'version: 1\nvalues: { outside: "${file:a}", inside: a }\n';
  const { value: config } = merged([[file(named)]]);
  const place = { file: 'a.yaml', line: 1, column: 1 };
  expect(isFromOutside({ value, place }, config.values)).toBe(expected);
});
