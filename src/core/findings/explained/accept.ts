import type { Codes } from './codes.ts';
import { inShell, URL_FLAG, withEntries, withOptions, withServers } from './example.ts';

const ACCEPT = `setpoint accept --all -f integrations.yaml ${URL_FLAG}`;
const TRIED = `${ACCEPT} --dry-run`;

const PROJECT = {
  'setpoint.yaml': withServers({ production: 'http://localhost:4010', staging: 'http://127.0.0.1:1' }),
};
const ON_ONE = 'setpoint accept --all --server production --dry-run';

/** A server with a layer of its own, and one that shares the other layer. */
const LAYERED = {
  'setpoint.yaml':
    'version: 1\nservers:\n  production:\n    url: http://localhost:4010\n    config: [integrations.yaml, production.yaml]\n  staging:\n    url: http://127.0.0.1:1\n    config: [integrations.yaml]\n',
  'integrations.yaml': withEntries(
    'tickets: { match: ticket_desk_* }\nlookup:\n  match: threat_lookup_*\n  options: { timeout: 30 }',
  ),
};

/** What that server has for itself. */
const OWN = 'tickets: { autosubscribe: false }\nlookup: { autosubscribe: false }';

/** Two options with one value, by an anchor. */
const SAME_LIMIT = withEntries(
  'lookup:\n  match: threat_lookup_*\n  options: { timeout: &limit 7 }\nlogs:\n  match: log_search_*\n  options: { maxConcurrent: *limit }',
);

/** What `accept` does not take back, and what stops it. */
export const TAKING_BACK = {
  'nothing-to-accept': inShell(
    'An argument of accept names neither an integration, nor an option, nor a field that the configuration manages on these servers. Nothing is taken back where one of several is mistyped.',
    { commands: [TRIED.replace('--all', 'lookup.options.timout')] },
    { commands: [TRIED.replace('--all', 'lookup.options.timeout')] },
  ),
  'not-accepted': inShell(
    'The field differs, but what the server holds is not written into the YAML: it is or may be a secret, the server does not show it, a waiver allows the difference, or YAML has no form of it. The finding says which, and what to do instead.',
    {
      yaml: withOptions('apiKey: ${env:SETPOINT_LOOKUP_KEY}'),
      commands: ['export SETPOINT_LOOKUP_KEY=k-12345678', TRIED],
    },
    { yaml: withOptions('url: https://lookup.example.com'), commands: [TRIED] },
  ),
  'named-not-accepted': inShell(
    'An address that you named differs, but what the server holds is not written into the YAML. The reasons are those of not-accepted; here the command fails, since it did not do what you asked for.',
    {
      yaml: withOptions('apiKey: ${env:SETPOINT_LOOKUP_KEY}'),
      commands: ['export SETPOINT_LOOKUP_KEY=k-12345678', TRIED.replace('--all', 'lookup.options.apiKey')],
    },
    {
      yaml: withOptions('url: https://lookup.example.com'),
      commands: [TRIED.replace('--all', 'lookup.options.url')],
    },
  ),
  'accept-risk': inShell(
    'What the server holds is dangerous to ask for: everyone would be subscribed, or what users set themselves would stop to apply. A plan warns of the same. Taking it back makes it what is wanted, so it is said before the question.',
    { yaml: withOptions('timeout: { permission: user-provides }'), commands: [TRIED] },
    { yaml: withOptions('timeout: 30'), commands: [TRIED] },
  ),
  'accept-shared': inShell(
    'The line that declares the field is also that of another server or integration, and the server has no layer of its own above it where the field could be overridden. An edit would change what is wanted elsewhere.',
    { files: PROJECT, commands: [ON_ONE] },
    { files: { ...LAYERED, 'production.yaml': withEntries(OWN) }, commands: [ON_ONE] },
  ),
  'accept-spreads': inShell(
    'With --everywhere, the place where a value comes from is edited, and other fields have their value from there too. They differ from the server afterwards, are wanted otherwise on another one, or are those of entries that match nothing yet, though you did not name them.',
    { yaml: SAME_LIMIT, commands: [`${TRIED.replace('--all', 'lookup')} --everywhere`] },
    { yaml: SAME_LIMIT, commands: [TRIED.replace('--all', 'logs')] },
  ),
  'accept-disagrees': inShell(
    'With --everywhere, the place where a value comes from is edited once, for all that it feeds. Here two fields have it from there that hold different things, so that no value there is right for both.',
    { yaml: SAME_LIMIT, commands: [`${TRIED} --everywhere`] },
    { yaml: SAME_LIMIT, commands: [TRIED] },
  ),
  'accept-misfit': inShell(
    'Each edit is read back before anything is written. This one cannot be made, or would not do what it is meant to: the file would be refused, something else would change with it, or the field would still differ. The file stays as it is.',
    {
      files: {
        ...LAYERED,
        'production.yaml': withEntries('tickets: &quiet { autosubscribe: false }\nlookup: *quiet'),
      },
      commands: [ON_ONE],
    },
    {
      files: {
        ...LAYERED,
        'production.yaml': withEntries(OWN),
      },
      commands: [ON_ONE],
    },
  ),
  'accept-stale': inShell(
    'Somebody saved the file, or made a file of this name, after setpoint had read it. Its edits were found for the text that it had then, so nothing is written to any file.',
    { situation: 'Somebody saves the file before you answer yes.', commands: [ACCEPT] },
    { situation: 'You answer yes.', commands: [ACCEPT] },
  ),
  'file-unwritable': inShell(
    'The new text of the file is written beside it and then takes its place, so that nobody reads half of it. That failed: the folder cannot be written, or the disk is full. The file is as it was.',
    {
      situation: 'The name of the file is so long that no draft can lie beside it.',
      commands: [`${ACCEPT.replace('integrations.yaml', '.')} --yes`],
    },
    { commands: [`${ACCEPT.replace('integrations.yaml', '.')} --yes`] },
  ),
} satisfies Codes;
