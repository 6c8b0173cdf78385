import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { nearNames } from '../model/near-names.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import { type Entry, type NamedValue, valuesIn, withValues } from './entry.ts';
import type { MergedConfig } from './layers.ts';
import {
  type LinkedPart,
  partsOf,
  type SingleTemplate,
  type Template,
  type TemplatePart,
  type TextTemplate,
} from './template.ts';
import { valueOrder } from './value-order.ts';

/** A value whose named values were put in: only the environment and files are open. */
export type Linked = Template<LinkedPart>;

/** The configuration of one server, ordered by name, with all named values put in. */
export type LinkedConfig = readonly Entry<Linked>[];

/** How much text may be put together of named values: a few lines can ask for more than there is memory. */
const MOST_COMPOSED = 4 * 1024 * 1024;

/** For how many missing names a near one is looked for: each is compared with all that are there. */
const MOST_SUGGESTIONS = 100;

/** Puts named values in where they are named; finds those that are missing, go in a circle, or do not fit. */
export function linkConfig(config: MergedConfig): {
  readonly value: LinkedConfig;
  /** Links one more value, as far as that goes, without a finding. */
  readonly link: (template: Template) => Linked | undefined;
  readonly diagnostics: readonly Diagnostic[];
} {
  const linker = new Linker(config.values);
  linker.linkNamed(config.entries.flatMap(valuesIn).flatMap(namesIn));
  const entries = config.entries.map((entry) => withValues(entry, (template) => linker.link(template)));
  const diagnostics = [...linker.diagnostics];
  return { value: entries, link: (template) => linker.link(template), diagnostics };
}

/** The names of the values that a value refers to, each once. */
export function namesIn(template: Template): string[] {
  return [...new Set(partsOf(template).flatMap((part) => (part.kind === 'value' ? [part.name] : [])))];
}

class Linker {
  readonly diagnostics: Diagnostic[] = [];
  readonly #values: ReadonlyMap<string, NamedValue>;
  /** The linked named values; undefined where one could not be linked, which is found once. */
  readonly #named = new Map<string, Linked | undefined>();
  #composed = 0;

  constructor(values: ReadonlyMap<string, NamedValue>) {
    this.#values = values;
  }

  /** Links the named values that these lead to, each once, those first that others refer to. */
  linkNamed(roots: readonly string[]): void {
    const { order, cycles } = valueOrder(this.#values, roots);
    for (const { names, place } of cycles)
      this.diagnostics.push(diagnostic('reference-cycle', { names }, place));
    for (const name of order) {
      const template = this.#values.get(name)?.value;
      if (template) this.#named.set(name, this.link(template));
    }
  }

  link(template: Template): Linked | undefined {
    if (template.kind === 'literal') return template;
    if (template.kind === 'text') return this.#text(template);
    return template.kind === 'list' ? this.#list(template) : this.#choice(template);
  }

  #choice(template: Extract<Template, { kind: 'choice' }>): Linked | undefined {
    const [display, value] = [this.link(template.display), this.link(template.value)];
    if (display === undefined || value === undefined) return undefined;
    if (isText(display) && isText(value)) return { ...template, display, value };
    return this.#refuse(diagnostic('reference-form', { reference: 'A part of the select' }, template.place));
  }

  #text(template: Extract<Template, { kind: 'text' }>): Linked | undefined {
    const { parts, place, source } = template;
    const [only, second] = parts;
    if (only?.kind === 'value' && second === undefined) {
      const named = this.#find(only, place);
      return named === undefined ? undefined : { ...named, place, ...present({ source }) };
    }
    const linked = parts.map((part) => this.#part(part, place));
    if (linked.includes(undefined)) return undefined;
    const flat = joined(linked.flatMap((pieces) => pieces ?? []));
    if (parts.some(({ kind }) => kind === 'value')) this.#composed += sizeOf(flat);
    return this.#composed > MOST_COMPOSED
      ? this.#refuse(diagnostic('reference-too-long', { limit: MOST_COMPOSED }, place))
      : { ...template, parts: flat };
  }

  #part(part: TemplatePart, place: Place): readonly LinkedPart[] | undefined {
    if (part.kind !== 'value') return [part];
    const named = this.#find(part, place);
    if (named === undefined) return undefined;
    if (named.kind === 'text') return named.parts;
    if (named.kind === 'literal') return [{ kind: 'text', text: String(named.value) }];
    return this.#refuse(diagnostic('reference-form', { reference: part.source }, place));
  }

  #list(template: Extract<Template, { kind: 'list' }>): Linked | undefined {
    const linked = template.items.map((item) => this.link(item));
    if (linked.includes(undefined)) return undefined;
    const items: SingleTemplate<LinkedPart>[] = [];
    for (const item of linked) {
      if (item?.kind === 'list')
        return this.#refuse(diagnostic('reference-form', { reference: 'A member of the list' }, item.place));
      if (item !== undefined) items.push(item);
    }
    return { ...template, items };
  }

  #find({ name, source }: Extract<TemplatePart, { kind: 'value' }>, place: Place): Linked | undefined {
    const declared = this.#values.get(name);
    if (declared !== undefined && declared.value !== null) return this.#named.get(name);
    const isNull = declared !== undefined;
    const suggests = !isNull && this.diagnostics.length < MOST_SUGGESTIONS;
    const [near] = suggests ? nearNames(name, this.#known()) : [];
    const facts = { reference: source, ...present({ near }), ...(isNull ? { isNull } : {}) };
    return this.#refuse(diagnostic('reference-missing', facts, place));
  }

  #known(): string[] {
    return [...this.#values].flatMap(([name, { value }]) => (value === null ? [] : [name]));
  }

  #refuse(problem: Diagnostic): undefined {
    this.diagnostics.push(problem);
    return undefined;
  }
}

function isText(template: Linked): template is TextTemplate<LinkedPart> {
  return template.kind === 'text' || template.kind === 'literal';
}

/** Pieces of text that follow each other as one. */
function joined(parts: readonly LinkedPart[]): readonly LinkedPart[] {
  const pieces: LinkedPart[] = [];
  for (const part of parts) {
    const last = pieces.at(-1);
    if (part.kind !== 'text' || last?.kind !== 'text') pieces.push(part);
    else pieces[pieces.length - 1] = { kind: 'text', text: last.text + part.text };
  }
  return pieces;
}

/** Characters and pieces: many short pieces take room as well. */
function sizeOf(parts: readonly LinkedPart[]): number {
  return parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 1), 0);
}
