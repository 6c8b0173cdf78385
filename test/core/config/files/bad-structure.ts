import { type Case, entries, options, values } from './case.ts';

/** Files that are YAML, but no configuration. */
export const BAD_STRUCTURE: readonly Case[] = [
  ['no version', 'integrations: {}\n', ['missing-key 1:1']],
  ['a version in quotes', 'version: "1"\n', ['unsupported-version 1:10']],
  ['a text', 'version 1\n', ['wrong-type 1:1']],
  ['an unknown section', 'version: 1\nintegration: {}\n', ['unknown-key 2:1']],
  ['integrations as a list', 'version: 1\nintegrations: [vt]\n', ['wrong-type 2:15']],
  ['an entry that is a text', entries('vt: virustotal_*'), ['wrong-type 3:7']],
  ['a key like those of every object', entries('vt: { __proto__: {} }'), ['unknown-key 3:9']],
  ['a permission in a select', options('k: { display: D, value: v, permission: p }'), ['unknown-key 5:34']],
  ['an empty match', entries('vt: { match: "", autosubscribe: true }'), ['not-allowed 3:16']],
  ['a match of nothing', entries('vt: { match: {}, autosubscribe: true }'), ['not-allowed 3:16']],
  ['a number as match', entries('vt: { match: 12, autosubscribe: true }'), ['wrong-type 3:16']],
  ['a match of 257 characters', entries(`vt: { match: ${'v'.repeat(257)} }`), ['not-allowed 3:16']],
  ['a name of a value with a blank', values('a: 1\nb c: 2'), ['not-allowed 4:3']],
  ['an empty key of an option', options('"": 1'), ['not-allowed 5:7']],
  ['a key of an option of more than 128 characters', options(`${'k'.repeat(129)}: 1`), ['not-allowed 5:7']],
  ['a select with a number', options('key: { display: D, value: 1 }'), ['wrong-type 5:33']],
  ['a list in a list', options('key: [[a]]'), ['wrong-type 5:13']],
  ['null in a list', options('key: [a, null]'), ['wrong-type 5:16']],
  ['a map as a value', options('key: { value: { a: 1 } }'), ['unknown-key 5:23']],
  [
    'a problem behind an alias, once for each place',
    values('a: &a { display: 1, value: v }\nb: *a'),
    ['wrong-type 3:20', 'wrong-type 3:20'],
  ],
];

/** References that cannot be read. */
export const BAD_REFERENCES: readonly Case[] = [
  ['a match that could take for ever', entries('vt: { match: "[ab]*a*a*a*b" }'), ['too-large 3:16']],
  ['in a match', entries('vt: { match: "${value:prefix}_*" }'), ['reference-syntax 3:16']],
  ['in a key of an option', options('"a-${env:X}": { value: 1 }'), ['reference-syntax 5:7']],
  ['an unknown kind', options('key: ${vault:x}'), ['reference-syntax 5:12']],
  [
    'all that is wrong in one text',
    options('key: ${foo} ${env:} ${bar} ${value:nope}'),
    ['reference-syntax 5:12', 'reference-syntax 5:12'],
  ],
  ['a reference in a path', options('key: "${file:keys/${value:v}.pem}"'), ['reference-syntax 5:12']],
  ['double braces around it', options('key: ${{env:X}}'), ['reference-syntax 5:12']],
  ['in a list', options('key: [a, "${x}"]'), ['reference-syntax 5:16']],
  ['no dollar, so that it is a map', options('key: {env:SETPOINT_KEY}'), ['reference-syntax 5:13']],
  ["setpoint's own password", options('key: ${env:SETPOINT_PASSWORD}'), ['reference-not-allowed 5:12']],
  [
    "setpoint's own credential as a part, twice, with fallbacks",
    options('key: "${env:SETPOINT_TOKEN:-a} ${env:setpoint_TOKEN} ${env:SETPOINT_TOKEN}"'),
    ['reference-not-allowed 5:12', 'reference-not-allowed 5:12'],
  ],
  [
    "setpoint's own credential in a list, a select, and a value that nothing uses",
    'version: 1\nvalues: { a: "${env:SETPOINT_TOKEN}" }\n' +
      'integrations: { vt: { options: { k: [x, "${env:SETPOINT_TOKEN}"], s: { display: "${env:SETPOINT_TOKEN}", value: y } } } }\n',
    ['reference-not-allowed 2:14', 'reference-not-allowed 3:41', 'reference-not-allowed 3:81'],
  ],
  ['a value that refers to itself', values('a: "${value:a}"'), ['reference-syntax 3:6']],
  ['a named value that refers to another', values('a: "x${value:b}"\nb: x'), ['reference-syntax 3:6']],
];
