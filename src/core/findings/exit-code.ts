import type { Diagnostic } from './diagnostic.ts';
import { KINDS } from './entry.ts';
import { kindOf } from './explain.ts';

/** How a command ended, apart from its findings. */
export interface CommandEnd {
  /** Whether an apply or undo wrote anything; undefined if it did not begin. */
  hasWritten?: boolean | undefined;
  /** Whether there are differences, under --exit-code. */
  differs?: boolean | undefined;
  /** Whether warnings count too. */
  isStrict?: boolean | undefined;
  /** The exit codes of the runs that it is made of. */
  exits?: readonly number[] | undefined;
}

const SIGNALS = [KINDS.interrupted.exit, KINDS.terminated.exit];

const DIFFERENCES = 2;

/** The codes if nothing was to be written, the weightiest first. */
const BY_WEIGHT = [
  KINDS.guard.exit,
  KINDS.denied.exit,
  KINDS.failure.exit,
  KINDS.error.exit,
  // What `accept` skips, and what an undo leaves.
  KINDS.unapplied.exit,
  DIFFERENCES,
];

/** The exit code of a run with these findings. */
export function exitCode(
  diagnostics: readonly Diagnostic[],
  ending: CommandEnd = {},
): number {
  const { isStrict = false, exits = [], hasWritten, differs } = ending;
  const codes = new Set(exits);
  for (const diagnostic of diagnostics) {
    const { severity, exit } = KINDS[kindOf(diagnostic)];
    const isCountedWarning = isStrict && severity === 'warning';
    if (severity === 'error' || isCountedWarning) codes.add(exit);
  }
  const signal = SIGNALS.find((code) => codes.has(code));
  if (signal !== undefined) return signal;
  if (hasWritten !== undefined) return appliedCode(codes, hasWritten);
  if (differs) codes.add(DIFFERENCES);
  return BY_WEIGHT.find((code) => codes.has(code)) ?? 0;
}

/** The exit code once writing began: something may have been written. */
function appliedCode(codes: ReadonlySet<number>, hasWritten: boolean): number {
  const isDenied = codes.has(KINDS.denied.exit) && !hasWritten;
  if (isDenied) return KINDS.denied.exit;
  const isWell = [...codes].every((code) => code === 0);
  return isWell ? 0 : KINDS.unapplied.exit;
}
