import type { AboutFields } from './about.ts';
import { finding } from './entry.ts';
import { count, didYouMean, listed } from './words.ts';

/** A file that was not written. */
type Unwritable = {
  /** Absent for stdout. */
  path?: string | undefined;
  reason: string;
  of?: 'refused' | undefined;
  /** The files that were written before it. */
  written?: readonly string[] | undefined;
};

/** A word that names nothing. */
type Unknown = {
  of: string;
  word: string;
  names?: readonly string[] | undefined;
  /** Other words that could be meant. */
  known?: readonly string[] | undefined;
  /** Set if the run goes on without it. */
  severity?: 'warning' | undefined;
  /** The servers that lack it, if others may have it. */
  on?: readonly string[] | undefined;
};

/** A folder of files that no server reads. */
type Unread = {
  layer: string;
  /** The server whose overlay it is. */
  server?: string | undefined;
};

/** A layer, and those that share files with it. */
type Overlapping = { outer: string; inner: readonly string[] };

/** Fields that a ref changed since a branch left it. */
type Behind = AboutFields & {
  ref: string;
  /** A branch other than this one. */
  head?: string | undefined;
};

/** A file or a server that a revision lacks. */
type Incomplete = {
  ref: string;
  path: string;
  /** Why a file that it has cannot be read. */
  reason?: string | undefined;
};

/** A revision with errors. */
export type BrokenRevision = {
  ref: string;
  errors: number;
  first: string;
};

/**
 * What setpoint.yaml says at a pointer, at both revisions; undefined if it says
 * nothing there.
 */
export type Loosened = {
  pointer: string;
  was: string | undefined;
  is: string | undefined;
};

/** Why a field is not accepted. */
const REASONS = {
  secret: 'the live value may be a secret',
  hidden: 'the server hides the live value (apply --write-hidden writes it)',
  unread: 'a reference in its declaration is not set',
  form: 'YAML has no form of the live value',
  branch: 'this branch changed it, and only without --base it is accepted',
  waived: 'it is waived',
  alias: 'an alias or anchor stands there',
  reference: 'it is a reference',
  comment: 'a comment stands inside the value',
  edit: 'an edit here would not read back as it should',
  shared: 'other servers read its file',
};

/** Why a field is not accepted. */
export type NotAccepted = keyof typeof REASONS;

type Unaccepted = AboutFields & {
  reason: NotAccepted;
  /** The fields that use the line too. */
  others?: readonly string[] | undefined;
  /** The file or layer to write it to; absent for that of the line. */
  file?: string | undefined;
  /** The YAML to write by hand. */
  yaml?: readonly string[] | undefined;
};

