import { join } from 'node:path';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { ignoredIn } from '../git/ignored.ts';
import { isInside } from '../report-target.ts';
import type { Run } from '../run.ts';
import type { Revision } from './revision.ts';
import { shownPath, WORK_TREE } from './work-tree.ts';

/**
 * What the work tree declares in files that no revision can have, since git does not hold them: each submodule with such files
 * that the revision knows, and each file that git ignores. Other new files are what a branch adds.
 */
export async function unheldFiles(
  run: Run,
  { base: { ref }, repository, tree }: Revision,
): Promise<Diagnostic[]> {
  const { root } = repository;
  const realRoot = await WORK_TREE.realPathOf(root);
  const real = await Promise.all([...run.configFiles].map(WORK_TREE.realPathOf));
  const absent = real
    .filter((path) => isInside(realRoot, path))
    .map((path) => shownPath(path, realRoot))
    .filter((path) => !tree.has(path));
  const submodules = [...tree].flatMap(([path, { kind }]) => (kind === 'submodule' ? [path] : []));
  const around = (path: string) => submodules.find((each) => path.startsWith(`${each}/`));
  const inRoot = (path: string) => join(root, path);
  const ignored = await ignoredIn(
    repository,
    absent.filter((path) => around(path) === undefined).map(inRoot),
  );
  const unheld = new Set([...absent.flatMap((path) => around(path) ?? []).map(inRoot), ...ignored]);
  return [...unheld]
    .sort()
    .map((path) => diagnostic('revision-empty', { ref, path: shownPath(path, run.runtime.cwd) }));
}
