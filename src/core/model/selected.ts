import { globMatcher } from './glob.ts';

/**
 * Makes the test of what `--only` selects: whatever goes by a word that its
 * glob matches. Integrations go by their ids, the names of their entries, and
 * their names on the server. Without the flag, all is selected.
 */
export function selectedBy(
  only = '*',
): (...words: readonly (string | undefined)[]) => boolean {
  const matches = globMatcher(only);
  return (...words) =>
    words.some((word) => word !== undefined && matches(word));
}
