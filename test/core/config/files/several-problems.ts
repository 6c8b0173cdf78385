import { type Case, entries, options, values } from './case.ts';

/** Files with several mistakes of several kinds: none hides another, and none is found twice in other words. */
export const SEVERAL_PROBLEMS: readonly Case[] = [
  [
    'a tag, a merge key, an unknown key and a wrong type',
    entries(
      'a: &a { autosubscribe: true }\nb: { <<: *a, match: b_*, autosubscribed: true }\nc: { match: !glob c_*, expect: 1, autosubscribe: yes }',
    ),
    ['yaml-syntax 4:8', 'unknown-key 4:28', 'yaml-syntax 5:15', 'not-allowed 5:34', 'wrong-type 5:52'],
  ],
  [
    'a number beside a wrong type',
    options('a: [01, [x]]\nb: { permission: 01, sensitive: yes }'),
    ['ambiguous-scalar 5:11', 'wrong-type 5:15', 'ambiguous-scalar 6:24', 'wrong-type 6:39'],
  ],
  [
    'behind a key that stands twice',
    options('a: 1\na: { value: 01 }\nb: { valu: 1 }'),
    ['duplicate-key 6:7', 'ambiguous-scalar 6:19', 'unknown-key 7:12'],
  ],
  [
    'a select that may get what it lacks by a merge key',
    values('a: { <<: { display: D }, value: v }\nb: { display: D }'),
    ['yaml-syntax 3:8', 'missing-key 4:3'],
  ],
  [
    'a select with one key mistyped, and one without a value',
    values('a: { display: D, valeu: v }\nb: { display: D, other: v }'),
    ['unknown-key 3:20', 'missing-key 4:3', 'unknown-key 4:20'],
  ],
  ['without a version', 'integrations: { v: { options: { u: "${value:x}" } } }', ['missing-key 1:1']],
  [
    'structure and the syntax of references; what needs the whole file waits',
    options('a: { valu: 1 }\nb: ${vault:x}\nc: ${value:none}\nurl: "https://x.example "'),
    ['unknown-key 5:12', 'reference-syntax 6:10'],
  ],
  ['a refused value is not missed where it is named', values('a: !x 1\nb: x'), ['yaml-syntax 3:6']],
  [
    'rules wait for a file that can be read',
    entries(
      'a: { match: 12, autosubscribe: true }\nb: { match: b_* }\nc: { expect: any, autosubscribe: false }',
    ),
    ['wrong-type 3:15'],
  ],
];
