import type { Codes } from './codes.ts';
import { inShell, PLAN, USUAL, VALIDATE, withEntries, withOptions } from './example.ts';

const CATALOG = `${VALIDATE} --catalog catalog`;

/** The configuration file of an integration, as it is installed. */
const installed = (name: string) =>
  `{\n  "name": "${name}",\n  "options": [\n    { "key": "timeout", "type": "number", "default": 10 }\n  ]\n}\n`;

const BROKEN = '{\n  "name": "Threat Lookup",\n';

const BOTH = {
  'catalog/threat-lookup.json': installed('Threat Lookup'),
  'catalog/threat-lookup-beta.json': installed('Threat Lookup Beta'),
};

/** What does not fit the integrations of a catalog or a server. */
export const SERVER = {
  'catalog-unreadable': inShell(
    'A file in the folder of --catalog is no JSON, or describes no options. Without it the options of its integration cannot be checked, and a check that leaves things out would look like a good one.',
    { yaml: USUAL, files: { 'catalog/threat-lookup.json': BROKEN }, commands: [CATALOG] },
    { files: { 'catalog/threat-lookup.json': installed('Threat Lookup') }, commands: [CATALOG] },
  ),
  'not-hosted': inShell(
    'The sandbox serves the integrations of a catalog, and cannot serve this one as its file describes it. The rest is served. A rehearsal says nothing of what is left out.',
    {
      files: { 'catalog/threat-lookup.json': installed('Threat Lookup').replace('10', '"ten"') },
      commands: ['setpoint sandbox --catalog catalog'],
    },
    {
      files: { 'catalog/threat-lookup.json': installed('Threat Lookup') },
      commands: ['setpoint sandbox --catalog catalog'],
    },
  ),
  'not-in-catalog': inShell(
    'No integration of the catalog fits the entry, so nothing of it was checked. The match may be mistyped, or the file of the integration is not in the folder yet.',
    { yaml: USUAL, files: { 'catalog/dns-history.json': installed('DNS History') }, commands: [CATALOG] },
    { files: { 'catalog/threat-lookup.json': installed('Threat Lookup') }, commands: [CATALOG] },
  ),
  'several-in-catalog': inShell(
    'The match fits several integrations of the catalog, and an entry expects one. Where only one of them is installed all is well; where there are more, plan refuses the entry.',
    { yaml: USUAL, files: BOTH, commands: [CATALOG] },
    {
      files: BOTH,
      yaml: withEntries('lookup: { match: { name: Threat Lookup }, options: { timeout: 30 } }'),
      commands: [CATALOG],
    },
  ),
  'no-match': inShell(
    'The server has no integration that the entry means. It may be mistyped, not installed, or hidden from this account. An upgrade changes ids, so match what stays: a glob, or the name.',
    { yaml: withEntries('lookup: { match: threat_lokup_*, autosubscribe: true }') },
    { yaml: withEntries('lookup: { match: threat_lookup_*, autosubscribe: true }') },
  ),
  'idle-default': inShell(
    'An entry with expect: any fits nothing on this server. That may be meant, where not all servers have the same integrations. Otherwise look at its match.',
    { yaml: withEntries('tests: { match: test_*, expect: any, autosubscribe: false }') },
    { yaml: withEntries('times: { match: time_*, expect: any, autosubscribe: false }') },
  ),
  'ambiguous-name': inShell(
    'An entry has the name of one integration and matches another, and both are managed. Addresses in plans begin with the name: nobody could tell which of the two is meant.',
    {
      yaml: withEntries(
        'dns_history_node_18_1671112532:\n  match: threat_lookup_*\n  autosubscribe: true\nall: { match: "*", expect: any, autosubscribe: false }',
      ),
    },
    {
      yaml: withEntries(
        'lookup:\n  match: threat_lookup_*\n  autosubscribe: true\nall: { match: "*", expect: any, autosubscribe: false }',
      ),
    },
  ),
  'several-matches': inShell(
    'The entry means one integration, and the server has several that fit. setpoint changes none of them by guess.',
    { yaml: withEntries('lookup: { match: "t*", autosubscribe: true }') },
    { yaml: withEntries('lookup: { match: threat_lookup_*, autosubscribe: true }') },
  ),
  'nothing-to-write': inShell(
    '--write-secrets or --write-flags names an address that the configuration does not have. An apply would write less than you asked for, so it stops before anything is sent.',
    { yaml: USUAL, commands: [`${PLAN} --write-secrets lookup.options.apikey`] },
    { commands: [`${PLAN} --write-secrets all`] },
  ),
  'no-secret-to-write': inShell(
    'The flag is for values that the server does not show, where setpoint cannot tell whether they differ. This one it can compare.',
    { yaml: USUAL, commands: [`${PLAN} --write-secrets lookup.options.timeout`] },
    {},
  ),
  'flags-not-shown': inShell(
    'This server does not say who may see or change an option, so setpoint cannot tell whether the permissions are as declared. It never writes what it cannot compare unless it is told to.',
    {
      yaml: withOptions('timeout: { permission: lock-and-show }'),
      commands: ['setpoint sandbox --set flags=absent &', PLAN],
    },
    {
      yaml: withOptions('timeout: { permission: lock-and-show }'),
      commands: ['setpoint sandbox --set flags=absent &', `${PLAN} --write-flags all`],
    },
  ),
  'only-matches-nothing': inShell(
    '--only narrows a run to some entries, and none has a name or id that fits. A run over nothing would look like a success.',
    { yaml: USUAL, commands: [`${PLAN} --only lokup`] },
    { commands: [`${PLAN} --only lookup`] },
  ),
  'unknown-option': inShell(
    'The integration has no option with this key. The key may be mistyped (capitals count), or an upgrade renamed or removed the option. setpoint schema --url URL prints the real ones.',
    { yaml: withOptions('timout: 30') },
    { yaml: withOptions('timeout: 30') },
  ),
  'wrong-value-type': inShell(
    'The option takes another type of value than the one declared. Servers differ in what they do with it: some refuse the change, some store it and the integration fails later.',
    { yaml: withOptions('timeout: half a minute') },
    { yaml: withOptions('timeout: 30') },
  ),
  'unknown-choice': inShell(
    'The option is a select, and the value is none of its choices. A choice is written by its value, not by the words that the platform displays.',
    { yaml: withOptions('mode: fats') },
    { yaml: withOptions('mode: fast') },
  ),
  'mask-as-value': inShell(
    'The declared value is a row of asterisks, as servers show it in place of a secret. Written back, it would replace the real secret, and the integration would lose its access.',
    { yaml: withOptions('apiKey: "********"') },
    {
      yaml: withOptions('apiKey: ${env:SETPOINT_LOOKUP_KEY}'),
      commands: ['export SETPOINT_LOOKUP_KEY=k-12345678', PLAN],
    },
  ),
  'equal-in-other-form': inShell(
    'The server holds the same value as another type, such as the text "10" for the number 10. setpoint counts that as equal and changes nothing. There is nothing to do.',
    { yaml: withOptions('timeout: 10'), commands: ['setpoint sandbox --store strings &', PLAN] },
    { yaml: withOptions('timeout: 10'), commands: ['setpoint sandbox --store typed &', PLAN] },
  ),
  'not-running': inShell(
    'Servers check new values in the process of the integration, and this one is stopped, so they are likely to refuse the change. apply tries such integrations last.',
    { yaml: USUAL, commands: ["setpoint sandbox --stopped 'threat*' &", PLAN] },
    { commands: ['setpoint sandbox &', PLAN] },
  ),
} satisfies Codes;
