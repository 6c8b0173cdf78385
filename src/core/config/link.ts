import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { Suggestions } from '../model/near-names.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import { type Entry, type WrittenConfig, withValues } from './entry.ts';
import type { Linked, LinkedPart, SingleTemplate, Template, TemplatePart, TextTemplate } from './template.ts';

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
  const value = config.entries.map((entry) => withValues(entry, (template) => linker.link(template)));
  const link = (template: Template) => linker.link(template);
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
    if (template.kind === 'literal') return template;
    if (template.kind === 'text') return this.#text(template);
    return template.kind === 'list' ? this.#list(template) : this.#choice(template);
  }

  #choice(template: Extract<Template, { kind: 'choice' }>): Linked | undefined {
    const [display, value] = [this.link(template.display), this.link(template.value)];
    if (display === undefined || value === undefined) return undefined;
    if (isText(display) && isText(value)) return { ...template, display, value };
    return this.#misfit('A part of the select', template.place);
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
      ? this.#refuse(diagnostic('too-large', { of: 'characters in a value', limit: MOST_COMPOSED }, place))
      : { ...template, parts: flat };
  }

  #part(part: TemplatePart, place: Place): readonly LinkedPart[] | undefined {
    if (part.kind !== 'value') return [part];
    const named = this.#find(part, place);
    if (named === undefined) return undefined;
    if (named.kind === 'text') return named.parts;
    if (named.kind === 'literal') return [{ kind: 'text', text: String(named.value) }];
    return this.#misfit(part.source, place);
  }

  #list(template: Extract<Template, { kind: 'list' }>): Linked | undefined {
    const linked = template.items.map((item) => this.link(item));
    if (linked.includes(undefined)) return undefined;
    const items: SingleTemplate<LinkedPart>[] = [];
    for (const item of linked) {
      if (item?.kind === 'list') return this.#misfit('A member of the list', item.place);
      if (item !== undefined) items.push(item);
    }
    return { ...template, items };
  }

  #find({ name, source }: Extract<TemplatePart, { kind: 'value' }>, place: Place): Linked | undefined {
    const declared = this.#values.get(name);
    if (declared?.value) return declared.value;
    const near = declared === undefined ? this.#suggestions.near(name, () => this.#known()) : undefined;
    const facts = { reference: source, ...present({ near: near?.[0] }) };
    return this.#refuse(diagnostic('reference-missing', facts, place));
  }

  #known(): string[] {
    return [...this.#values].flatMap(([name, { value }]) => (value === null ? [] : [name]));
  }

  #misfit(reference: string, place: Place): undefined {
    return this.#refuse(
      diagnostic(
        'reference-syntax',
        {
          problem: `${reference} is a select or a list, so it cannot be part of a text.`,
          hint: 'Make the reference the whole value.',
        },
        place,
      ),
    );
  }

  #refuse(problem: Diagnostic): undefined {
    this.diagnostics.push(problem);
    return undefined;
  }
}

function isText(template: Linked): template is TextTemplate<LinkedPart> {
  return template.kind === 'text' || template.kind === 'literal';
}

/** The pieces with adjacent texts merged. */
function joined(parts: readonly LinkedPart[]): readonly LinkedPart[] {
  const pieces: LinkedPart[] = [];
  for (const part of parts) {
    const last = pieces.at(-1);
    if (part.kind !== 'text' || last?.kind !== 'text') pieces.push(part);
    else pieces[pieces.length - 1] = { kind: 'text', text: last.text + part.text };
  }
  return pieces;
}

/** Characters and pieces: many short pieces take memory too. */
function sizeOf(parts: readonly LinkedPart[]): number {
  return parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 1), 0);
}
