import { resolve } from 'node:path';
import type { WrittenConfig } from '../../core/config/entry.ts';
import type { Project, ProjectServer } from '../../core/config/project.ts';
import { type ResolvedConfig, resolveConfig } from '../../core/config/resolve.ts';
import { type Diagnostic, diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { KINDS } from '../../core/findings/entry.ts';
import { explain, hasErrors } from '../../core/findings/explain.ts';
import { at } from '../../core/findings/words.ts';
import { present } from '../../core/model/json.ts';
import type { PlanBase } from '../../core/plan/plan.ts';
import { allOrFail, fail, findingsOf } from '../failure.ts';
import type { Run } from '../run.ts';
import { layersOf, type Server } from '../servers/server.ts';
import { openCommit } from '../sources/commit.ts';
import { type NamedFile, readConfig } from '../sources/config.ts';
import { configRoot, type FileSource, PROJECT_FILE } from '../sources/files.ts';
import { findProject } from '../sources/project.ts';
import { digestFiles } from '../sources/references.ts';

/** What a revision declares, with its references open: for some servers of its project, or all in all for files of flags. */
export interface Revision {
  readonly project?: Project;
  readonly servers: readonly {
    readonly name: string;
    readonly url: string;
    readonly config: ResolvedConfig;
    readonly diagnostics: readonly Diagnostic[];
  }[];
}

/** The files of flags, or else which servers of a project are meant. */
interface Asked {
  readonly file?: readonly string[];
  readonly select: (project: Project) => readonly ProjectServer[];
}

/** Reads a revision at a ref, or else in the work tree. Fails if what is asked for has errors. */
export async function readRevision(run: Run, asked: Asked, source?: FileSource): Promise<Revision> {
  const { cwd } = run.runtime;
  const { file = [], select } = asked;
  const found = await findProject(run, source);
  if (found !== undefined && hasErrors(found.diagnostics)) fail(...found.diagnostics);
  const [first] = file;
  if (first !== undefined) {
    const layers = file.map((path) => ({ path, base: cwd }));
    const read = await readOpen(run, layers, await configRoot(resolve(cwd, first)), source);
    const servers = [{ name: 'configuration', url: '', ...read }];
    return { servers, ...present({ project: found?.project }) };
  }
  if (found === undefined) return { servers: [] };
  const { project, folder } = found;
  const reading = select(project).map(async (each) => {
    const read = await readOpen(run, layersOf(each, found), folder, source);
    return { name: each.name, url: each.url.text, ...read };
  });
  return { project, servers: await allOrFail(reading) };
}

async function readOpen(
  run: Run,
  layers: readonly NamedFile[],
  root: string,
  source: FileSource | undefined,
) {
  const { value, diagnostics } = await readConfig(run, layers, source);
  if (hasErrors(diagnostics)) fail(...diagnostics);
  return { config: value === undefined ? [] : await openAt(run, value, root, source), diagnostics };
}

/** A configuration with its references open, and digests of the files that they name. */
async function openAt(run: Run, config: WrittenConfig, root: string, source?: FileSource) {
  return resolveConfig(config, undefined, await digestFiles(run, config, root, source));
}

/** Reads a revision at a ref of git; one with errors is reported as such. */
export async function readCommit(run: Run, asked: Asked, ref: string) {
  const folder = resolve(run.runtime.cwd, asked.file?.[0] ?? '.');
  const { base, source } = await openCommit(run, folder, ref);
  const read = await readRevision(run, asked, source).catch((thrown: unknown) => failBroken(ref, thrown));
  return { ...read, base };
}

/** Says of a configuration with errors at which revision it is. Other failures pass. */
function failBroken(ref: string, thrown: unknown): never {
  const all = findingsOf(thrown).map(explain);
  const errors = all.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const isOther = errors.some(({ exit, code }) => exit !== KINDS.error.exit || code === 'no-revision');
  if (first === undefined || isOther) throw thrown;
  const message = `${first.place === undefined ? '' : `${at(first.place)}: `}${first.message}`;
  return fail(diagnostic('revision-broken', { ref, errors: errors.length, first: message }));
}

/** What this branch and its base declare for one server, with all references open. */
export interface Comparison {
  readonly base: PlanBase;
  readonly before: ResolvedConfig;
  readonly after: ResolvedConfig;
}

/** Reads what the base declares for the servers of a run, its policy, and what it lacks. Fails if it has errors. */
export async function readBase(
  run: Run,
  servers: readonly (Server & { readonly linked: WrittenConfig })[],
  file: readonly string[],
  ref: string,
) {
  const names = new Set(servers.map(({ name }) => name));
  const select = (all: Project) => all.servers.filter(({ name }) => names.has(name));
  const { base, project, servers: known } = await readCommit(run, { file, select }, ref);
  const compared = await allOrFail(
    servers.map(async ({ name, linked, root }) => {
      // Files that flags name are the same there.
      const was = known.find((each) => file.length > 0 || each.name === name);
      const path = project === undefined ? PROJECT_FILE : `The server ${name}`;
      const found = was?.diagnostics ?? [diagnostic('revision-incomplete', { ref, path })];
      const comparison: Comparison = {
        base,
        before: was?.config ?? [],
        after: await openAt(run, linked, root),
      };
      return { name, comparison, found };
    }),
  );
  return {
    comparisons: new Map(compared.map(({ name, comparison }) => [name, comparison])),
    policy: project?.policy ?? {},
    diagnostics: distinct(compared.flatMap(({ found }) => found)).filter(
      ({ code }) => code === 'revision-incomplete',
    ),
  };
}
