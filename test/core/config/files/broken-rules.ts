import { type Case, entries, options, values } from './case.ts';

const ENTRIES: readonly Case[] = [
  ['an entry that declares nothing', entries('vt: {}'), ['empty-entry 3:3']],
  ['an entry with nothing but its match', entries('vt: { match: vt_* }'), ['empty-entry 3:3']],
  ['an entry with no options', entries('vt: { options: {} }'), ['empty-entry 3:3']],
  ['an option that declares nothing', options('url: {}\nother: 1'), ['empty-option 5:7']],
  [
    'defaults without a match',
    entries('all: { expect: any, autosubscribe: false }'),
    ['any-without-match 3:18'],
  ],
  [
    'defaults that subscribe',
    entries('all: { match: "*", expect: any, autosubscribe: true }'),
    ['subscribes-by-default 3:50'],
  ],
  ['a regular expression', entries('vt: { match: "vt_.*", autosubscribe: true }'), ['match-is-no-glob 3:16']],
  [
    'a regular expression by name',
    entries('vt: { match: { name: ^VT$ }, autosubscribe: true }'),
    ['match-is-no-glob 3:16'],
  ],
  ...(
    [
      ['a blank before a match', '" a_*"', 'outer-blank'],
      ['a blank behind a match', '"b_* "', 'outer-blank'],
      ['a blank behind a name', '{ name: "VirusTotal " }', 'outer-blank'],
      ['several globs', '"a_*,b_*"', 'match-is-no-glob'],
      ['several globs with a bar', '"a|b_*"', 'match-is-no-glob'],
      ['what is not meant', '"!a_*"', 'match-is-no-glob'],
      ['a set without its end', '"[a-"', 'match-is-no-glob'],
      ['alternatives without their end', '"{a,b"', 'match-is-no-glob'],
      ['alternatives without their beginning', '{ name: "a}*" }', 'match-is-no-glob'],
      ['a name as an id', '"Virus Total"', 'match-is-no-glob'],
      ['quotes of a text processor', '\u201ca_*\u201d', 'odd-character'],
      ['a letter of another alphabet', '\u0430_*', 'odd-character'],
      ['a letter of another alphabet in a name', '{ name: "Vir\u0443s" }', 'odd-character'],
      ['a blank that is none of the keyboard', '{ acronym: "V\u00a0T" }', 'odd-character'],
    ] as const
  ).map(
    ([name, match, code]): Case => [
      name,
      entries(`vt: { match: ${match}, autosubscribe: true }`),
      [`${code} 3:16`],
    ],
  ),
  [
    'two entries with one match',
    entries('a: { match: vt_*, autosubscribe: true }\nb: { match: vt_*, options: { url: x } }'),
    ['same-match 4:15'],
  ],
  [
    'a match that is the name of another',
    entries('vt: { autosubscribe: true }\na: { match: vt, options: { url: x } }'),
    ['same-match 3:3'],
  ],
  [
    'one match, one field',
    entries('a: { match: vt_*, autosubscribe: true }\nb: { match: { id: vt_* }, autosubscribe: true }'),
    ['duplicate-field 4:44'],
  ],
  [
    'one match, a field and its null',
    entries('a: { match: vt_*, options: { url: x } }\nb: { match: vt_*, options: null }'),
    ['same-match 4:15', 'idle-null 4:30'],
  ],
  [
    'three entries with one match and one field',
    entries(
      'a: { match: vt_*, autosubscribe: true }\nb: { match: vt_*, autosubscribe: true }\nc: { match: vt_*, autosubscribe: true }',
    ),
    ['duplicate-field 4:36', 'duplicate-field 5:36'],
  ],
  [
    'three entries with one match, the last two with one field',
    entries(
      'a: { match: vt_*, options: { url: x } }\nb: { match: vt_*, autosubscribe: true }\nc: { match: vt_*, autosubscribe: true }',
    ),
    ['same-match 4:15', 'duplicate-field 5:36'],
  ],
  [
    'defaults with one match and one field',
    entries(
      'a: { match: "*", expect: any, options: { url: x } }\nb: { match: "*", expect: any, options: { url: y } }',
    ),
    ['duplicate-field 4:49'],
  ],
  ['a permission as a value', options('apiKey: lock-and-hide'), ['permission-as-value 5:15']],
  ['a permission in the long form', options('url: { value: user-provides }'), ['permission-as-value 5:21']],
  ['a key of an entry among options', options('url: x\nautosubscribe: true'), ['misplaced-key 6:7']],
  [
    'keys of an option among options',
    options('url:\npermission: lock-and-hide').replace('url:', 'url: x'),
    ['misplaced-key 6:7'],
  ],
  ['keys that differ in capitals', options('clientId: x\nclientID: y'), ['alike-keys 6:7']],
  ['keys that differ in a dash', options('api_url: x\napiUrl: y'), ['alike-keys 6:7']],
  ['keys with letters that changed places', options('timeout: 1\ntiemout: 2'), ['alike-keys 6:7']],
  [
    'keys of which one lacks a letter',
    options('lookupThrotleDuration: 1\nlookupThrottleDuration: 2'),
    ['alike-keys 6:7'],
  ],
  [
    'names that differ in capitals',
    entries('vt: { autosubscribe: true }\nVT: { autosubscribe: true }'),
    ['alike-keys 3:3'],
  ],
];

