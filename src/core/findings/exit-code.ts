import type { Diagnostic } from './diagnostic.ts';
import { CONFIGURATION } from './entry.ts';
import { explain } from './explain.ts';

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
