import { access, appendFile, constants, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { diagnostic } from '../core/findings/diagnostic.ts';
import { FORMATS, type Format } from '../core/report/formats.ts';
import { fail, failUsage, failWord, systemReason } from './failure.ts';

/** A report to write: to its file, or to stdout. */
export interface ReportTarget {
  readonly format: Format;
  readonly path?: string;
}

/** Parses `FORMAT[=FILE]`; `-` is stdout. */
export function parseTarget(text: string): ReportTarget {
  const [word = '', ...rest] = text.split('=');
  const format = FORMATS.find((each) => each === word);
  if (format === undefined) return failWord('Unknown report format', word, FORMATS, 'Formats');
  const path = rest.join('=');
  if (rest.length > 0 && path === '') failUsage('--report has no file name after the =.');
  return path === '' || path === '-' ? { format } : { format, path };
}

/** The reports of a run: text goes to stdout unless another report does. Fails if two want stdout, or the command lacks one. */
export function reportTargets(named: readonly ReportTarget[], hasPages: boolean): readonly ReportTarget[] {
  const toStdout = named.filter(({ path }) => path === undefined);
  if (toStdout.length > 1)
    failUsage('Two reports cannot both go to stdout.', 'Write one to a file: --report json=FILE');
  const other = hasPages ? undefined : named.find(({ format }) => format !== 'text' && format !== 'json');
  if (other !== undefined)
    failUsage(`There is no ${other.format} report here.`, 'There are --report text and --report json.');
  return toStdout.length === 1 ? named : [{ format: 'text' }, ...named];
}

/** Refuses report files that would replace something else or cannot be written. Returns the paths by their real paths. */
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
  const real = await realPath(named);
  if ([named, real].some(isOfGit)) refuse(path, 'it belongs to git');
  // A link in the repository that is checked must not lead out of it.
  if (isInside(cwd, named) && !isInside(await realPath(cwd), real))
    refuse(path, 'a link leads out of its folder');
  const found = await stat(real).catch(() => undefined);
  if (found?.isFile() === false) refuse(path, 'it is not a regular file');
  if (found !== undefined && /\.ya?ml$/i.test(path))
    refuse(path, 'it exists and is named like a configuration file');
  // A draft is written next to the report and then renamed.
  await access(dirname(real), constants.W_OK | constants.X_OK).catch((thrown: unknown) =>
    refuse(path, `its folder cannot be written: ${systemReason(thrown)}`),
  );
  return real;
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

/** A path with its links resolved; those of the folders that are there, if there is no such file yet. */
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

/** Adds a page to the summary of a step of GitHub Actions. Returns why it was not. */
export async function appendSummary(path: string, text: string): Promise<string | undefined> {
  return appendFile(path, text).then(() => undefined, systemReason);
}
