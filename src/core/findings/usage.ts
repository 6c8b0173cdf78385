import { error, varying } from './entry.ts';
import { listed, type Reached, reachedText } from './words.ts';

/** A name that nothing has. */
export interface UnknownName {
  word: string;
  of: keyof typeof UNKNOWN;
  /** The names that exist. */
  names?: readonly string[];
  near?: string;
  /** Replaces the list of names. */
  hint?: string;
}

const UNKNOWN = {
  server: (word: string) => (word === '' ? '--server is empty.' : `setpoint.yaml has no server ${word}.`),
  subject: (word: string) => `${word} is neither an integration nor a field of one.`,
  referent: (word: string) => `No named value, variable or file of the configuration is called ${word}.`,
  entry: (word: string) => `No entry of the configuration matches --only ${word}.`,
  field: (word: string) => `${word} is not managed.`,
};

/** A file that was not written. */
export interface Unwritable {
  /** Absent for stdout. */
  path?: string;
  reason: string;
  /** Whether setpoint refuses to, or a GitHub summary alone is lost; otherwise writing failed. */
  of?: 'refused' | 'summary';
  /** The files that were written before it. */
  written?: readonly string[];
  reached?: Reached;
  hint?: string;
}

/** What is wrong with a command line, and with the files that it names. */
export const USAGE = {
  usage: error('The command line is wrong', {
    message: (f: { problem: string; hint?: string }) => f.problem,
    hint: (f) => f.hint,
    why: 'A flag, an argument or an environment variable is mistyped, has an unusable value, or does not go with the others. setpoint stops before it reads or sends anything.',
  }),
  'no-configuration': error('No configuration was named', {
    message: (f: { given?: 'url' | 'file' | 'snapshot'; near?: string }) => {
      if (f.given === 'file') return 'The given folders hold no configuration file.';
      return f.given === 'url'
        ? '--url also needs -f, which names the configuration.'
        : 'No configuration was named, and there is no setpoint.yaml here or above.';
    },
    hint: (f) => {
      if (f.given === 'file') return 'Check the path: an empty list manages nothing.';
      if (f.given === 'snapshot') return 'Name the files that it is compared with: -f integrations.yaml';
      if (f.near !== undefined) return `Rename ${f.near} to setpoint.yaml, if that is what it is.`;
      return f.given === 'url'
        ? 'Name the files with -f, or drop --url to use the servers of setpoint.yaml.'
        : 'Name a file and a server: setpoint plan -f integrations.yaml --url https://integrations.example.com';
    },
    why: 'setpoint takes the files that you name, or those of setpoint.yaml, which it looks for from the working folder up to the git root.',
  }),
  'unknown-name': error('Nothing has this name', {
    message: (f: UnknownName) => UNKNOWN[f.of](f.word),
    hint: (f) => {
      if (f.near !== undefined) return `Did you mean ${f.near}?`;
      if (f.hint !== undefined) return f.hint;
      if (f.names === undefined)
        return 'Addresses look like virustotal.apiKey or virustotal.options.apiKey.value.';
      return f.names.length === 0 ? 'There are no names.' : `Names: ${listed(f.names)}.`;
    },
    why: 'Names of servers, entries and options are case-sensitive. setpoint never guesses, and never turns to all instead.',
  }),
  'servers-alike': varying(
    'Two servers have the same URL or variables',
    (f: { name: string; other: string; of: 'url' | 'variables' }) => (f.of === 'url' ? 'warning' : 'error'),
    {
      message: (f) =>
        f.of === 'url'
          ? `The server ${f.name} has the same URL as ${f.other}.`
          : `The servers ${f.name} and ${f.other} read the same credentials from the environment.`,
      hint: (f) =>
        f.of === 'url'
          ? 'Correct the URL, or merge the two servers: if they differ, each apply undoes the other.'
          : 'Rename one: names of variables ignore capitals, dashes and underscores.',
      why: 'A block was likely copied. Credentials of one server would go to the other, or each apply would undo the other.',
    },
  ),
  'file-unreadable': error('A file cannot be read', {
    message: (f: { path: string; reason: string; hint?: string }) => `Cannot read ${f.path}: ${f.reason}.`,
    hint: (f) => f.hint,
    why: 'It is missing, not a regular file, not in its form, or outside of the git work tree. Without it the configuration could mean something else, so no server is asked.',
  }),
  'file-unwritable': varying(
    'A file cannot be written',
    ({ of }: Unwritable) => (of === 'refused' ? 'error' : of === 'summary' ? 'reportWarning' : 'failure'),
    {
      message: ({ path = 'stdout', reason, written = [], reached }) => {
        const before = written.length === 0 ? '' : ` Written before it: ${listed(written)}.`;
        return `Cannot write ${path}: ${reason}.${before}${reachedText(reached)}`;
      },
      hint: (f) => f.hint,
      why: 'setpoint replaces only what an earlier run wrote, never a file that the run reads. Secrets go only to a file that its owner alone can read and that no commit takes.',
    },
  ),
  'snapshot-unusable': error('A snapshot cannot be used', {
    message: (f: { path: string; problem: string }) =>
      `${f.path} cannot be used as a snapshot: ${f.problem}.`,
    hint: 'Take one with setpoint snapshot --out FILE.',
    why: 'A snapshot stands for the one server of its address, and is taken whole or not at all.',
  }),
};
