import { error, type Names, type Problem } from './entry.ts';
import { listed, type Reached, reachedText } from './words.ts';

/** A file that was not written; `path` is absent for stdout. */
type Unwritable = {
  path?: string;
  reason: string;
  of?: 'refused' | 'summary';
  written?: Names;
  reached?: Reached;
  hint?: string;
};

/** Mistakes on the command line, and in the files that it names. */
export const USAGE = {
  usage: error('The command line is wrong', {
    message: (f: Problem) => f.problem,
    why: 'A flag, an argument or an environment variable is mistyped, or does not go with the others. Nothing was sent.',
  }),
  'no-configuration': error<{ hint?: string }>('No configuration was named', {
    message: 'No configuration was named or found.',
    hint: 'Name the files, such as -f integrations.yaml; --url and --live need that too. Without -f, setpoint.yaml names files and servers.',
    why: 'setpoint takes the files that you name with -f, or the nearest setpoint.yaml up to the git root. A folder without a YAML file manages nothing.',
  }),
  'unknown-name': error('Nothing has this name', {
    message: (f: { of: string; word: string; names?: Names; near?: string }) =>
      `There is no ${f.of} "${f.word}".`,
    hint: ({ names }) => names && `Names: ${listed(names) || 'none'}.`,
    why: 'Names of servers, entries and options are case-sensitive, and setpoint never guesses. Addresses look like virustotal.apiKey or virustotal.options.apiKey.value.',
  }),
  'servers-alike': error('Two servers have the same URL or variables', {
    kind: (f: { name: string; other: string; of: 'URL' | 'variables' }) =>
      f.of === 'URL' ? 'warning' : 'error',
    message: (f) => `The servers ${f.name} and ${f.other} have the same ${f.of}.`,
    hint: 'Correct the URL or the name, or merge the two servers.',
    why: 'A block was likely copied. Credentials would go to the other server, or each apply would undo the other. Variables are named after the server; capitals, dashes and underscores make no difference.',
  }),
  'file-unreadable': error('A file cannot be read', {
    message: (f: { path: string; reason: string; hint?: string }) => `Cannot read ${f.path}: ${f.reason}.`,
    why: 'Check the path and its permissions. Without the file the configuration could mean something else, so nothing is sent.',
  }),
  'file-unwritable': error('A file cannot be written', {
    kind: ({ of }: Unwritable) =>
      of === 'refused' ? 'error' : of === 'summary' ? 'reportWarning' : 'failure',
    message: ({ path = 'stdout', reason, written = [], reached }) => {
      const before = written.length === 0 ? '' : ` Written before it: ${listed(written)}.`;
      return `Cannot write ${path}: ${reason}.${before}${reachedText(reached)}`;
    },
    why: 'setpoint replaces only files of an earlier run, and never a file that the run reads. Secrets go only to a file that its owner alone can read and git ignores.',
  }),
  'snapshot-unusable': error('A snapshot cannot be used', {
    message: (f: { path: string; problem: string }) => `${f.path} is no usable snapshot: ${f.problem}.`,
    hint: 'Take one with setpoint snapshot --out FILE.',
  }),
};
