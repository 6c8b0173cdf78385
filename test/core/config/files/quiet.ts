import { entries, options, values } from './case.ts';

/** Files that come near to a rule, and of which no rule speaks. */
export const QUIET: readonly (readonly [name: string, text: string])[] = [
  ['a secret by reference', options('apiKey: "${env:SETPOINT_KEY}"')],
  ['a secret in a file', options('privateKey: { value: "${file:key.pem}", sensitive: true }')],
  ['an empty secret', options('apiKey: ""')],
  ['a secret behind a value', values('a: "${env:X}"').replace('text:', 'apiKey:')],
  [
    'keys that only sound like secrets',
    options('apiKeyHeader: X-Key\ntokenUrl: https://x.example/t\nusePassword: true\npasswordLength: 12'),
  ],
  ['how a secret is sent', options('authToken: Bearer\nkeyToken: "API-Key"\npassword: none')],
  [
    'a template for a secret',
    options('apiKey: "{{apiKey}}"\nauthToken: Bearer {{token}}\ntoken: "{{user}}:{{password}}"'),
  ],
  [
    'the public half of a key',
    options('accessKey: |\n  -----BEGIN PUBLIC KEY-----\n  MII\nsharedKey: ssh-ed25519 AAAAC3Nz me@x'),
  ],
  ['a count of tokens', options('maxTokens: "4096"')],
  ['a URL with a name and a reference', options('proxy: "http://me:${env:SETPOINT_P}@x.example"')],
  [
    'a word in quotes, in a list, or beside others',
    options('a: "yes"\nb: \'no\'\nc: [AD, NO]\nd: on call\ne: y'),
  ],
  ['a number of tokens', options('maxTokens: 4096\npasswordLength: 12\nusePassword: true')],
  ['a choice named like a secret', options('credentials: { display: API key, value: apiKey1 }')],
  ['ways to log in', options('authTokens: [bearer, basic]\nauth: Basic authentication\nkind: Bearer token')],
  [
    'a query without its key',
    options(
      'a: https://x.example/?api_key={{key}}\nb: https://x.example/?token=\nc: https://x.example/?apikey=API_KEY\nd: https://x.example/?q=token&token=none\ne: "api_key=abcd is a part of a query"',
    ),
  ],
  ['a header with what is put in', options('a: "Authorization: Bearer {{token}}"\nb: Basic {{login}}')],
  ['a URL with a port', options('proxy: http://x.example:3128/me@x')],
  ['a template in a URL', options('url: https://{{user}}:{{password}}@x.example')],
  ['the name of a key in a vault', options('vaultEntry: my-token\nsecretName: my-secret')],
  ['a state of tickets', options('state: To Do\nother: todo')],
  ['a few of x', options('prefix: xxx\nsuffix: xxxx')],
  ['a few stars', options('separator: "***"')],
  ['a fallback that is no secret', options('url: "${env:X:-https://x.example}"')],
  ['only the permission of what users give', options('apiKey: { permission: user-provides }')],
  ['an option that is only marked', options('note: { sensitive: true }')],
  ['a block of several lines', options('pem: |\n  BEGIN\n  END')],
  ['a separator', options('separator: ", "')],
  ['an empty text', options('url: ""')],
  ['keys that count', options('url1: x\nurl2: y\ninputType: a\ninputTypes: b')],
  [
    'variables that are alike, but two',
    options(
      'a: "${env:SETPOINT_EU_KEY}"\nb: "${env:SETPOINT_US_KEY}"\nc: "${env:SETPOINT_VT_URL}"\nd: "${env:SETPOINT_VTI_URL}"\ne: "${env:SETPOINT_DB}"\nf: "${env:SETPOINT_BD}"\ng: "${env:SETPOINT_URL_1}"\nh: "${env:SETPOINT_URL_2}"\ni: "${env:SETPOINT_URL}"\nj: "${env:SETPOINT_URLS}"',
    ),
  ],
  ['a URL in the path of another', options('url: https://archive.example/web/https://x.example')],
  ['two slashes in a path that is written out', options('url: https://x.example//v3')],
  ['two slashes in a query', values('a: https://x.example/').replace("'${value:a}'", "'${value:a}?to=//y'")],
  ['a path behind a host', values('a: x.example').replace("'${value:a}'", "'https://${value:a}/v3'")],
  ['words that begin like a scheme', options('note: https\nother: "http: a protocol"')],
  [
    'a file by a way around',
    options(
      'pem: ${file:keys/../certs/./ca.pem}\nother: ${file:..pem}\nlast: ${file:keys/~a.pem}\nback: ${file:a~}',
    ),
  ],
  ['the word of a permission in a text', options('note: use lock-and-hide\nmode: lock')],
  ['keys that only sound like ours', options('permissions: x\nmatch: y\nvalue: z')],
  ['a URL with a slash', options('url: https://x.example/api/')],
  ['a URL without a slash', options('url: https://x.example/api')],
  ['a slash under another key', options('prefix: https://x.example/')],
  ['a path with a slash', options('baseUrl: api/')],
  ['an escaped reference', options('note: "$${env:X}"')],
  ['double braces', options('query: "{{ENTITY}} and {{env:X}}"')],
  ['a dollar', options('query: "cost > $5 (env: x) [file:hashes]"')],
  ['a URL of a file', options('url: file:///tmp/x')],
  [
    'stars in a text',
    options('query: "SELECT * FROM t", cron: "* * * * *"').replace(', cron', '\n      cron'),
  ],
  ['tags in a text', options('html: "<b>x</b>"')],
  ['a word that begins like a placeholder', options('note: todoist')],
  ['a text in another alphabet', options('note: \u041f\u0440\u0438\u0432\u0435\u0442, VT')],
  ['a unit', options('note: 5 \u00b5s, \u0394t')],
  ['a family', options('note: "\u{1f468}\u200d\u{1f469}"')],
  [
    'two sets of defaults with one match',
    entries(
      'a: { match: "*", expect: any, autosubscribe: false }\nb: { match: "*", expect: any, options: { url: x } }',
    ),
  ],
  [
    'defaults and an entry with one match',
    entries('a: { match: vt_*, expect: any, options: { url: x } }\nb: { match: vt_*, options: { url: y } }'),
  ],
  [
    'a null over defaults',
    entries(
      'a: { match: "*", expect: any, options: { url: x } }\nb: { match: vt_*, options: { url: null } }',
    ),
  ],
  ...[
    '"{vt,{jira,okta}}_[a-c]*"',
    '"vt_[!0-9]*"',
    '"vt_\\\\[1_*"',
    '{ name: "Jira, Cloud | EU" }',
    '{ name: "\u0412\u0438\u0440\u0443\u0441" }',
    '{ name: "Caf\u00e9 (EU)", acronym: "A B" }',
  ].map((match) => [`the match ${match}`, entries(`vt: { match: ${match}, autosubscribe: true }`)] as const),
  ['braces in a glob', entries('vt: { match: "{vt,virustotal}_*", autosubscribe: true }')],
];
