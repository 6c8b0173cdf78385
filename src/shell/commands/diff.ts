import { join, resolve } from 'node:path';
import type { ProjectServer } from '../../core/config/project.ts';
import { selectServers } from '../../core/config/project.ts';
import type { ResolvedConfig } from '../../core/config/resolve.ts';
import { diffConfigs } from '../../core/diff/config-diff.ts';
import { loosenedIn } from '../../core/diff/loosened.ts';
import { type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { present } from '../../core/model/present.ts';
import type { ChangeDocument, ServerDocument } from '../../core/plan/document.ts';
import type { PlanBase } from '../../core/plan/plan.ts';
import { type Risk, strictest, treatmentOf } from '../../core/plan/risk.ts';
import { allOrFail, Failure } from '../failure.ts';
import type { Options } from '../flags.ts';
import { pastRun, projectAt, readOpen, unlessBroken } from '../reconcile/base.ts';
import type { CommandResult, Run } from '../run.ts';
import { layersOf } from '../servers/server.ts';
import { openCommit } from '../sources/commit.ts';
import type { NamedFile } from '../sources/config.ts';
import type { FileSource } from '../sources/files.ts';
import { type FoundProject, failWithoutProject } from '../sources/project.ts';
import { configRoot, shownPath } from '../sources/work-tree.ts';

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
  const past = before.diagnostics.filter(({ code }) => code === 'revision-incomplete');
  return {
    diagnostics: distinct([...past, ...after.diagnostics]),
    report: { kind: 'diff', servers, loosened, shown: present({ full: options.full }) },
    differs: options.exitCode === true && differs,
  };
}

/** A server at one revision, with its references open. */
interface ServerSide {
  readonly name: string;
  readonly url: string;
  readonly config: ResolvedConfig;
}

/** One revision of the configuration; without `revision` the work tree. */
interface Side {
  readonly revision?: PlanBase;
  readonly project?: FoundProject['project'];
  readonly servers: readonly ServerSide[];
  /** Why no server is selected. */
  readonly unselected: readonly Diagnostic[];
  readonly diagnostics: readonly Diagnostic[];
  readonly root?: string;
}

async function readSide(run: Run, folder: string, ref: string | undefined, options: Options): Promise<Side> {
  if (ref === undefined) return readConfigured(run, undefined, options);
  const { base: revision, source, root } = await openCommit(run, folder, ref);
  const side = await unlessBroken(ref, () => readConfigured(pastRun(run), source, options));
  return { ...side, revision, root };
}

/** The name under which files are shown that no server names. */
const FILES = 'configuration';

/** Reads what files declare, or the selected servers of a project. */
async function readConfigured(
  run: Run,
  source: FileSource | undefined,
  { file = [], server = [] }: Options,
): Promise<Side> {
  const { cwd } = run.runtime;
  const [first] = file;
  if (first !== undefined) {
    const root = await configRoot(resolve(cwd, first));
    const layers = file.map((path) => ({ path, base: cwd }));
    const read = await readServer(run, { name: FILES, url: '', layers, root }, source);
    return { servers: [read.server], unselected: [], diagnostics: read.diagnostics };
  }
  const found = await projectAt(run, source);
  if (found === undefined) return { servers: [], unselected: [], diagnostics: [] };
  const { value: selected = [], diagnostics: unselected } = selectServers(found.project, server);
  const read = await allOrFail(selected.map((each) => readServer(run, layered(each, found), source)));
  return {
    project: found.project,
    servers: read.map((each) => each.server),
    unselected,
    diagnostics: read.flatMap((each) => each.diagnostics),
  };
}

interface Layered {
  readonly name: string;
  readonly url: string;
  readonly layers: readonly NamedFile[];
  readonly root: string;
}

function layered(server: ProjectServer, found: FoundProject): Layered {
  return { name: server.name, url: server.url.text, layers: layersOf(server, found), root: found.folder };
}

async function readServer(
  run: Run,
  { name, url, layers, root }: Layered,
  source: FileSource | undefined,
): Promise<{ readonly server: ServerSide; readonly diagnostics: readonly Diagnostic[] }> {
  const { config, diagnostics } = await readOpen(run, layers, root, source);
  return { server: { name, url, config }, diagnostics };
}

/** Fails because neither revision has a server that is asked for. */
async function failUnselected(run: Run, sides: readonly Side[]): Promise<never> {
  const found = sides.find(({ unselected }) => unselected.length > 0);
  return found === undefined ? failWithoutProject(run) : Promise.reject(new Failure(found.unselected));
}

function diffServers(before: Side, after: Side, cwd: string): ServerDocument[] {
  const names = [...new Set([...after.servers, ...before.servers].map(({ name }) => name))];
  // What a branch turns off itself is still told.
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
