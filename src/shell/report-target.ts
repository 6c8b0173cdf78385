import { randomUUID } from 'node:crypto';
import { access, constants, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { diagnostic } from '../core/findings/diagnostic.ts';
import { fail, systemReason } from './failure.ts';

/** The formats that reports are made in. */
const REPORT_FORMATS = ['text', 'json'] as const;

type ReportFormat = (typeof REPORT_FORMATS)[number];

/** One report that was asked for; without a path it goes to stdout. */
export interface ReportTarget {
  readonly format: ReportFormat;
  readonly path?: string;
}

/** Reads `--report FORMAT[=FILE]`; without one for stdout, text goes there. Fails where two want stdout. */
export function reportTargets(written: readonly string[]): ReportTarget[] {
  const targets = written.map(parseTarget);
  const toStdout = targets.filter(({ path }) => path === undefined);
  if (toStdout.length > 1) {
    fail(
      diagnostic('usage', {
        problem: 'Two reports cannot both go to stdout.',
        hint: 'Write one to a file: --report json=FILE',
      }),
    );
  }
  return toStdout.length === 1 ? targets : [{ format: 'text' }, ...targets];
}

/**
 * Refuses a report file that cannot be written or that would take the place of something else, before anything is done.
 * Gives the paths as they were written by the real ones.
 */
export async function checkReportFiles(
  targets: readonly ReportTarget[],
  cwd: string,
): Promise<Map<string, string>> {
  const real = new Map<string, string>();
  for (const { path } of targets) {
    if (path === undefined) continue;
    const absolute = await checkReportFile(path, cwd);
    if (real.has(absolute)) refuse(path, 'another report goes there too');
    real.set(absolute, path);
  }
  return real;
}

async function checkReportFile(path: string, cwd: string): Promise<string> {
  if (/^\/(dev|proc)\//.test(resolve(cwd, path))) refuse(path, 'it is not a regular file');
  const absolute = await realPath(resolve(cwd, path));
  const [found, folder] = await Promise.all(
    [absolute, dirname(absolute)].map((each) => stat(each).catch(() => undefined)),
  );
  if (found !== undefined && !found.isFile()) refuse(path, 'it is not a regular file');
  if (found !== undefined && /\.ya?ml$/i.test(path))
    refuse(path, 'it exists and is named like a configuration file');
  if (folder?.isDirectory() !== true) refuse(path, 'there is no such folder');
  // The report is put beside its place first and then moved there, so it is the folder that must take it.
  await access(dirname(absolute), constants.W_OK | constants.X_OK).catch((thrown: unknown) =>
    refuse(path, `its folder is not writable: ${systemReason(thrown)}`),
  );
  return absolute;
}

/** Where a path leads with its links resolved; a file that is not there yet counts by its folder. */
async function realPath(absolute: string): Promise<string> {
  const found = await realpath(absolute).catch(() => undefined);
  if (found !== undefined) return found;
  const folder = dirname(absolute);
  return join(await realpath(folder).catch(() => folder), basename(absolute));
}

/** Refuses a report onto a file that the run reads, and takes it off the list of those that are written in any case. */
export async function refuseReportOnto(reportFiles: Map<string, string>, absolute: string): Promise<void> {
  if (reportFiles.size === 0) return;
  const real = await realPath(absolute);
  const path = reportFiles.get(real);
  if (path === undefined) return;
  reportFiles.delete(real);
  refuse(path, 'this run reads it');
}

function refuse(path: string, reason: string): never {
  return fail(diagnostic('report-refused', { path, reason }));
}

/** Writes a report file so that a reader sees the old one or the new one, never a part; gives the reason where it could not. */
export async function writeReportFile(path: string, cwd: string, text: string): Promise<string | undefined> {
  const place = await realPath(resolve(cwd, path));
  const draft = `${place}.${randomUUID()}`;
  try {
    await writeDraft(draft, text, (await stat(place).catch(() => undefined))?.mode);
    await rename(draft, place);
    return undefined;
  } catch (thrown) {
    await rm(draft, { force: true }).catch(() => {});
    return systemReason(thrown);
  }
}

/** A disk that is nearly full takes a part of what is written to it: `writeFile` goes on until all is there, or throws. */
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

function parseTarget(written: string): ReportTarget {
  const [format = '', ...rest] = written.split('=');
  const path = rest.join('=');
  const known = REPORT_FORMATS.find((name) => name === format);
  if (known === undefined) {
    fail(
      diagnostic('usage', {
        problem: 'This report format is unknown.',
        hint: `Formats: ${REPORT_FORMATS.join(', ')}.`,
      }),
    );
  }
  if (rest.length > 0 && path === '')
    fail(diagnostic('usage', { problem: '--report has no file name after the =.' }));
  return path === '' ? { format: known } : { format: known, path };
}
