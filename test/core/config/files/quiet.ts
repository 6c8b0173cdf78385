import { entries, options, values } from './case.ts';

/** Files that come near to a rule, and of which no rule speaks. */
export const QUIET: readonly (readonly [name: string, text: string])[] = [
  ['a secret by reference', options('apiKey: "${env:SETPOINT_KEY}"')],
  ['a secret in a file', options('privateKey: { value: "${file:key.pem}", sensitive: true }')],
  ['an empty secret', options('apiKey: ""')],
  [
    'what a person says is no secret',
    options(
      `apiKey: { value: x, sensitive: false }\nurl: { value: AKIA${'A7'.repeat(8)}, sensitive: false }\ntoken: { value: "\${env:X:-x}", sensitive: false }\npassword: { value: <none>, sensitive: false }`,
    ),
  ],
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
  ['a number of tokens', options('maxTokens: 4096\npasswordLength: 12\nusePassword: true')],
  ['a choice named like a secret', options('credentials: { display: API key, value: apiKey1 }')],
  ['ways to log in', options('authTokens: [bearer, basic]\nauth: Basic authentication\nkind: Bearer token')],
  [
    'a query without its key',
    options(
      'a: https://x.example/?api_key={{key}}\nb: https://x.example/?token=\nc: https://x.example/?apikey=API_KEY\nd: https://x.example/?q=token&token=none\ne: "api_key=abcd is a part of a query"',
    ),
  ],
  [
    'pages on webhooks and signatures',
    options('a: https://api.slack.com/messaging/webhooks\nb: https://x.example/?signature=required'),
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
  ['an empty text', options('url: ""')],
  ['a URL in the path of another', options('url: https://archive.example/web/https://x.example')],
  ['two slashes in a path that is written out', options('url: https://x.example//v3')],
  [
    'two slashes beside a named value',
    values('a: x').replace("'${value:a}'", "'https://api.${value:a}/v1//'"),
  ],
  ['a variable of PowerShell', options('command: Get-ChildItem $env:TEMP')],
  ['two slashes in a query', values('a: https://x.example/').replace("'${value:a}'", "'${value:a}?to=//y'")],
  ['a path behind a host', values('a: x.example').replace("'${value:a}'", "'https://${value:a}/v3'")],
  ['words that begin like a scheme', options('note: https\nother: "http: a protocol"')],
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
  ['braces in a glob', entries('vt: { match: "{vt,virustotal}_*", autosubscribe: true }')],
];
