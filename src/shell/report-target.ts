import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { diagnostic } from '../core/diagnostic.ts';
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
        hint: 'Give one a file: --report json=FILE',
      }),
    );
  }
  return toStdout.length === 1 ? targets : [{ format: 'text' }, ...targets];
}

/** Refuses a report file that is no regular file or has no folder, before anything is done. */
export async function checkReportFiles(targets: readonly ReportTarget[], cwd: string): Promise<void> {
  for (const { path } of targets) {
    if (path === undefined) continue;
    const [found, folder] = await Promise.all(
      [resolve(cwd, path), dirname(resolve(cwd, path))].map((each) => stat(each).catch(() => undefined)),
    );
    if (found !== undefined && !found.isFile()) refuse(path, 'it is not a regular file');
    if (folder?.isDirectory() !== true) refuse(path, 'there is no such folder');
  }
}

function refuse(path: string, reason: string): never {
  return fail(diagnostic('report-refused', { path, reason }));
}

/** Writes a report file so that a reader sees the old one or the new one, never a part. */
export async function writeReportFile(path: string, cwd: string, text: string): Promise<void> {
  const { default: writeFileAtomic } = await import('write-file-atomic');
  try {
    await writeFileAtomic(resolve(cwd, path), text);
  } catch (thrown) {
    fail(diagnostic('report-unwritable', { path, reason: systemReason(thrown) }));
  }
}

function parseTarget(written: string): ReportTarget {
  const [format = '', ...rest] = written.split('=');
  const path = rest.join('=');
  const known = REPORT_FORMATS.find((name) => name === format);
  if (known === undefined) {
    fail(
      diagnostic('usage', {
        problem: 'This report format is not known.',
        hint: `Formats: ${REPORT_FORMATS.join(', ')}`,
      }),
    );
  }
  if (rest.length > 0 && path === '')
    fail(diagnostic('usage', { problem: 'The report has no file name behind the =.' }));
  return path === '' ? { format: known } : { format: known, path };
}
