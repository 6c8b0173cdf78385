import { entries } from '../../../support/config.ts';
import { type Case, options } from './case.ts';

/** Files that can be read, and what the rules find in them. */
export const BROKEN_RULES: readonly Case[] = [
  [
    'a match that is the name of another',
    entries(
      'vt: { autosubscribe: true }\na: { match: vt, autosubscribe: true }',
    ),
    ['duplicate-field 3:24'],
  ],
  [
    'one match, one field',
    entries(
      'a: { match: vt_*, autosubscribe: true }\nb: { match: { id: vt_* }, autosubscribe: true }',
    ),
    ['duplicate-field 4:44'],
  ],
  [
    'one match, a field and its null',
    entries(
      'a: { match: vt_*, options: { url: x } }\nb: { match: vt_*, options: null }',
    ),
    ['idle-declaration 4:30'],
  ],
  [
    'defaults with one match and one field',
    entries(
      'a: { match: "*", expect: any, options: { url: x } }\nb: { match: "*", expect: any, options: { url: y } }',
    ),
    ['duplicate-field 4:49'],
  ],
  [
    'a sensitive value in clear',
    options('note: { value: x, sensitive: true }'),
    ['plain-secret 5:22'],
  ],
  [
    'a named value like a secret',
    'version: 1\nvalues: { vt-token: x }\nintegrations: { vt: { options: { url: "${value:vt-token}" } } }\n',
    ['plain-secret 2:21'],
  ],
  [
    'a password that is a number',
    options('password: 12345'),
    ['plain-secret 5:17'],
  ],
  ['a token in a list', options('token: [abc]'), ['plain-secret 5:14']],
  [
    'a secret in a list',
    options(`accounts: [a, AKIA${'A7'.repeat(8)}]`),
    ['plain-secret 5:17'],
  ],
  [
    'a password in a URL',
    options('proxy: http://me:hunter2@proxy.example:3128'),
    ['plain-secret 5:14'],
  ],
  [
    'a scheme with its secret',
    options('authToken: Bearer hunter2'),
    ['plain-secret 5:18'],
  ],
  [
    'an empty fallback',
    options('a: { value: "${env:X:-}", sensitive: true }'),
    ['plain-secret 5:19'],
  ],
  [
    'a fallback of a named secret',
    'version: 1\nvalues: { token: "${env:X:-x}" }\nintegrations: { vt: { options: { url: "${value:token}" } } }\n',
    ['plain-secret 2:18'],
  ],
  [
    'a leftover as the fallback of a secret',
    options('apiKey: "${env:X:-undefined}"'),
    ['placeholder 5:15', 'plain-secret 5:15'],
  ],
  ['a mask that was copied', options('note: "********"'), ['placeholder 5:13']],
  ['a mask in place of a key', options('apiKey: "***"'), ['placeholder 5:15']],
  [
    'a reference of another tool in place of a key',
    options('apiKey: "$TOKEN"'),
    ['reference-typo 5:15'],
  ],
  [
    'a key with a blank before it',
    options('k: { value: " x", sensitive: true }'),
    ['padded-text 5:19', 'plain-secret 5:19'],
  ],
  [
    'a reference in parentheses',
    options('url: $(env:X)'),
    ['reference-typo 5:12'],
  ],
  ['a line separator', options('url: a\u2028b'), ['padded-text 5:12']],
  ['a control by an escape', options('url: "a\\u0007b"'), ['padded-text 5:12']],
  ['a null for an entry', entries('vt: null'), ['idle-declaration 3:7']],
  [
    'a text that ends in a blank',
    options('url: "https://x.example "'),
    ['padded-text 5:12'],
  ],
  [
    'a marked secret that all users see',
    options('k: { sensitive: true, permission: lock-and-show }'),
    ['exposes-secret 5:41'],
  ],
  [
    'a value that each user sets',
    options('k: { value: x, permission: user-provides }'),
    ['user-provides-value 5:19'],
  ],
];
