import { randomUUID } from 'node:crypto';
import { access, constants, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { diagnostic } from '../core/findings/diagnostic.ts';
import { FORMATS, type Format, isFormat, OF_EVERY_COMMAND } from '../core/report/formats.ts';
import { fail, failUsage, failWord, systemReason } from './failure.ts';
import { isThere } from './new-file.ts';
import type { LostOutput } from './runtime.ts';

/** A report to write: to its file, or to stdout. */
export interface ReportTarget {
  readonly format: Format;
  readonly path?: string;
}

/** Parses `--report FORMAT[=FILE]`, where `-` is stdout; text goes to stdout unless another report does. Fails where two want stdout. */
export function reportTargets(flags: readonly string[]): ReportTarget[] {
  const targets = flags.map(parseTarget);
  const toStdout = targets.filter(({ path }) => path === undefined);
  if (toStdout.length > 1)
    failUsage('Two reports cannot both go to stdout.', 'Write one to a file: --report json=FILE');
  return toStdout.length === 1 ? targets : [{ format: 'text' }, ...targets];
}

/** The commands whose reports have places in files: changes, or the findings of validate. */
const PLACED: ReadonlySet<string | undefined> = new Set(['plan', 'apply', 'diff', 'show', 'validate']);

/** Refuses a format that a command does not have. */
export function checkFormats(targets: readonly ReportTarget[], command: string | undefined): void {
  const other = targets.find(({ format }) => !OF_EVERY_COMMAND.has(format));
  if (other === undefined || hasPages(command)) return;
  failUsage(
    `There is no ${other.format} report of ${command ?? 'this command'}.`,
    'It has --report text and --report json.',
  );
}

/** Whether a command has reports in every format: pages, and formats for CI. */
export function hasPages(command: string | undefined): boolean {
  return PLACED.has(command);
}

function parseTarget(flag: string): ReportTarget {
  const [format = '', ...rest] = flag.split('=');
  if (!isFormat(format)) return failWord('Unknown report format', format, FORMATS.split(', '), 'Formats');
  const path = rest.join('=');
  if (rest.length > 0 && path === '') failUsage('--report has no file name after the =.');
  return path === '' || path === '-' ? { format } : { format, path };
}

/** The target of a run whose reports are wrong: a program still gets one document on stdout. */
export function fallbackTarget(flags: readonly string[]): ReportTarget {
  const toStdout = flags.map((flag) => flag.replace(/=-$/, '')).filter(isFormat);
  return { format: toStdout.find((format) => format !== 'text') ?? 'text' };
}

/** The reports that a command line asks for in known formats, however wrong the rest of it is. */
export function reportsIn(argv: readonly string[]): string[] {
  const flags = argv.flatMap((argument, index) => {
    if (argv[index - 1] === '--report') return [argument];
    return argument.startsWith('--report=') ? [argument.slice('--report='.length)] : [];
  });
  return [...new Set(flags)].filter((each) => isFormat(each.replace(/=.+$/s, '')));
}

/**
 * Refuses report files that cannot be written or would replace something else, before anything is done. Returns the paths
 * as named, by their real paths.
 */
export async function checkReportFiles(
  targets: readonly ReportTarget[],
  cwd: string,
): Promise<Map<string, string>> {
  const byReal = new Map<string, string>();
  for (const { path } of targets) {
    if (path === undefined) continue;
    const real = await checkReportFile(path, cwd);
    if (byReal.has(real)) refuse(path, 'another report goes there too');
    byReal.set(real, path);
  }
  return byReal;
}

async function checkReportFile(path: string, cwd: string): Promise<string> {
  const named = resolve(cwd, path);
  if (/^\/(dev|proc)\//.test(named)) refuse(path, 'it is not a regular file');
  const absolute = await realPath(named);
  if ([named, absolute].some(isOfGit)) refuse(path, 'it belongs to git');
  // A path in the working directory stays in it, and any other in the folder that it names.
  const home = isInside(cwd, named) ? cwd : dirname(named);
  if (!isInside(await realPath(home), absolute)) refuse(path, 'a link leads out of its folder');
  const [found, folder] = await Promise.all(
    [absolute, dirname(absolute)].map((each) => stat(each).catch(() => undefined)),
  );
  if (found !== undefined && !found.isFile()) refuse(path, 'it is not a regular file');
  if (found !== undefined && /\.ya?ml$/i.test(path))
    refuse(path, 'it exists and is named like a configuration file');
  if (found === undefined && (await isThere(absolute))) refuse(path, 'it is a link that leads nowhere');
  if (folder?.isDirectory() !== true) refuse(path, 'there is no such folder');
  // A draft is written next to the report and then renamed, so the folder must be writable.
  await access(dirname(absolute), constants.W_OK | constants.X_OK).catch((thrown: unknown) =>
    refuse(path, `its folder is not writable: ${systemReason(thrown)}`),
  );
  return absolute;
}

/** Whether a path is `.git` or leads through it: git's own files decide what it runs, and may hold credentials. */
export function isOfGit(path: string): boolean {
  return path.split(/[\\/]/).some((segment) => segment.toLowerCase() === '.git');
}

/** Whether a path is below a folder; both absolute, with their links resolved. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return isAbsolute(path) && way !== '' && way.split(sep)[0] !== '..' && !isAbsolute(way);
}

/** A path with its links resolved; those of the folders that are there, where there is no such file yet. */
export async function realPath(absolute: string): Promise<string> {
  const found = await realpath(absolute).catch(() => undefined);
  const folder = dirname(absolute);
  return found ?? (folder === absolute ? absolute : join(await realPath(folder), basename(absolute)));
}

/** Refuses a report onto a file that the run reads, and never writes it. */
export async function refuseReportOnto(reportFiles: Map<string, string>, absolute: string): Promise<void> {
  if (reportFiles.size === 0) return;
  const real = await realPath(absolute);
  const path = reportFiles.get(real);
  if (path === undefined) return;
  reportFiles.delete(real);
  refuse(path, 'this run reads it');
}

function refuse(path: string, reason: string): never {
  return fail(diagnostic('file-unwritable', { path, reason, of: 'refused' }));
}

/**
 * Replaces a file as a whole, and keeps its mode: a reader sees the old one or the new one. `place` is the real path that was checked:
 * a link that is put there later is replaced, not followed. Returns what was lost where it fails.
 */
export async function replaceFile(place: string, text: string): Promise<LostOutput | undefined> {
  const draft = `${place}.${randomUUID()}`;
  try {
    await writeDraft(draft, text, (await stat(place).catch(() => undefined))?.mode);
    await rename(draft, place);
    return undefined;
  } catch (thrown) {
    await rm(draft, { force: true }).catch(() => {});
    return { reason: systemReason(thrown), isReaderGone: false };
  }
}

/** `writeFile` writes all or throws; one `write` on a nearly full disk takes a part. */
async function writeDraft(path: string, text: string, mode: number | undefined): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(text);
    if (mode !== undefined) await file.chmod(mode & 0o777);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The most bytes of a summary that GitHub takes. */
const LARGEST_SUMMARY = 1024 * 1024;

/** A pipe is not waited for, and a link is not followed. */
const APPEND =
  constants.O_WRONLY | constants.O_APPEND | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Adds a text to the summary of a step, which the runner has made. Returns why it was not. */
export async function appendSummary(path: string, text: string): Promise<string | undefined> {
  try {
    const file = await open(path, APPEND);
    try {
      const found = await file.stat();
      if (!found.isFile()) return 'it is not a regular file';
      if (found.size + Buffer.byteLength(text) > LARGEST_SUMMARY) return 'GitHub takes at most 1 MiB in it';
      await file.writeFile(text);
      return undefined;
    } finally {
      await file.close();
    }
  } catch (thrown) {
    return systemReason(thrown);
  }
}
