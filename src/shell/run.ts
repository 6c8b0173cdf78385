import { type Diagnostic, diagnostic } from '../core/findings/diagnostic.ts';
import { exitCode } from '../core/findings/exit-code.ts';
import type { Reached } from '../core/findings/words.ts';
import { RETRIES_PER_RUN } from '../core/pacing/retry.ts';
import { renderJson } from '../core/report/json.ts';
import type { Paint } from '../core/report/paint.ts';
import { type Scrub, scrubber } from '../core/report/secret.ts';
import { type ColourChoice, paintFor } from './colour.ts';
import { Failure } from './failure.ts';
import { Interruption } from './interruption.ts';
import { checkReportFiles, type ReportTarget, reportTargets, writeReportFile } from './report-target.ts';
import type { Runtime } from './runtime.ts';
import { Talk, unexpected } from './talk.ts';
import { VERSION } from './version.ts';

/** The options that every command takes. */
export interface RunOptions {
  readonly report?: readonly string[] | undefined;
  readonly color?: ColourChoice | undefined;
  readonly quiet?: boolean | undefined;
  readonly verbose?: boolean | undefined;
}

/** What a command has to show when it ends. */
export interface CommandResult {
  readonly diagnostics: readonly Diagnostic[];
  /** The command's own fields of the JSON document. */
  readonly document: object;
  /** The data for a person; empty where there is none. */
  readonly text: (paint: Paint, width: number, scrub: Scrub) => string;
  /** How far it came, of a command that writes. */
  readonly reached?: Reached | undefined;
  /** Whether exit code 2 is asked for and there are differences. */
  readonly differs?: boolean;
}

/** One run of one command: what it talks through, what stops it, and the secrets that it must never show. */
export interface Run {
  readonly runtime: Runtime;
  readonly talk: Talk;
  readonly interruption: Interruption;
  /** The text of each configuration file that was read, by path, for code frames. */
  readonly sources: Map<string, string>;
  /** Report files that may be written: as they were named, by their real paths. */
  readonly reportFiles: Map<string, string>;
  /** Secrets that were seen in this run. */
  readonly secrets: Set<string>;
  /** Retries that are left to this run. */
  readonly retries: { left: number };
  /** Findings beside the result, such as a logout that failed. */
  readonly notices: Diagnostic[];
}

/** Runs a command's body, shows what it gives or why it failed, writes the reports, and gives the exit code. */
export async function runCommand(
  options: RunOptions,
  runtime: Runtime,
  body: (run: Run) => Promise<CommandResult>,
): Promise<number> {
  const colour = options.color ?? 'auto';
  const talk = new Talk({
    runtime,
    paint: paintFor(colour, runtime.env, runtime.stderr),
    quiet: options.quiet ?? false,
    verbose: options.verbose ?? false,
  });
  const interruption = new Interruption(runtime, () => talk.held());
  const run: Run = {
    runtime,
    talk,
    interruption,
    sources: new Map(),
    reportFiles: new Map(),
    secrets: new Set(),
    notices: [],
    retries: { left: RETRIES_PER_RUN },
  };
  try {
    const targets = await targetsOf(options, run);
    const result =
      'failure' in targets
        ? targets.failure
        : interrupted(withNotices(await outcomeOf(run, body), run), interruption);
    return await show(run, result, targets.reports, colour);
  } finally {
    interruption.dispose();
  }
}

async function targetsOf(options: RunOptions, { runtime, reportFiles }: Run) {
  try {
    const reports = reportTargets(options.report ?? []);
    for (const [real, path] of await checkReportFiles(reports, runtime.cwd)) reportFiles.set(real, path);
    return { reports };
  } catch (thrown) {
    // Who asked for JSON on stdout gets one document also when the reports themselves are the mistake.
    const wantsJson = (options.report ?? []).includes('json');
    const reports: readonly ReportTarget[] = wantsJson ? [{ format: 'json' }] : [];
    return { failure: failed(thrown), reports };
  }
}

async function outcomeOf(run: Run, body: (run: Run) => Promise<CommandResult>): Promise<CommandResult> {
  try {
    return await body(run);
  } catch (thrown) {
    return failed(thrown);
  }
}

