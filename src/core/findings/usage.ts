import { finding } from './entry.ts';
import { count, didYouMean, listed } from './words.ts';

/** A file that was not written; `path` is absent for stdout. */
type Unwritable = {
  path?: string;
  reason: string;
  of?: 'refused' | 'summary';
  written?: readonly string[];
};

/**
 * A word that names nothing; `known` has other words that could be meant. It is a warning if the run goes on without it, and
 * `variable` is the variable that has the word in its name.
 */
type Unknown = {
  of: string;
  word: string;
  names?: readonly string[];
  known?: readonly string[];
  severity?: 'warning';
  variable?: string;
};

/** A layer, and those that share files with it: the same one again if `isSame`. */
type Overlapping = {
  outer: string;
  inner: readonly string[];
  isSame?: true;
};

/** Addresses that a ref changed since a branch left it; `head` names a branch other than this one. */
type Behind = {
  ref: string;
  head?: string | undefined;
  changes: readonly string[];
  integrations: readonly string[];
};

/** Why a field is not accepted. */
const REASONS = {
  secret: 'the live value may be a secret',
  leftover: 'the live value is what a tool left in place of one',
  hidden: 'the server hides the live value',
  form: 'YAML has no form of the live value',
  branch: 'this branch changed it, and only without --base it is accepted',
  waived: 'a waiver leaves it alone',
  permission: 'the name of an option means its value',
  alias: 'an alias or anchor stands there',
  reference: 'it is a reference',
  comment: 'a comment stands inside the value',
  edit: 'the edit did not read back as it should',
  shared: 'this line is also used by',
};

/** Why a field is not accepted. */
export type NotAccepted = keyof typeof REASONS;

/** `others` use the line of a shared field; `lines` is the YAML to write by hand, `file` the server's own file for it. */
type Unaccepted = {
  addresses: readonly string[];
  reason: NotAccepted;
  others?: readonly string[];
  lines?: string;
  file?: string;
};

/** What to do about fields that no edit of the YAML would help. */
function skippedHint({ addresses, reason }: Unaccepted): string | undefined {
  switch (reason) {
    case 'branch':
      return undefined;
    case 'hidden':
      return `To write it: setpoint apply --write-hidden ${addresses.join(',')}`;
    case 'permission':
      return `It drifted too: setpoint accept ${addresses.join(' ')}`;
    case 'waived':
      return 'Remove the waiver first.';
    default:
      return 'Set it back with setpoint apply, or change its declaration or its variable by hand.';
  }
}

/** What nobody named was not asked for. */
const notAcceptedKind = ({ reason }: Unaccepted) =>
  reason === 'permission' ? 'warning' : 'unapplied';

