import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import type { Scalar } from '../model/value.ts';

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

/** A piece of a text: as it is, or a reference. A number or boolean is its only piece. */
type TemplatePart = Scalar | OutsidePart | NamedPart;

/** A piece of a text whose named values were put in. */
export type LinkedPart = Scalar | OutsidePart;

interface Written {
  readonly place: Place;
  /** The text with references, as written; absent where there are none. */
  readonly source?: string;
}

/** A text, number or boolean as written. */
export interface TextTemplate<Part = TemplatePart> extends Written {
  readonly kind: 'text';
  readonly parts: readonly Part[];
}

interface ChoiceTemplate<Part> extends Written {
  readonly kind: 'choice';
  readonly display: TextTemplate<Part>;
  readonly value: TextTemplate<Part>;
}

/** A text, number or boolean, or a choice of a select. */
export type SingleTemplate<Part = TemplatePart> = TextTemplate<Part> | ChoiceTemplate<Part>;

interface ListTemplate<Part> extends Written {
  readonly kind: 'list';
  readonly items: readonly SingleTemplate<Part>[];
}

/** A value as written, its references parsed and still open. */
export type Template<Part = TemplatePart> = SingleTemplate<Part> | ListTemplate<Part>;

/** A value without references to named values: only those to the environment and files are open. */
export type Linked = Template<LinkedPart>;

/** All pieces of the texts in a value, in order. */
export function partsOf<Part>(template: Template<Part>): readonly Part[] {
  if (template.kind === 'text') return template.parts;
  if (template.kind === 'list') return template.items.flatMap(partsOf);
  return [...template.display.parts, ...template.value.parts];
}

/** The references to the environment and files in a value. */
export function outsideParts(template: Linked): OutsidePart[] {
  return partsOf(template).filter((part) => typeof part === 'object');
}

/** The names of the values that a value refers to, each once. */
export function namesIn(template: Template): string[] {
  return [...new Set(partsOf(template).flatMap((part) => (isNamed(part) ? [part.name] : [])))];
}

/** Whether a value names no other value. */
export function isLinked<Value extends Template>(template: Value): template is Value & Linked {
  return !partsOf<TemplatePart>(template).some(isNamed);
}

/** Whether a piece of a text is a named value. */
export function isNamed(part: TemplatePart): part is NamedPart {
  return typeof part === 'object' && part.kind === 'value';
}

/** The text a report shows for a value: as written, with references; undefined where it has none. */
export function sourceOf(template: Template<unknown>): string | undefined {
  if (template.source !== undefined || template.kind === 'text') return template.source;
  if (template.kind === 'choice') return template.value.source ?? template.display.source;
  const items = template.items.map(sourceOf);
  if (items.every((item) => item === undefined)) return undefined;
  return `[${items.map((item) => item ?? '…').join(', ')}]`;
}

/** Splits a text into pieces, and finds what is wrong with its references. `$${` is a literal `${`; `{{…}}` is text. */
export function parseText(text: string): {
  readonly parts: readonly Exclude<TemplatePart, number | boolean>[];
  readonly problems: readonly string[];
} {
  const found = text.split(/(\$\$\{|\$\{[^}]*\}?)/g).map((piece) => {
    if (piece === '$${') return { part: '${' };
    return piece.startsWith('${') ? referenceOf(piece) : { part: piece };
  });
  return {
    parts: found.flatMap(({ part = '' }) => (part === '' ? [] : [part])),
    problems: found.flatMap(({ problem }) => problem ?? []),
  };
}

interface Parsed {
  readonly part?: OutsidePart | NamedPart | string;
  readonly problem?: string;
}

function referenceOf(source: string): Parsed {
  if (!source.endsWith('}')) return { problem: 'The reference has no closing brace.' };
  const [, kind = '', name = ''] = /^\$\{([^:]*):?(.*)\}$/s.exec(source) ?? [];
  if (kind === 'env') return environmentOf(name, source);
  if (kind === 'value')
    return /^[A-Za-z0-9_-]+$/.test(name)
      ? { part: { kind, name, source } }
      : { problem: 'The reference has no valid value name.' };
  if (kind !== 'file') return { problem: 'This kind of reference is unknown.' };
  if (name === '') return { problem: 'The reference names no file.' };
  return name.includes('${')
    ? { problem: 'The path of a file cannot contain a reference.' }
    : { part: { kind, name, source } };
}

function environmentOf(rest: string, source: string): Parsed {
  const [, name, fallback] = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(rest) ?? [];
  if (name === undefined) return { problem: 'The reference has no valid variable name.' };
  // The first closing brace ends a reference: a brace inside it would tear it apart.
  if (fallback?.includes('{'))
    return {
      problem: 'A fallback ends at the first closing brace, so it cannot contain braces or references.',
    };
  return { part: { kind: 'env', name, source, ...present({ fallback }) } };
}