/** A command that ended early has no servers to show, only its findings. */
function failed(thrown: unknown): CommandResult {
  const diagnostics = thrown instanceof Failure ? thrown.diagnostics : [unexpected(thrown)];
  return { diagnostics, document: { servers: [] }, text: () => '' };
}

function withNotices(result: CommandResult, { notices }: Run): CommandResult {
  return { ...result, diagnostics: [...result.diagnostics, ...notices] };
}

const CAUSED_BY_SIGNALS = new Set<string>([
  'unreachable',
  'timeout',
  'run-deadline',
  'not-confirmed',
  'held-back',
]);

/** After a signal, what failed because of it is no finding of its own. */
function interrupted(result: CommandResult, { signal }: Interruption): CommandResult {
  if (signal === undefined) return { ...result, diagnostics: result.diagnostics.map(withReached(result)) };
  const own = result.diagnostics.filter(({ code }) => !CAUSED_BY_SIGNALS.has(code));
  return {
    ...result,
    diagnostics: [...own, diagnostic('interrupted', { signal, ...reachedOf(result) })],
  };
}

/** What ran out of time is told of like what was interrupted. */
function withReached(result: CommandResult): (found: Diagnostic) => Diagnostic {
  return (found) =>
    found.code === 'run-deadline' ? { ...found, facts: { ...found.facts, ...reachedOf(result) } } : found;
}

function reachedOf({ reached }: CommandResult): { readonly reached?: Reached } {
  return reached === undefined ? {} : { reached };
}

async function show(
  run: Run,
  result: CommandResult,
  targets: readonly ReportTarget[],
  colour: ColourChoice,
): Promise<number> {
  const scrub = scrubber(run.secrets);
  run.talk.done();
  const unwritten = await writeReports(run, result, targets, colour, scrub);
  const diagnostics = [...result.diagnostics, ...unwritten];
  run.talk.findings(diagnostics, run.sources, scrub);
  return exitCode(diagnostics, result.differs);
}

/** Files first: what is then printed can already name a file that could not be written. */
async function writeReports(
  run: Run,
  result: CommandResult,
  targets: readonly ReportTarget[],
  colour: ColourChoice,
  scrub: Scrub,
): Promise<readonly Diagnostic[]> {
  const { runtime, reportFiles } = run;
  const unwritten: Diagnostic[] = [];
  const toFirst = [...targets].sort((a, b) => Number(a.path === undefined) - Number(b.path === undefined));
  const writable = new Set(reportFiles.values());
  for (const target of toFirst) {
    const { path } = target;
    if (path !== undefined && !writable.has(path)) continue;
    const sofar = { ...result, diagnostics: [...result.diagnostics, ...unwritten] };
    const text = renderReport(run, sofar, target, colour, scrub);
    const lost =
      path === undefined
        ? await print(runtime, result, text)
        : await writeReportFile(path, runtime.cwd, text);
    // What the report would have told of an apply, somebody must be told all the same.
    if (lost !== undefined) {
      const where = path === undefined ? {} : { path };
      unwritten.push(diagnostic('report-unwritable', { ...where, reason: lost, ...reachedOf(result) }));
    }
  }
  return unwritten;
}

/** Prints a report, and gives the reason where it is lost. A reader who has gone misses nothing but what a command did. */
async function print(
  { stdout }: Runtime,
  { reached }: CommandResult,
  text: string,
): Promise<string | undefined> {
  stdout.write(text);
  const lost = await stdout.lost();
  return lost?.isReaderGone === true && reached === undefined ? undefined : lost?.reason;
}

function renderReport(
  { runtime }: Run,
  { diagnostics, document, text }: CommandResult,
  { format, path }: ReportTarget,
  colour: ColourChoice,
  scrub: Scrub,
): string {
  if (format === 'json')
    return renderJson({ name: 'setpoint', version: VERSION }, document, diagnostics, scrub);
  const paint = paintFor(path === undefined ? colour : 'never', runtime.env, runtime.stdout);
  return text(paint, path === undefined ? Math.max(40, runtime.stdout.columns) : 80, scrub);
}
