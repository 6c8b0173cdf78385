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
    'a tag on a whole entry says nothing of what it holds',
    entries('a: !include { autosubscribe: yes, expect: 1 }\nb: { expect: 1, autosubscribe: true }'),
    ['yaml-syntax 3:6', 'not-allowed 4:16'],
  ],
  ['a tag on the whole file', '!config\nversion: 2\nvalue: {}\n', ['yaml-syntax 1:1']],
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
  ['an anchor behind a key that stands twice', options('a: 1\na: &x one\nb: *x'), ['duplicate-key 6:7']],
  [
    'a select that may get what it lacks by a merge key',
    values('a: { <<: { display: D }, value: v }\nb: { display: D }'),
    ['yaml-syntax 3:8', 'missing-key 4:3'],
  ],
  [
    'a merge key of nothing',
    entries('a: { <<: *nope, autosubscribe: true }'),
    ['yaml-syntax 3:8', 'yaml-syntax 3:12'],
  ],
  ['double braces in a named value', values('a: {{X}}'), ['non-string-key 3:7']],
  ['a reference without its dollar in a named value', values('a: {env:X}'), ['reference-syntax 3:7']],
  [
    'nothing, and a key that is not known',
    entries('vt: { expect: , match: vt_*, autosubscribed: true }'),
    ['empty-value 3:9', 'unknown-key 3:32'],
  ],
  ['a value that may go on where the error is', values('a: 01\n b: c'), ['yaml-syntax 4:4']],
  [
    'a select with one key mistyped, and one without a value',
    values('a: { display: D, valeu: v }\nb: { display: D, other: v }'),
    ['unknown-key 3:20', 'missing-key 4:3', 'unknown-key 4:20'],
  ],
  [
    'two documents, of which neither is read',
    'version: 1\nvalue: {}\n---\nversion: 1\n',
    ['yaml-syntax 3:1'],
  ],
  ['two documents, the first without its version', 'values: {}\n---\nversion: 1\n', ['yaml-syntax 2:1']],
  [
    'no version, and a reference to nothing, which waits',
    'integrations: { vt: { options: { url: "${value:none}" } } }\n',
    ['missing-key 1:1'],
  ],
  [
    'structure and the syntax of references; what needs the whole file waits',
    options('a: { valu: 1 }\nb: ${vault:x}\nc: ${value:none}\nurl: "https://x.example "'),
    ['unknown-key 5:12', 'reference-syntax 6:10'],
  ],
  [
    'references in a list of which a part is refused',
    options('a: [08, "${x}"]'),
    ['ambiguous-scalar 5:11', 'reference-syntax 5:15'],
  ],
  ['a refused value is not missed where it is named', values('a: !x 1\nb: x'), ['yaml-syntax 3:6']],
  [
    'nor is one under a section that is mistyped',
    'version: 1\nvalue: { a: x }\nintegrations: { vt: { options: { url: "${value:a}" } } }\n',
    ['unknown-key 2:1'],
  ],
  [
    'nor the match or the options of an entry that are refused',
    entries('a: { expect: any, match: 12, options: { b: !x 1 } }\nc: { match: c_*, option: {} }'),
    ['wrong-type 3:28', 'yaml-syntax 3:46', 'unknown-key 4:20'],
  ],
  [
    'rules wait for a file that can be read',
    entries(
      'a: { match: 12, autosubscribe: true }\nb: { match: b_* }\nc: { expect: any, autosubscribe: false }',
    ),
    ['wrong-type 3:15'],
  ],
];
