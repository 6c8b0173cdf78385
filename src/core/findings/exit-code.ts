import type { Diagnostic } from './diagnostic.ts';
import { KINDS } from './entry.ts';
import { explain } from './explain.ts';

/** How a run ended. */
export interface Ending {
  /** The exit codes of its errors and counted warnings, or of the runs that it is made of. */
  readonly codes: readonly number[];
  /** Whether an apply or undo wrote anything; undefined if its writing did not begin. */
  readonly hasWritten?: boolean | undefined;
  /** Whether there are differences, under --exit-code. */
  readonly differs?: boolean | undefined;
}

const SIGNALS = [KINDS.interrupted.exit, KINDS.terminated.exit];

/** What ends a run in which no apply began to write, the weightiest first. Only `accept` ends so with 5. */
const OTHERS = [
  KINDS.unapplied.exit,
  KINDS.guard.exit,
  KINDS.denied.exit,
  KINDS.failure.exit,
  KINDS.error.exit,
  2,
];

/** The exit code of a run. */
export function exitCodeOf(ending: Ending): number {
  const codes = new Set(ending.codes);
  const signal = SIGNALS.find((code) => codes.has(code));
  if (signal !== undefined) return signal;
  if (ending.hasWritten !== undefined)
    return appliedCode(codes, ending.hasWritten);
  if (ending.differs) codes.add(2);
  return OTHERS.find((code) => codes.has(code)) ?? 0;
}

/** The exit code once writing began: whatever failed, something may have been written. */
function appliedCode(codes: ReadonlySet<number>, hasWritten: boolean): number {
  const isDenied = codes.has(KINDS.denied.exit) && !hasWritten;
  if (isDenied) return KINDS.denied.exit;
  const isWell = [...codes].every((code) => code === 0);
  return isWell ? 0 : KINDS.unapplied.exit;
}

/** What a command tells of its end besides its findings. */
export interface ToldEnding extends Pick<Ending, 'hasWritten' | 'differs'> {
  /** Whether warnings count too. */
  readonly isStrict?: boolean | undefined;
  /** The exit codes of the runs that it is made of. */
  readonly exits?: readonly number[] | undefined;
}

/** The exit code of a run with these findings. */
export function exitCode(
  diagnostics: readonly Diagnostic[],
  told: ToldEnding = {},
): number {
  const { isStrict = false, exits = [], hasWritten, differs } = told;
  const codes = [...exits];
  for (const { severity, exit } of diagnostics.map(explain)) {
    const isCounted =
      severity === 'error' || (isStrict && severity === 'warning');
    if (isCounted) codes.push(exit);
  }
  return exitCodeOf({ codes, hasWritten, differs });
}