/** Mistakes on the command line, in the files and revisions that it names, and fields that `accept` leaves as they are. */
export const USAGE_FINDINGS = {
  usage: finding('error', 'The command line is wrong', {
    message: (f: { problem: string }) => f.problem,
    why: 'A flag, an argument or an environment variable is mistyped, or does not go with the others. Nothing was sent.',
  }),
  'no-configuration': finding('error', 'No configuration was named or found', {
    hint: 'Name the files, such as -f integrations.yaml; --url and --live need that too. Without -f and --url, setpoint.yaml names files and servers.',
    why: 'setpoint takes the files that you name with -f, or the nearest setpoint.yaml up to the git root. A folder without a YAML file manages nothing.',
  }),
  'unknown-name': finding(
    ({ severity }: Unknown) => severity ?? 'error',
    'Nothing has this name',
    {
      message: ({ of, word, variable }) =>
        `There is no ${of} "${word}"${variable ? ` (${variable})` : ''}.`,
      hint: ({ word, names, known = [] }) =>
        didYouMean(word, [...(names ?? []), ...known]) ??
        (names && `Names: ${listed(names) || 'none'}.`),
      why: 'Names of servers, entries and options are case-sensitive, and setpoint never guesses. Addresses look like virustotal.apiKey or virustotal.options.apiKey.value. A waiver, a variable or an --only that names nothing is a warning: it has no effect.',
    },
  ),
  'nothing-managed': finding('warning', 'The configuration manages nothing', {
    hint: 'Declare options under integrations, or let setpoint pull write them.',
    why: 'Such a configuration never differs from a server, so a pipeline would pass for ever. The entries may have moved elsewhere, or a layer sets all of them to null.',
  }),
  'layers-overlap': finding('error', 'Two layers share files', {
    message: ({ outer, inner, isSame }: Overlapping) =>
      isSame
        ? `${outer} is named twice.`
        : `${listed(inner, 8)} ${inner.length === 1 ? 'is' : 'are'} also part of ${outer}.`,
    hint: ({ isSame }) =>
      isSame
        ? 'Name it once.'
        : 'Make them siblings, such as base/ and staging/: a folder is read with its subfolders.',
    why: 'A layer inside the folder of another one reaches every server that reads that folder. Each file belongs to one layer, over all servers of setpoint.yaml:\n  staging: { config: [base/, staging/] }\n  production: { config: [base/, production/] }',
  }),
  'servers-alike': finding(
    (f: { name: string; other: string; of: 'URL' | 'variables' }) =>
      f.of === 'URL' ? 'warning' : 'error',
    'Two servers have the same URL or variables',
    {
      message: (f) =>
        `The servers ${f.name} and ${f.other} have the same ${f.of}.`,
      hint: 'Correct the URL or the name, or merge the two servers.',
      why: 'A block was likely copied. Credentials would go to the other server, or each apply would undo the other. Variables are named after the server; capitals, dashes and underscores make no difference.',
    },
  ),
  'file-unreadable': finding('error', 'A file cannot be read', {
    message: (f: { path: string; reason: string }) =>
      `Cannot read ${f.path}: ${f.reason}.`,
    why: 'Check the path and its permissions. Without the file the configuration could mean something else, so nothing is sent.',
  }),
  'file-unwritable': finding(
    ({ of }: Unwritable) =>
      of === 'refused'
        ? 'error'
        : of === 'summary'
          ? 'reportWarning'
          : 'failure',
    'A file cannot be written',
    {
      message: ({ path = 'stdout', reason, written = [] }) =>
        `Cannot write ${path}: ${reason}.${written.length === 0 ? '' : ` Written before it: ${listed(written)}.`}`,
      why: 'setpoint replaces only files of an earlier run, and never a file that the run reads. Secrets go only to a file that its owner alone can read and git ignores.',
    },
  ),
  'snapshot-unusable': finding('error', 'A snapshot cannot be used', {
    message: (f: { path: string; problem: string }) =>
      `${f.path} is no usable snapshot: ${f.problem}.`,
    hint: 'Take one with setpoint snapshot --out FILE.',
  }),
  'no-revision': finding('error', 'git has no such revision', {
    message: (f: { problem: string }) => `${f.problem}.`,
    hint: 'Name a branch, a tag or a commit of this repository.',
    why: 'Revisions are read from the git repository of the configuration. In pipelines branches are called origin/NAME, and a shallow clone may hold only the newest commit: check out the whole history.',
  }),
  'revision-broken': finding(
    'error',
    'The configuration of a revision has errors',
    {
      message: (f: {
        ref: string;
        errors: number;
        first: string;
        firstHint?: string;
      }) =>
        `The configuration at ${f.ref} has ${count(f.errors, 'error')}, so nothing can be compared with it: ${f.first}`,
      hint: ({ firstHint }) =>
        `${firstHint === undefined ? 'Compare' : `${firstHint} Or compare`} with a revision whose configuration is valid.`,
      why: 'Both sides must be valid to be compared. Commits are never changed: correct the error in a newer one.',
    },
  ),
  'revision-incomplete': finding(
    'warning',
    'A revision lacks a part of the configuration',
    {
      message: (f: { ref: string; path: string }) =>
        `${f.path} does not exist at ${f.ref}: it counts as new.`,
      hint: 'Fine if it is new. Otherwise compare with a commit that contains it under this name.',
      why: 'All of its fields count as new, so plan --base cannot tell drift from the changes of the branch.',
    },
  ),
  'branch-behind': finding('warning', 'The branch lacks changes of the base', {
    message: (f: Behind) =>
      `${f.ref} has ${count(f.changes.length, 'change')} that ${f.head ?? 'this branch'} lacks: ${listed(f.changes, 10)}.`,
    hint: ({ ref, changes }) =>
      `Merge ${ref} first: an apply from here would take ${changes.length === 1 ? 'it' : 'them'} back.`,
    why: 'The base changed since this branch left it. A branch is compared with the commit at which it left the base, so what others changed since never counts as changed by the branch.',
  }),
  'not-accepted': finding(notAcceptedKind, 'Drift is not accepted', {
    message: ({ addresses, reason, others }: Unaccepted) =>
      `Skipped ${listed(addresses)}: ${REASONS[reason]}${others ? ` ${listed(others, 5)}` : ''}.`,
    hint: (f) => {
      const { lines, others } = f;
      const { file = 'a file that no other server uses' } = f;
      if (lines === undefined) return skippedHint(f);
      return `${others ? `Add to ${file}` : 'Edit it by hand to read'}, under integrations: ${lines}`;
    },
    why: 'The live value cannot be written safely where the field is declared, or it should not be. Rotate a hidden secret, or write it with setpoint apply --write-hidden. All other fields are accepted.',
  }),
  'accept-risk': finding('warning', 'Accepted drift has a risk', {
    message: (f: {
      addresses: readonly string[];
      risk: string;
      words: string;
    }) =>
      `Accepting ${listed(f.addresses)} has the risk ${f.risk}: ${f.words}.`,
    hint: 'To undo it, restore the file with git, then run setpoint apply.',
    why: 'Somebody changed the server by hand, and accepting makes it what the files want. Review it like any other change.',
  }),
  'file-changed': finding(
    'guard',
    'A file changed while setpoint worked on it',
    {
      message: (f: { path: string }) => `${f.path} changed after it was read.`,
      hint: 'No file was written. Run setpoint accept again.',
    },
  ),
};
