import { type Diagnostic, diagnostic, distinct } from '../core/findings/diagnostic.ts';
import { KINDS, type Reached } from '../core/findings/entry.ts';
import { diagnosticDocuments, exitCode } from '../core/findings/explain.ts';
import { present } from '../core/model/json.ts';
import type { SourceText } from '../core/model/place.ts';
import type { Report } from '../core/report/report.ts';
import { Failure, unexpected } from './failure.ts';
import type { Options, ReportTarget } from './flags.ts';
import { Interruption } from './interruption.ts';
import { checkReportFiles, reportTargets, writeReports } from './reports.ts';
import type { Runtime } from './runtime.ts';
import { KnownSecrets, Writer } from './writer.ts';

/** The options of every command. */
type RunOptions = Pick<Options, 'report' | 'deadline' | 'quiet' | 'verbose' | 'color'>;

/** What a run needs to know of its command. */
interface CommandOptions extends RunOptions {
  readonly command: string | undefined;
  /** Whether it has reports in every format. */
  readonly hasPages?: boolean | undefined;
  /** Whether it runs until a signal ends it, which is no interruption. */
  readonly isEndless?: boolean;
}

/** The default of `--deadline`. */
const DEADLINE = 1_800;

/** What a command ends with. */
export interface CommandResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly report?: Report;
  /** How far a command that writes got. */
  readonly reached?: Reached | undefined;
  /** Whether there are differences under --exit-code. */
  readonly differs?: boolean;
  /** Whether warnings decide the exit code too. */
  readonly isStrict?: boolean;
}

/** One run of one command: its only way to a reader, what can stop it, and the secrets it must never show. */
export interface Run {
  readonly runtime: Omit<Runtime, 'stdout' | 'stderr' | 'ask'>;
  readonly writer: Writer;
  readonly interruption: Interruption;
  /** The text of each configuration file that was read, by path, for code frames. */
  readonly sources: Map<string, SourceText>;
  readonly targets: readonly ReportTarget[];
  /** Report files that may be written: the paths as named, by their real paths. */
  readonly reportFiles: Map<string, string>;
  readonly secrets: KnownSecrets;
  /** Findings in addition to the result, such as a failed logout. */
  readonly notices: Diagnostic[];
}

/** Runs a command's body, shows its result or why it failed, writes the reports, and returns the exit code. */
export async function runCommand(
  options: CommandOptions,
  runtime: Runtime,
  body: (run: Run) => Promise<CommandResult>,
): Promise<number> {
  const targets = reportTargets(options.report ?? [], options.hasPages === true);
  const reportFiles = await checkReportFiles(targets, runtime.cwd);
  const run = newRun(options, runtime, { targets, reportFiles });
  try {
    const ended = await resultOf(run, body);
    const result = concluded(ended, run, options.isEndless === true ? undefined : run.interruption.signal);
    const unwritten = await writeReports({ ...run, command: options.command }, result);
    const diagnostics = distinct([...result.diagnostics, ...unwritten]);
    const earlier = result.report?.kind === 'document' ? result.report.document.diagnostics : [];
    const worded = [...earlier, ...diagnosticDocuments(diagnostics)];
    run.writer.findings(worded, run.sources);
    const code = exitCode(diagnostics, result);
    if (code === KINDS.error.exit) run.writer.explains(worded);
    return code;
  } finally {
    run.interruption.dispose();
  }
}

function newRun(
  { deadline = DEADLINE, isEndless, ...talk }: CommandOptions,
  runtime: Runtime,
  reports: Pick<Run, 'targets' | 'reportFiles'>,
): Run {
  const secrets = new KnownSecrets(runtime);
  const writer = new Writer(runtime, talk, secrets);
  const log = (text: string) => writer.log(text);
  const interruption = new Interruption(runtime, isEndless ? Number.POSITIVE_INFINITY : deadline, log);
  const seen = { sources: new Map(), notices: [] };
  return { runtime, writer, interruption, secrets, ...seen, ...reports };
}

async function resultOf(run: Run, body: (run: Run) => Promise<CommandResult>): Promise<CommandResult> {
  try {
    return await Promise.race([body(run), run.interruption.broken]);
  } catch (thrown) {
    const found = thrown instanceof Failure ? thrown.diagnostics : [];
    return { diagnostics: found.length > 0 ? found : [unexpected(thrown)] };
  }
}

/** What a signal causes: `interrupted` takes its place, and says how far the run got. */
const CAUSED_BY_SIGNALS: ReadonlySet<string> = new Set([
  ...['unreachable', 'timeout', 'not-confirmed', 'not-attempted', 'apply-unknown'],
]);

/** The result with its notices, and how far it got if a signal or the deadline ended it. */
function concluded(result: CommandResult, { notices }: Run, signal: Interruption['signal']): CommandResult {
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
  return { ...result, diagnostics: [...others, diagnostic('interrupted', { signal, ...reached })] };
}
