import { type Clues, isSecret, isSecretType } from './secrecy.ts';
import { HIDDEN } from './secret.ts';
import { holdsSecretForm, isScheme } from './secret-form.ts';

/** Splits a text at its references, which become every second part. */
const REFERENCE = /(\$\{(?:env|file|value):[^}]*\})/;

/**
 * A text with references as far as it may be shown: all of it if a person marked the value as no secret; else without fallbacks,
 * and without what is around the references of a secret option or has the form of a secret.
 */
export function shownReference(text: string, { key, type, mark }: Clues): string {
  if (mark === false && !isSecretType(type)) return text;
  const parts = text.split(REFERENCE);
  const around = parts.filter((part, index) => index % 2 === 0 && !LIST_MARKS.test(part)).join('');
  const hidesAround = !isScheme(around) && (isSecret({ key, type, mark }) || holdsSecretForm(around));
  return parts
    .map((part, index) => {
      if (index % 2 === 1) return part.replace(/:-[^}]+/s, `:-${HIDDEN}`);
      return LIST_MARKS.test(part) || !hidesAround ? part : HIDDEN;
    })
    .join('');
}

/** What is around references that are members of a list; a literal member shows as `…`. */
const LIST_MARKS = /^[[\], …]*$/;
