import { resolve } from 'node:path';
import {
  type Diagnostic,
  diagnostic,
  distinct,
} from '../core/findings/diagnostic.ts';
import { exitCode } from '../core/findings/exit-code.ts';
import { isOwnCredential } from '../core/model/own-credential.ts';
import type { Document } from '../core/plan/plan-document.ts';
import type { Origin } from '../core/report/document.ts';
import { Failure } from './failure.ts';
import type { Options } from './flags.ts';
import { Interruption } from './interruption.ts';
import { realPath } from './paths.ts';
import { Progress } from './progress.ts';
import { checkReports, deliverReports } from './reports.ts';
import type { CommandResult, Run } from './run.ts';
import type { Runtime, Signal } from './runtime.ts';
import { Writer } from './writer.ts';

/** The command of a run, and the flags of every command. */
interface CommandOptions extends Options {
  command: Document['command'];
  /** Whether it has reports in every format. */
  hasPages?: boolean | undefined;
  /** Asks git where the files of the run come from. */
  findOrigin?: ((run: Run) => Promise<Origin>) | undefined;
  /** Whether it runs until a signal ends it, which is no interruption. */
  isEndless?: boolean | undefined;
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
  const { hasPages = false, isEndless = false } = options;
  const { report: targets = [], deadline = DEADLINE } = options;
  const outputFiles = checkReports(targets, hasPages, runtime.cwd);
  const secretFiles = passwordFiles(runtime);
  const writer = new Writer(runtime, options);
  const seconds = isEndless ? Number.POSITIVE_INFINITY : deadline;
  const interruption = new Interruption(runtime, seconds, (text) =>
    writer.log(text),
  );
  const run: Run = {
    command: options.command,
    options,
    runtime,
    writer,
    interruption,
    progress: new Progress(writer, runtime.now),
    targets,
    outputFiles,
    sources: new Map(),
    secretFiles,
    pipes: new Map(),
    findOrigin: async () => options.findOrigin?.(run) ?? {},
    notices: [],
  };
  try {
    const ended = await resultOf(run, body);
    const signal = isEndless ? undefined : interruption.signal;
    const result = concluded(ended, run.notices, signal);
    const findings = await deliverReports(run, result);
    return exitCode(findings, result);
  } finally {
    interruption.dispose();
  }
}

/** Finds the real paths of files with passwords of setpoint itself. */
function passwordFiles({ env, cwd }: Runtime): Set<string> {
  const paths = new Set<string>();
  for (const name of Object.keys(env)) {
    if (!/_FILE$/i.test(name) || !isOwnCredential(name)) continue;
    const file = env[name];
    if (file) paths.add(realPath(resolve(cwd, file)));
  }
  return paths;
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
 * Findings that a signal causes: in their place, `interrupted` says how far the
 * run got.
 */
const CAUSED_BY_SIGNALS: ReadonlySet<string> = new Set([
  'interrupted',
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
  const { reached } = result;
  const findings = distinct([...result.diagnostics, ...notices]);
  if (signal === undefined) {
    const diagnostics = findings.map((finding) =>
      finding.code === 'timeout' && finding.facts.of === 'run'
        ? { ...finding, facts: { ...finding.facts, reached } }
        : finding,
    );
    return { ...result, diagnostics };
  }
  const others = findings.filter(({ code }) => !CAUSED_BY_SIGNALS.has(code));
  const interrupted = diagnostic('interrupted', { signal, reached });
  return { ...result, diagnostics: [...others, interrupted] };
}
