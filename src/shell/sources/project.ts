import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { sourceText } from '../../core/config/hidden.ts';
import {
  type Project,
  type ProjectServer,
  parseProject,
  selectServers,
} from '../../core/config/project.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import type { PlacedText } from '../../core/model/place.ts';
import { fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import { gitRoot, realPath } from '../paths.ts';
import type { Run } from '../run.ts';
import { type NamedFile, overlapsOf, readSource } from './config.ts';
import {
  configRoot,
  type FileSource,
  PROJECT_FILE,
  shellWord,
  WORK_TREE,
} from './files.ts';

/** Where a `setpoint.yaml` is. */
interface ProjectFolder {
  readonly folder: string;
  /** The folder of all files that it may name. */
  readonly root: string;
}

/** A `setpoint.yaml` that can be read. */
export interface FoundProject extends ProjectFolder {
  readonly project: Project;
  /** The findings on its servers. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the project file of a folder or of one above it, inside the git work
 * tree; undefined if there is none.
 */
export async function findProject(
  run: Run,
  source: FileSource = WORK_TREE,
  folder: string = run.runtime.cwd,
): Promise<FoundProject | undefined> {
  const path = join(folder, PROJECT_FILE);
  const listed = await source.list(path, undefined, false);
  // A file that cannot be read must not be taken for absent.
  const isAbsent = 'reason' in listed && listed.code === 'ENOENT';
  if (!isAbsent) return readProject(run, source, folder);
  const top = (await gitRoot(folder)) ?? folder;
  if (folder === top) return undefined;
  return findProject(run, source, dirname(folder));
}

async function readProject(
  run: Run,
  source: FileSource,
  folder: string,
): Promise<FoundProject> {
  const root = await configRoot(await realPath(folder));
  const file = await readSource(run, source, join(folder, PROJECT_FILE), root);
  if ('code' in file) return fail(file);
  const { value: project, diagnostics } = parseProject(file);
  run.sources.set(file.path, sourceText(file));
  if (project === undefined) return fail(...diagnostics);
  // A branch may mend the layers of its base.
  if (source.ref === undefined) {
    const layers = project.servers.map((server) =>
      layersOf(server, { folder, root }),
    );
    const overlaps = await overlapsOf(layers);
    if (overlaps.length > 0) fail(...diagnostics, ...overlaps);
  }
  return { project, folder, root, diagnostics };
}

/** Returns the layers of a server of a project. */
export function layersOf(
  { config }: ProjectServer,
  project: ProjectFolder,
): NamedFile[] {
  return config.map((layer) => namedIn(project, layer));
}

/** Returns a file that a project names. */
export function namedIn(
  { folder, root }: ProjectFolder,
  { text, place }: PlacedText,
): NamedFile {
  return { path: text, base: folder, root, place };
}

/** Fails if a word is no file or name but something else, and names that. */
export async function refuseMistaken(
  run: Run,
  words: readonly string[],
  { report = [] }: Options = {},
): Promise<void> {
  const { cwd } = run.runtime;
  for (const word of words) {
    if (basename(word) === PROJECT_FILE) {
      const folder = shellWord(dirname(resolve(cwd, word)));
      failUsage(
        'setpoint.yaml names files and servers; it is no configuration itself.',
        `Run setpoint in its folder, without this file: cd ${folder}`,
      );
    }
    if (existsSync(resolve(cwd, word))) continue;
    const target = report.find(({ path }) => path === undefined);
    if (target !== undefined && !/(\.ya?ml|\/|^[^.]+)$/i.test(word)) {
      failUsage(
        'The file of a report follows an =.',
        `Write --report ${target.format}=${shellWord(word)}`,
      );
    }
    const found = await findProject(run);
    const servers = found && selectServers(found.project, [word]).value;
    if (servers === undefined || servers.length === 0) continue;
    failUsage(
      `${word} is a server of setpoint.yaml.`,
      `Name it by a flag: --server ${shellWord(word)}`,
    );
  }
}

/**
 * Fails because there is no project; names a file here that is almost named
 * like one.
 */
export async function failWithoutProject(run: Run): Promise<never> {
  const names = await readdir(run.runtime.cwd).catch(() => []);
  const near = names.find((name) => /^setpoint\.ya?ml$/i.test(name));
  const hint = near && `Rename ${near} to setpoint.yaml.`;
  return fail(diagnostic('no-configuration', { hint }));
}
