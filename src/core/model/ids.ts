/**
 * The id of an option: the id of its integration, a dash, its key. Either part
 * may hold dashes, so ids are composed, never split.
 */
export function optionId(integrationId: string, key: string): string {
  return `${integrationId}-${key}`;
}

/**
 * Whether an id names one thing as a part of a path: encoded or not, it leads
 * nowhere else.
 */
export function isPathSafe(id: string): boolean {
  return !['', '.', '..'].includes(id) && !/[/\\\p{Surrogate}]/u.test(id);
}

/**
 * The end of an id behind the name: a version in some, the runtime, and marks
 * of the installation.
 */
const SUFFIX = /(_v\d+)?(_\d+_\d+_\d+)?_node_\d+(_[0-9A-Za-z]+)*$/;

/**
 * The part of an id that stays the same on each server and after an upgrade;
 * the id itself if it has another form.
 */
export function baseOfId(id: string): string {
  return id.replace(SUFFIX, '');
}

/** The same of a glob on ids, or of an id: what comes before its version. */
export function baseOfGlob(glob: string): string {
  return glob.replace(/(_v[\d*?[\]-]*)?(_[\d*?[\]-]+)*_node_.*$/, '');
}

/**
 * A glob that still means an integration after an upgrade, and no similar one:
 * `splunk_node_*`; an id of another form itself.
 */
export function globOfId(id: string): string {
  const [suffix, generation, version] = SUFFIX.exec(id) ?? [];
  if (suffix === undefined) return id;
  let numbers = '';
  if (version !== undefined) numbers = '_[0-9]*';
  if (generation !== undefined) numbers = '_v[0-9]*';
  return `${baseOfId(id)}${numbers}_node_*`;
}
