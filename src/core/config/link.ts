import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { present } from '../model/json.ts';
import { Suggestions } from '../model/near-names.ts';
import type { Place } from '../model/place.ts';
import { type Choice, isChoiceList, type Scalar } from '../model/value.ts';
import { type Entry, type WrittenConfig, withValues } from './entry.ts';
import { type Linked, parseText, sourceOf, type Template, textsIn } from './template.ts';

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
    const { value, place, members } = template;
    const source = sourceOf(template);
    if (source === undefined) return { ...template, named: NONE };
    const whole = isChoiceList(value) ? undefined : this.#whole(value);
    if (whole !== undefined) return { ...whole, place, source, named: NONE };
    const before = this.diagnostics.length;
    const items = isChoiceList(value)
      ? value.map((item, index) => this.#member(item, members?.[index] ?? place))
      : value;
    const linked = { ...template, value: items };
    const named = new Map(textsIn(linked).flatMap((each) => this.#namedIn(each)));
    return this.diagnostics.length > before ? undefined : { ...linked, source, named };
  }

  /** The named value that is all of a value. */
  #whole(value: unknown): Template | undefined {
    const [, name = ''] = /^\$\{value:([\w-]+)\}$/.exec(String(value)) ?? [];
    return this.#values.get(name)?.value ?? undefined;
  }

  #member(item: Scalar | Choice, place: Place): Scalar | Choice {
    const { value } = this.#whole(item) ?? { value: item };
    if (!isChoiceList(value)) return value;
    this.#misfit(place);
    return '';
  }

  /** The named values in a text, with their own texts. */
  #namedIn({ text, place }: { readonly text: string; readonly place: Place }): [string, string][] {
    return parseText(text).references.flatMap(({ kind, name, source }): [string, string][] => {
      if (kind !== 'value') return [];
      const { value } = this.#values.get(name)?.value ?? {};
      if (value === undefined) this.#missing(name, source, place);
      else if (typeof value === 'object') this.#misfit(place);
      else this.#count(String(value), place);
      return [[name, String(value)]];
    });
  }

  #count({ length }: string, place: Place): void {
    this.#composed += length;
    if (this.#composed > MOST_COMPOSED)
      this.diagnostics.push(
        diagnostic('too-large', { of: 'characters in a value', limit: MOST_COMPOSED }, place),
      );
  }

  #missing(name: string, reference: string, place: Place): void {
    const known = () => [...this.#values].flatMap(([each, { value }]) => (value === null ? [] : [each]));
    const [near] = (this.#values.has(name) ? undefined : this.#suggestions.near(name, known)) ?? [];
    this.diagnostics.push(diagnostic('reference-missing', { reference, ...present({ near }) }, place));
  }

  #misfit(place: Place): void {
    const problem = 'A select or a list cannot be a part of another value.';
    const hint = 'Make the reference the whole value.';
    this.diagnostics.push(diagnostic('reference-syntax', { problem, hint }, place));
  }
}

const NONE: Linked['named'] = new Map();
