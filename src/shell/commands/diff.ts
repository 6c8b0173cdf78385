import {
  type Project,
  type ProjectServer,
  selectServers,
} from '../../core/config/project.ts';
import type { ResolvedConfig } from '../../core/config/resolve.ts';
import { branchBehind, type Fork } from '../../core/diff/behind.ts';
import { diffConfigs } from '../../core/diff/config-diff.ts';
import { loosenedIn } from '../../core/diff/loosened.ts';
import { type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { type ServerPlan, summaryOf } from '../../core/plan/plan.ts';
import { riskRefusals } from '../../core/plan/refusals.ts';
import { type Policy, strictest } from '../../core/plan/risk.ts';
import { fail } from '../failure.ts';
import type { Options } from '../flags.ts';
import { isIncomplete, readTip, type Tip } from '../reconcile/base.ts';
import {
  type Revision,
  type RevisionPart,
  type RevisionServer,
  readRevision,
} from '../reconcile/revision.ts';
import type { ChangesReport, CommandBody, Run } from '../run.ts';
import { openBase, openCommit } from '../sources/commit.ts';
import { failWithoutProject, unreadFiles } from '../sources/project.ts';

/**
 * Diffs two revisions of the configuration offline: neither a server nor the
 * environment is read.
 */
export const diff: CommandBody = async (run, options, [base = '', head]) => {
  const { file = [], server = [] } = options;
  const revisions = await readRevisions(run, options, { ref: base, head });
  const { before, after, tip } = revisions;
  if (before.servers.length + after.servers.length === 0) {
    return failEmpty(run, after.project ?? before.project, server);
  }
  const loosened =
    file.length > 0 ? [] : loosenedIn(before.project, after.project);
  const servers = diffServers(revisions, options.allow);
  const diagnostics = [
    ...findingsIn(before).filter(isIncomplete),
    ...findingsIn(after),
    ...tip.warnings,
    ...loosened,
    ...riskRefusals(servers, servers.length > 1),
    ...(head === undefined ? await unreadFiles(run, options) : []),
  ];
  const behind = tip.revision && branchBehind(base, forksOf(revisions), head);
  if (behind !== undefined) diagnostics.push(behind);
  const hasChanges = servers.some(({ summary }) => summary.changes > 0);
  const report: ChangesReport = {
    kind: 'changes',
    head: after.base,
    servers,
    shown: { full: options.full },
  };
  return {
    diagnostics: distinct(diagnostics),
    report,
    isStrict: options.strict,
    differs: options.exitCode === true && (loosened.length > 0 || hasChanges),
  };
};

/**
 * The merge base, the branch, and the tip of the ref if that is another commit.
 */
interface Revisions {
  readonly before: Revision;
  readonly after: Revision;
  readonly tip: Tip;
}

/** The revisions that a command line names. */
interface NamedRevisions {
  readonly ref: string;
  /** Undefined for the work tree. */
  readonly head: string | undefined;
}

async function readRevisions(
  run: Run,
  { file = [], server = [] }: Options,
  { ref, head }: NamedRevisions,
): Promise<Revisions> {
  const select = (project: Project): readonly ProjectServer[] =>
    selectServers(project, server).value ?? [];
  const part: RevisionPart = { file, select };
  const commits = await openBase(run, file, { ref, head });
  const before = await readRevision(run, part, commits.mergeBase);
  const tip = await readTip(run, part, commits.tip);
  const branch =
    head === undefined ? undefined : await openCommit(run, file, head);
  const after = await readRevision(run, part, branch);
  return { before, after, tip };
}

/** Fails because neither revision has a server that is meant. */
function failEmpty(
  run: Run,
  project: Project | undefined,
  selectors: readonly string[],
): Promise<never> {
  if (project !== undefined) {
    const { diagnostics: unmet } = selectServers(project, selectors);
    if (unmet.length > 0) fail(...unmet);
  }
  return failWithoutProject(run);
}

function findingsIn({ servers }: Revision): readonly Diagnostic[] {
  return servers.flatMap(({ diagnostics }) => diagnostics);
}

/** Returns the declarations for each server at three revisions. */
function forksOf({ before, after, tip }: Revisions): Fork[] {
  return serverNames([after, before, tip.revision]).map((name) => ({
    mergeBase: configIn(before, name),
    tip: configIn(tip.revision, name),
    branch: configIn(after, name),
  }));
}

function serverNames(
  revisions: readonly (Revision | undefined)[],
): readonly string[] {
  const names = new Set<string>();
  for (const revision of revisions) {
    for (const { name } of revision?.servers ?? []) names.add(name);
  }
  return [...names];
}

/**
 * Returns the declarations of a revision for a server; none if it lacks the
 * server.
 */
function configIn(
  revision: Revision | undefined,
  name: string,
): ResolvedConfig {
  return serverIn(revision, name)?.config ?? [];
}

function serverIn(
  revision: Revision | undefined,
  name: string,
): RevisionServer | undefined {
  return revision?.servers.find((server) => server.name === name);
}

function diffServers(
  revisions: Revisions,
  allowedRisks: Options['allow'],
): ServerPlan[] {
  const { before, after, tip } = revisions;
  const policies: Policy[] = [tip.policy];
  for (const revision of [before, after]) {
    const policy = revision?.project?.policy;
    if (policy !== undefined) policies.push(policy);
  }
  // A risk that the branch itself turns off is still reported.
  const policy = strictest(policies);
  const names = serverNames([after, before]);
  return names.map((name) => {
    return { ...diffServer(revisions, name, policy), policy, allowedRisks };
  });
}

function diffServer(
  { before, after, tip }: Revisions,
  name: string,
  policy: Policy,
): ServerPlan {
  const integrations = diffConfigs({
    before: configIn(before, name),
    after: configIn(after, name),
    policy,
    tip: serverIn(tip.revision, name)?.config,
  });
  const server = serverIn(after, name) ?? serverIn(before, name);
  const counts = { managed: integrations.length, reads: 0 };
  return {
    name,
    url: server?.url ?? '',
    base: before.base,
    summary: summaryOf(integrations, counts),
    integrations,
  };
}
