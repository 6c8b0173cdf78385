import { present } from '../model/present.ts';
import { type Diagnostic, type DiagnosticCode, FINDINGS } from './diagnostic.ts';
import { type Entry, type ExitClass, type Severity, weightOf } from './entry.ts';
import { explain } from './explain.ts';

/** Everything known of a code; parts that depend on the facts of a finding are absent. */
export interface FindingHelp {
  readonly code: string;
  readonly title: string;
  readonly severity?: Severity;
  readonly exit?: number;
  readonly message?: string;
  readonly why?: string;
  readonly hint?: string;
}

/** What a code means and what to do about it. */
export function findingHelp(code: DiagnosticCode): FindingHelp {
  const { title, kind, message, hint, why }: Entry<never> = FINDINGS[code];
  const { severity, exit } = typeof kind === 'function' ? {} : weightOf(kind);
  const decides = severity === 'error' && exit !== undefined && code !== 'interrupted';
  return {
    code,
    title,
    ...present({
      severity,
      exit: decides ? exitCodeOf(exit) : undefined,
      message: typeof message === 'string' ? message : undefined,
      why,
      hint: typeof hint === 'string' ? hint : undefined,
    }),
  };
}

/** The severity and exit code of a code, in brackets. */
export function weightText({ severity, exit }: FindingHelp): string {
  if (severity === undefined) return '';
  return exit === undefined ? ` (${severity})` : ` (${severity}, exit code ${exit})`;
}

/** The exit code of a run: of the interruption, else of its weightiest error or counted warning, else 2 or 0. */
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
