import type { WrittenConfig } from '../../core/config/entry.ts';
import { PROJECT_FILE, type ProjectServer } from '../../core/config/project.ts';
import { type ResolvedConfig, resolveConfig } from '../../core/config/resolve.ts';
import { type Diagnostic, diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { CONFIGURATION } from '../../core/findings/entry.ts';
import { explain, hasErrors } from '../../core/findings/explain.ts';
import { at } from '../../core/findings/words.ts';
import type { PlanBase } from '../../core/plan/plan.ts';
import type { Policy } from '../../core/plan/risk.ts';
import { allOrFail, Failure, fail, findingsOf } from '../failure.ts';
import type { Run } from '../run.ts';
import { layersOf, type Server } from '../servers/server.ts';
import { type Commit, openCommit } from '../sources/commit.ts';
import { type FoundProject, findProject, type NamedFile, readConfig } from '../sources/config.ts';
import type { FileSource } from '../sources/files.ts';
import { digestFiles } from '../sources/references.ts';

/** What this branch and its base declare for one server, with all references open. */
export interface BaseComparison {
  readonly base: PlanBase;
  readonly before: ResolvedConfig;
  readonly after: ResolvedConfig;
}

/** A server, and its configuration in the work tree. */
interface Configured {
  readonly server: Server;
  readonly config: WrittenConfig;
}

/** Reads what the base declares for each server. Fails if that has errors. */
export async function readBase(
  run: Run,
  configured: readonly Configured[],
  ref: string,
): Promise<{
  readonly comparisons: ReadonlyMap<string, BaseComparison>;
  /** The policy of the project at the base. */
  readonly policy: Policy;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const [first] = configured;
  if (first === undefined) return { comparisons: new Map(), policy: {}, diagnostics: [] };
  const commit = await openCommit(run, first.server.root, ref);
  return unlessBroken(ref, async () => {
    const project = await projectAt(run, commit.source);
    const read = await allOrFail(
      configured.map(async ({ server, config }) => {
        const { layers, root, diagnostics } = layersAt(server, project, commit);
        const before = await readOpen(run, layers, root, commit.source);
        const after = await openAt(run, config, server.root);
        const comparison = { base: commit.base, before: before.config, after };
        return { name: server.name, comparison, diagnostics: [...diagnostics, ...before.diagnostics] };
      }),
    );
    return {
      comparisons: new Map(read.map(({ name, comparison }) => [name, comparison])),
      policy: project?.project.policy ?? {},
      diagnostics: distinct(read.flatMap(({ diagnostics }) => diagnostics)).filter(
        ({ code }) => code === 'revision-incomplete',
      ),
    };
  });
}

/** Reads the project of a source. Fails if it has errors. */
export async function projectAt(run: Run, source: FileSource | undefined): Promise<FoundProject | undefined> {
  const found = await findProject(run, source);
  if (found !== undefined && hasErrors(found.diagnostics)) throw new Failure(found.diagnostics);
  return found;
}

/** Reads layers with their references open. Fails if they have errors. */
export async function readOpen(
  run: Run,
  layers: readonly NamedFile[],
  root: string,
  source: FileSource | undefined,
): Promise<{ readonly config: ResolvedConfig; readonly diagnostics: readonly Diagnostic[] }> {
  const { value, diagnostics } = await readConfig(run, layers, source);
  if (hasErrors(diagnostics)) throw new Failure(diagnostics);
  const config = value === undefined ? [] : await openAt(run, value, root, source);
  return { config, diagnostics };
}

/** A configuration with its references open, and digests of the files that they name. */
async function openAt(run: Run, config: WrittenConfig, root: string, source?: FileSource) {
  return resolveConfig(config, undefined, await digestFiles(run, config, root, source));
}

/** The layers of a server at a commit; none if it is younger. Files that flags name are the same there. */
function layersAt(
  { name, credentialsName, layers, root }: Server,
  project: FoundProject | undefined,
  { base: { ref } }: Commit,
) {
  if (credentialsName === undefined) return { layers, root, diagnostics: [] };
  const same = project?.project.servers.find((each: ProjectServer) => each.name === name);
  if (project !== undefined && same !== undefined)
    return { layers: layersOf(same, project), root: project.folder, diagnostics: [] };
  const path = project === undefined ? PROJECT_FILE : `The server ${name}`;
  return { layers: [], root, diagnostics: [diagnostic('revision-incomplete', { ref, path })] };
}

/** Says of a configuration with errors at which revision it is. Other failures pass. */
export async function unlessBroken<T>(ref: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    const found = findingsOf(thrown);
    const errors = found.filter((each) => explain(each).severity === 'error');
    const [first] = errors;
    const isConfiguration = errors.every(
      (each) => explain(each).exit === CONFIGURATION && each.code !== 'no-revision',
    );
    if (first === undefined || !isConfiguration) throw new Failure(found);
    const where = first.place === undefined ? '' : `${at(first.place)}: `;
    const message = `${where}${explain(first).message}`;
    return fail(diagnostic('revision-broken', { ref, errors: errors.length, first: message }));
  }
}
