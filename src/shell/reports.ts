import { accessSync, constants, mkdirSync } from 'node:fs';
import { dirname, posix, relative, resolve, sep } from 'node:path';
import { withShownTexts } from '../core/config/hidden.ts';
import { type Diagnostic, diagnostic } from '../core/findings/diagnostic.ts';
import { exitCode } from '../core/findings/exit-code.ts';
import { diagnosticDocuments } from '../core/findings/explain.ts';
import { present } from '../core/model/json.ts';
import { forServer } from '../core/model/per-server.ts';
import { type Document, shortCommit } from '../core/plan/plan-document.ts';
import { isRefusal, refusalsIn } from '../core/plan/refusals.ts';
import type { Origin } from '../core/report/document.ts';
import { forLog } from '../core/report/escape.ts';
import { rendererOf } from '../core/report/formats.ts';
import type { View } from '../core/report/report.ts';
import { fail, failUsage, systemReason } from './failure.ts';
import type { ReportTarget } from './flags.ts';
import { replaceFile } from './new-file.ts';
import { gitRoot, isInside, isOfGit, realPath, statsOf } from './paths.ts';
import type { ChangesReport, CommandResult, Run } from './run.ts';

/**
 * Refuses reports that a command lacks, two for stdout, and files that would
 * replace something else or cannot be written. Returns the paths of the files
 * by their real paths.
 */
export function checkReports(
  targets: readonly ReportTarget[],
  hasPages: boolean,
  cwd: string,
): Map<string, string> {
  const toStdout = targets.filter(({ path }) => path === undefined);
  if (toStdout.length > 1) {
    failUsage(
      'Two reports cannot both go to stdout.',
      'Write one to a file: --report json=FILE',
    );
  }
  if (!hasPages) refusePages(targets);
  const byReal = new Map<string, string>();
  for (const { path } of targets) {
    if (path === undefined) continue;
    const real = checkReportFile(path, cwd);
    if (byReal.has(real)) refuseFile(path, 'another report goes there too');
    byReal.set(real, path);
  }
  return byReal;
}

/** Refuses other formats than those of every command. */
export function refusePages(targets: readonly ReportTarget[]): void {
  const page = targets.find(
    ({ format }) => format !== 'text' && format !== 'json',
  );
  if (page === undefined) return;
  failUsage(
    `There is no ${page.format} report here.`,
    'There are --report text and --report json.',
  );
}

/** Makes the folder of a report. Returns its real path, or refuses it. */
export function checkReportFile(path: string, cwd: string): string {
  const absolute = resolve(cwd, path);
  const real = realPath(absolute);
  if (isOfGit(absolute) || isOfGit(real)) refuseFile(path, 'it belongs to git');
  // A link in the repository that is checked must not lead out of it.
  if (isInside(cwd, absolute) && !isInside(realPath(cwd), real)) {
    refuseFile(path, 'a link leads out of its folder');
  }
  const file = statsOf(real);
  if (file?.isFile() === false) refuseFile(path, 'it is not a regular file');
  if (file !== undefined && /\.ya?ml$/i.test(path)) {
    refuseFile(path, 'it exists and is named like a configuration file');
  }
  try {
    mkdirSync(dirname(real), { recursive: true });
    // A draft is written there, and then renamed.
    accessSync(dirname(real), constants.W_OK | constants.X_OK);
  } catch (thrown) {
    const reason = systemReason(thrown);
    refuseFile(path, `its folder cannot be written: ${reason}`);
  }
  return real;
}

/** Refuses a report onto a file that the run reads, and never writes it. */
export function refuseReportOnto(
  outputFiles: Map<string, string>,
  absolute: string,
): void {
  if (outputFiles.size === 0) return;
  const real = realPath(absolute);
  const path = outputFiles.get(real);
  if (path === undefined) return;
  outputFiles.delete(real);
  refuseFile(path, 'this run reads it');
}

/** Fails: this file must not be written, for a reason in words. */
export function refuseFile(path: string, reason: string): never {
  return fail(diagnostic('file-unwritable', { path, reason, of: 'refused' }));
}

/** The end of a command, as its reports show it. */
interface Ending extends CommandResult {
  /** Grows with each report that is lost. */
  diagnostics: Diagnostic[];
  /** When it ended, in milliseconds. */
  at: number;
  origin: Origin;
}

/**
 * Writes the report files of a run, then its report and findings to the
 * terminal. Returns all findings, with what was lost.
 */
export async function deliverReports(
  run: Run,
  result: CommandResult,
): Promise<readonly Diagnostic[]> {
  const { targets, outputFiles, writer } = run;
  const { reached, report } = result;
  const diagnostics = [...result.diagnostics];
  const at = run.runtime.now();
  const isLinked = targets.some(({ format }) => LINKED.has(format));
  // Lists have no places, and documents know where theirs are.
  const hasPlaces = report === undefined || report.kind === 'changes';
  const origin = isLinked && hasPlaces ? await run.findOrigin() : {};
  const ending: Ending = { ...result, diagnostics, at, origin };
  for (const [real, path] of outputFiles) {
    const target = targets.find((each) => each.path === path);
    // Such as the file of a snapshot, which its command writes.
    if (target === undefined) continue;
    const text = await rendered(run, ending, target);
    const reason = await replaceFile(real, text);
    if (reason === undefined) continue;
    // The finding takes over what the lost report says about an apply.
    diagnostics.push(diagnostic('file-unwritable', { path, reason, reached }));
  }
  await printReport(run, ending);
  const reason = await writer.lost();
  if (reason === undefined) return diagnostics;
  const lost = diagnostic('file-unwritable', { reason, reached });
  await writer.findings(diagnosticDocuments([lost]), run.sources);
  return [...diagnostics, lost];
}

