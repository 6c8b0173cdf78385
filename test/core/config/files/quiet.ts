import { entries } from '../../../support/config.ts';
import { options, values } from './case.ts';

/** Files that come near to a rule, and of which no rule speaks. */
export const QUIET: readonly (readonly [name: string, text: string])[] = [
  ['a named secret that is taken back', values('a: x\ntoken: null')],
  [
    'a text that all users see',
    options('k: { value: x, permission: lock-and-show }'),
  ],
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
    'two slashes at an end',
    values('a: x').replace("'${value:a}'", "'https://api.${value:a}/v1//'"),
  ],
  ['a key that only looks like a reference', options('"$${a": 1')],
  [
    'a file that is named like a credential of setpoint itself',
    options('k: "${file:SETPOINT_TOKEN}"'),
  ],
  ['a variable of PowerShell', options('command: Get-ChildItem $env:TEMP')],
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
    'braces in a glob',
    entries('vt: { match: "{vt,virustotal}_*", autosubscribe: true }'),
  ],
];
