import type { Diagnostic } from './diagnostic.ts';
import type { ExitClass } from './entry.ts';
import { explain } from './explain.ts';

/**
 * The exit code of a run: 130 or 143 if it was interrupted, else that of its weightiest error (or warning, where they count),
 * else 2 or 0 for `differs`.
 */
export function exitCode(
  diagnostics: readonly Diagnostic[],
  { differs = false, isStrict = false }: { readonly differs?: boolean; readonly isStrict?: boolean } = {},
): number {
  const interrupted = diagnostics.find((found) => found.code === 'interrupted');
  if (interrupted?.code === 'interrupted') return SIGNAL_EXIT[interrupted.facts.signal];
  const errors = diagnostics
    .map(explain)
    .filter(({ severity }) => severity === 'error' || (isStrict && severity === 'warning'));
  const decisive = EXIT_CODES.find(([exit]) => errors.some((found) => found.exit === exit));
  return decisive?.[1] ?? (differs ? 2 : 0);
}

/** The weightiest first: the one that says most about what was written. What a report lacks changes no exit code. */
const EXIT_CODES: readonly (readonly [ExitClass, number])[] = [
  ['apply', 5],
  ['guard', 6],
  ['permission', 4],
  ['configuration', 3],
  ['failure', 1],
];

/** The exit code of a run that one kind of trouble decides. */
export function exitCodeOf(exit: ExitClass): number | undefined {
  return EXIT_CODES.find(([kind]) => kind === exit)?.[1];
}

const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143, SIGHUP: 143 } as const;
