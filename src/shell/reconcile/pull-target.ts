import { readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { LinkedConfig } from '../../core/config/link.ts';
import { PROJECT_FILE } from '../../core/config/project.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { Failure, failUsage } from '../failure.ts';
import { isThere } from '../new-file.ts';
import { isOfGit } from '../report-target.ts';
import type { Run } from '../run.ts';
import { layersOf, type ServerOptions } from '../servers/server.ts';
import { type NamedFile, readConfig } from '../sources/config.ts';
import { type FoundProject, findProject } from '../sources/project.ts';
import { shownPath, WORK_TREE } from '../sources/work-tree.ts';
import { isGlob, isInLayers, pullPlace } from './pull-place.ts';
import { type PullServer, pullServer } from './pull-server.ts';
import { yamlTexts } from './yaml-texts.ts';

/** The options of a pull that say from where to where. */
export interface PullOptions extends ServerOptions {
  readonly out?: string | undefined;
  readonly singleFile?: string | undefined;
}

/** A server to pull from, the folder to write to, and the configuration that is there. */
export interface PullTarget extends PullServer {
  readonly folder: string;
  /** Undefined where there is no `setpoint.yaml`. */
  readonly project: FoundProject | undefined;
  readonly existing: LinkedConfig;
  /** The variables that any YAML there reads. */
  readonly variables: readonly string[];
  /** The folder, with a slash behind, or new file in `folder` that new entries go to. */
  readonly into: string;
  /** Folders and files in `folder` that have entries of the server, and that `setpoint.yaml` does not list. */
  readonly unlisted: readonly string[];
  /** The line end of its YAML files. */
  readonly newline: '\n' | '\r\n';
}

/** Finds the server, and reads the configuration that there is for it. Fails with all that is wrong, before any request. */
export async function pullTarget(run: Run, options: PullOptions): Promise<PullTarget> {
  const folder = resolve(run.runtime.cwd, options.out ?? '.');
  if (isOfGit(folder)) failUsage('--out is in a folder of git itself.');
  checkNames(options);
  const project = await findProject(run, WORK_TREE, folder);
  const found = await pullServer(run, options, folder, project);
  const { server, isNamed } = found;
  const others = project && otherLayers(project, isNamed ? server.name : undefined);
  const { into, earlier } = await placeIn(folder, options, { name: server.name, own: server.layers, others });
  const unlisted = await withFiles(
    earlier
      .filter((path) => !isInLayers(server.layers, join(folder, path)))
      .map((path) => ({ path, base: folder })),
  );
  const { value: existing = [], diagnostics } = await readConfig(run, [
    ...(await withFiles(server.layers)),
    ...unlisted,
  ]);
  const warnings = [...found.warnings, ...diagnostics];
  if (hasErrors(warnings)) throw new Failure(warnings);
  // What is wrong with other servers is not for this run to tell.
  await readConfig(run, await withFiles(others ?? []));
  const texts = await yamlTexts(run, folder);
  return {
    ...found,
    warnings,
    folder,
    project,
    existing,
    into,
    unlisted: unlisted.map(({ path }) => path),
    variables: texts.flatMap((text) => [...text.matchAll(/\$\{env:(\w+)/g)].map(([, name = '']) => name)),
    newline: texts.some((text) => text.includes('\r\n')) ? '\r\n' : '\n',
  };
}

/** Refuses names that would lead out of the folder, or that nothing would read. */
function checkNames({ singleFile = 'a.yaml', server: [name = 'a'] = [], url }: PullOptions): void {
  const parts = singleFile.split(/[\\/]/);
  const isInside = !isAbsolute(singleFile) && !parts.includes('..') && !isOfGit(singleFile);
  if (!isInside || !/.\.ya?ml$/i.test(singleFile) || parts.at(-1) === PROJECT_FILE)
    failUsage('--single-file names a YAML file in the folder of --out, other than setpoint.yaml.');
  if (url !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(name))
    failUsage('Beside --url, --server takes a name of letters, digits, underscores and dashes.');
}

/** The layers of the servers of a project, but for one. */
function otherLayers(found: FoundProject, own: string | undefined): readonly NamedFile[] {
  const others = found.project.servers.filter(({ name }) => name !== own);
  return others.flatMap((each) => layersOf(each, found));
}

type Around = Pick<Parameters<typeof pullPlace>[0], 'name' | 'own' | 'others'>;

/** Where the entries are, by what is in the folder. */
async function placeIn(folder: string, { singleFile }: PullOptions, around: Around) {
  const beside = dirname(singleFile ?? '.');
  const names = await readdir(join(folder, beside)).catch(() => []);
  const taken = new Set(names.map((name) => join(beside, name)));
  const isTaken = (path: string) => taken.has(join(path));
  const { into, earlier } = pullPlace({ folder, singleFile, isTaken, ...around });
  if (into === undefined)
    return failUsage(
      'Another server reads all that a pull would write here.',
      'Name another folder with --out.',
    );
  return { into, earlier };
}

/** The layers that have files: a folder may be empty so far, and a file to come. */
async function withFiles(layers: readonly NamedFile[]): Promise<readonly NamedFile[]> {
  const there = await Promise.all(layers.map(hasFiles));
  return layers.filter((_, index) => there[index]);
}

/** What a layer takes from a folder: no part of the way to it is hidden. */
const CONFIGURATION = /^(?!(?:.*[\\/])?\.).*\.ya?ml$/is;

async function hasFiles({ path, base }: NamedFile): Promise<boolean> {
  const absolute = resolve(base, path);
  const kind = await WORK_TREE.kindOf(absolute);
  if (kind === 'file') return true;
  if (kind !== 'folder') return isGlob(path) || (await isThere(absolute));
  const names = await readdir(absolute, { recursive: true });
  const named = names.filter((name) => CONFIGURATION.test(name) && basename(name) !== PROJECT_FILE);
  const kinds = await Promise.all(named.map((name) => WORK_TREE.kindOf(join(absolute, name))));
  return kinds.some((each) => each !== 'folder');
}

/** A path from the folder of a file, with forward slashes. */
export function pathFrom(file: string, target: string): string {
  return shownPath(target, dirname(file));
}

/** A path in the folder of a configuration. */
export function inFolder({ folder }: PullTarget, path: string): string {
  return join(folder, path);
}
