import { globMatcher } from './glob.ts';

/**
 * Makes the test of what `--only` selects: whatever goes by a word that its
 * glob matches. Integrations go by their ids and the names of their entries.
 * Without the flag, all is selected.
 */
export function selectedBy(
  only = '*',
): (...words: readonly string[]) => boolean {
  const matches = globMatcher(only);
  return (...words) => words.some((word) => matches(word));
}
