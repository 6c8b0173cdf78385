import { access, appendFile, constants, stat } from 'node:fs/promises';
import { dirname, posix, relative, resolve, sep } from 'node:path';
import { type Diagnostic, diagnostic } from '../core/findings/diagnostic.ts';
import { exitCode } from '../core/findings/exit-code.ts';
import { diagnosticDocuments } from '../core/findings/explain.ts';
import { present } from '../core/model/json.ts';
import {
  type Document,
  type ServerDocument,
  type ServerPlan,
  shortCommit,
} from '../core/plan/plan.ts';
import { documentOf } from '../core/report/document.ts';
import { forLog } from '../core/report/escape.ts';
import { rendererOf } from '../core/report/formats.ts';
import { fail, failUsage, systemReason } from './failure.ts';
import { replaceFile } from './new-file.ts';
import { gitRoot, isInside, isOfGit, realPath } from './paths.ts';
import type { CommandResult, Run } from './run.ts';

/** The reports of a run: text goes to stdout unless another report does. Fails if two want stdout, or the command lacks one. */
export function reportTargets(
  named: Run['targets'],
  hasPages: boolean,
): Run['targets'] {
  const toStdout = named.filter(({ path }) => path === undefined);
  if (toStdout.length > 1)
    failUsage(
      'Two reports cannot both go to stdout.',
      'Write one to a file: --report json=FILE',
    );
  const other = hasPages
    ? undefined
    : named.find(({ format }) => format !== 'text' && format !== 'json');
  if (other !== undefined)
    failUsage(
      `There is no ${other.format} report here.`,
      'There are --report text and --report json.',
    );
  return toStdout.length === 1 ? named : [{ format: 'text' }, ...named];
}

/** Refuses report files that would replace something else or cannot be written. Returns the paths by their real paths. */
export async function checkReportFiles(
  targets: Run['targets'],
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
  await access(dirname(real), constants.W_OK | constants.X_OK).catch(
    (thrown: unknown) =>
      refuse(path, `its folder cannot be written: ${systemReason(thrown)}`),
  );
  return real;
}

/** Refuses a report onto a file that the run reads, and never writes it. */
export async function refuseReportOnto(
  reportFiles: Map<string, string>,
  absolute: string,
): Promise<void> {
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

/** Writes files first, so that stdout can name a file that could not be written. Returns what was lost. */
export async function writeReports(
  run: Run,
  result: CommandResult,
): Promise<readonly Diagnostic[]> {
  const { runtime, writer, reportFiles, targets } = run;
  const unwritten: Diagnostic[] = [];
  const now = runtime.now();
  /** `place` puts a text where it belongs, and returns why it is lost. */
  const write = async (
    target: Run['targets'][number],
    of: 'summary' | undefined,
    place: (text: string) => Promise<string | undefined>,
  ) => {
    const diagnostics = [...result.diagnostics, ...unwritten];
    const reason = await place(
      await rendered(run, { ...result, diagnostics }, target, now),
    );
    // The finding takes over what the lost report says about an apply.
    const reached = of === undefined ? result.reached : undefined;
    const facts = present({ path: target.path, of, reached });
    if (reason !== undefined)
      unwritten.push(diagnostic('file-unwritable', { reason, ...facts }));
  };
  for (const [real, path] of reportFiles)
    for (const target of targets.filter((each) => each.path === path))
      await write(target, undefined, (text) => replaceFile(real, text));
  for (const target of targets.filter(({ path }) => path === undefined))
    await write(target, undefined, (text) => writer.print(text));
  const path = runtime.env['GITHUB_STEP_SUMMARY'] ?? '';
  if (path !== '' && targets.some(({ format }) => format === 'github'))
    await write({ format: 'markdown', path }, 'summary', (text) =>
      appendFile(path, text).then(() => undefined, systemReason),
    );
  return unwritten;
}

/** A result and its findings in a format, without secrets. */
async function rendered(
  run: Run,
  result: CommandResult,
  { format, path }: Run['targets'][number],
  now: number,
) {
  const { report } = result;
  if (format === 'text' && report === undefined) return '';
  const shown = report !== undefined && 'shown' in report ? report.shown : {};
  const view = {
    ...run.writer.view(path === undefined ? 'stdout' : 'file'),
    ...shown,
  };
  if (report?.kind === 'lines' && format === 'text')
    return forLog(report.text(run.writer.mask, view));
  const [render, document] = await Promise.all([
    rendererOf(format),
    documentFor(run, result, now),
  ]);
  return render(document, view);
}

/** The document of a report; lists have other servers in it, and only JSON shows them. */
async function documentFor(
  { writer: { mask }, runtime: { cwd }, command, part }: Run,
  result: CommandResult,
  now: number,
): Promise<Document> {
  const { report, diagnostics: findings } = result;
  if (report?.kind === 'document') {
    const diagnostics = [
      ...report.document.diagnostics,
      ...diagnosticDocuments(findings),
    ];
    return mask.data({ ...report.document, diagnostics });
  }
  const folder = relative((await gitRoot(cwd)) ?? cwd, cwd)
    .split(sep)
    .join('/');
  const changes = report?.kind === 'changes' ? report : undefined;
  const refs = refsOf(changes?.servers ?? []);
  const fromRoot = (file: string) => {
    // A file of a revision is named from the root already, after its ref.
    const ref = refs.find((each) => file.startsWith(`${each}:`));
    if (ref !== undefined) return file.slice(ref.length + 1);
    return folder === '' || file.startsWith('/')
      ? file
      : posix.join(folder, file);
  };
  const document = documentOf({ command, now, findings, ...changes, fromRoot });
  const { diagnostics, servers, ...rest } = mask.data(document);
  const shard = part.shard && {
    ...part.shard,
    exit: exitCode(findings, result),
  };
  return {
    ...rest,
    ...present({ shard }),
    servers,
    ...(report?.kind === 'lines' ? report.fields(mask) : {}),
    diagnostics,
  };
}

/** The names that stand before paths of files at revisions. */
function refsOf(
  servers: readonly (ServerPlan | ServerDocument)[],
): readonly string[] {
  const refs = new Set<string>();
  for (const server of servers) {
    const { base } = server;
    if (base !== undefined) refs.add(base.ref).add(shortCommit(base.commit));
    if ('head' in server) refs.add(server.head.ref);
  }
  return [...refs];
}
