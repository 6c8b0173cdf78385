import { type Clues, countedMark, isLikelySecret, mayBeSecret } from './secrecy.ts';
import { HIDDEN } from './secret.ts';
import { isScheme } from './secret-form.ts';

/** Splits a text at its references, which become every second part. */
const REFERENCE = /(\$\{(?:env|file|value):[^}]*\})/;

/**
 * A text with references as far as it may be shown, by one rule for all reports: without what is likely to be a secret around
 * them, and without fallbacks. A fallback is shown where the type of the option tells of no secret and it is plainly none, and
 * all is where a person marked the value as no secret.
 */
export function shownReference(text: string, clues: Omit<Clues, 'values' | 'isFromOutside'>): string {
  const { key, type } = clues;
  const mark = countedMark(clues);
  if (mark === false) return text;
  const parts = text.split(REFERENCE);
  const around = parts.filter((part, index) => index % 2 === 0 && !LIST_MARKS.test(part)).join('');
  const hidesAround = !isScheme(around) && isLikelySecret(key, around, mark);
  const isPlain = (fallback: string) => type !== undefined && !mayBeSecret(key, fallback, mark);
  return parts
    .map((part, index) => {
      if (index % 2 === 1)
        return part.replace(/:-([^}]*)/s, (all, fallback) => (isPlain(fallback) ? all : `:-${HIDDEN}`));
      return LIST_MARKS.test(part) || !hidesAround ? part : HIDDEN;
    })
    .join('');
}

/** What is around references that are members of a list; a literal member shows as `…`. */
const LIST_MARKS = /^[[\], …]*$/;