const SECRETS: readonly Case[] = [
  ['a sensitive value in clear', options('note: { value: x, sensitive: true }'), ['plain-secret 5:22']],
  [
    'a sensitive value in clear, by its name too',
    options('apiKey: { value: x, sensitive: true }'),
    ['plain-secret 5:24'],
  ],
  [
    'a sensitive value through a named one',
    values('a: x').replace("text: '${value:a}'", 'text: { value: "${value:a}", sensitive: true }'),
    ['plain-secret 6:31'],
  ],
  [
    'words that are no booleans any more',
    options('a: yes\nb: { value: Off }\nc: ON'),
    ['boolean-word 5:10', 'boolean-word 6:19', 'boolean-word 7:10'],
  ],
  ['a key like that of a secret', options('apiKey: x'), ['likely-secret 5:15']],
  ['a password', options('password: { value: x }'), ['likely-secret 5:26']],
  [
    'a named value like a secret',
    'version: 1\nvalues: { vt-token: x, a: "${value:vt-token}" }\nintegrations: { vt: { options: { url: "${value:a}" } } }\n',
    ['likely-secret 2:21'],
  ],
  ['a private key', options('pem: |\n  -----BEGIN RSA PRIVATE KEY-----\n  MII'), ['likely-secret 5:12']],
  ['a password that is a number', options('password: 12345'), ['likely-secret 5:17']],
  ['a token in a list', options('token: [abc]'), ['likely-secret 5:14']],
  ['a secret in a list', options(`accounts: [a, AKIA${'A7'.repeat(8)}]`), ['likely-secret 5:17']],
  [
    'a token of three parts behind its scheme',
    options('bearer: Bearer eyJhbGciOiJI.eyJzdWIiOiIx.abc'),
    ['likely-secret 5:15'],
  ],
  ['a name and a password of a header', options('auth: Basic dXNlcjpwYXNz'), ['likely-secret 5:13']],
  [
    'a whole header',
    options('hdr: "Authorization: Bearer abcdefghijklmnop"\nother: "Authorization: Basic dXNlcjpwYXNz"'),
    ['likely-secret 5:12', 'likely-secret 6:14'],
  ],
  [
    'a key in the query of a URL',
    options('url: https://x.example/?q=1&api_key=abcd\nother: http://x.example/?access_token=5'),
    ['likely-secret 5:12', 'likely-secret 6:14'],
  ],
  ['a key of a cloud', options(`account: AKIA${'A7'.repeat(8)}`), ['likely-secret 5:16']],
  [
    'a token of three parts',
    options('header: eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl'),
    ['likely-secret 5:15'],
  ],
  ['a password in a URL', options('proxy: http://me:hunter2@proxy.example:3128'), ['likely-secret 5:14']],
  [
    'a password in a URL of a named value',
    'version: 1\nvalues: { proxy: "http://me:hunter2@proxy.example" }\nintegrations: { vt: { options: { p: "${value:proxy}" } } }\n',
    ['likely-secret 2:18'],
  ],
  ['a secret beside a template', options('token: "{{user}}:hunter2"'), ['likely-secret 5:14']],
  ['a scheme with its secret', options('authToken: Bearer hunter2'), ['likely-secret 5:18']],
  ['a number for a password', options('password: "1234"'), ['likely-secret 5:17']],
  ['a fallback for a secret', options('apiKey: "${env:SETPOINT_KEY:-x}"'), ['secret-fallback 5:15']],
  [
    'an empty fallback for what is marked',
    options('note: { value: "${env:SETPOINT_KEY:-}", sensitive: true }'),
    ['secret-fallback 5:22'],
  ],
  [
    'a secret that is shown',
    options('note: { value: "${env:X}", sensitive: true, permission: lock-and-show }'),
    ['exposes-secret 5:63'],
  ],
  [
    'a value that users give',
    options('url: { value: x, permission: user-provides }'),
    ['user-provides-value 5:21'],
  ],
  ['a value that was to be replaced', options('url: CHANGEME'), ['placeholder 5:12']],
  ['a secret that was to be replaced', options('apiKey: <your api key>'), ['placeholder 5:15']],
  ['a mask that was copied', options('note: "********"'), ['placeholder 5:13']],
  ['a note to oneself', options('url: TODO'), ['placeholder 5:12']],
  ['a secret of x', options('apiKey: xxxx'), ['placeholder 5:15']],
  ['a row of x', options('note: xxxxxxxx-xxxx-xxxx'), ['placeholder 5:13']],
  ['a secret that is still to come', options('token: my-token'), ['placeholder 5:14']],
  ['what a program knew nothing of', options('url: undefined'), ['placeholder 5:12']],
  ['what is to be inserted', options('url: INSERT_URL_HERE'), ['placeholder 5:12']],
  ['a mask of a secret', options('apiKey: sk****EA'), ['placeholder 5:15']],
];

