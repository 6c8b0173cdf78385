import { type Diagnostic, diagnostic } from '../core/findings/diagnostic.ts';
import { exitCode } from '../core/findings/exit-code.ts';
import type { Reached } from '../core/findings/words.ts';
import type { SourceText } from '../core/model/place.ts';
import { present } from '../core/model/present.ts';
import { RETRIES_PER_RUN } from '../core/pacing/retry.ts';
import { RENDERERS } from '../core/report/formats.ts';
import type { Report } from '../core/report/report.ts';
import { type Scrub, scrubber } from '../core/report/secret.ts';
import { type ColourChoice, columnsOf, paintFor } from './colour.ts';
import { Console } from './console.ts';
import { Failure, unexpected } from './failure.ts';
import { Interruption } from './interruption.ts';
import {
  checkReportFiles,
  fallbackTarget,
  type ReportTarget,
  reportTargets,
  writeReportFile,
} from './report-target.ts';
import type { Runtime } from './runtime.ts';
import { VERSION } from './version.ts';

/** The options of every command. */
export interface RunOptions {
  readonly report?: readonly string[] | undefined;
  readonly color?: ColourChoice | undefined;
  readonly quiet?: boolean | undefined;
  readonly verbose?: boolean | undefined;
}

/** What a command ends with. */
export interface CommandResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly report: Report;
  /** How far a command that writes got. */
  readonly reached?: Reached | undefined;
  /** Whether there are differences under --exit-code. */
  readonly differs?: boolean;
}

/** One run of one command: its console, what can stop it, and the secrets it must never show. */
export interface Run {
  readonly runtime: Runtime;
  readonly console: Console;
  readonly interruption: Interruption;
  /** The text of each configuration file that was read, by path, for code frames. */
  readonly sources: Map<string, SourceText>;
  /** The paths of all files of configuration that are to be read. */
  readonly configFiles: Set<string>;
  /** Report files that may be written: the paths as named, by their real paths. */
  readonly reportFiles: Map<string, string>;
  /** Secrets known by now. */
  readonly secrets: Set<string>;
  /** Retries left, for all servers together. */
  readonly retries: { left: number };
  /** Findings beside the result, such as a failed logout. */
  readonly notices: Diagnostic[];
}

/** Runs a command's body, shows its result or why it failed, writes the reports, and returns the exit code. */
export async function runCommand(
  options: RunOptions,
  runtime: Runtime,
  body: (run: Run) => Promise<CommandResult>,
): Promise<number> {
  const run = newRun(options, runtime);
  try {
    const { targets, refusal } = await targetsOf(options.report ?? [], run);
    const result = concluded(refusal ?? (await resultOf(run, body)), run);
    run.console.done();
    const scrub = scrubber(run.secrets);
    const unwritten = await writeReports(run, result, targets, render(run, options, scrub));
    const diagnostics = [...result.diagnostics, ...unwritten];
    run.console.findings(diagnostics, run.sources, scrub);
    return exitCode(diagnostics, result.differs);
  } finally {
    run.interruption.dispose();
  }
}

function newRun({ color = 'auto', quiet = false, verbose = false }: RunOptions, runtime: Runtime): Run {
  const paint = paintFor(color, runtime.env, runtime.stderr);
  const console = new Console(runtime, { paint, quiet, verbose });
  return {
    runtime,
    console,
    interruption: new Interruption(runtime, () => console.held()),
    sources: new Map(),
    configFiles: new Set(),
    reportFiles: new Map(),
    secrets: new Set(),
    retries: { left: RETRIES_PER_RUN },
    notices: [],
  };
}

/** Where the reports go; with a refusal if they are wrong: then the command does not run. */
async function targetsOf(
  flags: readonly string[],
  { runtime, reportFiles }: Run,
): Promise<{ readonly targets: readonly ReportTarget[]; readonly refusal?: CommandResult }> {
  try {
    const targets = reportTargets(flags);
    for (const [real, path] of await checkReportFiles(targets, runtime.cwd)) reportFiles.set(real, path);
    return { targets };
  } catch (thrown) {
    return { targets: [fallbackTarget(flags)], refusal: failed(thrown) };
  }
}

async function resultOf(run: Run, body: (run: Run) => Promise<CommandResult>): Promise<CommandResult> {
  try {
    return await body(run);
  } catch (thrown) {
    return failed(thrown);
  }
}

function failed(thrown: unknown): CommandResult {
  const found = thrown instanceof Failure ? thrown.diagnostics : [];
  return { diagnostics: found.length > 0 ? found : [unexpected(thrown)], report: { kind: 'none' } };
}

/** What a signal causes: `interrupted` takes its place. */
const CAUSED_BY_SIGNALS: ReadonlySet<string> = new Set([
  'unreachable',
  'timeout',
  'run-deadline',
  'not-confirmed',
  'held-back',
]);

/** The result with its notices, and how far it got if a signal or the deadline ended it. */
function concluded(result: CommandResult, { notices, interruption: { signal } }: Run): CommandResult {
  const found = [...result.diagnostics, ...notices];
  const reached = present({ reached: result.reached });
  const diagnostics =
    signal === undefined
      ? found.map((each) =>
          each.code === 'run-deadline' ? { ...each, facts: { ...each.facts, ...reached } } : each,
        )
      : [
          ...found.filter(({ code }) => !CAUSED_BY_SIGNALS.has(code)),
          diagnostic('interrupted', { signal, ...reached }),
        ];
  return { ...result, diagnostics };
}

type Render = (result: CommandResult, target: ReportTarget) => string;

function render({ runtime }: Run, { color = 'auto' }: RunOptions, scrub: Scrub): Render {
  return ({ report, diagnostics }, { format, path }) =>
    RENDERERS[format](report, diagnostics, {
      paint: paintFor(path === undefined ? color : 'never', runtime.env, runtime.stdout),
      width: path === undefined ? columnsOf(runtime.stdout) : 80,
      scrub,
      tool: { name: 'setpoint', version: VERSION },
    });
}

/** Writes files first, so that stdout can name a file that could not be written. Returns what was lost. */
async function writeReports(
  { runtime, reportFiles }: Run,
  result: CommandResult,
  targets: readonly ReportTarget[],
  rendered: Render,
): Promise<readonly Diagnostic[]> {
  const places = new Map<string | undefined, string>([...reportFiles].map(([real, path]) => [path, real]));
  const stdoutLast = targets.toSorted((a, b) => Number(a.path === undefined) - Number(b.path === undefined));
  const unwritten: Diagnostic[] = [];
  for (const target of stdoutLast) {
    const { path } = target;
    const place = places.get(path);
    if (path !== undefined && place === undefined) continue;
    const text = rendered({ ...result, diagnostics: [...result.diagnostics, ...unwritten] }, target);
    const reason =
      place === undefined ? await print(runtime, result, text) : await writeReportFile(place, text);
    if (reason === undefined) continue;
    // The finding takes over what the lost report says about an apply.
    unwritten.push(
      diagnostic('report-unwritable', { reason, ...present({ path, reached: result.reached }) }),
    );
  }
  return unwritten;
}

/** Prints a report. Returns the reason if it is lost, unless its reader has gone and nothing was written to a server. */
async function print(
  { stdout }: Runtime,
  { reached }: CommandResult,
  text: string,
): Promise<string | undefined> {
  stdout.write(text);
  const lost = await stdout.lost();
  return lost?.isReaderGone === true && reached === undefined ? undefined : lost?.reason;
}
