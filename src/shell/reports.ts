import { access, appendFile, constants, stat } from 'node:fs/promises';
import { dirname, posix, relative, resolve, sep } from 'node:path';
import { type Diagnostic, diagnostic } from '../core/findings/diagnostic.ts';
import { exitCode } from '../core/findings/exit-code.ts';
import { diagnosticDocuments } from '../core/findings/explain.ts';
import { present } from '../core/model/json.ts';
import { forServer } from '../core/model/per-server.ts';
import { type Document, shortCommit } from '../core/plan/plan.ts';
import { documentOf } from '../core/report/document.ts';
import { forLog } from '../core/report/escape.ts';
import { rendererOf } from '../core/report/formats.ts';
import type { View } from '../core/report/report.ts';
import type { TextPrinter } from '../core/report/text/text.ts';
import { fail, failUsage, systemReason } from './failure.ts';
import type { ReportTarget } from './flags.ts';
import { replaceFile } from './new-file.ts';
import { gitRoot, isInside, isOfGit, realPath } from './paths.ts';
import type {
  ChangesReport,
  CommandResult,
  DocumentReport,
  Ending,
  Run,
  Shard,
} from './run.ts';

/**
 * Completes the reports of a run: text goes to stdout unless another report
 * does. Fails if two want stdout, or the command lacks one.
 */
export function reportTargets(
  targets: readonly ReportTarget[],
  hasPages: boolean,
): readonly ReportTarget[] {
  const toStdout = targets.filter(({ path }) => path === undefined);
  if (toStdout.length > 1) {
    failUsage(
      'Two reports cannot both go to stdout.',
      'Write one to a file: --report json=FILE',
    );
  }
  const page = targets.find(
    ({ format }) => format !== 'text' && format !== 'json',
  );
  if (page !== undefined && !hasPages) {
    failUsage(
      `There is no ${page.format} report here.`,
      'There are --report text and --report json.',
    );
  }
  if (toStdout.length === 1) return targets;
  return [{ format: 'text' }, ...targets];
}

/**
 * Refuses report files that would replace something else or cannot be written.
 * Returns the paths by their real paths.
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

/** Refuses a file for a report, or returns its real path. */
export async function checkReportFile(
  path: string,
  cwd: string,
): Promise<string> {
  const absolute = resolve(cwd, path);
  const real = await realPath(absolute);
  if (isOfGit(absolute) || isOfGit(real)) refuse(path, 'it belongs to git');
  // A link in the repository that is checked must not lead out of it.
  if (isInside(cwd, absolute) && !isInside(await realPath(cwd), real)) {
    refuse(path, 'a link leads out of its folder');
  }
  const file = await stat(real).catch(() => undefined);
  if (file?.isFile() === false) refuse(path, 'it is not a regular file');
  if (file !== undefined && /\.ya?ml$/i.test(path)) {
    refuse(path, 'it exists and is named like a configuration file');
  }
  await checkFolder(path, dirname(real));
  return real;
}

/**
 * Refuses a file in a folder in which no draft can be written and then renamed.
 */
