import {
  type Project,
  type ProjectServer,
  selectServers,
} from '../../core/config/project.ts';
import { diffConfigs } from '../../core/diff/config-diff.ts';
import { loosenedIn } from '../../core/diff/loosened.ts';
import {
  type Diagnostic,
  diagnostic,
  distinct,
} from '../../core/findings/diagnostic.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { ServerPlan } from '../../core/plan/plan.ts';
import { riskRefusals } from '../../core/plan/refusals.ts';
import { strictest } from '../../core/plan/risk.ts';
import { summaryOf } from '../../core/plan/summary.ts';
import { fail } from '../failure.ts';
import {
  type Base,
  behindOf,
  configIn,
  type Revision,
  type RevisionPart,
  readBases,
  readRevision,
} from '../reconcile/revision.ts';
import type { ChangesReport, CommandBody, Run } from '../run.ts';
import { readCatalog } from '../sources/catalog.ts';
import { openCommit } from '../sources/commit.ts';
import { unreadFiles } from '../sources/project.ts';
import { readPulledSchema } from '../sources/pulled-schema.ts';

/**
 * Diffs two revisions of the configuration offline: neither a server nor the
 * environment is read. A catalog, or else the schemas that `pull` left, say
 * which options are secrets.
 */
export const diff: CommandBody = async (run, [ref = '', head]) => {
  const { options } = run;
  const { file = [], allow: allowedRisks } = options;
  const compared = await readRevisions(run, { ref, head });
  const known = await knownIntegrations(run, compared);
  const servers: ServerPlan[] = [];
  const diagnostics: Diagnostic[] = [];
  const loosened: Diagnostic[] = [];
  for (const revisions of compared) {
    for (const plan of diffServers(revisions, known)) {
      servers.push({ ...plan, allowedRisks });
    }
    const { mergeBase, after, warnings } = revisions;
    diagnostics.push(
      ...warnings,
      ...after.servers.flatMap((server) => server.diagnostics),
      ...behindOf(revisions, after.servers, head),
    );
    if (file.length > 0 || mergeBase.base?.commit === undefined) continue;
    loosened.push(...loosenedIn(mergeBase.project, after.project));
  }
  diagnostics.push(...loosened, ...riskRefusals(servers, servers.length > 1));
  if (head === undefined) diagnostics.push(...(await unreadFiles(run)));
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
interface Revisions extends Base {
  after: Revision;
}

/** The revisions that a command line names. */
interface NamedRevisions {
  ref: string;
  /** Undefined for the work tree. */
  head: string | undefined;
}

/**
 * Reads the revisions that a command line names; if the base has `{server}`,
 * those of each server.
 */
async function readRevisions(
  run: Run,
  { ref, head }: NamedRevisions,
): Promise<readonly Revisions[]> {
  const { server: selectors = [] } = run.options;
  const select = (project: Project): readonly ProjectServer[] =>
    selectServers(project, selectors).value ?? [];
  const part: RevisionPart = { name: 'configuration', select };
  const branch = head === undefined ? undefined : await openCommit(run, head);
  const after = await readRevision(run, part, branch);
  const names = after.servers.map(({ name }) => name);
  const bases = await readBases(run, part, { ref, head }, names);
  const before = bases.flatMap(({ mergeBase }) => mergeBase.servers);
  if (after.servers.length + before.length === 0) {
    const project = after.project ?? bases[0]?.mergeBase.project;
    return failEmpty(project, selectors);
  }
  return bases.map((base): Revisions => {
    const servers = after.servers.filter(({ name }) =>
      base.names.includes(name),
    );
    return { ...base, after: { ...after, servers } };
  });
}

/** Fails because neither revision has a server that is meant. */
function failEmpty(
  project: Project | undefined,
  selectors: readonly string[],
): never {
  if (project !== undefined) {
    const { diagnostics: unmet } = selectServers(project, selectors);
    if (unmet.length > 0) fail(...unmet);
  }
  return fail(diagnostic('no-configuration', {}));
}

/**
 * Reads the integrations of a catalog, or else those of the schema that `pull`
 * left beside the layers.
 */
async function knownIntegrations(
  run: Run,
  compared: readonly Revisions[],
): Promise<readonly LiveIntegration[] | undefined> {
  const { catalog } = run.options;
  if (catalog !== undefined) return readCatalog(run, catalog);
  const [layer] = compared.flatMap(({ after, mergeBase }) =>
    [...after.servers, ...mergeBase.servers].flatMap(({ layers }) => layers),
  );
  return layer && readPulledSchema(run, layer.base);
}

function diffServers(
  revisions: Revisions,
  known: readonly LiveIntegration[] | undefined,
): ServerPlan[] {
  const { mergeBase, after, tip } = revisions;
  // A risk that the branch itself turns off is still reported.
  const policy = strictest([revisions.policy, after.project?.policy ?? {}]);
  const plans: ServerPlan[] = [];
  const servers = [...after.servers, ...mergeBase.servers];
  for (const name of new Set(servers.map((server) => server.name))) {
    const server = servers.find((each) => each.name === name);
    const integrations = diffConfigs({
      before: configIn(mergeBase, name),
      after: configIn(after, name),
      policy,
      tip: tip && configIn(tip, name),
      known,
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
