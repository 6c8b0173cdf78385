import { entries } from '../../../support/config.ts';
import { options, values } from './case.ts';

/** Files that come near to a rule, and of which no rule speaks. */
export const QUIET: readonly (readonly [name: string, text: string])[] = [
  ['a secret by reference', options('apiKey: "${env:SETPOINT_KEY}"')],
  ['an empty secret', options('apiKey: ""')],
  [
    'an empty secret that is marked',
    options('note: { value: "", sensitive: true }'),
  ],
  ['a named secret that is taken back', values('a: x\ntoken: null')],
  [
    'a text that all users see',
    options('k: { value: x, permission: lock-and-show }'),
  ],
  ['numbers and booleans', options('a: 1\nb: true\nports: [80, true, x]')],
  [
    'what a person says is no secret',
    options(
      `apiKey: { value: x, sensitive: false }\nurl: { value: AKIA${'A7'.repeat(8)}, sensitive: false }\ntoken: { value: "\${env:X:-x}", sensitive: false }\npassword: { value: <none>, sensitive: false }`,
    ),
  ],
  [
    'a secret behind a value',
    values('a: "${env:X}"').replace('text:', 'apiKey:'),
  ],
  [
    'keys that only sound like secrets',
    options(
      'apiKeyHeader: X-Key\ntokenUrl: https://x.example/t\nusePassword: true\npasswordLength: 12',
    ),
  ],
  [
    'a URL with a name and a reference',
    options('proxy: "http://me:${env:SETPOINT_P}@x.example"'),
  ],
  [
    'a choice named like a secret',
    options('credentials: { display: API key, value: apiKey1 }'),
  ],
  ['a URL with a port', options('proxy: http://x.example:3128/me@x')],
  [
    'the name of a key in a vault',
    options('vaultEntry: my-token\nsecretName: my-secret'),
  ],
  ['a state of tickets', options('state: To Do\nother: todo')],
  [
    'a fallback that is no secret',
    options('url: "${env:X:-https://x.example}"'),
  ],
  [
    'only the permission of what users give',
    options('apiKey: { permission: user-provides }'),
  ],
  ['an option that is only marked', options('note: { sensitive: true }')],
  [
    'a URL in the path of another',
    options('url: https://archive.example/web/https://x.example'),
  ],
  [
    'two slashes at an end',
    values('a: x').replace("'${value:a}'", "'https://api.${value:a}/v1//'"),
  ],
  [
    'two slashes in a sentence',
    values('a: https://x.example/').replace(
      "'${value:a}'",
      "'see ${value:a}/v3'",
    ),
  ],
  ['a key that only looks like a reference', options('"$${a": 1')],
  [
    'a file that is named like a credential of setpoint itself',
    options('k: "${file:SETPOINT_TOKEN}"'),
  ],
  ['a variable of PowerShell', options('command: Get-ChildItem $env:TEMP')],
  [
    'a path behind a host',
    values('a: x.example').replace("'${value:a}'", "'https://${value:a}/v3'"),
  ],
  [
    'words that begin like a scheme',
    options('note: https\nother: "http: a protocol"'),
  ],
  [
    'a text in another alphabet',
    options('note: \u041f\u0440\u0438\u0432\u0435\u0442, VT'),
  ],
  [
    'two sets of defaults with one match',
    entries(
      'a: { match: "*", expect: any, autosubscribe: false }\nb: { match: "*", expect: any, options: { url: x } }',
    ),
  ],
  [
    'defaults and an entry with one match',
    entries(
      'a: { match: vt_*, expect: any, options: { url: x } }\nb: { match: vt_*, options: { url: y } }',
    ),
  ],
  [
    'a null over defaults',
    entries(
      'a: { match: "*", expect: any, options: { url: x } }\nb: { match: vt_*, options: { url: null } }',
    ),
  ],
  [
    'braces in a glob',
    entries('vt: { match: "{vt,virustotal}_*", autosubscribe: true }'),
  ],
];