/** Mistakes on the command line, in files and revisions, and of `accept`. */
export const USAGE_FINDINGS = {
  usage: finding('error', 'The command line is wrong', {
    message: (facts: { problem: string }) => facts.problem,
    why: 'A flag, an argument or an environment variable is mistyped, or does not go with the others. Nothing was sent.',
  }),
  'no-configuration': finding('error', 'No configuration was named or found', {
    hint: 'Write setpoint.yaml, which names files and servers, or name what the command needs: files with -f, a server with --url.',
    why: 'setpoint takes the files that you name with -f, or the nearest setpoint.yaml up to the git root. A folder without a YAML file manages nothing.',
  }),
  'unknown-name': finding(
    ({ severity }: Unknown) => severity ?? 'error',
    'Nothing has this name',
    {
      message: ({ of, word, on }) => {
        const start = `There is no ${of} "${word}"`;
        return on === undefined ? `${start}.` : `${start} on ${listed(on, 5)}.`;
      },
      hint: ({ word, names, known = [] }) => {
        // An option without its integration.
        const fields = known.filter((name) => name.endsWith(`.${word}`));
        if (fields.length > 0)
          return `Did you mean ${listed([...new Set(fields)], 5)}?`;
        const near = didYouMean(word, [...(names ?? []), ...known]);
        if (near !== undefined || names === undefined) return near;
        return `Names: ${listed(names) || 'none'}.`;
      },
      why: 'Names of servers, entries and options are case-sensitive, and setpoint never guesses. Addresses look like virustotal.apiKey or virustotal.options.apiKey.value. A waiver or an --only that names nothing is a warning: it has no effect.',
    },
  ),
  'nothing-managed': finding('warning', 'The configuration manages nothing', {
    hint: 'Declare options under integrations, or let setpoint pull write them. Compare each match with the ids that setpoint list shows.',
    why: 'Such a configuration never differs from a server, so a pipeline would always pass. The entries may have moved elsewhere, a layer may set all of them to null, or every match may be mistyped.',
  }),
  'layers-overlap': finding('error', 'Two layers share files', {
    message: ({ outer, inner }: Overlapping) =>
      `The layer ${outer} holds the files of ${listed(inner, 8)} too.`,
    hint: 'Name each layer once, and make them siblings, such as base/ and staging/: a folder is read with its subfolders.',
    why: 'A layer inside the folder of another one reaches every server that reads that folder. Each file belongs to one layer, over all servers of setpoint.yaml:\n  staging: { config: [base/, staging/] }\n  production: { config: [base/, production/] }',
  }),
  'unread-file': finding('warning', 'No server reads a file', {
    message: ({ layer }: Unread) =>
      `No server of setpoint.yaml reads what is in ${layer}.`,
    hint: ({ server }) =>
      server === undefined
        ? 'Add the folder to the config of a server, or move the files into one that a server reads.'
        : `Let setpoint.yaml say this of ${server}:`,
    why: 'A YAML file with integrations or values, in integrations/, in servers/, or in a folder that a layer lies in, is configuration. What no config of setpoint.yaml names has no effect.',
  }),
  'servers-alike': finding(
    (facts: { name: string; other: string; of: 'URL' | 'variables' }) =>
      facts.of === 'URL' ? 'warning' : 'error',
    'Two servers have the same URL or variables',
    {
      message: (facts) =>
        `The servers ${facts.name} and ${facts.other} have the same ${facts.of}.`,
      hint: 'Correct the URL or the name, or merge the two servers.',
      why: 'A block was likely copied. Credentials would go to the other server, or each apply would undo the other. Variables are named after the server; capitals, dashes and underscores make no difference.',
    },
  ),
  'file-unreadable': finding('error', 'A file cannot be read', {
    message: (facts: { path: string; reason: string }) =>
      `Cannot read ${facts.path}: ${facts.reason}.`,
    why: 'Check the path and its permissions. Without the file the configuration could mean something else, so nothing is sent. References read regular files of at most 64 KiB inside the configuration root, never in .git. Their paths start at the folder of setpoint.yaml, or without one at the root of the git work tree.',
  }),
  'file-unwritable': finding(
    ({ of }: Unwritable) => (of === 'refused' ? 'error' : 'failure'),
    'A file cannot be written',
    {
      message: ({ path = 'stdout', reason, written = [] }) => {
        const sentence = `Cannot write ${path}: ${reason}.`;
        if (written.length === 0) return sentence;
        return `${sentence} Written before it: ${listed(written)}.`;
      },
      why: 'setpoint replaces only files of an earlier run, and never a file that the run reads, or that changed after it was read. Secrets go only to a file that its owner alone can read and git ignores.',
    },
  ),
  'file-unusable': finding(
    'error',
    'A saved plan, report or snapshot cannot be used',
    {
      message: (facts: { file: string; problem: string }) =>
        `${facts.file} cannot be used: ${facts.problem}.`,
      hint: 'Plan again with setpoint plan --report json=FILE, and name the same server and files in both commands.',
      why: 'Only the plan of the same server can be applied: not an apply, a snapshot, or another version of the format.',
    },
  ),
  'no-revision': finding('error', 'git has no such revision', {
    message: (facts: { problem: string }) => `${facts.problem}.`,
    hint: 'Name a branch, a tag or a commit of this repository.',
    why: 'Revisions are read from the git repository of the configuration. In pipelines branches are called origin/NAME, and a shallow clone may hold only the newest commit: check out the whole history.',
  }),
  'revision-broken': finding(
    'error',
    'The configuration of a revision has errors',
    {
      message: ({ ref, errors, first }: BrokenRevision) =>
        `The configuration at ${ref} has ${count(errors, 'error')}, so nothing can be compared with it: ${first}`,
      hint: ({ ref }) =>
        `Correct ${ref} in a newer commit, or compare with a revision whose configuration is valid.`,
      why: 'Both sides must be valid to be compared, and so must the tip of the base. Commits are never changed: correct the error in a newer one.',
    },
  ),
  'revision-incomplete': finding(
    'warning',
    'A revision lacks a part of the configuration',
    {
      message: ({ ref, path, reason }: Incomplete) =>
        reason === undefined
          ? `${path} does not exist at ${ref}: it counts as new.`
          : `Cannot read ${path} at ${ref}: ${reason}. It counts as unchanged.`,
      hint: 'Fine if it is new. Otherwise compare with a commit that contains it under this name.',
      why: 'All of its fields count as new, so plan --base cannot tell drift from the changes of the branch.',
    },
  ),
  'never-applied': finding('reportWarning', 'Nothing was applied to a server', {
    message: ({ ref }: { ref: string }) =>
      `Nothing was applied yet, because there is no ${ref}: all of it counts as changed.`,
    hint: 'Fine for a new server. Otherwise fetch the branch, or correct its name.',
    why: 'In --base, {server} stands for the name of each server: the branch that a pipeline moves after each apply. A server without one was never applied, or this clone lacks its branch.',
  }),
  'branch-behind': finding('warning', 'The branch lacks changes of the base', {
    message: ({ ref, head = 'this branch', addresses }: Behind) => {
      const counted = count(addresses.length, 'change');
      return `${ref} has ${counted} that ${head} lacks: ${listed(addresses, 10)}.`;
    },
    hint: ({ ref }) =>
      `Merge ${ref} first, or an apply may undo what it changed.`,
    why: 'The base changed since this branch left it. A branch is compared with the commit at which it left the base, so what others changed since never counts as changed by the branch. The fields listed are those that both declare, with another value or permission.',
  }),
  loosened: finding('reportWarning', 'setpoint.yaml is less strict', {
    message: ({ pointer, was = 'not set', is = 'not set' }: Loosened) =>
      `setpoint.yaml is less strict at ${pointer}: ${was} -> ${is}.`,
    why: 'A weaker policy, a longer waiver, or a server at another address changes what an apply may do. A diff says so; --strict does not count it.',
  }),
  'not-accepted': finding('unapplied', 'Drift is not accepted', {
    message: ({ addresses, reason, others = [] }: Unaccepted) => {
      const names = listed(addresses);
      if (others.length === 0) return `Skipped ${names}: ${REASONS[reason]}.`;
      const use = others.length === 1 ? 'uses' : 'use';
      return `Can't change ${names} alone: ${listed(others, 5)} ${use} the same line.`;
    },
    hint: ({ file, yaml }) => {
      if (file !== undefined) return `Merge into ${file}, under integrations:`;
      if (yaml !== undefined) return 'Write by hand:';
      return 'Set it back with setpoint apply, or change its declaration or its variable by hand.';
    },
    why: 'The live value cannot be written safely where the field is declared, or it should not be. Rotate a hidden secret, or write it with setpoint apply --write-hidden. All other fields are accepted.',
  }),
};
