import { present } from '../model/json.ts';
import { isChoiceList, textsOf, type WrittenValue } from '../model/value.ts';

/** A reference in a text; `source` is the reference as written. */
export interface Reference {
  readonly kind: 'env' | 'file' | 'value';
  readonly name: string;
  readonly fallback?: string;
  readonly source: string;
}

/** The references in a value. */
export function referencesIn(value: WrittenValue | null): Reference[] {
  return value === null
    ? []
    : textsOf(value).flatMap((text) => parseText(text).references);
}

/** The names of the values that a value refers to, each once. */
export function namesIn(value: WrittenValue | null): string[] {
  return [
    ...new Set(
      referencesIn(value).flatMap(({ kind, name }) =>
        kind === 'value' ? [name] : [],
      ),
    ),
  ];
}

/** The text a report shows for a value: as written, with references; undefined where it has none. */
export function sourceOf(value: WrittenValue): string | undefined {
  if (!isChoiceList(value))
    return textsOf(value).find((text) => parseText(text).references.length > 0);
  const items = value.map(sourceOf);
  const isPlain = items.every((item) => item === undefined);
  return isPlain
    ? undefined
    : `[${items.map((item) => item ?? '…').join(', ')}]`;
}

const REFERENCE = /\$\$\{|\$\{[^}]*\}?/g;

/** A text with its references replaced; `$${` is a literal `${`, and `{{…}}` is text. */
export function filled(
  text: string,
  find: (reference: Reference) => string,
): string {
  return text.replace(REFERENCE, (source) => {
    const parsed = parseReference(source);
    return typeof parsed === 'string' ? '${' : find(parsed);
  });
}

/** A text with a letter in place of each reference; `$${` stays as it is. */
export function withoutReferences(text: string): string {
  return text.replace(REFERENCE, (source) => (source === '$${' ? source : 'r'));
}

/** The references in a text, and what is wrong with others. */
export function parseText(text: string): {
  readonly references: readonly Reference[];
  readonly problems: readonly string[];
} {
  const found = (text.match(REFERENCE) ?? [])
    .filter((source) => source !== '$${')
    .map(parseReference);
  return {
    references: found.filter((each) => typeof each !== 'string'),
    problems: found.filter((each) => typeof each === 'string'),
  };
}

/** The forms of what follows the colon of a reference: a name, and the fallback of a variable. */
const FORMS = {
  env: /^([A-Za-z_]\w*)(?::-(.*))?$/s,
  file: /^((?:(?!\$\{).)+)$/s,
  value: /^([\w-]+)$/,
} as const;

const KINDS = ['env', 'file', 'value'] as const;

/** A reference, or what is wrong with it. */
function parseReference(source: string): Reference | string {
  if (!source.endsWith('}')) return 'The reference has no closing brace.';
  const kind = KINDS.find((each) => source.startsWith(`\${${each}:`));
  if (kind === undefined) return 'This kind of reference is unknown.';
  const [, name, fallback] =
    FORMS[kind].exec(source.slice(kind.length + 3, -1)) ?? [];
  if (name === undefined) return 'The reference has no valid name.';
  // The first closing brace ends a reference: a brace inside it would tear it apart.
  return fallback?.includes('{')
    ? 'A fallback ends at the first closing brace, so it cannot contain braces or references.'
    : { kind, name, source, ...present({ fallback }) };
}
