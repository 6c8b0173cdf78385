import type { Codes } from './codes.ts';
import { inFile, inShell, withEntries, withOptions, withServers } from './example.ts';

const PROJECT = withServers({ staging: 'http://localhost:4010' }, 'policy: { secret-max-age: 180d }');

const replaced = (day: string) =>
  withOptions(`apiKey: { value: "\${env:SETPOINT_LOOKUP_KEY}", rotated: ${day} }`);

const AGED = ['export SETPOINT_LOOKUP_KEY=k-12345678', 'setpoint plan'];

/** What rules find over a whole configuration. */
export const RULES = {
  'empty-entry': inFile(
    'The entry names an integration, but no field of it, so setpoint manages nothing there. Often the options are indented too little. Add what you want to manage, or remove the entry.',
    withEntries('lookup: { match: threat_lookup_* }'),
    withOptions('timeout: 30'),
  ),
  'user-provides-value': inFile(
    'Under user-provides each user sets a value of their own, and the declared one reaches nobody. A reader of the YAML would believe that it counts.',
    withOptions('timeout: { value: 30, permission: user-provides }'),
    withOptions('timeout: { value: 30, permission: lock-and-show }'),
  ),
  'plain-secret': inFile(
    'The value is marked as sensitive, or its option is a password, and it stands in the file. Everybody who can read the repository has it, and git keeps it for ever.',
    withOptions('apiKey: { value: k-12345678, sensitive: true }'),
    withOptions('apiKey: { value: "${env:SETPOINT_LOOKUP_KEY}", sensitive: true }'),
  ),
  'likely-secret': inFile(
    'The name of the option or the look of the value is that of a secret. In a file it is readable for everybody with access to the repository. If it is no secret, say so: sensitive: false.',
    withOptions('apiKey: k-12345678'),
    withOptions('apiKey: ${env:SETPOINT_LOOKUP_KEY}'),
  ),
  'bad-date': inShell(
    'rotated says when a secret was replaced, so it is a day of the calendar and not one to come. From any other day no age can be told.',
    { files: { 'setpoint.yaml': PROJECT }, yaml: replaced('2026-11-31'), commands: AGED },
    { files: { 'setpoint.yaml': PROJECT }, yaml: replaced('2026-11-21'), commands: AGED },
  ),
  'secret-aged': inShell(
    'The policy of setpoint.yaml says how old a secret may become, and this one is older by the day beside it. Old keys have been in more hands, logs and copies than anybody remembers.',
    { files: { 'setpoint.yaml': PROJECT }, yaml: replaced('2026-01-15'), commands: AGED },
    { files: { 'setpoint.yaml': PROJECT }, yaml: replaced('2026-11-21'), commands: AGED },
  ),
  'secret-fallback': inFile(
    'A secret that is missing where setpoint runs would be replaced by the text behind :-, and sent. The integration would then fail, or use a key that stands in the file.',
    withOptions('apiKey: ${env:SETPOINT_LOOKUP_KEY:-none}'),
    withOptions('apiKey: ${env:SETPOINT_LOOKUP_KEY}'),
  ),
  placeholder: inFile(
    'The value looks like one that was to be filled in later, such as CHANGEME, or like the mask of a secret that was copied. Sent as it is, it would replace what works.',
    withOptions('url: CHANGEME'),
    withOptions('url: https://reputation.example.com/v3'),
  ),
  'any-without-match': inFile(
    'Entries with expect: any set defaults for several integrations. Without match the name of the entry is the only id that it fits, so the defaults reach one integration or none.',
    withEntries('everything: { expect: any, autosubscribe: false }'),
    withEntries('everything: { match: "*", expect: any, autosubscribe: false }'),
  ),
  'glob-too-complex': inFile(
    'Some globs take hours to compare with one long text. setpoint refuses those before it matches anything. A glob with one star at its end serves nearly always.',
    withEntries('lookup: { match: "[tT]*_[lL]*_*_*_*", autosubscribe: true }'),
    withEntries('lookup: { match: threat_lookup_*, autosubscribe: true }'),
  ),
  'same-match': inFile(
    'Two entries mean the same integration, each with a part of its fields. A reader who finds one of them will miss the other.',
    withEntries(
      'lookup: { match: threat_lookup_*, autosubscribe: true }\nreputation: { match: threat_lookup_*, options: { timeout: 30 } }',
    ),
    withEntries('lookup:\n  match: threat_lookup_*\n  autosubscribe: true\n  options: { timeout: 30 }'),
  ),
  'hidden-character': inFile(
    'The text holds characters that no editor shows, such as a zero-width space or a mark of direction. It is not what it seems to be: servers compare every character, and reviewers see none of these.',
    withOptions('url: "https://reputation.example\u200b.com"'),
    withOptions('url: "https://reputation.example.com"'),
  ),
  'reference-typo': inFile(
    'The text looks like a reference of setpoint, a shell or another tool, but will be sent as it stands. Check whether a value was meant to be put in.',
    withOptions('url: $SETPOINT_LOOKUP_URL'),
    withOptions('url: ${env:SETPOINT_LOOKUP_URL}'),
  ),
  'idle-null': inFile(
    'A null takes back what an earlier layer declares, so that the field is no longer managed. Here there is nothing to take back: the address may be mistyped, or the layers are in another order.',
    withOptions('url: null\ntimeout: 30'),
    withOptions('timeout: 30'),
  ),
  'unused-value': inFile(
    'A named value stands in the file, and no option uses it. It does no harm, but somebody may change it and expect an effect. Remove it, or refer to it.',
    `${withOptions('timeout: 30')}values: { proxy: "http://proxy.example.com:3128" }\n`,
    `${withOptions('proxy: ${value:proxy}')}values: { proxy: "http://proxy.example.com:3128" }\n`,
  ),
  'broken-url': inFile(
    'The value should be a URL, but has a scheme too many, a mistyped one, or two slashes in its path where a named value ends in one. The integration would fail at its next request.',
    withOptions('url: htps://reputation.example.com/v3'),
    withOptions('url: https://reputation.example.com/v3'),
  ),
  'exposes-secret': inFile(
    'The option holds a secret and is lock-and-show: every user of the platform can read it. apply refuses such a change until somebody accepts it.',
    withOptions(
      'apiKey:\n  value: ${env:SETPOINT_LOOKUP_KEY}\n  sensitive: true\n  permission: lock-and-show',
    ),
    withOptions(
      'apiKey:\n  value: ${env:SETPOINT_LOOKUP_KEY}\n  sensitive: true\n  permission: lock-and-hide',
    ),
  ),
} satisfies Codes;
