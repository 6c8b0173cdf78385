import type { Diagnostic } from './diagnostic.ts';
import type { ExitClass } from './entry.ts';
import { explain } from './explain.ts';

const EXIT_CODE: Record<Exclude<ExitClass, 'interrupted'>, number> = {
  failure: 1,
  configuration: 3,
  permission: 4,
  apply: 5,
  guard: 6,
};

/** Which class decides where findings of several classes come together: the one that says most about what was written. */
const PRECEDENCE = ['apply', 'guard', 'permission', 'configuration', 'failure'] as const;

const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143 } as const;

/** The exit code of a run: 130 or 143 if it was interrupted, else that of its weightiest error, else 2 or 0 for `differs`. */
export function exitCode(diagnostics: readonly Diagnostic[], differs = false): number {
  const interrupted = diagnostics.find((found) => found.code === 'interrupted');
  if (interrupted?.code === 'interrupted') return SIGNAL_EXIT[interrupted.facts.signal];
  const classes = new Set(
    diagnostics.map(explain).flatMap(({ severity, exit }) => (severity === 'error' ? [exit] : [])),
  );
  const decisive = PRECEDENCE.find((candidate) => classes.has(candidate));
  if (decisive !== undefined) return EXIT_CODE[decisive];
  return differs ? 2 : 0;
}
