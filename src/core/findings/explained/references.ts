import type { Codes } from './codes.ts';
import { inFile, inShell, PLAN, withEntries, withOptions } from './example.ts';

/** What is wrong with references. */
export const REFERENCES = {
  'reference-syntax': inFile(
    'A text holds ${…} that setpoint cannot read. It is not passed on as it stands, since a server would store the text of the reference in place of the value.',
    withOptions('apiKey: ${SETPOINT_LOOKUP_KEY}'),
    withOptions('apiKey: ${env:SETPOINT_LOOKUP_KEY}'),
  ),
  'reference-misplaced': inFile(
    'A match, or the key of an option, holds a reference. What is managed must be readable from the files alone: otherwise a variable could send the configuration to another integration.',
    withEntries('lookup: { match: "${value:prefix}_*", autosubscribe: true }'),
    withEntries('lookup: { match: threat_lookup_*, autosubscribe: true }'),
  ),
  'reference-not-allowed': inShell(
    'References read only variables whose names begin with SETPOINT_, so that a change of the YAML cannot send other secrets of a machine to a server. Whoever runs setpoint can allow more names.',
    {
      yaml: withOptions('apiKey: ${env:LOOKUP_KEY}'),
      commands: ['export LOOKUP_KEY=k-12345678', PLAN],
    },
    {
      yaml: withOptions('apiKey: ${env:LOOKUP_KEY}'),
      commands: ['export LOOKUP_KEY=k-12345678', `${PLAN} --allow-env LOOKUP_KEY`],
    },
  ),
  'reference-own-credential': inFile(
    'setpoint keeps its own logins, tokens and fingerprint key in such variables. A reference to one of them would store it in an integration, where others can read it. No flag allows that.',
    withOptions('apiKey: ${env:SETPOINT_LOOKUP_TOKEN}'),
    withOptions('apiKey: ${env:SETPOINT_LOOKUP_KEY}'),
  ),
  'reference-missing': inShell(
    'The variable is not set, or nothing under values has this name. All missing references are told together before the first request, so nothing was read or sent.',
    { yaml: withOptions('apiKey: ${env:SETPOINT_LOOKUP_KEY}') },
    {
      yaml: withOptions('apiKey: ${env:SETPOINT_LOOKUP_KEY}'),
      commands: ['export SETPOINT_LOOKUP_KEY=k-12345678', PLAN],
    },
  ),
  'reference-file': inShell(
    'setpoint reads regular files of at most 64 KiB inside the configuration, after links are resolved, and never .git. The file is missing, is not readable, or lies elsewhere.',
    { yaml: withOptions('apiKey: ${file:keys/lookup.txt}') },
    {
      yaml: withOptions('apiKey: ${file:keys/lookup.txt}'),
      files: { 'keys/lookup.txt': 'k-12345678\n' },
    },
  ),
  'reference-cycle': inFile(
    'Named values lead back to themselves, so none of them ever gets a text. Write out one of the values in the circle.',
    'version: 1\nvalues:\n  host: ${value:domain}\n  domain: ${value:host}\nintegrations:\n  lookup: { options: { url: "${value:host}" } }\n',
    'version: 1\nvalues:\n  host: api.${value:domain}\n  domain: example.com\nintegrations:\n  lookup: { options: { url: "${value:host}" } }\n',
  ),
  'reference-too-long': inFile(
    'Named values that repeat others can grow from a few lines to gigabytes. setpoint stops at 4 MiB of text. No option takes that much.',
    `version: 1\nvalues:\n  v0: 0123456789abcdef0123456789abcdef\n${growing(8)}integrations:\n  lookup: { options: { url: "\${value:v8}" } }\n`,
    'version: 1\nvalues:\n  v0: 0123456789abcdef0123456789abcdef\nintegrations:\n  lookup: { options: { url: "${value:v0}" } }\n',
  ),
  'reference-form': inFile(
    'The named value is a select or a list, and this reference stands among other text. setpoint would have to invent how a list reads as text.',
    'version: 1\nvalues:\n  types: [ip, domain]\nintegrations:\n  lookup: { options: { types: "all of ${value:types}" } }\n',
    'version: 1\nvalues:\n  types: [ip, domain]\nintegrations:\n  lookup: { options: { types: "${value:types}" } }\n',
  ),
} satisfies Codes;

/** Named values of which each repeats the one before five times. */
function growing(levels: number): string {
  const lines = Array.from(
    { length: levels },
    (_, level) => `  v${level + 1}: ${`\${value:v${level}}`.repeat(5)}\n`,
  );
  return lines.join('');
}
