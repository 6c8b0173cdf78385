import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import { digestOf } from '../plan/fingerprint.ts';
import type { Report, View } from './report.ts';

/** Where a run is in its repository. */
export type InRepository = Pick<View, 'folder' | 'project'>;

/** Where something is said, and what it is known by. */
interface Placed {
  readonly place?: Place;
  readonly identity: string;
}

/**
 * Where pipelines want what a report says. They look for files from the root of the repository, where the working directory is
 * `folder`, and know no revisions. The same in another folder is something else.
 */
export function placeFromRoot(report: Report, viewed: string): (said: Placed) => Placed {
  const folder = folderOf(report, viewed);
  const refs = report.kind === 'diff' ? [report.base, report.head].flatMap((each) => each?.ref ?? []) : [];
  return ({ place, identity }) => ({
    ...present({ place: place && { ...place, file: fileFromRoot(place.file, folder, refs) } }),
    identity: folder === '' ? identity : digestOf(JSON.stringify([folder, identity])),
  });
}

/** The working directory that the places of a report are named from: that of another run, where a plan was saved. */
export function folderOf(report: Report, folder: string): string {
  return report.kind === 'plan' ? (report.folder ?? folder) : folder;
}

/**
 * Code Quality and code scanning show nothing without a place: what has none stands at the head of the project's file, or of
 * the first file that is named where there is no project.
 */
export function headOf(
  report: Report,
  placed: readonly Partial<Placed>[],
  { folder, project }: InRepository,
): Place {
  const own = folderOf(report, folder);
  const known = own === folder ? project : undefined;
  const first = placed.flatMap(({ place }) => place?.file ?? [])[0];
  return { file: known ?? first ?? pathFromRoot('setpoint.yaml', own), line: 1, column: 1 };
}

/** A file of a revision is named from the root already, behind its ref. */
export function fileFromRoot(file: string, folder: string, refs: readonly string[]): string {
  const ref = refs.find((each) => file.startsWith(`${each}:`));
  return ref === undefined ? pathFromRoot(file, folder) : file.slice(ref.length + 1);
}

/** The path from the root of what is named from a folder below it; an absolute one stays as it is. */
function pathFromRoot(file: string, folder: string): string {
  if (folder === '' || file.startsWith('/')) return file;
  const way: string[] = [];
  for (const segment of `${folder}/${file}`.split('/'))
    if (segment === '..' && way.length > 0 && way.at(-1) !== '..') way.pop();
    else if (segment !== '.') way.push(segment);
  return way.join('/');
}
