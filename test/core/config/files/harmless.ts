/** Values that look dangerous and are not: what is written as `a`, and what it means. */
export const HARMLESS: readonly (readonly [
  name: string,
  yaml: string,
  value: unknown,
])[] = [
  ['yes is text', 'a: yes', 'yes'],
  ['a number in quotes is text', "a: '0123'", '0123'],
  ['a date is text', 'a: 2026-11-21', '2026-11-21'],
  ['a URL is text', 'a: https://x.example/?a=b#c', 'https://x.example/?a=b#c'],
  ['double braces in quotes stay', 'a: "{{ENTITY}}"', '{{ENTITY}}'],
  ['an escaped reference is text', 'a: "$${env:X}"', '${env:X}'],
  ['a negative number', 'a: -5', -5],
  ['a small number as it is stored', 'a: 1e-7', 1e-7],
  ['2^53 - 1', 'a: 9007199254740991', 9007199254740991],
  ['true', 'a: true', true],
  ['a block', 'a: |-\n    x: 1\n    # no comment', 'x: 1\n# no comment'],
  ['a tab between key and value', 'a:\tx', 'x'],
  [
    'an emoji with a joiner',
    'a: "\u{1f468}\u200d\u{1f469}"',
    '\u{1f468}\u200d\u{1f469}',
  ],
  ['a select', 'a: { display: "", value: v }', { display: '', value: 'v' }],
  ['an empty list', 'a: []', []],
  ['JSON in a text', `a: '{"a": [1, null]}'`, '{"a": [1, null]}'],
];
