import { join, resolve } from 'node:path';
import { selectServers } from '../../core/config/project.ts';
import type { ResolvedConfig } from '../../core/config/resolve.ts';
import { diffConfigs } from '../../core/diff/config-diff.ts';
import { loosenedIn } from '../../core/diff/loosened.ts';
import { type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { present } from '../../core/model/json.ts';
import type { ChangeDocument, PlanBase, ServerDocument } from '../../core/plan/plan.ts';
import { type Risk, strictest, treatmentOf } from '../../core/plan/risk.ts';
import { allOrFail, Failure } from '../failure.ts';
import type { Options } from '../flags.ts';
import { projectAt, readOpen, unlessBroken } from '../reconcile/base.ts';
import type { CommandResult, Run } from '../run.ts';
import { layersOf } from '../servers/server.ts';
import { openCommit } from '../sources/commit.ts';
import { type FoundProject, failWithoutProject } from '../sources/config.ts';
import { configRoot, type FileSource, shownPath } from '../sources/files.ts';

/** Diffs two revisions of the configuration offline: neither a server nor the environment is read. */
export async function diff(
  run: Run,
  options: Options,
  [base = '', head]: readonly string[],
): Promise<CommandResult> {
  const { file = [] } = options;
  const folder = resolve(run.runtime.cwd, file[0] ?? '.');
  const before = await readSide(run, folder, base, options);
  const after = await readSide(run, folder, head, options);
  if (before.servers.length + after.servers.length === 0) await failUnselected(run, [after, before]);
  const loosened = file.length > 0 ? [] : loosenedIn(before.project, after.project);
  const servers = diffServers(before, after, run.runtime.cwd);
  const differs = loosened.length > 0 || servers.some(({ summary }) => summary.changes > 0);
  const [past, found] = [before, after].map((side) => side.servers.flatMap((each) => each.diagnostics));
  const incomplete = past?.filter(({ code }) => code === 'revision-incomplete') ?? [];
  return {
    diagnostics: distinct([...incomplete, ...(found ?? [])]),
    report: { kind: 'diff', servers, loosened, shown: present({ full: options.full }) },
    differs: options.exitCode === true && differs,
  };
}

/** A server at one revision, with its references open. */
interface ServerSide {
  readonly name: string;
  readonly url: string;
  readonly config: ResolvedConfig;
  readonly diagnostics: readonly Diagnostic[];
}

/** One revision of the configuration; without `revision` the work tree. */
interface Side {
  readonly revision?: PlanBase;
  readonly root?: string;
  readonly project?: FoundProject['project'];
  readonly servers: readonly ServerSide[];
  /** Why no server is selected. */
  readonly unselected?: readonly Diagnostic[];
}

async function readSide(run: Run, folder: string, ref: string | undefined, options: Options): Promise<Side> {
  if (ref === undefined) return readConfigured(run, undefined, options);
  const { base: revision, source, root } = await openCommit(run, folder, ref);
  const side = await unlessBroken(ref, () => readConfigured(run, source, options));
  return { ...side, revision, root };
}

/** Reads what files declare, or the selected servers of a project. */
async function readConfigured(
  run: Run,
  source: FileSource | undefined,
  { file = [], server = [] }: Options,
): Promise<Side> {
  const { cwd } = run.runtime;
  const [first] = file;
  if (first !== undefined) {
    const layers = file.map((path) => ({ path, base: cwd }));
    const read = await readOpen(run, layers, await configRoot(resolve(cwd, first)), source);
    return { servers: [{ name: 'configuration', url: '', ...read }] };
  }
  const found = await projectAt(run, source);
  if (found === undefined) return { servers: [] };
  const { project, folder } = found;
  const { value: selected = [], diagnostics: unselected } = selectServers(project, server);
  const reading = selected.map(async (each) => {
    const read = await readOpen(run, layersOf(each, found), folder, source);
    return { name: each.name, url: each.url.text, ...read };
  });
  return { project, servers: await allOrFail(reading), unselected };
}

/** Fails because neither revision has a server that is asked for. */
async function failUnselected(run: Run, sides: readonly Side[]): Promise<never> {
  const [found] = sides.flatMap(({ unselected = [] }) => (unselected.length > 0 ? [unselected] : []));
  return found === undefined ? failWithoutProject(run) : Promise.reject(new Failure(found));
}

function diffServers(before: Side, after: Side, cwd: string): ServerDocument[] {
  const names = [...new Set([...after.servers, ...before.servers].map(({ name }) => name))];
  // A risk that the branch itself turns off is still reported.
  const policy = strictest([before, after].flatMap(({ project }) => project?.policy ?? []));
  const isTold = (risk: Risk) => treatmentOf(policy, risk) !== 'off';
  return names.map((name) => {
    const [was, now] = [before, after].map(({ servers }) => servers.find((each) => each.name === name));
    const integrations = diffConfigs(was?.config ?? [], now?.config ?? []).map((each) => ({
      ...each,
      changes: each.changes.map((change) => ({
        ...inWorkTree(change, before, after, cwd),
        risks: change.risks.filter(isTold),
      })),
    }));
    const changed = integrations.filter(({ changes }) => changes.length > 0);
    return {
      name,
      url: (now ?? was)?.url ?? '',
      ...present({ base: before.revision, head: after.revision }),
      summary: {
        managed: integrations.length,
        changed: changed.length,
        changes: changed.reduce((sum, { changes }) => sum + changes.length, 0),
        ...{ hidden: 0, waived: 0, settled: 0, released: 0, unmanagedOptions: 0, reads: 0, writes: 0 },
      },
      refusals: [],
      integrations,
    };
  });
}

/** A change with its file as it is called in the work tree. */
function inWorkTree(
  change: ChangeDocument,
  { root = '', revision: base }: Side,
  { revision: head }: Side,
  cwd: string,
): ChangeDocument {
  const { file } = change.source;
  const ref = [base, head].flatMap((each) => each?.ref ?? []).find((each) => file.startsWith(`${each}:`));
  if (ref === undefined) return change;
  const path = shownPath(join(root, file.slice(ref.length + 1)), cwd);
  return { ...change, source: { ...change.source, file: path } };
}
