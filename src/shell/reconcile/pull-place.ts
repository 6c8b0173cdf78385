import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { PROJECT_FILE } from '../../core/config/project.ts';
import { globMatcher } from '../../core/model/glob.ts';
import { failUsage } from '../failure.ts';
import { isInside } from '../report-target.ts';
import type { NamedFile } from '../sources/config.ts';
import { shownPath } from '../sources/work-tree.ts';

interface PlaceAround {
  readonly folder: string;
  /** The name of `--server`; undefined for the only server of a project. */
  readonly name: string;
  readonly isNamed: boolean;
  /** The layers of the server in `setpoint.yaml`, and those of all others. */
  readonly own: readonly NamedFile[];
  readonly others: readonly NamedFile[];
}

/** The folder for new entries, from `--out` and with a slash at its end: one that the server reads already, and no other does. */
export function pullPlace({ folder, name, isNamed, own, others }: PlaceAround): string {
  const isIn = (layers: readonly NamedFile[]) => (path: string) =>
    isInLayers(layers, join(folder, path, 'a.yaml'));
  const usable = [...(isNamed ? [] : ['integrations/']), `integrations/${name}/`, `${name}/`].filter(
    (path) => !isIn(others)(path),
  );
  const read = ['integrations/', ...usable].find((path) => isIn(own)(path) && !isIn(others)(path));
  return (
    read ??
    usable[0] ??
    failUsage('Another server reads all that a pull would write here.', 'Name another folder with --out.')
  );
}

/** Whether layers take in a file. */
export function isInLayers(layers: readonly NamedFile[], file: string): boolean {
  return layers.some(({ path, base }) => {
    const absolute = resolve(base, path);
    if (path.includes('*')) return globMatcher(path.replace(/^\.\//, ''))(shownPath(file, base));
    return absolute === file || isInside(absolute, file);
  });
}

/** The YAML files below a folder of configuration, as names; none if it is not there. */
export async function yamlIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter(
    (name) => /^(?!(?:.*[\\/])?\.).*\.ya?ml$/is.test(name) && basename(name) !== PROJECT_FILE,
  );
}
