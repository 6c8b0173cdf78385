import {
  type Diagnostic,
  diagnostic,
  distinct,
} from '../core/findings/diagnostic.ts';
import { KINDS } from '../core/findings/entry.ts';
import { exitCode } from '../core/findings/exit-code.ts';
import { diagnosticDocuments } from '../core/findings/explain.ts';
import { present } from '../core/model/json.ts';
import type { Document } from '../core/plan/plan.ts';
import { isRefusal } from '../core/plan/refusals.ts';
import type { Origin } from '../core/report/document.ts';
import { refusalsIn } from '../core/report/model/causes.ts';
import { withShownTexts } from '../core/report/text/frame.ts';
import { Failure } from './failure.ts';
import type { Options } from './flags.ts';
import { Interruption } from './interruption.ts';
import { Progress } from './progress.ts';
import {
  checkReportFiles,
  endingOf,
  lostReport,
  printReport,
  reportTargets,
  writeReportFiles,
} from './reports.ts';
import type { CommandResult, Ending, Run } from './run.ts';
import type { Runtime, Signal } from './runtime.ts';
import { Writer } from './writer.ts';

/** The command of a run, and the flags of every command. */
interface CommandOptions extends Options {
  readonly command: Document['command'];
  /** Whether it has reports in every format. */
  readonly hasPages?: boolean | undefined;
  /** Asks git where the files of the run come from. */
  readonly findOrigin?: ((run: Run) => Promise<Origin>) | undefined;
  /** Whether it runs until a signal ends it, which is no interruption. */
  readonly isEndless?: boolean | undefined;
}

/** The default of `--deadline`. */
const DEADLINE = 1_800;

/**
 * Runs a command's body, shows its result or why it failed, writes the reports,
 * and returns the exit code.
 */
export async function runCommand(
  options: CommandOptions,
  runtime: Runtime,
  body: (run: Run) => Promise<CommandResult>,
): Promise<number> {
  const run = await startRun(options, runtime);
  const { interruption } = run;
  try {
    const ended = await resultOf(run, body);
    const signal = options.isEndless ? undefined : interruption.signal;
    const result = concluded(ended, run.notices, signal);
    const ending = await endingOf(run, result);
    const unwritten = await writeReportFiles(run, ending);
    const diagnostics = [...result.diagnostics, ...unwritten];
    const findings = await showEnding(run, { ...ending, diagnostics });
    return exitCode(findings, result);
  } finally {
    interruption.dispose();
  }
}

/** Shows a report on stdout, and the findings on stderr. Returns all findings. */
async function showEnding(
  run: Run,
  ending: Ending,
): Promise<readonly Diagnostic[]> {
  const { writer, sources } = run;
  const diagnostics = distinct(ending.diagnostics);
  await printReport(run, ending, (isBeforeTotal) =>
    showFindings(run, { ...ending, diagnostics }, isBeforeTotal),
  );
  const reason = await writer.lost();
  if (reason === undefined) return diagnostics;
  const lost = lostReport(reason, ending);
  writer.findings(diagnosticDocuments([lost]), sources);
  return [...diagnostics, lost];
}

/** Shows the findings, and how to read more if the configuration is wrong. */
function showFindings(
  { writer, sources }: Run,
  ending: Ending,
  isBeforeTotal: boolean,
): void {
  const all = [
    ...earlierFindings(ending),
    ...diagnosticDocuments(ending.diagnostics),
  ];
  // The total is followed by what an apply refuses.
  const findings = all.filter(
    (finding) => !isBeforeTotal || !isRefusal(finding),
  );
  const texts = withShownTexts(sources, ending.diagnostics);
  writer.findings(findings, texts, isBeforeTotal);
  const others = ending.diagnostics.filter((finding) => !isRefusal(finding));
  const code = exitCode(others, ending);
  if (code === KINDS.error.exit) writer.explains(findings, isBeforeTotal);
}

/** Returns the findings of a document that was made before. */
function earlierFindings({ report }: Ending): Document['diagnostics'] {
  if (report?.kind !== 'document') return [];
  const { document } = report;
  return [...document.diagnostics, ...refusalsIn(document)];
}

async function startRun(
  options: CommandOptions,
  runtime: Runtime,
): Promise<Run> {
  const { command, hasPages = false, isEndless = false } = options;
  const { report = [], deadline = DEADLINE } = options;
  const targets = reportTargets(report, hasPages);
  const reportFiles = await checkReportFiles(targets, runtime.cwd);
  const writer = new Writer(runtime, options);
  const seconds = isEndless ? Number.POSITIVE_INFINITY : deadline;
  const interruption = new Interruption(runtime, seconds, (text) =>
    writer.log(text),
  );
  const run: Run = {
    command,
    runtime,
    writer,
    interruption,
    progress: new Progress(writer, runtime.now),
    targets,
    reportFiles,
    sources: new Map(),
    secretFiles: new Set(),
    pipes: new Map(),
    part: {},
    findOrigin: async () => options.findOrigin?.(run) ?? {},
    notices: [],
  };
  return run;
}

/**
 * Returns the result of a body, or the findings that it ended with; of a defect
 * its message, without the stack.
 */
async function resultOf(
  run: Run,
  body: (run: Run) => Promise<CommandResult>,
): Promise<CommandResult> {
  try {
    return await Promise.race([body(run), run.interruption.broken]);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.diagnostics.length > 0) {
      return { diagnostics: thrown.diagnostics };
    }
    const message = thrown instanceof Error ? thrown.message : '';
    const reason = message || 'an unknown error';
    return { diagnostics: [diagnostic('unexpected', { reason })] };
  }
}

/**
 * Findings that a signal causes: `interrupted` takes their place, and says how
 * far the run got.
 */
const CAUSED_BY_SIGNALS: ReadonlySet<string> = new Set([
  'unreachable',
  'timeout',
  'not-confirmed',
  'not-attempted',
  'apply-unknown',
]);

/**
 * Adds the notices of a run to its result, and how far it got if a signal or
 * the deadline ended it.
 */
function concluded(
  result: CommandResult,
  notices: readonly Diagnostic[],
  signal: Signal | undefined,
): CommandResult {
  const findings = [...result.diagnostics, ...notices];
  const reached = present({ reached: result.reached });
  if (signal === undefined) {
    const diagnostics = findings.map((finding) =>
      finding.code === 'timeout' && finding.facts.of === 'run'
        ? { ...finding, facts: { ...finding.facts, ...reached } }
        : finding,
    );
    return { ...result, diagnostics };
  }
  const others = findings.filter(({ code }) => !CAUSED_BY_SIGNALS.has(code));
  const interrupted = diagnostic('interrupted', { signal, ...reached });
  return { ...result, diagnostics: [...others, interrupted] };
}
