import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PROJECT_FILE, type Project, parseProject } from '../../core/config/project.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { present } from '../../core/model/present.ts';
import { fail } from '../failure.ts';
import { gitRoot } from '../git-root.ts';
import type { Run } from '../run.ts';
import { readSource } from './config.ts';
import type { FileSource } from './files.ts';
import { shownPath, WORK_TREE } from './work-tree.ts';

/** A `setpoint.yaml` that can be read, the folder it is in, the root of what it may name, and what is wrong with its servers. */
export interface FoundProject {
  readonly project: Project;
  readonly folder: string;
  readonly root: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the project file of a folder, by default the working folder, or of one above it, inside the git work tree; undefined if there is none. */
export async function findProject(
  run: Run,
  source: FileSource = WORK_TREE,
  start: string = run.runtime.cwd,
): Promise<FoundProject | undefined> {
  const path = await search(start, async (folder) => {
    const path = join(folder, PROJECT_FILE);
    return (await isNamed(source, path)) ? path : undefined;
  });
  return path === undefined ? undefined : readProject(run, path, source);
}

/** Whether there is anything at a path, even if it cannot be read. */
async function isNamed(source: FileSource, path: string): Promise<boolean> {
  const found = await source.kindOf(path);
  return typeof found === 'string' || found.code !== 'ENOENT';
}

async function readProject(run: Run, path: string, source = WORK_TREE): Promise<FoundProject> {
  const folder = dirname(path);
  const root = await source.rootOf(folder);
  const file = await readSource(run, path, { root, source });
  const { value: project, diagnostics, hidden } = parseProject(file);
  run.sources.set(file.path, { text: file.text, hidden });
  return project === undefined ? fail(...diagnostics) : { project, folder, root, diagnostics };
}

/** Fails because there is no project; names a file here or above whose name is almost that of one. */
export async function failWithoutProject({ runtime: { cwd } }: Run): Promise<never> {
  const near = await search(cwd, async (folder) => {
    const name = (await readdir(folder).catch(() => [])).find((each) => /^setpoint\.ya?ml$/i.test(each));
    return name === undefined ? undefined : shownPath(join(folder, name), cwd);
  });
  const hint = near && `Rename ${near} to setpoint.yaml.`;
  return fail(diagnostic('no-configuration', present({ hint })));
}

/** What `look` finds first in this folder or above it, up to the root of the git work tree. */
async function search(
  cwd: string,
  look: (folder: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const root = (await gitRoot(cwd)) ?? cwd;
  const searchFrom = async (folder: string): Promise<string | undefined> =>
    (await look(folder)) ?? (folder === root ? undefined : searchFrom(dirname(folder)));
  return searchFrom(cwd);
}
