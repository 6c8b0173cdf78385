import { present } from '../model/json.ts';
import { type Diagnostic, type DiagnosticCode, FINDINGS } from './diagnostic.ts';
import { CONFIGURATION, type Entry, KINDS, type Severity } from './entry.ts';
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
  const fixed = <Part>(part: Part) => (typeof part === 'string' ? part : undefined);
  const words = present({ message: fixed(message), why, hint: fixed(hint) });
  const { severity, exit } = typeof kind === 'string' ? KINDS[kind] : {};
  return { code, title, ...words, ...present({ severity, exit: severity === 'error' ? exit : undefined }) };
}

/** The severity and exit code of a code, in brackets. */
export function weightText({ severity, exit }: FindingHelp): string {
  if (severity === undefined) return '';
  return exit === undefined ? ` (${severity})` : ` (${severity}, exit code ${exit})`;
}

/** Exit codes by weight: the first says most about what was written. */
const WEIGHTIEST = [130, 143, 5, 6, 4, 1, CONFIGURATION];

/** The exit code of a run: of its weightiest error or counted warning, else 2 or 0. */
export function exitCode(
  diagnostics: readonly Diagnostic[],
  { differs = false, isStrict = false }: { readonly differs?: boolean; readonly isStrict?: boolean } = {},
): number {
  const counted = diagnostics
    .map(explain)
    .filter(({ severity }) => severity === 'error' || (isStrict && severity === 'warning'));
  const exits = new Set<number>(counted.map(({ exit }) => exit));
  return WEIGHTIEST.find((each) => exits.has(each)) ?? (differs ? 2 : 0);
}
