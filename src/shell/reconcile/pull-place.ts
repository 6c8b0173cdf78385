import { join, resolve } from 'node:path';
import { globMatcher } from '../../core/model/glob.ts';
import { isDeviceName } from '../../core/pull/logical-names.ts';
import { isInside } from '../report-target.ts';
import type { NamedFile } from '../sources/config.ts';
import { shownPath } from '../sources/work-tree.ts';

/** What decides where the entries of a server are. */
export interface Situation {
  /** The folder of `--out`. */
  readonly folder: string;
  readonly name: string;
  /** The layers that `setpoint.yaml` has for the server. */
  readonly own: readonly NamedFile[];
  /** Those of the other servers; undefined where there is no `setpoint.yaml`. */
  readonly others: readonly NamedFile[] | undefined;
  readonly singleFile?: string | undefined;
  /** Whether something has a path in the folder. */
  readonly isTaken: (path: string) => boolean;
}

/** Where the entries of a server are; paths from the folder of `--out`, with forward slashes and one behind a folder. */
export interface PullPlace {
  /** The folder or new file for what is new; undefined where another server reads whatever would be written. */
  readonly into: string | undefined;
  /** What an earlier pull can have written to, listed in `setpoint.yaml` or not: all of it counts as existing. */
  readonly earlier: readonly string[];
}

/** The folder of entries, of a server that shares it with no other one. */
const ENTRIES_FOLDER = 'integrations';

const NOWHERE: PullPlace = { into: undefined, earlier: [] };

/** The most files that follow one. */
const MOST_FILES = 1_000;

/**
 * Decides where the entries of a server are: by names alone, so that a second pull finds what the first one wrote. Nothing that
 * another server reads is taken. The usual folder is that of the server whose layers have it, and of the first one; any other
 * server has a folder of its own name.
 */
export function pullPlace(situation: Situation): PullPlace {
  const { folder, name, own, others, singleFile } = situation;
  const isForeign = (path: string) => isInLayers(others ?? [], join(folder, path));
  if (singleFile !== undefined) return singlePlace(situation, singleFile, isForeign);
  const isFirst = others === undefined || isInLayers(own, join(folder, ENTRIES_FOLDER, 'a.yaml'));
  const named = [...(isFirst ? [ENTRIES_FOLDER] : []), name, `${name}-${ENTRIES_FOLDER}`];
  const isUsable = (path: string) => path !== 'schemas' && !isDeviceName(path);
  const free = named.find((path) => isUsable(path) && !isForeign(`${path}/a.yaml`));
  return free === undefined ? NOWHERE : { into: `${free}/`, earlier: [`${free}/`] };
}

/** One file and those that followed it, as `all.yaml`, `all-2.yaml`; the first that is not there is next. */
function singlePlace(
  { name, isTaken }: Situation,
  singleFile: string,
  isForeign: (path: string) => boolean,
): PullPlace {
  const [, stem = '', extension = ''] = /^(.*)(\.ya?ml)$/i.exec(singleFile) ?? [];
  const start = [stem, `${stem}-${name}`].find((each) => !isForeign(`${each}${extension}`));
  if (start === undefined) return NOWHERE;
  const earlier: string[] = [];
  for (let number = 1; number < MOST_FILES; number += 1) {
    const path = `${start}${number === 1 ? '' : `-${number}`}${extension}`;
    if (isForeign(path)) continue;
    if (!isTaken(path)) return { into: path, earlier };
    earlier.push(path);
  }
  return NOWHERE;
}

/** Whether layers of a server take in a file or a folder. */
export function isInLayers(layers: readonly NamedFile[], file: string): boolean {
  return layers.some(({ path, base }) => {
    const absolute = resolve(base, path);
    return isGlob(path)
      ? globMatcher(path.replace(/^\.\//, ''))(shownPath(file, base))
      : absolute === resolve(file) || isInside(absolute, resolve(file));
  });
}

/** Whether the path of a layer is a glob. */
export function isGlob(path: string): boolean {
  return /[*?[\]{}]/.test(path);
}
