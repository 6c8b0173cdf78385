import { randomUUID } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Unread } from '../../core/config/resolve.ts';
import { failGit, REFETCH, type Repository } from '../git/git.ts';

/** A file of a commit. */
export interface Blob {
  readonly id: string;
  /** From the root of the repository. */
  readonly path: string;
}

type Content = Buffer | Unread;

type Contents = Map<Blob, Content>;

/**
 * Makes a reader of the files of a commit: one call of git reads all that are
 * asked for in one turn of the event loop.
 */
export function blobReader(
  repository: Repository,
): (blob: Blob) => Promise<Content | undefined> {
  let waiting: Blob[] = [];
  let batch: Promise<Contents> | undefined;
  const readBatch = async (): Promise<Contents> => {
    await setImmediate();
    const blobs = waiting;
    waiting = [];
    batch = undefined;
    return readBlobs(repository, blobs);
  };
  return async (blob) => {
    waiting.push(blob);
    batch ??= readBatch();
    const contents = await batch;
    return contents.get(blob);
  };
}

/**
 * Reads files as a checkout writes them, through the filters of the user. If a
 * file with a filter did not change since the commit, the work tree has it.
 */
async function readBlobs(
  repository: Repository,
  blobs: readonly Blob[],
): Promise<Contents> {
  const names = await filterNames(repository, blobs);
  const named = blobs.filter(({ path }) => names.has(path));
  const isNamed = named.length > 0;
  const filters = isNamed ? await userFilters(repository) : new Set<string>();
  const contents = isNamed
    ? await readUnchanged(repository, named)
    : new Map<Blob, Content>();
  const filtered: Blob[] = [];
  for (const blob of blobs) {
    if (contents.has(blob)) continue;
    const name = names.get(blob.path);
    if (name === undefined || filters.has(name)) filtered.push(blob);
    else contents.set(blob, barredBy(name));
  }
  await readFiltered(repository, filtered, filters, contents);
  return contents;
}

function barredBy(name: string): Unread {
  const filter = /^[\w.-]+$/.test(name) ? name : 'NAME';
  const key = `filter.${filter}.smudge`;
  const hint = `Install the filter or unlock the repository, then: git config --global ${key} "$(git config ${key})". No filter of the repository's own settings is run.`;
  const reason = `your own git settings do not have its filter ${filter}`;
  return { reason, hint, code: 'ENODATA' };
}

/** Finds the names of the filters that attributes give to paths. */
async function filterNames(
  { ask }: Repository,
  blobs: readonly Blob[],
): Promise<ReadonlyMap<string, string>> {
  const input = blobs.map(({ path }) => `${path}\0`).join('');
  const args = ['check-attr', '-z', '--stdin', 'filter'];
  const bytes = await ask(args, { input, most: MOST, isUsers: true });
  const names = new Map<string, string>();
  for (const [, path = '', name = ''] of bytes.toString().matchAll(ATTRIBUTE)) {
    if (!UNNAMED.test(name)) names.set(path, name);
  }
  return names;
}

/** Attributes that name no filter. That of LFS is off: it would download. */
const UNNAMED = /^(unspecified|unset|set|lfs)$/;

const LFS_OFF = ['process=', 'smudge=', 'required=false'].flatMap((setting) => [
  '-c',
  `filter.lfs.${setting}`,
]);

const ATTRIBUTE = /([^\0]+)\0filter\0([^\0]+)\0/g;

/**
 * Finds the filters of the user's own settings. One that the settings of the
 * repository define in another way is none: a stranger may have written these.
 */
async function userFilters(
  repository: Repository,
): Promise<ReadonlySet<string>> {
  const own = await filterSettings(repository, '--git-dir=/dev/null');
  const names = new Set(own.map(filterOf));
  for (const setting of await filterSettings(repository)) {
    if (!own.includes(setting)) names.delete(filterOf(setting));
  }
  return names;
}

/** Lists the commands of filters, each after its key and a line end. */
async function filterSettings(
  { call }: Repository,
  ...flags: readonly string[]
): Promise<readonly string[]> {
  const keys = '^filter\\.[a-zA-Z0-9_.-]+\\.(smudge|process)$';
  const args = [...flags, 'config', '-z', '--get-regexp', keys];
  const { bytes } = await call(args, { isUsers: true });
  return bytes.toString().match(/[^\0]+/g) ?? [];
}

function filterOf(setting: string): string {
  return setting.replace(/^filter\.|\.\w+\n.*$/gs, '');
}

/** The most bytes of all files that one call reads. */
const MOST = 256 * 1024 * 1024;

/** Reads files through filters. One that fails spoils its own file only. */
async function readFiltered(
  { call }: Repository,
  blobs: readonly Blob[],
  filters: ReadonlySet<string>,
  contents: Contents,
): Promise<void> {
  const required: string[] = [];
  for (const name of filters) {
    required.push('-c', `filter.${name}.required=true`);
  }
  // No content has it. It is needed since filters change sizes.
  const mark = randomUUID();
  const format = `--batch=${mark}%(objectname)`;
  const args = [...required, ...LFS_OFF, 'cat-file', format, '--filters'];
  let rest = blobs;
  while (rest.length > 0) {
    const lines = rest.map(({ id, path }) => `${id} ${path}\n`);
    const options = { input: lines.join(''), most: MOST, isUsers: true };
    const { code, bytes, reason } = await call(args, options);
    const [, ...parts] = bytes.toString('latin1').split(mark);
    let read = 0;
    for (const part of parts) {
      // Without the last line end git ended before the content.
      const [, id, content = ''] = /^(\w+)\n(.*)\n$/s.exec(part) ?? [];
      const blob = rest[read];
      if (blob === undefined || blob.id !== id) break;
      contents.set(blob, Buffer.from(content, 'latin1'));
      read += 1;
    }
    const [failed, ...others] = rest.slice(read);
    if (failed === undefined) return;
    if (code === 0) failGit(`it lacks the content of ${failed.path}`);
    const isFilter = reason.includes('filter');
    const hint = isFilter ? 'Install it, or unlock the repository.' : REFETCH;
    contents.set(failed, { reason, hint, code: 'ENODATA' });
    rest = others;
  }
}

/**
 * Reads files of the work tree that are as a commit has them. The times of the
 * index tell it: git itself would run filters to be sure.
 */
async function readUnchanged(
  { root, ask }: Repository,
  blobs: readonly Blob[],
): Promise<Contents> {
  const paths = blobs.map(({ path }) => path);
  const flags = ['--stage', '--debug', '-z'];
  const args = ['--literal-pathspecs', 'ls-files', ...flags, '--', ...paths];
  const listed = await ask(args, { most: MOST });
  const staged = new Set<string>();
  for (const [, ...facts] of listed.toString().matchAll(STAGED)) {
    staged.add(facts.join(' '));
  }
  const contents: Contents = new Map();
  for (const blob of blobs) {
    const file = join(root, blob.path);
    const stats = await lstat(file, { bigint: true }).catch(() => undefined);
    if (stats?.isFile() !== true) continue;
    const { mtimeNs, size } = stats;
    const time = `${mtimeNs / SECOND}:${mtimeNs % SECOND}`;
    const facts = [blob.id, blob.path, time, size].join(' ');
    if (staged.has(facts)) contents.set(blob, await readFile(file));
  }
  return contents;
}

const SECOND = 1_000_000_000n;

/** The id and path of a staged file, the time and size that it had. */
const STAGED =
  /(\w+) 0\t([^\0]+)\0[^\0]*?mtime: (\d+:\d+)\n[^\0]*?size: (\d+)\t/g;
