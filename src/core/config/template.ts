import { textsOf, type WrittenValue } from '../model/value.ts';

/** A reference in a text; `source` is the reference as written. */
export interface Reference {
  kind: 'env' | 'file' | 'value';
  name: string;
  fallback?: string | undefined;
  source: string;
}

/**
 * Whether a text may hold references, or the escaped form of one: most texts
 * hold none.
 */
export function mayRefer(text: string): boolean {
  return text.includes('${');
}

/** True if a value may hold references. */
export function isTemplate(value: WrittenValue): boolean {
  if (typeof value === 'object') return textsOf(value).some(mayRefer);
  return mayRefer(String(value));
}

/** The references in a value. */
export function referencesIn(value: WrittenValue): Reference[] {
  if (!isTemplate(value)) return [];
  return textsOf(value).flatMap((text) => parseText(text).references);
}

/** The reference that is all of a value, and has no fallback. */
export function wholeReference(value: WrittenValue): Reference | undefined {
  const [reference] = typeof value === 'string' ? referencesIn(value) : [];
  const isWhole = reference?.source === value;
  return isWhole && reference.fallback === undefined ? reference : undefined;
}

/** The names of the values that a value refers to, each once. */
export function namesIn(value: WrittenValue): string[] {
  const named = referencesIn(value).filter(({ kind }) => kind === 'value');
  return [...new Set(named.map(({ name }) => name))];
}

/**
 * The texts with references that a report shows for a value, as written;
 * undefined if there are none.
 */
export function writtenReferences(value: WrittenValue): string | undefined {
  const texts = textsOf(value).filter((text) => referencesIn(text).length > 0);
  return texts.length === 0 ? undefined : [...new Set(texts)].join(', ');
}

const REFERENCE = /\$\$\{|\$\{[^}]*\}?/g;

/**
 * A text with its references replaced; `$${` is a literal `${`, and `{{…}}` is
 * text.
 */
export function filled(
  text: string,
  find: (reference: Reference) => string,
): string {
  return text.replace(REFERENCE, (source) => {
    const parsed = parseReference(source);
    return typeof parsed === 'string' ? '${' : find(parsed);
  });
}

/** A text with a letter in place of each reference, and of each `$${`. */
export function withoutReferences(text: string): string {
  return text.replace(REFERENCE, 'r');
}

/** The references in a text, and the problems of malformed ones. */
export interface ParsedText {
  references: readonly Reference[];
  problems: readonly string[];
}

/** Finds the references in a text. */
export function parseText(text: string): ParsedText {
  const references: Reference[] = [];
  const problems: string[] = [];
  for (const source of text.match(REFERENCE) ?? []) {
    if (source === '$${') continue;
    const parsed = parseReference(source);
    if (typeof parsed === 'string') problems.push(parsed);
    else references.push(parsed);
  }
  return { references, problems };
}

/**
 * The forms of a reference behind its colon: a name, and the fallback of a
 * variable.
 */
const FORMS = {
  env: /^([A-Za-z_]\w*)(?::-(.*))?$/s,
  file: /^((?:(?!\$\{).)+)$/s,
  value: /^([\w-]+)$/,
} as const;

const KINDS = ['env', 'file', 'value'] as const;

/** Parses a reference; a text is its problem. */
function parseReference(source: string): Reference | string {
  if (!source.endsWith('}')) return 'The reference has no closing brace.';
  const kind = KINDS.find((word) => source.startsWith(`\${${word}:`));
  if (kind === undefined) return 'This kind of reference is unknown.';
  const parts = FORMS[kind].exec(source.slice(kind.length + 3, -1));
  const [, name, fallback] = parts ?? [];
  if (name === undefined) return 'The reference has no valid name.';
  // The first closing brace ends a reference: a brace inside it would tear it
  // apart.
  if (fallback?.includes('{')) return TORN;
  return { kind, name, source, fallback };
}

const TORN =
  'A fallback ends at the first closing brace, so it cannot contain braces or references.';
