import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sourceText } from '../../core/config/hidden.ts';
import { type Project, parseProject } from '../../core/config/project.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { present } from '../../core/model/json.ts';
import { fail } from '../failure.ts';
import { gitRoot, realPath } from '../paths.ts';
import type { Run } from '../run.ts';
import { overlapsOf, readSource } from './config.ts';
import {
  configRoot,
  type FileSource,
  PROJECT_FILE,
  WORK_TREE,
} from './files.ts';

/** A `setpoint.yaml` that can be read, the folder it is in, the root of what it may name, and what is wrong with its servers. */
interface FoundProject {
  readonly project: Project;
  readonly folder: string;
  readonly root: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the project file of a folder or of one above it, inside the git work tree; undefined if there is none. */
export async function findProject(
  run: Run,
  source: FileSource = WORK_TREE,
  folder: string = run.runtime.cwd,
): Promise<FoundProject | undefined> {
  const found = await source.list(join(folder, PROJECT_FILE), undefined, false);
  // A file that cannot be read must not be taken for absent.
  if ('reason' in found && found.code === 'ENOENT') {
    const isTop = folder === ((await gitRoot(folder)) ?? folder);
    return isTop ? undefined : findProject(run, source, dirname(folder));
  }
  const root = await configRoot(await realPath(folder));
  const file = await readSource(run, source, join(folder, PROJECT_FILE), root);
  if (!('text' in file)) return fail(file);
  const { value: project, diagnostics } = parseProject(file);
  run.sources.set(file.path, sourceText(file));
  if (project === undefined) return fail(...diagnostics);
  // A branch may mend the layers of its base.
  if (source.ref === undefined) {
    const overlaps = overlapsIn(project, folder);
    if (overlaps.length > 0) fail(...diagnostics, ...overlaps);
  }
  return { project, folder, root, diagnostics };
}

/** Finds layers of any server of a project that share files. */
function overlapsIn({ servers }: Project, base: string): Diagnostic[] {
  const layers = servers.map(({ config }) =>
    config.map(({ text: path, place }) => ({ path, base, place })),
  );
  return overlapsOf(layers);
}

/** Fails because there is no project; names a file here that is almost named like one. */
export async function failWithoutProject({
  runtime: { cwd },
}: Run): Promise<never> {
  const names = await readdir(cwd).catch(() => []);
  const near = names.find((name) => /^setpoint\.ya?ml$/i.test(name));
  const hint = near && `Rename ${near} to setpoint.yaml.`;
  return fail(diagnostic('no-configuration', present({ hint })));
}
