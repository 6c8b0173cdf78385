import { diagnostic, distinct } from '../core/findings/diagnostic.ts';
import { KINDS } from '../core/findings/entry.ts';
import { exitCode } from '../core/findings/exit-code.ts';
import { diagnosticDocuments } from '../core/findings/explain.ts';
import { present } from '../core/model/json.ts';
import { withShownTexts } from '../core/report/text/diagnostics.ts';
import { Failure } from './failure.ts';
import type { Options } from './flags.ts';
import { Interruption } from './interruption.ts';
import { checkReportFiles, reportTargets, writeReports } from './reports.ts';
import type { CommandResult, Run } from './run.ts';
import type { Runtime } from './runtime.ts';
import { Writer } from './writer.ts';

/** What a run needs to know of its command, and the flags of every command. */
interface CommandOptions
  extends Pick<Options, 'report' | 'deadline' | 'quiet' | 'verbose' | 'color'> {
  readonly command: Run['command'];
  /** Whether it has reports in every format. */
  readonly hasPages?: boolean | undefined;
  /** Whether it runs until a signal ends it, which is no interruption. */
  readonly isEndless?: boolean;
}

/** The default of `--deadline`. */
const DEADLINE = 1_800;

/** Runs a command's body, shows its result or why it failed, writes the reports, and returns the exit code. */
export async function runCommand(
  {
    command,
    hasPages = false,
    isEndless = false,
    report = [],
    deadline = DEADLINE,
    ...talk
  }: CommandOptions,
  runtime: Runtime,
  body: (run: Run) => Promise<CommandResult>,
): Promise<number> {
  const targets = reportTargets(report, hasPages);
  const reportFiles = await checkReportFiles(targets, runtime.cwd);
  const writer = new Writer(runtime, talk);
  const seconds = isEndless ? Number.POSITIVE_INFINITY : deadline;
  const interruption = new Interruption(runtime, seconds, (text) =>
    writer.log(text),
  );
  const made = {
    writer,
    interruption,
    targets,
    reportFiles,
    sources: new Map(),
    pipes: new Map(),
    part: {},
    notices: [],
  };
  const run: Run = { command, runtime, ...made };
  try {
    const ended = await resultOf(run, body);
    const result = concluded(
      ended,
      run,
      isEndless ? undefined : interruption.signal,
    );
    const unwritten = await writeReports(run, result);
    const diagnostics = distinct([...result.diagnostics, ...unwritten]);
    const earlier =
      result.report?.kind === 'document'
        ? result.report.document.diagnostics
        : [];
    const worded = [...earlier, ...diagnosticDocuments(diagnostics)];
    writer.findings(worded, withShownTexts(run.sources, diagnostics));
    const code = exitCode(diagnostics, result);
    if (code === KINDS.error.exit) writer.explains(worded);
    return code;
  } finally {
    interruption.dispose();
  }
}

/** The result of a body, or the findings that it ended with; of a defect its message, without the stack. */
async function resultOf(
  run: Run,
  body: (run: Run) => Promise<CommandResult>,
): Promise<CommandResult> {
  try {
    return await Promise.race([body(run), run.interruption.broken]);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.diagnostics.length > 0)
      return thrown;
    const message = thrown instanceof Error ? thrown.message : '';
    return {
      diagnostics: [
        diagnostic('unexpected', { reason: message || 'an unknown error' }),
      ],
    };
  }
}

/** What a signal causes: `interrupted` takes its place, and says how far the run got. */
const CAUSED_BY_SIGNALS: ReadonlySet<string> = new Set([
  ...[
    'unreachable',
    'timeout',
    'not-confirmed',
    'not-attempted',
    'apply-unknown',
  ],
]);

/** The result with its notices, and how far it got if a signal or the deadline ended it. */
function concluded(
  result: CommandResult,
  { notices }: Run,
  signal: Interruption['signal'],
): CommandResult {
  const found = [...result.diagnostics, ...notices];
  const reached = present({ reached: result.reached });
  if (signal === undefined) {
    const diagnostics = found.map((each) =>
      each.code === 'timeout' && each.facts.of === 'run'
        ? { ...each, facts: { ...each.facts, ...reached } }
        : each,
    );
    return { ...result, diagnostics };
  }
  const others = found.filter(({ code }) => !CAUSED_BY_SIGNALS.has(code));
  return {
    ...result,
    diagnostics: [...others, diagnostic('interrupted', { signal, ...reached })],
  };
}
