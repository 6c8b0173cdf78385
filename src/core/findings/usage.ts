import { error, type Problem, varying } from './entry.ts';
import { listed, type Reached, reachedText } from './words.ts';

type Names = readonly string[];

const UNKNOWN = {
  server: (word: string) => (word === '' ? '--server is empty.' : `setpoint.yaml has no server ${word}.`),
  subject: (word: string) => `${word} is neither an integration nor a field of one.`,
  entry: (word: string) => `No entry of the configuration matches --only ${word}.`,
  field: (word: string) => `${word} is not managed.`,
};

/** A name that nothing has; `names` are those that exist. */
type UnknownName = { word: string; of: keyof typeof UNKNOWN; names?: Names; near?: string; hint?: string };

/** A file that was not written; `path` is absent for stdout. */
type Unwritable = {
  path?: string;
  reason: string;
  of?: 'refused' | 'summary';
  written?: Names;
  reached?: Reached;
  hint?: string;
};

const SAME = {
  url: ['URL', 'Correct the URL, or merge the two servers.'],
  variables: ['variables', 'Rename one: names of variables ignore capitals, dashes and underscores.'],
} as const;

const NO_CONFIGURATION = {
  file: ['The given folders hold no configuration file.', 'Check the path: an empty list manages nothing.'],
  url: ['--url also needs -f, which names the configuration.', 'Or drop --url to use setpoint.yaml.'],
  snapshot: ['No configuration was named.', 'Name the files to compare with: -f integrations.yaml'],
  none: [
    'No configuration was named, and there is no setpoint.yaml here or above.',
    'Name a file and a server: setpoint plan -f integrations.yaml --url https://integrations.example.com',
  ],
} as const;

/** Mistakes on the command line, and in the files that it names. */
export const USAGE = {
  usage: error('The command line is wrong', {
    message: (f: Problem) => f.problem,
    why: 'A flag, an argument or an environment variable is mistyped, or does not go with the others. Nothing was sent.',
  }),
  'no-configuration': error('No configuration was named', {
    message: (f: { given?: 'url' | 'file' | 'snapshot'; near?: string }) =>
      NO_CONFIGURATION[f.given ?? 'none'][0],
    hint: (f) =>
      f.near === undefined ? NO_CONFIGURATION[f.given ?? 'none'][1] : `Rename ${f.near} to setpoint.yaml.`,
    why: 'setpoint takes the files that you name, or the nearest setpoint.yaml up to the git root.',
  }),
  'unknown-name': error('Nothing has this name', {
    message: (f: UnknownName) => UNKNOWN[f.of](f.word),
    hint: (f) => {
      if (f.near !== undefined) return `Did you mean ${f.near}?`;
      return f.names === undefined
        ? 'Addresses look like virustotal.apiKey or virustotal.options.apiKey.value.'
        : `Names: ${listed(f.names) || 'none'}.`;
    },
    why: 'Names of servers, entries and options are case-sensitive, and setpoint never guesses.',
  }),
  'servers-alike': varying(
    'Two servers have the same URL or variables',
    (f: { name: string; other: string; of: 'url' | 'variables' }) => (f.of === 'url' ? 'warning' : 'error'),
    {
      message: (f) => `The servers ${f.name} and ${f.other} have the same ${SAME[f.of][0]}.`,
      hint: (f) => SAME[f.of][1],
      why: 'A block was likely copied. Credentials would go to the other server, or each apply would undo the other.',
    },
  ),
  'file-unreadable': error('A file cannot be read', {
    message: (f: { path: string; reason: string; hint?: string }) => `Cannot read ${f.path}: ${f.reason}.`,
    why: 'Without it the configuration could mean something else, so nothing is sent.',
  }),
  'file-unwritable': varying(
    'A file cannot be written',
    ({ of }: Unwritable) => (of === 'refused' ? 'error' : of === 'summary' ? 'reportWarning' : 'failure'),
    {
      message: ({ path = 'stdout', reason, written = [], reached }) => {
        const before = written.length === 0 ? '' : ` Written before it: ${listed(written)}.`;
        return `Cannot write ${path}: ${reason}.${before}${reachedText(reached)}`;
      },
      why: 'setpoint replaces only files of an earlier run, and never a file that the run reads. Secrets go only to a file that its owner alone can read and git ignores.',
    },
  ),
  'snapshot-unusable': error('A snapshot cannot be used', {
    message: (f: { path: string; problem: string }) => `${f.path} is no usable snapshot: ${f.problem}.`,
    hint: 'Take one with setpoint snapshot --out FILE.',
  }),
};
