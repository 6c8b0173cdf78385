import { present } from '../model/present.ts';
import { type DiagnosticCode, FINDINGS } from './diagnostic.ts';
import { type Entry, type Severity, weightOf } from './entry.ts';
import { exitCodeOf } from './exit-code.ts';

/** Everything known of a code, whatever the facts of a finding. */
export interface FindingHelp {
  readonly code: string;
  readonly title: string;
  /** Absent if it depends on the finding. */
  readonly severity?: Severity;
  /** The exit code of a run that it decides. */
  readonly exit?: number;
  /** The message, if it is the same each time. */
  readonly message?: string;
  readonly why?: string;
  /** What to do, if it is the same each time. */
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