const TEXTS: readonly Case[] = [
  ['a blank at the end', options('url: "x "'), ['outer-blank 5:12']],
  ['a blank at the beginning', options("url: ' x'"), ['outer-blank 5:12']],
  ['a block of one line', options('url: |\n  x'), ['outer-blank 5:12']],
  ['a blank behind a reference', options('url: "${env:X} "'), ['outer-blank 5:12']],
  ['a blank in a list', options('types: [a, "b "]'), ['outer-blank 5:18']],

  ['a reference without braces', options('url: $env:X'), ['reference-typo 5:12']],
  ['a reference in parentheses', options('url: $(env:X)'), ['reference-typo 5:12']],
  ['a reference without a dollar', options('url: "{env:X}"'), ['reference-typo 5:12']],
  ['a variable of a shell', options('url: $SETPOINT_URL'), ['reference-typo 5:12']],
  ['a variable of another shell', options('url: "%SETPOINT_URL%"'), ['reference-typo 5:12']],
  ['the body of a reference', options('url: env:SETPOINT_URL'), ['reference-typo 5:12']],
  ['a scheme twice', options('url: https://https://x.example'), ['broken-url 5:12']],
  ['a scheme without a slash', options('url: https:/x.example'), ['broken-url 5:12']],
  ['a scheme with a slash too many', options('url: https:///x.example'), ['broken-url 5:12']],
  ['a scheme without its colon', options('url: https//x.example'), ['broken-url 5:12']],
  ['a mistyped scheme', options('url: htps://x.example'), ['broken-url 5:12']],
  [
    'a scheme that a named value has too',
    values('a: https://x.example').replace("'${value:a}'", "'https://${value:a}'"),
    ['broken-url 6:22'],
  ],
  [
    'a path behind a named value that ends with a slash',
    values('a: https://x.example/').replace("'${value:a}'", "'${value:a}/v3'"),
    ['broken-url 6:22'],
  ],
  ['what a tool for secrets encrypted', options('note: ENC[AES256_GCM,data:x]'), ['still-encrypted 5:13']],
  [
    'a secret that a tool encrypted',
    options('apiKey: |\n  $ANSIBLE_VAULT;1.1;AES256\n  6162'),
    ['still-encrypted 5:15'],
  ],
  ['a file above the folder', options('pem: ${file:../key.pem}'), ['reference-file 5:12']],
  [
    'a file by its whole path',
    options('pem: ${file:/etc/passwd}\nother: "${file:C:\\\\keys\\\\a.pem}"'),
    ['absolute-file 5:12', 'absolute-file 6:14'],
  ],
  [
    'a file by what only a shell replaces',
    options('pem: ${file:~/key}\nother: "${file:$HOME/key}"'),
    ['reference-file 5:12', 'reference-file 6:14'],
  ],
  [
    'a file that leaves the folder further on',
    options('pem: ["${file:keys/../../key.pem}"]'),
    ['reference-file 5:12'],
  ],
  [
    'values that differ in capitals',
    'version: 1\nvalues: { proxyUrl: x, proxyURL: y }\nintegrations: { vt: { options: { a: "${value:proxyUrl}", b: "${value:proxyURL}" } } }\n',
    ['alike-keys 2:24'],
  ],
  [
    'variables that differ in an underscore',
    options('url: "${env:SETPOINT_VT_URL}"\nother: "${env:SETPOINT_VTURL}"'),
    ['alike-variables 6:14'],
  ],
  [
    'a variable that is mistyped once',
    options(
      'a: "${env:SETPOINT_TIMEOT:-5}"\nb: "${env:SETPOINT_TIMEOUT:-5}"\nc: "${env:SETPOINT_TIMEOUT:-5}"',
    ),
    ['alike-variables 5:10'],
  ],
  ['a choice twice', options('types: [ip, url, ip]'), ['repeated-choice 5:24']],
  [
    'a choice twice, once with its display',
    options('types: [ip, { display: IP, value: ip }]'),
    ['repeated-choice 5:19'],
  ],
  ['a zero-width space', options('url: "a\u200bb"'), ['odd-character 5:12']],
  ['a soft hyphen', options('url: a\u00adb'), ['odd-character 5:12']],
  ['a no-break space', options('url: a\u00a0b'), ['odd-character 5:12']],
  ['a mark of direction', options('url: a\u202eb'), ['odd-character 5:12']],
  ['a line separator', options('url: a\u2028b'), ['odd-character 5:12']],
  ['a Cyrillic letter in a Latin word', options('url: https://\u0430pi.example'), ['odd-character 5:12']],
  ['quotes of a text processor', options('url: \u201cx\u201d'), ['odd-character 5:12']],
  ['a Cyrillic letter in a key', options('\u0430piKey: "${env:X}"'), ['odd-key 5:7']],
  ['a Greek letter in a key', options('api\u039aey: "${env:X}"'), ['odd-key 5:7']],
  ['a zero-width space in a key', options('"api\u200bKey": "${env:X}"'), ['odd-key 5:7']],
  ['a blank behind a key', options('"url ": x'), ['odd-key 5:7']],
  ['a line end in a key', options('? |\n  url\n: x'), ['odd-key 5:9']],
  ['a long dash in a key', options('api\u2013key: x'), ['odd-key 5:7']],
];

const LAYERS: readonly Case[] = [
  ['a null that takes nothing back', options('url: null\nother: 1'), ['idle-null 5:12']],
  ['a null for an entry', entries('vt: null'), ['idle-null 3:7']],
  ['a null for a named value', values('a: x\nb: null'), ['idle-null 4:6']],
  ['a value that nobody refers to', values('a: x\nb: y'), ['unused-value 4:3']],
];

/** Files that can be read, and what the rules find in them. */
export const BROKEN_RULES: readonly Case[] = [...ENTRIES, ...SECRETS, ...TEXTS, ...LAYERS];
