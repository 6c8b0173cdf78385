import { error, failure, warning } from './entry.ts';
import { didYouMean, listed, type Reached, reachedText } from './words.ts';

export interface UnknownServer {
  wanted: string;
  known: readonly string[];
  /** Each as `label=value`. */
  labels: readonly string[];
}

/** What is wrong with a command line, and with the files that it names. */
export const USAGE = {
  usage: error('The command line is wrong', {
    message: (f: { problem: string; hint?: string }) => f.problem,
    hint: (f) => f.hint,
  }),
  'no-configuration': error('No configuration was named', {
    message: (f: { given?: 'url'; near?: string }) =>
      f.given === 'url'
        ? '--url also needs -f, which names the configuration.'
        : 'No configuration was named, and there is no setpoint.yaml here or above.',
    hint: (f) => {
      if (f.near !== undefined) return `Rename ${f.near} to setpoint.yaml, if that is what it is.`;
      return f.given === 'url'
        ? 'Name the files with -f, or drop --url to use the servers of setpoint.yaml.'
        : 'Name a file and a server: setpoint plan -f integrations.yaml --url https://integrations.example.com';
    },
  }),
  'unknown-server': error('setpoint.yaml has no such server', {
    message: (f: UnknownServer) =>
      f.wanted === '' ? '--server is empty.' : `setpoint.yaml has no server ${f.wanted}.`,
    hint: (f) => didYouMean(f.wanted, [...f.known, ...f.labels]) ?? serversHint(f),
  }),
  'servers-alike': error('Two servers read the same credentials', {
    message: (f: { name: string; other: string }) =>
      `The servers ${f.name} and ${f.other} read the same credentials from the environment.`,
    hint: 'Rename one: names of variables ignore capitals, dashes and underscores.',
  }),
  'same-url': warning('Two servers have the same URL', {
    message: (f: { name: string; other: string }) => `The server ${f.name} has the same URL as ${f.other}.`,
    hint: 'Correct the URL, or merge the two servers: where they differ, each apply undoes the other.',
  }),
  'file-unreadable': error('A file cannot be read', {
    message: (f: { path: string; reason: string; hint?: string }) => `Cannot read ${f.path}: ${f.reason}.`,
    hint: (f) => f.hint,
  }),
  'too-many-files': error('There are too many files of configuration', {
    message: (f: { path: string; limit: number }) =>
      `With ${f.path} the run has more than ${f.limit} files of configuration.`,
    hint: 'Name a narrower folder or glob, or join files.',
  }),
  'file-too-large': error('A file is too large', {
    message: (f: { bytes: number; limit: number }) =>
      `The file has ${f.bytes} bytes, more than the limit of ${f.limit}.`,
    hint: 'Split it into several files.',
  }),
  'not-utf8': error('A file is not UTF-8 text', { message: 'The file is not UTF-8 text.' }),
  'report-refused': error('A report cannot be written there', {
    message: (f: { path: string; reason: string }) => `Cannot write a report to ${f.path}: ${f.reason}.`,
    hint: 'Name a new file in a folder that is there, or the report of an earlier run.',
  }),
  'sandbox-exposed': warning('The sandbox is open to others', {
    message: (f: { host: string }) =>
      `The sandbox listens on ${f.host}: whoever reaches it can log in, since its passwords are known.`,
    hint: 'Leave out --host to listen on this machine alone.',
  }),
  'report-unwritable': failure('A report was not written', {
    message: (f: { path?: string; reason: string; reached?: Reached }) =>
      `The report could not be written to ${f.path ?? 'stdout'}: ${f.reason}.${reachedText(f.reached)}`,
  }),
};

function serversHint({ known, labels }: UnknownServer): string {
  return `Servers: ${listed(known)}.${labels.length === 0 ? '' : ` Labels: ${listed(labels)}.`}`;
}
