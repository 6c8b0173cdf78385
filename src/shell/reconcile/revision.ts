import { resolve } from 'node:path';
import type { WrittenConfig } from '../../core/config/entry.ts';
import type { Project } from '../../core/config/project.ts';
import {
  type ResolvedConfig,
  resolveConfig,
} from '../../core/config/resolve.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { KINDS } from '../../core/findings/entry.ts';
import { explain, hasErrors } from '../../core/findings/explain.ts';
import { at } from '../../core/findings/words.ts';
import { present } from '../../core/model/json.ts';
import { allOrFail, fail, findingsOf } from '../failure.ts';
import type { Run } from '../run.ts';
import { layersOf } from '../servers/server.ts';
import type { Commit } from '../sources/commit.ts';
import { configReader, layersOfFlags } from '../sources/config.ts';
import { configRoot, type FileSource } from '../sources/files.ts';
import { findProject } from '../sources/project.ts';
import { digestFiles } from '../sources/references.ts';

/** What a revision declares, with its references open: for some servers of its project, or all in all for files of flags. */
export interface Revision {
  /** The commit; undefined for the work tree. */
  readonly base?: Commit['base'];
  readonly project?: Project;
  readonly servers: readonly RevisionServer[];
}

/** What a revision declares for one server. */
export interface RevisionServer {
  readonly name: string;
  readonly url: string;
  readonly config: ResolvedConfig;
  readonly diagnostics: readonly Diagnostic[];
}

/** The files of flags, or else which servers of a project are meant. */
export interface Asked {
  readonly file: readonly string[];
  readonly select: (project: Project) => Project['servers'];
}

/** Reads a revision at a commit, or else in the work tree. Fails if what is asked for has errors; at a commit it says so. */
export async function readRevision(
  run: Run,
  asked: Asked,
  commit?: Commit,
): Promise<Revision> {
  if (commit === undefined) return readDeclared(run, asked);
  const { base, source } = commit;
  const name = source.ref ?? base.ref;
  const failed = (thrown: unknown) => failBroken(name, thrown);
  return { base, ...(await readDeclared(run, asked, source).catch(failed)) };
}

async function readDeclared(
  run: Run,
  { file, select }: Asked,
  source?: FileSource,
): Promise<Revision> {
  const { cwd } = run.runtime;
  const found = await findProject(run, source);
  if (found !== undefined && hasErrors(found.diagnostics))
    fail(...found.diagnostics);
  const [first] = file;
  if (first !== undefined) {
    const layers = layersOfFlags(run, file);
    const read = opener(run, await configRoot(resolve(cwd, first)), source);
    const servers = [
      { name: 'configuration', url: '', ...(await read(layers)) },
    ];
    return { servers, ...present({ project: found?.project }) };
  }
  if (found === undefined) return { servers: [] };
  const { project, folder } = found;
  const read = opener(run, folder, source);
  const reading = select(project).map(async (each) => ({
    ...{ name: each.name, url: each.url.text },
    ...(await read(layersOf(each, found))),
  }));
  return { project, servers: await allOrFail(reading) };
}

/** Reads configurations, and opens their references with digests of the files that they name; the same one once. */
function opener(run: Run, root: string, source?: FileSource) {
  const read = configReader(run, source);
  const opened = new Map<WrittenConfig, Promise<ResolvedConfig>>();
  const open = async (config: WrittenConfig) =>
    resolveConfig(
      config,
      undefined,
      await digestFiles(run, config, root, source),
    );
  return async (layers: Parameters<typeof read>[0]) => {
    const { value, diagnostics } = await read(layers);
    if (value === undefined || hasErrors(diagnostics))
      return fail(...diagnostics);
    const config = opened.get(value) ?? open(value);
    opened.set(value, config);
    return { config: await config, diagnostics };
  };
}

/** Mistakes of the command line, which no revision has. */
const NOT_OF_FILES: ReadonlySet<string> = new Set([
  'no-revision',
  'layers-overlap',
]);

/** Says of a configuration with errors at which revision it is. Other failures pass. */
function failBroken(ref: string, thrown: unknown): never {
  const all = findingsOf(thrown).map(explain);
  const errors = all.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const isOther = errors.some(
    ({ exit, code }) => exit !== KINDS.error.exit || NOT_OF_FILES.has(code),
  );
  if (first === undefined || isOther) throw thrown;
  const message = `${first.place === undefined ? '' : `${at(first.place)}: `}${first.message}`;
  return fail(
    diagnostic('revision-broken', {
      ref,
      errors: errors.length,
      first: message,
      ...present({ firstHint: first.hint }),
    }),
  );
}
