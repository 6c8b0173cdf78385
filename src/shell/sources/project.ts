import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Project, parseProject } from '../../core/config/project.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { present } from '../../core/model/present.ts';
import { fail } from '../failure.ts';
import type { Run } from '../run.ts';
import { configRoot, gitRoot, PROJECT_FILE, readSource, shownPath } from './config.ts';

/** A `setpoint.yaml` that can be read, the folder it is in, the root of what it may name, and what is wrong with its servers. */
export interface FoundProject {
  readonly project: Project;
  readonly folder: string;
  readonly root: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the project file of this folder or of one above it, inside the git work tree; undefined if there is none. */
export async function findProject(run: Run): Promise<FoundProject | undefined> {
  const found = await search(run.runtime.cwd, async (folder) => {
    const path = join(folder, PROJECT_FILE);
    // A link that leads nowhere is told as one that cannot be read, not as a missing file.
    return (await lstat(path).catch(() => undefined)) && path;
  });
  if (found === undefined) return undefined;
  const folder = dirname(found);
  const root = await configRoot(folder);
  const source = await readSource(run, found, root);
  const { value: project, diagnostics, hidden } = parseProject(source);
  run.sources.set(source.path, { text: source.text, hidden });
  return project === undefined ? fail(...diagnostics) : { project, folder, root, diagnostics };
}

/** Fails because there is no project; names a file here or above whose name is almost that of one. */
export async function failWithoutProject({ runtime: { cwd } }: Run): Promise<never> {
  const near = await search(cwd, async (folder) => {
    const name = (await readdir(folder).catch(() => [])).find((each) => /^setpoint\.ya?ml$/i.test(each));
    return name === undefined ? undefined : shownPath(join(folder, name), cwd);
  });
  return fail(diagnostic('no-configuration', present({ near })));
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
