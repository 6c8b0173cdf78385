import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { Suggestions } from '../model/near-names.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import { type Entry, type WrittenConfig, withValues } from './entry.ts';
import {
  isLinked,
  isNamed,
  type Linked,
  type LinkedPart,
  type SingleTemplate,
  type Template,
  type TextTemplate,
} from './template.ts';

/** The configuration of one server, ordered by name, with all named values put in. */
export type LinkedConfig = readonly Entry<Linked>[];

/** How much text named values may add up to: a few lines can ask for more than there is memory. */
const MOST_COMPOSED = 4 * 1024 * 1024;

/** Puts named values in where they are named; finds those that are missing or do not fit. */
export function linkConfig(config: WrittenConfig): {
  readonly value: LinkedConfig;
  /** Links one more value where possible, also one that no entry has any more, without a finding. */
  readonly link: (template: Template) => Linked | undefined;
  readonly diagnostics: readonly Diagnostic[];
} {
  const linker = new Linker(config.values);
  const link = (template: Template) => linker.link(template);
  const value = config.entries.map((entry) => withValues(entry, link));
  return { value, link, diagnostics: [...linker.diagnostics] };
}

class Linker {
  readonly diagnostics: Diagnostic[] = [];
  readonly #values: WrittenConfig['values'];
  readonly #suggestions = new Suggestions();
  #composed = 0;

  constructor(values: WrittenConfig['values']) {
    this.#values = values;
  }

  /** Links a value; undefined where one of its named values is missing or does not fit. */
  link(template: Template): Linked | undefined {
    if (isLinked(template)) return template;
    if (template.kind !== 'list') return this.#single(template);
    const items = template.items.map((item) => this.#member(item));
    return items.includes(undefined)
      ? undefined
      : { ...template, items: items.flatMap((item) => item ?? []) };
  }

  #member(item: SingleTemplate): SingleTemplate<LinkedPart> | undefined {
    const linked = this.#single(item);
    return linked?.kind === 'list' ? this.#misfit(item.place) : linked;
  }

  #single(template: SingleTemplate): Linked | undefined {
    if (template.kind === 'text') return this.#text(template);
    const [display, value] = [this.#text(template.display), this.#text(template.value)];
    if (display === undefined || value === undefined) return undefined;
    if (display.kind === 'text' && value.kind === 'text') return { ...template, display, value };
    return this.#misfit(template.place);
  }

  /** A text with its named values put in; if one is all of it, that may be any value. */
  #text(template: TextTemplate): Linked | undefined {
    const { parts, place, source } = template;
    const linked = parts.map((part): Linked | undefined =>
      isNamed(part)
        ? (this.#values.get(part.name)?.value ?? this.#missing(part, place))
        : { kind: 'text', parts: [part], place },
    );
    const [only] = linked;
    if (linked.length === 1) return only && { ...only, place, ...present({ source }) };
    if (linked.includes(undefined)) return undefined;
    if (linked.some((each) => each?.kind !== 'text')) return this.#misfit(place);
    const pieces = linked.flatMap((each) => (each?.kind === 'text' ? each.parts : []));
    this.#composed += pieces.reduce<number>((sum, piece) => sum + String(piece).length, 0);
    return this.#composed > MOST_COMPOSED
      ? this.#refuse(diagnostic('too-large', { of: 'text', limit: MOST_COMPOSED }, place))
      : { ...template, parts: pieces };
  }

  #missing({ name, source }: { readonly name: string; readonly source: string }, place: Place): undefined {
    const isNull = this.#values.has(name) || undefined;
    const known = () => [...this.#values].flatMap(([each, { value }]) => (value === null ? [] : [each]));
    const [near] = (isNull ? undefined : this.#suggestions.near(name, known)) ?? [];
    return this.#refuse(
      diagnostic('reference-missing', { reference: source, ...present({ near, isNull }) }, place),
    );
  }

  #misfit(place: Place): undefined {
    const problem = 'A select or a list cannot be a part of another value.';
    const hint = 'Make the reference the whole value.';
    return this.#refuse(diagnostic('reference-syntax', { problem, hint }, place));
  }

  #refuse(problem: Diagnostic): undefined {
    this.diagnostics.push(problem);
    return undefined;
  }
}
