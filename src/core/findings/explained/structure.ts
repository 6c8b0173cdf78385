import type { Codes } from './codes.ts';
import { inFile, inShell, withEntries, withOptions, withServers } from './example.ts';

const policy = (age: string) =>
  withServers({ staging: 'http://localhost:4010' }, `policy: { secret-max-age: ${age} }`);

/** What is YAML, but no configuration. */
export const STRUCTURE = {
  'unsupported-version': inFile(
    'The first key says which version of the format a file is written in, and this setpoint knows version 1. A file of a later version could mean something else by the same words. The number stands without quotes.',
    'version: 2\nintegrations: {}\n',
    'version: 1\nintegrations: {}\n',
  ),
  'unknown-key': inFile(
    'No part of the format has this key here. It may be mistyped, or indented too little or too much: an option belongs under options. setpoint passes over no key, since you would believe that it works.',
    withEntries('lookup: { match: threat_lookup_*, autosubscibe: true }'),
    withEntries('lookup: { match: threat_lookup_*, autosubscribe: true }'),
  ),
  'missing-key': inFile(
    'A key that has to be there is missing. Without version, setpoint cannot know how to read the file; without its value, a select names no choice. Add the key.',
    'integrations: {}\n',
    'version: 1\nintegrations: {}\n',
  ),
  'wrong-type': inFile(
    'The format wants another kind of value here: a map, a list, a text, a number, true or false. In YAML 1.2, yes, no, on and off are texts. Also look at the indentation: it decides what belongs together.',
    withEntries('lookup: { match: threat_lookup_*, autosubscribe: yes }'),
    withEntries('lookup: { match: threat_lookup_*, autosubscribe: true }'),
  ),
  'not-allowed': inFile(
    'Only a few words are possible here, and this is none of them. For a permission they are lock-and-hide, lock-and-show and user-provides; for expect they are one, optional and any.',
    withOptions('url: { permission: locked }'),
    withOptions('url: { permission: lock-and-hide }'),
  ),
  'bad-name': inFile(
    'Names of entries and values are parts of addresses such as lookup.options.url, so they hold no dots or blanks. A name need not be the id of an integration: match says which one is meant.',
    withEntries('threat lookup: { autosubscribe: true }'),
    withEntries('lookup: { match: { name: Threat Lookup }, autosubscribe: true }'),
  ),
  'bad-length': inFile(
    'A value that has to say something is empty, or is longer than anything real. An empty match would mean every integration or none, so it is refused. Leave the key out if there is nothing to say.',
    withEntries('lookup: { match: "", autosubscribe: true }'),
    withEntries('lookup: { match: threat_lookup_*, autosubscribe: true }'),
  ),
  'bad-form': inShell(
    'The text has to be written in one form, such as a day or a number of days, and is not. setpoint does not guess, as 11/12 is a day in November or in December.',
    { files: { 'setpoint.yaml': policy('6 months') }, commands: ['setpoint plan'] },
    { files: { 'setpoint.yaml': policy('180d') }, commands: ['setpoint plan'] },
  ),
  'duplicate-field': inFile(
    'Two entries of the same rank set one field of one integration. Nothing says which of the two should win, and the order of files should not decide it.',
    withEntries(
      'lookup: { match: threat_lookup_*, autosubscribe: true }\nreputation: { match: threat_lookup_*, autosubscribe: false }',
    ),
    withEntries('lookup: { match: threat_lookup_*, autosubscribe: true }'),
  ),
} satisfies Codes;
