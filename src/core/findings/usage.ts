import { error, failure, reportWarning, warning } from './entry.ts';
import { count, didYouMean, listed, type Reached, reachedText } from './words.ts';

export interface UnknownServer {
  wanted: string;
  known: readonly string[];
  /** Each as `label=value`. */
  labels: readonly string[];
}

/** How a file can be made one for secrets. */
const MENDED = {
  name: 'Name a new file in a folder that is there, or a regular file of your own.',
  mode: 'Take that right from them with chmod 600.',
  ignore: 'Name a file outside of every git work tree, or one that .gitignore lists.',
  untrack: 'Take it out of the index with git rm --cached.',
};

/** What is wrong with a command line, and with the files that it names. */
export const USAGE = {
  usage: error('The command line is wrong', {
    message: (f: { problem: string; hint?: string }) => f.problem,
    hint: (f) => f.hint,
  }),
  'no-configuration': error('No configuration was named', {
    message: (f: { given?: 'url' | 'file' | 'snapshot'; near?: string }) => {
      if (f.given === 'file') return 'There is no file of configuration in what was given.';
      return f.given === 'url'
        ? '--url also needs -f, which names the configuration.'
        : 'No configuration was named, and there is no setpoint.yaml here or above.';
    },
    hint: (f) => {
      if (f.given === 'file') return 'Look whether the files were found: an empty list manages nothing.';
      if (f.given === 'snapshot') return 'Name the files that it is compared with: -f integrations.yaml';
      if (f.near !== undefined) return `Rename ${f.near} to setpoint.yaml, if that is what it is.`;
      return f.given === 'url'
        ? 'Name the files with -f, or drop --url to use the servers of setpoint.yaml.'
        : 'Name a file and a server: setpoint plan -f integrations.yaml --url https://integrations.example.com';
    },
  }),
  'nothing-to-show': error('Nothing has the name that is to be shown', {
    /** `names` are those that there are; `isOffline` where nobody was asked what is installed. */
    message: (f: {
      word: string;
      of: 'show' | 'uses';
      names: readonly string[];
      near?: string;
      isOffline?: true;
    }) =>
      f.of === 'uses'
        ? `No named value, variable or file of the configuration is called ${f.word}.`
        : `${f.word} is neither an integration nor a field of one.`,
    hint: (f) => {
      if (f.near !== undefined) return `Did you mean ${f.near}?`;
      const names = f.names.length === 0 ? 'There are no names.' : `Names: ${listed(f.names)}.`;
      return f.isOffline ? `${names} What is installed is known with --server, --url or --catalog.` : names;
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
  'snapshot-unusable': error('A snapshot cannot be used', {
    message: (f: { path: string; problem: string }) =>
      `${f.path} cannot be used as a snapshot: ${f.problem}.`,
    hint: 'Take one with setpoint snapshot --out FILE.',
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
  'report-refused': error('A file cannot be written there', {
    message: (f: { path: string; reason: string }) => `Cannot write ${f.path}: ${f.reason}.`,
    hint: 'Name a new file in a folder that is there, or one that an earlier run wrote.',
  }),
  'secrets-file-refused': error('Secrets cannot be written there', {
    message: (f: { path: string; reason: string; mend?: keyof typeof MENDED }) =>
      `Cannot write secrets to ${f.path}: ${f.reason}.`,
    hint: (f) => MENDED[f.mend ?? 'name'],
  }),
  'file-unwritten': failure('A file was not written', {
    message: (f: { path: string; reason: string; written: number }) =>
      `${f.path} was not written: ${f.reason}. ${writtenBefore(f.written)}`,
    hint: 'Mend the cause and run the same command again: it adds what is missing.',
  }),
  'report-unwritable': failure('A report was not written', {
    message: (f: { path?: string; reason: string; reached?: Reached }) =>
      `The report could not be written to ${f.path ?? 'stdout'}: ${f.reason}.${reachedText(f.reached)}`,
  }),
  'summary-unwritable': reportWarning('The summary of a step was not written', {
    message: (f: { reason: string }) =>
      `The file that GITHUB_STEP_SUMMARY names was not written: ${f.reason}.`,
    hint: 'GitHub shows no summary of this step; the reports of the run are complete.',
  }),
};

function writtenBefore(files: number): string {
  return files === 0
    ? 'Neither was anything else.'
    : `${count(files, 'file')} before it ${files === 1 ? 'is' : 'are'} whole.`;
}

function serversHint({ known, labels }: UnknownServer): string {
  return `Servers: ${listed(known)}.${labels.length === 0 ? '' : ` Labels: ${listed(labels)}.`}`;
}