async function checkFolder(path: string, folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (thrown) {
    const reason = systemReason(thrown);
    refuse(path, `its folder cannot be written: ${reason}`);
  }
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

/** The formats that lead from a place to its repository. */
const LINKED: ReadonlySet<string> = new Set(['json', 'html', 'markdown']);

/** Makes the end of a command as its reports show it. */
export async function endingOf(
  run: Run,
  result: CommandResult,
): Promise<Ending> {
  const at = run.runtime.now();
  const isLinked =
    summaryOf(run) !== undefined ||
    run.targets.some(({ format }) => LINKED.has(format));
  const { report } = result;
  // Lists have no places, and documents know where theirs are.
  const hasPlaces = report === undefined || report.kind === 'changes';
  const origin = isLinked && hasPlaces ? await run.findOrigin() : {};
  return { ...result, at, origin };
}

/** A report on its way to a file. */
interface Delivery {
  readonly target: ReportTarget;
  /** True for the summary of a job, which shows a report once more. */
  readonly isSummary?: true;
  /** Puts a text where it belongs, and returns why it is lost. */
  readonly deliver: (text: string) => Promise<string | undefined>;
}

/** Writes the report files of a run. Returns what was lost. */
export async function writeReportFiles(
  run: Run,
  ending: Ending,
): Promise<readonly Diagnostic[]> {
  const unwritten: Diagnostic[] = [];
  for (const { target, isSummary, deliver } of deliveriesOf(run)) {
    const diagnostics = [...ending.diagnostics, ...unwritten];
    const text = await rendered(run, { ...ending, diagnostics }, target);
    const reason = await deliver(text);
    if (reason === undefined) continue;
    const facts = present({
      path: target.path,
      of: isSummary ? ('summary' as const) : undefined,
      // The finding takes over what the lost report says about an apply.
      reached: isSummary ? undefined : ending.reached,
    });
    unwritten.push(diagnostic('file-unwritable', { reason, ...facts }));
  }
  return unwritten;
}

/** Says that the report on stdout is lost. */
export function lostReport(
  reason: string,
  { reached }: CommandResult,
): Diagnostic {
  return diagnostic('file-unwritable', { reason, ...present({ reached }) });
}

function deliveriesOf(run: Run): Delivery[] {
  const deliveries: Delivery[] = [];
  for (const [real, path] of run.reportFiles) {
    for (const target of run.targets) {
      if (target.path !== path) continue;
      const deliver = (text: string) => replaceFile(real, text);
      deliveries.push({ target, deliver });
    }
  }
  const summary = summaryOf(run);
  if (summary !== undefined) {
    const target: ReportTarget = { format: 'markdown', path: summary };
    const deliver = (text: string) => appendText(summary, text);
    deliveries.push({ target, isSummary: true, deliver });
  }
  return deliveries;
}

/** Names the file of the summary of a job on GitHub. */
function summaryOf({ runtime, targets }: Run): string | undefined {
  const summary = runtime.env['GITHUB_STEP_SUMMARY'] ?? '';
  const isOnGitHub = targets.some(({ format }) => format === 'github');
  return isOnGitHub && summary !== '' ? summary : undefined;
}

/**
 * Prints the report for stdout, and the findings where they belong: in a text
 * of changes before its total, else below it.
 */
export async function printReport(
  run: Run,
  ending: Ending,
  printFindings: TextPrinter['printFindings'],
): Promise<void> {
  const print = (text: string): void => run.writer.print(text);
  const target = run.targets.find(({ path }) => path === undefined);
  const { report } = ending;
  const hasTotal = report !== undefined && report.kind !== 'lines';
  if (target?.format !== 'text' || !hasTotal) {
    if (target !== undefined) print(await rendered(run, ending, target));
    printFindings(false);
    return;
  }
  const [{ printText }, document] = await Promise.all([
    import('../core/report/text/text.ts'),
    documentFor(run, ending),
  ]);
  const view = viewOf(run, ending, undefined);
  printText(document, view, { print, printFindings });
}

/** Adds a text to a file; returns why it is lost. */
async function appendText(
  path: string,
  text: string,
): Promise<string | undefined> {
  try {
    await appendFile(path, text);
    return undefined;
  } catch (thrown) {
    return systemReason(thrown);
  }
}

/** Renders a result and its findings in a format, without secrets. */
async function rendered(
  run: Run,
  ending: Ending,
  target: ReportTarget,
): Promise<string> {
  const { report } = ending;
  const { format, path } = target;
  if (format === 'text' && report === undefined) return '';
  const view = viewOf(run, ending, path);
  if (report?.kind === 'lines' && format === 'text') {
    return forLog(report.text(run.writer.mask, view));
  }
  // The format is loaded meanwhile.
  const [render, document] = await Promise.all([
    rendererOf(format),
    documentFor(run, ending),
  ]);
  return render(document, view);
}

function viewOf(
  run: Run,
  { report }: CommandResult,
  path: string | undefined,
): View {
  const view = run.writer.view(path === undefined ? 'stdout' : 'file');
  if (report === undefined || report.kind === 'lines') return view;
  return { ...view, ...report.shown };
}

/**
 * Makes the document of a report. Lists have other servers in it, and only JSON
 * shows them.
 */
async function documentFor(run: Run, ending: Ending): Promise<Document> {
  const { command, part, writer } = run;
  const { mask } = writer;
  const { report, diagnostics: findings } = ending;
  if (report?.kind === 'document') {
    return mask.data(withFindings(report, findings));
  }
  const changes = report?.kind === 'changes' ? report : undefined;
  const document = documentOf({
    command,
    now: ending.at,
    origin: ending.origin,
    findings,
    ...changes,
    fromRoot: await rootNamer(run.runtime.cwd, changes),
  });
  const { diagnostics, servers, ...head } = mask.data(document);
  const shard =
    part.shard && shardDocument(part.shard, exitCode(findings, ending));
  return {
    ...head,
    ...present({ shard }),
    servers,
    ...(report?.kind === 'lines' ? report.fields(mask) : {}),
    diagnostics,
  };
}

function shardDocument(
  { index, count, revision, servers }: Shard,
  exit: number,
): Document['shard'] {
  return { index, count, ...present({ revision, servers }), exit };
}

function withFindings(
  { document }: DocumentReport,
  findings: readonly Diagnostic[],
): Document {
  const added = diagnosticDocuments(findings);
  return { ...document, diagnostics: [...document.diagnostics, ...added] };
}

/** Makes what names a file from the root of its repository. */
async function rootNamer(
  cwd: string,
  changes: ChangesReport | undefined,
): Promise<(file: string) => string> {
  const root = (await gitRoot(cwd)) ?? cwd;
  const folder = relative(root, cwd).split(sep).join('/');
  const refs = changes === undefined ? [] : refsOf(changes);
  return (file) => {
    // A file of a revision is named from the root already, after its ref.
    const ref = refs.find((name) => file.startsWith(`${name}:`));
    if (ref !== undefined) return file.slice(ref.length + 1);
    if (folder === '' || file.startsWith('/')) return file;
    return posix.join(folder, file);
  };
}

/** Returns the names that stand before paths of files at revisions. */
function refsOf({ head, servers }: ChangesReport): readonly string[] {
  const refs = new Set<string>();
  for (const { name, base } of servers) {
    if (base?.commit === undefined) continue;
    refs.add(forServer(base.ref, name)).add(shortCommit(base.commit));
  }
  if (head !== undefined) refs.add(head.ref);
  return [...refs];
}