/** The formats that lead from a place to its repository. */
const LINKED: ReadonlySet<string> = new Set(['json', 'html', 'markdown']);

/**
 * Prints the report for stdout, text if no other is, and the findings where
 * they belong: in a text of changes before its total, else below it.
 */
async function printReport(run: Run, ending: Ending): Promise<void> {
  const { writer, targets } = run;
  const text: ReportTarget = { format: 'text' };
  const target = targets.find(({ path }) => path === undefined) ?? text;
  const { report } = ending;
  const hasTotal = report !== undefined && report.kind !== 'lines';
  if (target.format !== 'text' || !hasTotal) {
    writer.print(await rendered(run, ending, target));
    await showFindings(run, ending, false);
    return;
  }
  const { textParts } = await import('../core/report/text/text.ts');
  const document = await documentFor(run, ending);
  const { changes, end } = textParts(document, viewOf(run, ending, target));
  writer.print(changes);
  await showFindings(run, ending, end !== '');
  writer.print(end);
}

/** Shows the findings, those of the document that is reported too. */
async function showFindings(
  { writer, sources }: Run,
  ending: Ending,
  isBeforeTotal: boolean,
): Promise<void> {
  const { report, diagnostics } = ending;
  const all = diagnosticDocuments(diagnostics);
  if (report?.kind === 'document') {
    const { document } = report;
    all.unshift(...document.diagnostics, ...refusalsIn(document));
  }
  // The total is followed by what an apply refuses.
  const findings = all.filter(
    (finding) => !isBeforeTotal || !isRefusal(finding),
  );
  const texts = withShownTexts(sources, diagnostics);
  await writer.findings(findings, texts, isBeforeTotal);
}

/** Renders a result and its findings in a format, without secrets. */
async function rendered(
  run: Run,
  ending: Ending,
  target: ReportTarget,
): Promise<string> {
  const { report } = ending;
  const { format } = target;
  if (format === 'text' && report === undefined) return '';
  const view = viewOf(run, ending, target);
  if (report?.kind === 'lines' && format === 'text') {
    return forLog(report.text(run.writer.mask, view));
  }
  const render = await rendererOf(format);
  return render(await documentFor(run, ending), view);
}

function viewOf(
  { writer }: Run,
  { report }: CommandResult,
  { path }: ReportTarget,
): View {
  const view = writer.view(path === undefined ? 'stdout' : 'file');
  if (report === undefined || report.kind === 'lines') return view;
  return { ...view, ...report.shown };
}

/**
 * Makes the document of a report. Lists have other servers in it, and only JSON
 * shows them.
 */
async function documentFor(run: Run, ending: Ending): Promise<Document> {
  const { command, writer, runtime } = run;
  const { mask } = writer;
  const { report, diagnostics: findings, at, origin } = ending;
  if (report?.kind === 'document') {
    const { document } = report;
    const added = diagnosticDocuments(findings);
    const diagnostics = [...document.diagnostics, ...added];
    return mask.data({ ...document, diagnostics });
  }
  const changes = report?.kind === 'changes' ? report : undefined;
  const fromRoot = rootNamer(runtime.cwd, changes);
  const parts = { command, now: at, origin, findings, ...changes, fromRoot };
  const { documentOf } = await import('../core/report/document.ts');
  const { diagnostics, servers, ...head } = mask.data(documentOf(parts));
  const shard = run.shard && {
    ...present(run.shard),
    exit: exitCode(findings, ending),
  };
  // In the order in which JSON shows them.
  return {
    ...head,
    ...present({ shard }),
    servers,
    ...(report?.kind === 'lines' ? report.fields(mask) : {}),
    diagnostics,
  };
}

/** Makes what names a file from the root of its repository. */
function rootNamer(
  cwd: string,
  changes: ChangesReport | undefined,
): (file: string) => string {
  const root = gitRoot(cwd) ?? cwd;
  const folder = relative(root, cwd).split(sep).join('/');
  // A file of a revision is named from the root already, after its ref.
  const refs: string[] = [];
  for (const { name, base } of changes?.servers ?? []) {
    if (base?.commit === undefined) continue;
    refs.push(forServer(base.ref, name), shortCommit(base.commit));
  }
  if (changes?.head !== undefined) refs.push(changes.head.ref);
  return (file) => {
    const ref = refs.find((name) => file.startsWith(`${name}:`));
    if (ref !== undefined) return file.slice(ref.length + 1);
    if (folder === '' || file.startsWith('/')) return file;
    return posix.join(folder, file);
  };
}
