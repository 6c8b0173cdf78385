import type { Place } from '../model/place.ts';
import type { Scalar } from '../model/value.ts';

interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}

/** A reference to the world outside of the configuration; `source` is the reference as written. */
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

/** All pieces of the texts in a value, in order. */
export function partsOf<Part>(template: Template<Part>): readonly Part[] {
  if (template.kind === 'literal') return [];
  if (template.kind === 'text') return template.parts;
  if (template.kind === 'list') return template.items.flatMap(partsOf);
  return [...partsOf(template.display), ...partsOf(template.value)];
}

/** What stands for a value in a report: its text with references; undefined where it has none. */
export function sourceOf(template: Template<unknown>): string | undefined {
  if (template.source !== undefined || template.kind === 'literal' || template.kind === 'text')
    return template.source;
  if (template.kind === 'choice') return sourceOf(template.value) ?? sourceOf(template.display);
  const items = template.items.map(sourceOf);
  if (items.every((item) => item === undefined)) return undefined;
  return `[${items.map((item) => item ?? '…').join(', ')}]`;
}

/** A text as its parts, or what is wrong with its references. */
export interface ParsedText {
  readonly parts: readonly TemplatePart[];
  readonly problems: readonly string[];
}

/** Splits a text into literal text and references. `$${` is a literal `${`; a `$` alone and `{{…}}` are text. */
export function parseText(text: string): ParsedText {
  if (!text.includes('${')) return { parts: text === '' ? [] : [{ kind: 'text', text }], problems: [] };
  const parts: TemplatePart[] = [];
  const problems: string[] = [];
  const state = { end: 0 };
  const literal = (piece: string) => {
    if (piece !== '') parts.push({ kind: 'text', text: piece });
  };
  for (const { 0: source, 1: body, 2: brace, index } of text.matchAll(/\$\$\{|\$\{([^}]*)(\}?)/g)) {
    literal(text.slice(state.end, index));
    state.end = index + source.length;
    const part = body === undefined ? ESCAPED : referenceOf(body, brace, source);
    if (typeof part === 'string') problems.push(part);
    else parts.push(part);
  }
  literal(text.slice(state.end));
  if (problems.length === 0 && hasLeftBrace(parts)) problems.push(LEFT_BRACE);
  return { parts, problems };
}

const ESCAPED: TemplatePart = { kind: 'text', text: '${' };

function referenceOf(
  body: string,
  brace: string | undefined,
  source: string,
): OutsidePart | NamedPart | string {
  if (brace === '') return 'The reference has no closing brace.';
  const colon = body.indexOf(':');
  const kind = body.slice(0, Math.max(0, colon));
  const rest = body.slice(colon + 1);
  if (kind === 'env') return parseEnv(rest, source);
  if (kind === 'file' && rest.includes('${')) return 'The path of a file cannot contain a reference.';
  if (kind === 'file') return rest === '' ? 'The reference names no file.' : { kind, name: rest, source };
  if (kind === 'value') {
    return /^[A-Za-z0-9_-]+$/.test(rest)
      ? { kind, name: rest, source }
      : 'The reference does not contain a valid name of a value.';
  }
  return 'This kind of reference is unknown.';
}

function parseEnv(rest: string, source: string): OutsidePart | NamedPart | string {
  const match = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/.exec(rest);
  if (match?.[1] === undefined) return 'The reference does not contain a valid name of a variable.';
  const fallback = match[2];
  // The first closing brace ends a reference: what a brace opens inside of it would be torn apart, its end left as text.
  if (fallback?.includes('${') === true) return 'A fallback cannot contain a reference.';
  if (fallback?.includes('{') === true)
    return 'A fallback ends at the first closing brace, so it cannot contain braces.';
  return { kind: 'env', name: match[1], source, ...(fallback === undefined ? {} : { fallback }) };
}

const LEFT_BRACE = 'A fallback ends at the first closing brace, but another one follows.';

/** Whether a closing brace that nothing opened follows a fallback: the fallback was to hold it. */
function hasLeftBrace(parts: readonly TemplatePart[]): boolean {
  const first = parts.findIndex((part) => part.kind === 'env' && part.fallback !== undefined);
  if (first < 0) return false;
  const text = (some: readonly TemplatePart[]) =>
    some.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  let open = balance(text(parts.slice(0, first)));
  for (const character of text(parts.slice(first))) {
    open += BRACES.get(character) ?? 0;
    if (open < 0) return true;
  }
  return false;
}

const BRACES: ReadonlyMap<string, number> = new Map([
  ['{', 1],
  ['}', -1],
]);

/** How many braces a text leaves open. */
function balance(text: string): number {
  return Math.max(0, text.split('{').length - text.split('}').length);
}
