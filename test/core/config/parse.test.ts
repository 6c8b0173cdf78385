import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/core/config/config.ts';
import { file, found } from '../../support/config.ts';

const head = 'version: 1\nintegrations:\n  vt:\n    options:\n';

describe('what is refused, and where', () => {
  test.each([
    ['a missing version', 'integrations: {}\n', ['missing-key 1:1']],
    ['another version', 'version: 2\n', ['unsupported-version 1:10']],
    ['an unknown key', 'version: 1\nintegration: {}\n', ['unknown-key 2:1']],
    [
      'an unknown key of an entry',
      'version: 1\nintegrations:\n  vt: { autosubscribed: true }\n',
      ['unknown-key 3:9'],
    ],
    ['an unknown key of an option', `${head}      key: { valu: 1 }\n`, ['unknown-key 5:14']],
    [
      'a permission beside a select',
      `${head}      mode: { display: D, value: v, permission: lock-and-hide }\n`,
      ['unknown-key 5:37'],
    ],
    ['a permission that does not exist', `${head}      key: { permission: locked }\n`, ['not-allowed 5:26']],
    [
      'an autosubscribe that is no boolean',
      'version: 1\nintegrations:\n  vt: { autosubscribe: yes }\n',
      ['wrong-type 3:24'],
    ],
    ['a name with a blank', 'version: 1\nintegrations:\n  a b: { autosubscribe: true }\n', ['bad-name 3:3']],
    [
      'an empty match',
      'version: 1\nintegrations:\n  vt: { match: "", autosubscribe: true }\n',
      ['bad-length 3:16'],
    ],
    ['a select without its value', `${head}      mode: { value: { display: D } }\n`, ['missing-key 5:15']],
    ['a number with leading zeros', `${head}      key: 0123\n`, ['ambiguous-scalar 5:12']],
    ['a number with an exponent', `${head}      key: 5319e7\n`, ['ambiguous-scalar 5:12']],
    ['a number with a final zero', `${head}      key: 1.10\n`, ['ambiguous-scalar 5:12']],
    ['a boolean in capitals', `${head}      key: True\n`, ['ambiguous-scalar 5:12']],
    ['a tilde for null', `${head}      key: ~\n`, ['ambiguous-scalar 5:12']],
    ['an integer beyond 2^53', `${head}      key: 9007199254740993\n`, ['unsafe-integer 5:12']],
    ['a key that stands twice', `${head}      key: 1\n      key: 2\n`, ['duplicate-key 6:7']],
    ['a number as key', `${head}      12: 1\n`, ['non-string-key 5:7']],
    [
      'a merge key',
      `version: 1\nintegrations:\n  vt: &vt { autosubscribe: true }\n  ip: { <<: *vt }\n`,
      ['merge-key 4:9'],
    ],
    ['an unknown tag', `${head}      key: !secret x\n`, ['unknown-tag 5:12']],
    ['another YAML version', '%YAML 1.1\n---\nversion: 1\n', ['yaml-version 1:1']],
    ['two documents', 'version: 1\n---\nversion: 1\n', ['several-documents 2:1']],
    ['an unclosed quote', `${head}      key: "abc\n`, ['yaml-syntax 5:12']],
    ['a tab as indentation', 'version: 1\nintegrations:\n\tvt: {}\n', ['yaml-syntax 3:1']],
    ['an alias without an anchor', `${head}      key: *none\n`, ['yaml-syntax 5:12']],
    ['an alias that holds itself', 'version: 1\nvalues: &v\n  a: *v\n', ['too-many-aliases 3:6']],
    ['an unknown reference', `${head}      key: \${vault:x}\n`, ['reference-syntax 5:12']],
    ['a reference without an end', `${head}      key: "a\${env:X"\n`, ['reference-syntax 5:12']],
    ['an empty file', '', ['wrong-type 1:1']],
  ])('%s', (_, text, expected) => {
    expect(found(text).filter((each) => !each.startsWith('empty-entry'))).toEqual(expected);
  });
});

describe('what looks dangerous and is not', () => {
  test.each([
    ['yes and no are text', 'a: yes', 'yes'],
    ['a quoted number is text', "a: '0123'", '0123'],
    ['a date is text', 'a: 2026-11-21', '2026-11-21'],
    ['a time is text', 'a: 12:30:45', '12:30:45'],
    ['a URL is text', 'a: https://x.example/?a=b#c', 'https://x.example/?a=b#c'],
    ['braces of templates stay', 'a: "{{ENTITY}}"', '{{ENTITY}}'],
    ['a dollar alone stays', 'a: pa$$word', 'pa$$word'],
    ['a version is text', 'a: 1.2.3', '1.2.3'],
    ['a negative number', 'a: -5', -5],
    ['a fraction', 'a: 0.25', 0.25],
    ['2^53 - 1', 'a: 9007199254740991', 9007199254740991],
    ['an explicit tag', 'a: !!str 0123', '0123'],
  ])('%s', (_, yaml, expected) => {
    const { value, diagnostics } = parseConfig([[file(`version: 1\nvalues:\n  ${yaml}\n`)]]);
    expect(diagnostics).toEqual([]);
    expect(value?.values.get('a')?.value).toEqual(expected);
  });
});

test('all problems of a file are found at once', () => {
  const text = 'version: 1\nvalues: { a: 01 }\nintegrations:\n  vt: { autosubscribe: True }\n  vt: {}\n';
  expect(found(text)).toEqual(['ambiguous-scalar 2:14', 'ambiguous-scalar 4:24', 'duplicate-key 5:3']);
});

test('line ends do not matter', () => {
  const text =
    'version: 1\nintegrations:\n  vt:\n    options:\n      pem: |\n        a\n        b\n      key: 0123\n';
  expect(found(text.replaceAll('\n', '\r\n'))).toEqual(found(text));
});

describe('caps', () => {
  test('a file of more than 2 MiB', () => {
    expect(found(`version: 1\nvalues:\n  a: ${'x'.repeat(2 * 1024 * 1024)}\n`)).toEqual([
      'file-too-large 1:1',
    ]);
  });
  test('a map of more than 5,000 keys', () => {
    const keys = Array.from({ length: 5_001 }, (_, index) => `  k${index}: 1`).join('\n');
    expect(found(`version: 1\nvalues:\n${keys}\n`)).toEqual(['too-many-keys 3:3']);
  });
  test('more than 64 levels', () => {
    expect(found(`version: 1\nvalues:\n  a: ${'['.repeat(70)}${']'.repeat(70)}\n`)).toEqual(['too-deep 1:1']);
  });
  test('so many levels that the stack ends', () => {
    expect(found(`version: 1\nvalues:\n  a: ${'['.repeat(100_000)}`)).toEqual(['too-deep 1:1']);
  });
  test('aliases that expand to more than 10,000 nodes', () => {
    const levels = Array.from(
      { length: 6 },
      (_, level) => `  l${level + 1}: &l${level + 1} [${`*l${level}, `.repeat(9)}*l${level}]`,
    );
    expect(found(`version: 1\nvalues:\n  l0: &l0 [x, x, x]\n${levels.join('\n')}\n`)).toContain(
      'too-many-aliases 7:12',
    );
  });
});
