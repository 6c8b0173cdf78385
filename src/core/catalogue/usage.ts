import type { UsageFacts } from '../facts.ts';
import { type Entries, error, failure, warning } from './entry.ts';
import { didYouMean, oneOf, reachedText } from './words.ts';

/** What is wrong with a command line, and with the files that it names. */
export const USAGE: Entries<UsageFacts> = {
  usage: { ...error, message: (f) => f.problem, hint: (f) => f.hint },
  'no-configuration': {
    ...error,
    message: () => 'No configuration was named, and there is no setpoint.yaml here or above.',
    hint: () =>
      'Name a file and a server: setpoint plan -f integrations.yaml --url https://integrations.example.com',
  },
  'unknown-server': {
    ...error,
    message: (f) => `setpoint.yaml has no server ${f.wanted}.`,
    hint: (f) => didYouMean(f.wanted, f.known) ?? `Its servers: ${oneOf(f.known)}.`,
  },
  'servers-alike': {
    ...error,
    message: (f) =>
      `The servers ${f.name} and ${f.other} would take the same credentials from the environment.`,
    hint: () => 'Give one another name: capitals, dashes and underscores do not tell names apart there.',
  },
  'same-url': {
    ...warning,
    message: (f) => `The server ${f.name} has the same url as ${f.other}.`,
    hint: () => 'Is it copied? Else join their layers: each apply would undo what the other wants otherwise.',
  },
  'file-unreadable': { ...error, message: (f) => `${f.path}: ${f.reason}.` },
  'file-too-large': {
    ...error,
    message: (f) => `The file has ${f.bytes} bytes; at most ${f.limit} are read.`,
    hint: () => 'Split it into several files.',
  },
  'not-utf8': { ...error, message: () => 'The file is not UTF-8 text.', hint: () => 'Save it as UTF-8.' },
  'report-refused': { ...error, message: (f) => `The report cannot go to ${f.path}: ${f.reason}.` },
  'report-unwritable': {
    ...failure,
    message: (f) =>
      `The report could not be written to ${f.path ?? 'stdout'}: ${f.reason}.${reachedText(f.reached)}`,
  },
};
