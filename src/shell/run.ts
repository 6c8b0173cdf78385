import { type Diagnostic, diagnostic } from '../core/findings/diagnostic.ts';
import { CONFIGURATION } from '../core/findings/entry.ts';
import { diagnosticDocuments } from '../core/findings/explain.ts';
import { exitCode } from '../core/findings/help.ts';
import type { Reached } from '../core/findings/words.ts';
import { ownCredentials } from '../core/model/own-credential.ts';
import type { SourceText } from '../core/model/place.ts';
import { present } from '../core/model/present.ts';
import { hide } from '../core/model/secret.ts';
import type { Report } from '../core/report/report.ts';
import type { ColourChoice } from './colour.ts';
import { Failure, unexpected } from './failure.ts';
import { Interruption } from './interruption.ts';
import { KnownSecrets } from './known-secrets.ts';
import {
  checkFormats,
  checkReportFiles,
  fallbackTarget,
  type ReportTarget,
  reportTargets,
} from './report-target.ts';
import type { Runtime } from './runtime.ts';
import { maskIn, Writer } from './writer.ts';

/** The options of every command. */
export interface RunOptions {
  readonly report?: readonly string[] | undefined;
  readonly color?: ColourChoice | undefined;
  readonly quiet?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  /** Seconds that the run may take. */
  readonly deadline?: number | undefined;
}

/** The default of `--deadline`. */
const DEADLINE = 1_800;

/** What a command ends with. */
export interface CommandResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly report: Report;
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
  /** The paths of all files of configuration that are to be read. */
  readonly configFiles: Set<string>;
  /** Report files that may be written: the paths as named, by their real paths. */
  readonly reportFiles: Map<string, string>;
  readonly secrets: KnownSecrets;
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
    const unwritten = await writeReports(run, result, targets);
    const diagnostics = [...result.diagnostics, ...unwritten];
    const earlier = result.report.kind === 'document' ? result.report.document.diagnostics : [];
    const worded = [...earlier, ...diagnosticDocuments(diagnostics)];
    run.writer.findings(worded, run.sources);
    const code = exitCode(diagnostics, result);
    if (code === CONFIGURATION) run.writer.explains(worded);
    return code;
  } finally {
    run.interruption.dispose();
  }
}

function newRun(options: RunOptions, runtime: Runtime): Run {
  const { color = 'auto', quiet = false, verbose = false, deadline = DEADLINE } = options;
  const secrets = new KnownSecrets(maskIn(runtime));
  for (const text of ownCredentials(runtime.env)) secrets.given(hide(text));
  const writer = new Writer(runtime, { color, quiet, verbose }, secrets);
  return {
    runtime,
    writer,
    interruption: new Interruption(runtime, { deadline, onHeld: () => writer.held() }),
    sources: new Map(),
    configFiles: new Set(),
    reportFiles: new Map(),
    secrets,
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
    checkFormats(targets, runtime.command);
    for (const [real, path] of await checkReportFiles(targets, runtime.cwd)) reportFiles.set(real, path);
    return { targets };
  } catch (thrown) {
    return { targets: [fallbackTarget(flags)], refusal: failed(thrown) };
  }
}

async function resultOf(run: Run, body: (run: Run) => Promise<CommandResult>): Promise<CommandResult> {
  try {
    return await Promise.race([body(run), run.interruption.broken]);
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
  'not-confirmed',
  // How far the run got has the same names.
  'not-attempted',
  'apply-unknown',
]);

/** The result with its notices, and how far it got if a signal or the deadline ended it. */
function concluded(result: CommandResult, { notices, interruption: { signal } }: Run): CommandResult {
  const found = [...result.diagnostics, ...notices];
  const reached = present({ reached: result.reached });
  const diagnostics =
    signal === undefined
      ? found.map((each) =>
          each.code === 'timeout' && each.facts.of === 'run'
            ? { ...each, facts: { ...each.facts, ...reached } }
            : each,
        )
      : [
          ...found.filter(({ code }) => !CAUSED_BY_SIGNALS.has(code)),
          diagnostic('interrupted', { signal, ...reached }),
        ];
  return { ...result, diagnostics };
}

/** Writes files first, so that stdout can name a file that could not be written. Returns what was lost. */
async function writeReports(
  { writer, reportFiles }: Run,
  { report, diagnostics, reached }: CommandResult,
  targets: readonly ReportTarget[],
): Promise<readonly Diagnostic[]> {
  const places = new Map<string | undefined, string>([...reportFiles].map(([real, path]) => [path, real]));
  const stdoutLast = targets.toSorted((a, b) => Number(a.path === undefined) - Number(b.path === undefined));
  const unwritten: Diagnostic[] = [];
  for (const target of stdoutLast) {
    const { path } = target;
    const place = places.get(path);
    if (path !== undefined && place === undefined) continue;
    const lost = await writer.report(report, [...diagnostics, ...unwritten], target, place);
    // A reader that has gone may have had enough, unless something was written to a server.
    if (lost === undefined || (lost.isReaderGone && reached === undefined)) continue;
    // The finding takes over what the lost report says about an apply.
    unwritten.push(diagnostic('file-unwritable', { reason: lost.reason, ...present({ path, reached }) }));
  }
  const isOfGithub = targets.some(({ format }) => format === 'github');
  const reason = isOfGithub ? await writer.stepSummary(report, [...diagnostics, ...unwritten]) : undefined;
  return reason === undefined
    ? unwritten
    : [
        ...unwritten,
        diagnostic('file-unwritable', { path: 'the file of GITHUB_STEP_SUMMARY', reason, of: 'summary' }),
      ];
}
