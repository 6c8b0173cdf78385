import { type Entries, error, failure, warning } from './entry.ts';
import type { UsageFacts } from './facts.ts';
import { didYouMean, oneOf, reachedText } from './words.ts';

/** What is wrong with a command line, and with the files that it names. */
export const USAGE: Entries<UsageFacts> = {
  usage: { ...error, message: (f) => f.problem, hint: (f) => f.hint },
  'no-configuration': {
    ...error,
    message: (f) =>
      f.given === 'url'
        ? 'No configuration was named: --url needs -f.'
        : 'No configuration was named, and there is no setpoint.yaml here or above.',
    hint: (f) => {
      if (f.near !== undefined) return `Is ${f.near} meant? Its name must be setpoint.yaml.`;
      return f.given === 'url'
        ? 'Name its files with -f, or leave --url away: then the servers of setpoint.yaml are meant.'
        : 'Name a file and a server: setpoint plan -f integrations.yaml --url https://integrations.example.com';
    },
  },
  'unknown-server': {
    ...error,
    message: (f) =>
      f.wanted === '' ? '--server names no server: it is empty.' : `setpoint.yaml has no server ${f.wanted}.`,
    hint: (f) => labelHint(f) ?? didYouMean(f.wanted, [...f.known, ...f.labels]) ?? serversHint(f),
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

/** For a label without its value: the values that it has. */
function labelHint({ wanted, labels }: UsageFacts['unknown-server']): string | undefined {
  const meant = labels.filter((each) => wanted !== '' && each.startsWith(`${wanted.replace(/=.*$/, '')}=`));
  const near = didYouMean(wanted, meant);
  return meant.length === 0 ? undefined : (near ?? `With its values: ${oneOf(meant)}.`);
}

function serversHint({ known, labels }: UsageFacts['unknown-server']): string {
  return `Its servers: ${oneOf(known)}.${labels.length === 0 ? '' : ` Their labels: ${oneOf(labels)}.`}`;
}
