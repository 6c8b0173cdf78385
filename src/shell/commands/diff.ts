import {
  type Project,
  type ProjectServer,
  selectServers,
} from '../../core/config/project.ts';
import type { ResolvedConfig } from '../../core/config/resolve.ts';
import { branchBehind } from '../../core/diff/behind.ts';
import { diffConfigs } from '../../core/diff/config-diff.ts';
import { loosenedIn } from '../../core/diff/loosened.ts';
import { type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { type ServerPlan, summaryOf } from '../../core/plan/plan.ts';
import { riskRefusals } from '../../core/plan/refusals.ts';
import { strictest } from '../../core/plan/risk.ts';
import { allOrFail, fail } from '../failure.ts';
import { isPerServer, type Options } from '../flags.ts';
import {
  type BaseRevisions,
  isIncomplete,
  readBaseRevisions,
} from '../reconcile/base.ts';
import {
  type Revision,
  type RevisionPart,
  type RevisionServer,
  readRevision,
} from '../reconcile/revision.ts';
import type { ChangesReport, CommandBody, Run } from '../run.ts';
import { readCatalog } from '../sources/catalog.ts';
import { openCommit } from '../sources/commit.ts';
import { failWithoutProject, unreadFiles } from '../sources/project.ts';
import { readPulledSchema } from '../sources/pulled-schema.ts';

/**
 * Diffs two revisions of the configuration offline: neither a server nor the
 * environment is read. A catalog, or else the schemas that `pull` left, say
 * which options are secrets.
 */
export const diff: CommandBody = async (run, options, [ref = '', head]) => {
  const { file = [], allow: allowedRisks } = options;
  const compared = await readRevisions(run, options, { ref, head });
  const catalog =
    options.catalog === undefined
      ? undefined
      : await readCatalog(run, options.catalog);
  const servers: ServerPlan[] = [];
  const diagnostics: Diagnostic[] = [];
  const loosened: Diagnostic[] = [];
  for (const revisions of compared) {
    for (const plan of await diffServers(run, revisions, catalog)) {
      servers.push({ ...plan, allowedRisks });
    }
    const { mergeBase, after, tip } = revisions;
    diagnostics.push(
      ...mergeBase.servers.flatMap(findingsOf).filter(isIncomplete),
      ...after.servers.flatMap(findingsOf),
      ...tip.warnings,
      ...behindOf(revisions, head),
    );
    if (file.length > 0 || mergeBase.base?.commit === undefined) continue;
    loosened.push(...loosenedIn(mergeBase.project, after.project));
  }
  diagnostics.push(...loosened, ...riskRefusals(servers, servers.length > 1));
  if (head === undefined)
    diagnostics.push(...(await unreadFiles(run, options)));
  const hasChanges = servers.some(({ summary }) => summary.changes > 0);
  const report: ChangesReport = {
    kind: 'changes',
    head: compared[0]?.after.base,
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

/** The base of a branch, and the branch. */
interface Revisions extends BaseRevisions {
  readonly after: Revision;
}

/** The revisions that a command line names. */
interface NamedRevisions {
  readonly ref: string;
  /** Undefined for the work tree. */
  readonly head: string | undefined;
}

/**
 * Reads the revisions that a command line names; if the base has `{server}`,
 * those of each server.
 */
async function readRevisions(
  run: Run,
  { file = [], server: selectors = [] }: Options,
  { ref, head }: NamedRevisions,
): Promise<readonly Revisions[]> {
  const select = (project: Project): readonly ProjectServer[] =>
    selectServers(project, selectors).value ?? [];
  const part: RevisionPart = { file, select };
  const base = isPerServer(ref, 'BASE')
    ? undefined
    : await readBaseRevisions(run, part, { ref, head });
  const branch =
    head === undefined ? undefined : await openCommit(run, file, head);
  const after = await readRevision(run, part, branch);
  const before = base?.mergeBase;
  if (after.servers.length + (before?.servers.length ?? 0) === 0) {
    const project = after.project ?? before?.project;
    const found = project && selectServers(project, selectors);
    if (found && found.diagnostics.length > 0) fail(...found.diagnostics);
    return failWithoutProject(run);
  }
  if (base !== undefined) return [{ ...base, after }];
  const reading = after.servers.map(async (server): Promise<Revisions> => {
    const own = ({ servers }: Project): readonly ProjectServer[] =>
      servers.filter(({ name }) => name === server.name);
    const named = { ref, head, servers: [server.name] };
    const read = await readBaseRevisions(run, { file, select: own }, named);
    return { ...read, after: { ...after, servers: [server] } };
  });
  return allOrFail(reading);
}

function findingsOf({ diagnostics }: RevisionServer): readonly Diagnostic[] {
  return diagnostics;
}

/** Finds what a branch lacks of its base: one finding, or none. */
function behindOf(
  { ref, mergeBase, after, tip }: Revisions,
  head: string | undefined,
): readonly Diagnostic[] {
  if (tip.revision === undefined) return [];
  const names = serverNames([after, mergeBase, tip.revision]);
  const forks = [...names].map((name) => ({
    mergeBase: configIn(mergeBase, name),
    tip: configIn(tip.revision, name),
    branch: configIn(after, name),
  }));
  const behind = branchBehind(ref, forks, head);
  return behind === undefined ? [] : [behind];
}

function serverNames(
  revisions: readonly (Revision | undefined)[],
): ReadonlySet<string> {
  const servers = revisions.flatMap((revision) => revision?.servers ?? []);
  return new Set(servers.map(({ name }) => name));
}

function serverIn(
  revision: Revision | undefined,
  name: string,
): RevisionServer | undefined {
  return revision?.servers.find((server) => server.name === name);
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

async function diffServers(
  run: Run,
  revisions: Revisions,
  catalog: readonly LiveIntegration[] | undefined,
): Promise<ServerPlan[]> {
  const { mergeBase, after, tip } = revisions;
  const policies = [mergeBase, after].map(({ project }) => project?.policy);
  // A risk that the branch itself turns off is still reported.
  const policy = strictest([
    tip.policy,
    ...policies.filter((own) => own !== undefined),
  ]);
  const plans: ServerPlan[] = [];
  for (const name of serverNames([after, mergeBase])) {
    const server = serverIn(after, name) ?? serverIn(mergeBase, name);
    const [layer] = server?.layers ?? [];
    const schema = layer && (await readPulledSchema(run, name, layer));
    const integrations = diffConfigs({
      before: configIn(mergeBase, name),
      after: configIn(after, name),
      policy,
      tip: serverIn(tip.revision, name)?.config,
      known: catalog ?? schema?.integrations,
    });
    const counts = { managed: integrations.length, reads: 0 };
    plans.push({
      name,
      url: server?.url ?? '',
      base: mergeBase.base,
      policy,
      summary: summaryOf(integrations, counts),
      integrations,
    });
  }
  return plans;
}
