import type { Codes } from './codes.ts';
import { type Explanation, inShell, PLAN, withOptions, withServers } from './example.ts';

const DIFF = 'setpoint diff main -f integrations.yaml';

/** The situation in which a revision can be compared. */
const GOOD = { situation: 'The branch main has the same file.', commands: [DIFF] };

/** A plan of a project with one server. */
const LAB = {
  files: { 'setpoint.yaml': withServers({ lab: 'http://localhost:4010' }) },
  commands: ['setpoint plan --base main'],
};

/** An explanation by waivers of one difference, with the other side of it. */
function waiver(
  explanation: string,
  timeout: number,
  wrong: string | undefined,
  right?: string,
): Explanation {
  return inShell(explanation, planned(timeout, waived(wrong)), planned(timeout, waived(right)));
}

function planned(timeout: number, waivers: readonly string[]) {
  return {
    yaml: withOptions(`timeout: ${timeout}`),
    files: { 'setpoint.yaml': withServers({ lab: 'http://localhost:4010' }, ...waivers) },
    commands: ['setpoint plan'],
  };
}

function waived(until: string | undefined, address = 'lookup.options.timeout'): string[] {
  if (until === undefined) return [];
  return [
    'waivers:',
    `  - address: ${address}`,
    '    server: lab',
    `    until: ${until}`,
    '    reason: slow until the upgrade',
    '    owner: soc',
  ];
}

/** What is wrong with revisions of the configuration. */
export const REVISIONS = {
  'no-repository': inShell(
    'diff, plan with --base, and apply of such a plan compare with a revision that git holds, and the configuration lies in no repository of git. An archive that was downloaded is none.',
    { situation: 'The folder is in no repository.', commands: [DIFF] },
    GOOD,
  ),
  'git-missing': inShell(
    'Revisions are read with git, which must be installed for that. Small images for pipelines often lack it. A git that lies in the repository itself is never started.',
    { situation: 'git is not installed.', commands: [DIFF] },
    GOOD,
  ),
  'unknown-revision': inShell(
    'The branch, tag or commit is mistyped, or was not fetched. A pipeline often fetches one commit of one branch alone. A plan that was saved with --base is applied only where git has that commit, which tells what was a secret: a plan may have been edited.',
    { ...GOOD, commands: [DIFF.replace('main', 'mian')] },
    GOOD,
  ),
  'git-failed': inShell(
    'git refused to read its own objects or gave up. The repository may be damaged, or a clone that was cut off. setpoint has changed nothing in it: it only asks for objects.',
    { situation: 'An object of the repository is damaged.', commands: [DIFF] },
    GOOD,
  ),
  'revision-broken': inShell(
    'What the configuration said at that revision cannot be read, so nobody can tell what has changed since. setpoint does not guess. The first of its errors is quoted.',
    { situation: 'The file of main is broken.', commands: [DIFF] },
    GOOD,
  ),
  'revision-empty': inShell(
    'The revision has no such file or server, so all that it declares counts as changed by the branch, and drift of it is not seen. That is right for what is new, and wrong where the path was mistyped or git does not hold the file, as in a submodule or where it is ignored. A file that was only moved is found by its content.',
    { situation: 'The file is new on this branch.', commands: [`${PLAN} --base main`] },
    { ...GOOD, commands: [`${PLAN} --base main`] },
  ),
  'server-released': inShell(
    'The branch takes a server out of setpoint.yaml. A plan is about the servers that are left, so it shows none of what was managed there: that stays as it is, and no drift of it is seen. With --server it is told where the selector meant the server at the base.',
    { situation: 'The branch main has another server too.', ...LAB },
    { situation: GOOD.situation, ...LAB },
  ),
} satisfies Codes;

/** What is wrong with waivers of known differences. */
export const WAIVERS = {
  'waiver-date': waiver(
    'A waiver leaves a difference alone up to a day, and the calendar has no such day. Without it the waiver would never end.',
    30,
    '2026-11-31',
    '2026-12-31',
  ),
  'waiver-over': waiver(
    'Somebody promised that a difference would be gone by a day that has passed, and it is still there. It counts again, so that a known drift is not forgotten; with --strict the plan fails.',
    30,
    '2026-11-01',
    '2026-12-31',
  ),
} satisfies Codes;
