import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import type { Scalar } from '../model/value.ts';

interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}

/** A reference to something outside the configuration; `source` is the reference as written. */
export interface OutsidePart {
  readonly kind: 'env' | 'file';
  readonly name: string;
  readonly fallback?: string;
  readonly source: string;
}

interface NamedPart {
  readonly kind: 'value';
  readonly name: string;
  readonly source: string;
}

/** One piece of a text with references. */
export type TemplatePart = TextPart | OutsidePart | NamedPart;

/** A piece of a text whose named values were put in. */
export type LinkedPart = TextPart | OutsidePart;

interface Written {
  readonly place: Place;
  /** The text with references, as written; absent where there are none. */
  readonly source?: string;
}

/** A text, number or boolean as written. */
export type TextTemplate<Part = TemplatePart> =
  | (Written & { readonly kind: 'literal'; readonly value: Scalar })
  | (Written & { readonly kind: 'text'; readonly parts: readonly Part[] });

/** One of these, or a choice of a select. */
export type SingleTemplate<Part = TemplatePart> =
  | TextTemplate<Part>
  | (Written & {
      readonly kind: 'choice';
      readonly display: TextTemplate<Part>;
      readonly value: TextTemplate<Part>;
    });

/** A value as written, its references parsed and still open. */
export type Template<Part = TemplatePart> =
  | SingleTemplate<Part>
  | (Written & { readonly kind: 'list'; readonly items: readonly SingleTemplate<Part>[] });

/** A value without references to named values: only those to the environment and files are open. */
export type Linked = Template<LinkedPart>;

/** All pieces of the texts in a value, in order. */
export function partsOf<Part>(template: Template<Part>): readonly Part[] {
  if (template.kind === 'literal') return [];
  if (template.kind === 'text') return template.parts;
  if (template.kind === 'list') return template.items.flatMap(partsOf);
  return [...partsOf(template.display), ...partsOf(template.value)];
}

/** The names of the values that a value refers to, each once. */
export function namesIn(template: Template): string[] {
  return [...new Set(partsOf(template).flatMap((part) => (part.kind === 'value' ? [part.name] : [])))];
}

/** Whether a value names no other value. */
export function isLinked(template: Template): template is Linked {
  return namesIn(template).length === 0;
}

/** The text a report shows for a value: as written, with references; undefined where it has none. */
export function sourceOf(template: Template<unknown>): string | undefined {
  if (template.source !== undefined || template.kind === 'literal' || template.kind === 'text')
    return template.source;
  if (template.kind === 'choice') return sourceOf(template.value) ?? sourceOf(template.display);
  const items = template.items.map(sourceOf);
  if (items.every((item) => item === undefined)) return undefined;
  return `[${items.map((item) => item ?? '…').join(', ')}]`;
}

/**
 * Splits a text into literal text and references, and finds what is wrong with them. `$${` is a literal `${`; a `$` alone
 * and `{{…}}` are text.
 */
export function parseText(text: string): {
  readonly parts: readonly TemplatePart[];
  readonly problems: readonly string[];
} {
  const parts: TemplatePart[] = [];
  const problems: string[] = [];
  let end = 0;
  const before = { at: 0, open: 0 };
  /** How many more braces the text before an offset opens than it closes; offsets only grow. */
  const openBefore = (offset: number) => {
    for (; before.at < offset; before.at += 1) before.open += BRACES[text.charAt(before.at)] ?? 0;
    return before.open;
  };
  const literal = (piece: string) => {
    if (piece !== '') parts.push({ kind: 'text', text: piece });
  };
  for (const { 0: source, 1: body, 2: brace, index } of text.matchAll(/\$\$\{|\$\{([^}]*)(\}?)/g)) {
    literal(text.slice(end, index));
    end = index + source.length;
    const part = body === undefined ? ESCAPED : referenceOf(body, brace, source);
    if (typeof part === 'string') problems.push(part);
    else parts.push(part);
    const isTorn = typeof part !== 'string' && 'fallback' in part && text[end] === '}';
    if (isTorn && openBefore(index) <= 0) problems.push(TORN_FALLBACK);
  }
  literal(text.slice(end));
  return { parts, problems };
}

const ESCAPED: TemplatePart = { kind: 'text', text: '${' };

const TORN_FALLBACK = 'A fallback ends at the first closing brace, but another one follows.';

const BRACES: Readonly<Record<string, number>> = { '{': 1, '}': -1 };

function referenceOf(
  body: string,
  brace: string | undefined,
  source: string,
): OutsidePart | NamedPart | string {
  if (brace === '') return 'The reference has no closing brace.';
  const colon = body.indexOf(':');
  const kind = body.slice(0, Math.max(0, colon));
  const name = body.slice(colon + 1);
  if (kind === 'env') return parseEnv(name, source);
  if (kind === 'file' && name.includes('${')) return 'The path of a file cannot contain a reference.';
  if (kind === 'file') return name === '' ? 'The reference names no file.' : { kind, name, source };
  if (kind !== 'value') return 'This kind of reference is unknown.';
  return /^[A-Za-z0-9_-]+$/.test(name) ? { kind, name, source } : 'The reference has no valid value name.';
}

function parseEnv(rest: string, source: string): OutsidePart | string {
  const match = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/.exec(rest);
  if (match?.[1] === undefined) return 'The reference has no valid variable name.';
  const fallback = match[2];
  // The first closing brace ends a reference: a brace inside it would tear it apart.
  if (fallback?.includes('${')) return 'A fallback cannot contain a reference.';
  if (fallback?.includes('{'))
    return 'A fallback ends at the first closing brace, so it cannot contain braces.';
  return { kind: 'env', name: match[1], source, ...present({ fallback }) };
}
