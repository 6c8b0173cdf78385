import type { LinkedConfig } from '../../core/config/link.ts';
import { PROJECT_FILE } from '../../core/config/project.ts';
import { openConfig, outsideReferences, type ResolvedConfig } from '../../core/config/resolve.ts';
import { type Diagnostic, diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { CONFIGURATION } from '../../core/findings/entry.ts';
import { explain, hasErrors } from '../../core/findings/explain.ts';
import { at } from '../../core/findings/words.ts';
import type { PlanBase } from '../../core/plan/plan.ts';
import type { Policy } from '../../core/plan/risk.ts';
import { allOrFail, Failure, fail, findingsOf } from '../failure.ts';
import type { Run } from '../run.ts';
import { layersOf, type Server } from '../servers/server.ts';
import { openCommit } from '../sources/commit.ts';
import { type NamedFile, readConfig } from '../sources/config.ts';
import type { FileSource } from '../sources/files.ts';
import { type FoundProject, findProject } from '../sources/project.ts';
import { digestFiles } from '../sources/references.ts';

/** What this branch and its base declare for one server, with all references open. */
export interface Comparison {
  readonly base: PlanBase;
  readonly before: ResolvedConfig;
  readonly after: ResolvedConfig;
}

/** What the base declares for each server, its policy, and what it lacks. */
interface Base {
  readonly comparisons: ReadonlyMap<string, Comparison>;
  readonly policy: Policy;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads what the base declares for servers. Fails if that has errors. */
export async function readBase(
  run: Run,
  servers: readonly (Server & { readonly linked: LinkedConfig })[],
  ref: string,
): Promise<Base> {
  const { base, source } = await openCommit(run, servers[0]?.root ?? run.runtime.cwd, ref);
  return unlessBroken(ref, async () => {
    const project = await projectAt(run, source);
    const read = await allOrFail(
      servers.map(async (server) => {
        const { layers, root, missing } = layersAt(server, project);
        const before = await readOpen(run, layers, root, source);
        const after = await openAt(run, server.linked, server.root);
        const lacking = missing.map((path) => diagnostic('revision-incomplete', { ref, path }));
        const diagnostics = [...lacking, ...before.diagnostics];
        return { name: server.name, comparison: { base, before: before.config, after }, diagnostics };
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

/** The layers of a server in the project of a base; none if it is younger. Files that flags name are the same there. */
function layersAt({ name, credentialsName, layers, root }: Server, project: FoundProject | undefined) {
  if (credentialsName === undefined) return { layers, root, missing: [] };
  const same = project?.project.servers.find((each) => each.name === name);
  if (project === undefined || same === undefined)
    return { layers: [], root, missing: [project === undefined ? PROJECT_FILE : `The server ${name}`] };
  return { layers: layersOf(same, project), root: project.folder, missing: [] };
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
  const { value = [], diagnostics } = await readConfig(run, layers, source);
  if (hasErrors(diagnostics)) throw new Failure(diagnostics);
  return { config: await openAt(run, value, root, source), diagnostics };
}

/** A configuration with its references open, and digests of the files that they name. */
async function openAt(run: Run, config: LinkedConfig, root: string, source?: FileSource) {
  return openConfig(config, await digestFiles(run, outsideReferences(config), root, source));
}

/** Says of a configuration with errors at which revision it is. Other failures pass. */
export async function unlessBroken<T>(ref: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    const errors = findingsOf(thrown)
      .map(explain)
      .filter(({ severity }) => severity === 'error');
    const [first] = errors;
    const isOther = errors.some(({ exit, code }) => exit !== CONFIGURATION || code === 'no-revision');
    if (first === undefined || isOther) throw thrown;
    const where = first.place === undefined ? '' : `${at(first.place)}: `;
    const message = `${where}${first.message}`;
    return fail(diagnostic('revision-broken', { ref, errors: errors.length, first: message }));
  }
}
