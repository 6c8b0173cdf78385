import { describe, expect, test } from 'vitest';
import {
  parseConfig,
  referenceFindings,
} from '../../../src/core/config/config.ts';
import {
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

const table: ReturnType<typeof referenceTable> = new Map([
  ['env:SETPOINT_KEY', { text: hide('s3cret') }],
  ['env:SETPOINT_NONE', { reason: 'missing' }],
  ['env:HOME', { reason: 'forbidden' }],
  ['file:key.pem', { text: hide('PEM') }],
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
  test.each([
    [
      'an environment variable',
      '"${env:SETPOINT_KEY}"',
      {
        value: 's3cret',
        isFromOutside: true,
        reference: '${env:SETPOINT_KEY}',
      },
    ],
    [
      'a fallback',
      '"${env:SETPOINT_NONE:-fall back}"',
      { value: 'fall back', isFromOutside: true },
    ],
    ['a file', '"${file:key.pem}"', { value: 'PEM', isFromOutside: true }],
    ['an escape', '"$${env:X}"', { value: '${env:X}', isFromOutside: false }],
    [
      'double braces',
      '"{{a}} $x $"',
      { value: '{{a}} $x $', isFromOutside: false },
    ],
  ])('%s', (_, written, expected) => {
    expect(resolved(written)).toMatchObject(expected);
  });
  test.each([
    [
      'a number keeps its type',
      '"${value:retry-limit}"',
      'retry-limit: 5',
      { value: 5, isFromOutside: false },
    ],
    [
      'a list is one of choices',
      '"${value:l}"',
      'l: [a, 1]',
      {
        value: [
          { display: 'a', value: 'a' },
          { display: '1', value: '1' },
        ],
      },
    ],
    [
      'a dollar at the end of one escapes nothing behind it',
      '"${value:a}${env:SETPOINT_KEY}"',
      'a: "cost$"',
      { value: 'cost$s3cret', isFromOutside: true },
    ],
    [
      'a secret behind a value stays one',
      '"${value:a}"',
      'a: "${env:SETPOINT_KEY}"',
      { value: 's3cret', isFromOutside: true, reference: '${value:a}' },
    ],
  ])('of named values: %s', (_, written, values, expected) => {
    expect(resolved(written, values)).toMatchObject(expected);
  });
  test.each([
    [
      'a file that cannot be read',
      '"${file:locked.pem}"',
      '',
      ['file-unreadable'],
    ],
    ['a list inside a text', '"x${value:l}"', 'l: [a]', ['reference-syntax']],
    [
      'a named value that is taken back',
      '"${value:a}"',
      'a: null',
      ['reference-missing'],
    ],
    [
      'all that cannot be used, beside one that is not set',
      '["${env:HOME}", "${env:SETPOINT_NONE}", "${file:locked.pem}"]',
      '',
      ['reference-not-allowed', 'file-unreadable'],
    ],
  ])('found: %s', (_, written, values, expected) => {
    expect(resolved(written, values)).toEqual(expected);
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
    expect([isMasked(open), isMasked(open, open)]).toEqual([false, false]);
    expect([isMasked(plain), isMasked(marked)]).toEqual([true, true]);
    expect([isMasked(open, plain), isMasked(plain, open)]).toEqual([
      true,
      true,
    ]);
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
    const textOrReason = (found: object) =>
      'text' in found ? reveal(found.text) : found;
    expect([...found.values()].map(textOrReason)).toEqual([
      'x',
      { reason: 'missing' },
      { reason: 'missing' },
      { reason: 'missing' },
      { reason: 'forbidden' },
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

describe('what a base compares', () => {
  const digests = new Map([
    ['key.pem', 'digest of the key'],
    ['other.pem', 'digest of another file'],
    ['SETPOINT_KEY', 'digest of a file that is named like a variable'],
  ]);
  const config = validConfig(
    entries(
      'vt: { options: { o: "${env:SETPOINT_KEY}${file:key.pem}${file:new.pem}" } }',
    ),
  );
  const found = new Map(table).set('file:new.pem', { text: hide('NEW') });
  const resolvedWith = (known: ReadonlyMap<string, string>) => {
    const entry = resolveConfig(config, found, known)[0];
    return valueIn(entry, 'o');
  };
  test('are the files of a value as git holds them, and its text as written', () => {
    const { files, want } = resolvedWith(digests) ?? {};
    expect([...(files ?? [])]).toEqual([['key.pem', 'digest of the key']]);
    expect(want).toMatchObject({
      written: '${env:SETPOINT_KEY}${file:key.pem}${file:new.pem}',
    });
  });
});

test('references are asked for in entries that are meant, and in defaults', () => {
  const option = 'options: { o: "${env:SETPOINT_NONE}" }';
  const text = entries(
    `meant: { ${option} }\nother: { ${option} }\nall: { match: "*", expect: any, ${option} }`,
  );
  const odd = { reason: 'forbidden' };
  const padded = { text: hide(' key') };
  const resolvedWith = (found: typeof odd | typeof padded) => {
    const env = new Map([['env:SETPOINT_NONE', found]]);
    return resolveConfig(validConfig(text), env);
  };
  const isMeant = (name: string) => name === 'meant';
  const missing = referenceFindings(resolvedWith(odd), isMeant);
  expect(missing.map(brief).sort()).toEqual([
    'reference-not-allowed 3:26',
    'reference-not-allowed 5:49',
  ]);
  const remarks = referenceFindings(resolvedWith(padded), isMeant);
  expect(remarks.map(brief).sort()).toEqual([
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
