import {
  type Project,
  type ProjectServer,
  selectServers,
} from '../../core/config/project.ts';
import { branchBehind, type Fork } from '../../core/diff/behind.ts';
import { diffConfigs } from '../../core/diff/config-diff.ts';
import { loosenedIn } from '../../core/diff/loosened.ts';
import { type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { type ServerPlan, summaryOf } from '../../core/plan/plan.ts';
import { riskRefusals } from '../../core/plan/refusals.ts';
import { strictest } from '../../core/plan/risk.ts';
import { fail } from '../failure.ts';
import type { Options } from '../flags.ts';
import { type Base, isIncomplete, readBaseOf } from '../reconcile/base.ts';
import {
  configIn,
  type Revision,
  readRevision,
  serverIn,
} from '../reconcile/revision.ts';
import type { ChangesReport, CommandBody, Run } from '../run.ts';
import { openCommit, type Refs } from '../sources/commit.ts';
import { failWithoutProject } from '../sources/project.ts';
import { unreadFiles } from '../sources/unread-files.ts';

/**
 * Diffs two revisions of the configuration offline: neither a server nor the
 * environment is read.
 */
export const diff: CommandBody = async (run, options, [base = '', head]) => {
  const { file = [], server = [] } = options;
  const revisions = await readRevisions(run, options, { ref: base, head });
  const { mergeBase: before, after, tip } = revisions;
  if (before.servers.length + after.servers.length === 0) {
    return failEmpty(run, after.project ?? before.project, server);
  }
  const loosened =
    file.length > 0 ? [] : loosenedIn(before.project, after.project);
  const servers = diffServers(revisions, options.allow);
  const diagnostics = [
    ...findingsIn(before).filter(isIncomplete),
    ...findingsIn(after),
    ...revisions.warnings,
    ...loosened,
    ...riskRefusals(servers, servers.length > 1),
    ...(head === undefined ? await unreadFiles(run, options) : []),
  ];
  const behind = tip && branchBehind(base, forksOf(revisions, tip), head);
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

/** The base, and what is compared with it. */
interface Revisions extends Base {
  readonly after: Revision;
}

async function readRevisions(
  run: Run,
  { file = [], server = [] }: Options,
  refs: Refs,
): Promise<Revisions> {
  const select = (project: Project): readonly ProjectServer[] =>
    selectServers(project, server).value ?? [];
  const part = { file, select };
  const base = await readBaseOf(run, part, refs);
  const { head } = refs;
  const commit =
    head === undefined ? undefined : await openCommit(run, file, head);
  return { ...base, after: await readRevision(run, part, commit) };
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
function forksOf({ mergeBase, after }: Revisions, tip: Revision): Fork[] {
  return serverNames([after, mergeBase, tip]).map((name) => ({
    mergeBase: configIn(mergeBase, name),
    tip: configIn(tip, name),
    branch: configIn(after, name),
  }));
}

function serverNames(revisions: readonly Revision[]): readonly string[] {
  const servers = revisions.flatMap((revision) => [...revision.servers]);
  return [...new Set(servers.map(({ name }) => name))];
}

function diffServers(
  revisions: Revisions,
  allowedRisks: Options['allow'],
): ServerPlan[] {
  const { mergeBase: before, after, tip } = revisions;
  // A risk that the branch itself turns off is still reported.
  const policy = strictest([revisions.policy, after.project?.policy ?? {}]);
  return serverNames([after, before]).map((name) => {
    const integrations = diffConfigs({
      before: configIn(before, name),
      after: configIn(after, name),
      policy,
      tip: tip && serverIn(tip, name)?.config,
    });
    const server = serverIn(after, name) ?? serverIn(before, name);
    const counts = { managed: integrations.length, reads: 0 };
    return {
      name,
      url: server?.url ?? '',
      base: before.base,
      summary: summaryOf(integrations, counts),
      integrations,
      policy,
      allowedRisks,
    };
  });
}
