import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { WrittenValue } from '../model/desired.ts';
import { nearNames } from '../model/near-names.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import { type Choice, isChoice, type Scalar } from '../model/value.ts';
import { asWrittenValue, type WrittenField } from './entry.ts';
import type { MergedConfig } from './layers.ts';
import { isLiteral, parseTemplate, type Reference, referencesIn, type TemplatePart } from './reference.ts';
import { partOf, type Spot, spotOf } from './spot.ts';
import { namesIn, valueOrder } from './value-order.ts';

/** What the shell found for references; a name that is not in a map was not asked for. */
export interface ReferenceTable {
  /** The value of each environment variable, or why there is none. An empty variable counts as missing. */
  readonly env: ReadonlyMap<string, { readonly text: string } | { readonly reason: 'missing' | 'forbidden' }>;
  /** The text of each referenced file, or why it cannot be read. */
  readonly file: ReadonlyMap<string, { readonly text: string } | { readonly reason: string }>;
}

/** A reference to the world outside the configuration. */
export interface OutsideReference {
  readonly kind: 'env' | 'file';
  readonly name: string;
}

/** A value with its references replaced. */
export interface ResolvedValue {
  readonly value: WrittenValue;
  /** True where a part comes from the environment or a file, or is a fallback for it: the reference is shown then. */
  readonly sensitive: boolean;
  /** True where a part really came from there. A fallback stands in the YAML for everybody to read. */
  readonly secret?: true;
  /** The text as written; absent where it holds no reference. */
  readonly reference?: string;
  /** True where the environment or a file was not read for it: `value` says nothing then. */
  readonly unread?: true;
}

/** All environment variables and files that the managed values need, directly or through `values`; each once. */
export function outsideReferences(config: MergedConfig): OutsideReference[] {
  const seen = new Set<string>();
  const found: OutsideReference[] = [];
  const ahead = valueFields(config)
    .flatMap((field) => referencesIn(field.value))
    .reverse();
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { kind, name } = next;
    if (seen.has(`${kind}:${name}`)) continue;
    seen.add(`${kind}:${name}`);
    if (kind === 'value') ahead.push(...referencesIn(config.values.get(name)?.value).reverse());
    else found.push({ kind, name });
  }
  return found;
}

/** Replaces the references of all managed values; finds all that are missing, each at its place. */
export function resolveValues(config: MergedConfig, table: ReferenceTable) {
  const resolver = new Resolver(config, table);
  const fields = valueFields(config);
  resolver.resolveNamed(fields.flatMap((field) => namesIn(field.value)));
  const resolved = new Map<WrittenField, ResolvedValue>();
  for (const field of fields) {
    const value = resolver.resolve(field.value, spotOf(field));
    if (value !== undefined) resolved.set(field, value);
  }
  return { value: resolved as ReadonlyMap<WrittenField, ResolvedValue>, diagnostics: resolver.diagnostics };
}

/** All managed values as they are written, for those who only need to know which fields are managed. */
export function writtenValues(config: MergedConfig): ReadonlyMap<WrittenField, ResolvedValue> {
  return new Map(
    valueFields(config).map((field) => [field, { value: asWrittenValue(field.value), sensitive: false }]),
  );
}

function valueFields(config: MergedConfig): WrittenField[] {
  return config.entries.flatMap((entry) =>
    [...entry.fields].flatMap(([path, field]) =>
      path.endsWith('/value') && field.value !== null ? [field] : [],
    ),
  );
}

/** How much text may be put together of named values: a few lines can ask for more than there is memory. */
const MOST_COMPOSED = 4 * 1024 * 1024;

/** For how many names that are missing a near one is looked for: each is compared with all that are there. */
const MOST_SUGGESTIONS = 100;

class Resolver {
  readonly diagnostics: Diagnostic[] = [];
  readonly #config: MergedConfig;
  readonly #table: ReferenceTable;
  /** The named values; undefined where one could not be resolved, which is found once. */
  readonly #named = new Map<string, ResolvedValue | undefined>();
  #composed = 0;

  constructor(config: MergedConfig, table: ReferenceTable) {
    this.#config = config;
    this.#table = table;
  }

  /** Resolves the named values that these lead to, each once, those first that others refer to. */
  resolveNamed(roots: readonly string[]): void {
    const { order, cycles } = valueOrder(this.#config.values, roots);
    for (const { names, closedBy } of cycles)
      this.#refuse(diagnostic('reference-cycle', { names }, closedBy.place));
    for (const name of order) {
      const field = this.#config.values.get(name);
      if (field !== undefined) this.#named.set(name, this.resolve(field.value, spotOf(field)));
    }
  }

  resolve(raw: unknown, spot: Spot): ResolvedValue | undefined {
    if (typeof raw === 'string') return this.#text(raw, spot.place);
    if (Array.isArray(raw)) return this.#list(raw, spot);
    if (isChoice(raw)) return this.#choice(raw, spot);
    return { value: asWrittenValue(raw), sensitive: false };
  }

  #text(text: string, place: Place): ResolvedValue | undefined {
    const template = parseTemplate(text);
    if (template.problems.length > 0) return this.#wrongText(template.parts, place);
    const [only] = template.parts;
    if (only?.kind === 'value' && template.parts.length === 1) {
      const whole = this.#namedValue(only, place);
      return whole === undefined ? undefined : { ...whole, reference: text };
    }
    const pieces = template.parts.map((part) => this.#piece(part, place));
    if (pieces.some((piece) => piece === undefined)) return undefined;
    const texts = pieces.map((piece) => String(piece?.value));
    if (template.parts.some(({ kind }) => kind === 'value')) {
      this.#composed += texts.reduce((sum, { length }) => sum + length, texts.length);
    }
    if (this.#composed > MOST_COMPOSED)
      return this.#refuse(diagnostic('reference-too-long', { limit: MOST_COMPOSED }, place));
    const value = texts.join('');
    const made = composed(
      value,
      pieces.flatMap((piece) => piece ?? []),
    );
    return isLiteral(template.parts) ? made : { ...made, reference: text };
  }

  /** Of a text with a wrong reference, only what is wrong with the others counts. */
  #wrongText(parts: readonly TemplatePart[], place: Place): undefined {
    for (const part of parts) this.#piece(part, place);
  }

  #piece(part: TemplatePart, place: Place): ResolvedValue | undefined {
    if (part.kind === 'text') return { value: part.text, sensitive: false };
    if (part.kind !== 'value') return this.#outside(part, place);
    const named = this.#namedValue(part, place);
    if (named === undefined || typeof named.value !== 'object') return named;
    return this.#refuse(diagnostic('reference-form', { reference: part.source }, place));
  }

  #outside(part: Exclude<Reference, { kind: 'value' }>, place: Place): ResolvedValue | undefined {
    const { kind, name, source } = part;
    const found = this.#table[kind].get(name) ?? { reason: kind === 'env' ? 'missing' : 'it was not read' };
    if ('text' in found) return { value: found.text, sensitive: true, secret: true, reference: source };
    if (kind === 'file')
      return this.#refuse(diagnostic('reference-file', { reference: source, reason: found.reason }, place));
    if (found.reason === 'forbidden')
      return this.#refuse(diagnostic('reference-not-allowed', { name }, place));
    return part.fallback === undefined
      ? this.#refuse(diagnostic('reference-missing', { reference: source }, place))
      : { value: part.fallback, sensitive: true, reference: source };
  }

  #namedValue(part: Extract<Reference, { kind: 'value' }>, place: Place): ResolvedValue | undefined {
    if (this.#config.values.has(part.name)) return this.#named.get(part.name);
    const isNull = this.#config.nullValues.has(part.name);
    const suggests = !isNull && this.diagnostics.length < MOST_SUGGESTIONS;
    const [near] = suggests ? nearNames(part.name, [...this.#config.values.keys()]) : [];
    const facts = { reference: part.source, ...present({ near }), ...(isNull ? { isNull } : {}) };
    return this.#refuse(diagnostic('reference-missing', facts, place));
  }

  #choice(raw: Choice, spot: Spot): ResolvedValue | undefined {
    const display = this.#text(raw.display, partOf(spot, 'display').place);
    const value = this.#text(raw.value, partOf(spot, 'value').place);
    if (display === undefined || value === undefined) return undefined;
    if (typeof display.value === 'object' || typeof value.value === 'object') {
      return this.#refuse(diagnostic('reference-form', { reference: 'A part of the select' }, spot.place));
    }
    const choice = { display: String(display.value), value: String(value.value) };
    return joined(choice, raw.value, [display, value]);
  }

  #list(raw: readonly unknown[], spot: Spot): ResolvedValue | undefined {
    const items = raw.map((item, index) => this.resolve(item, partOf(spot, index)));
    if (items.some((item) => item === undefined)) return undefined;
    const values = items.flatMap((item) =>
      item === undefined || Array.isArray(item.value) ? [] : [item.value as Scalar | Choice],
    );
    if (values.length < items.length) {
      const { place } = partOf(
        spot,
        items.findIndex((item) => Array.isArray(item?.value)),
      );
      return this.#refuse(diagnostic('reference-form', { reference: 'A member of the list' }, place));
    }
    const text = `[${raw.map((item) => (typeof item === 'string' ? item : '…')).join(', ')}]`;
    const parts = items.flatMap((item) => item ?? []);
    return joined(values, text, parts);
  }

  #refuse(problem: Diagnostic): undefined {
    this.diagnostics.push(problem);
    return undefined;
  }
}

/** A value made of parts; `text` stands for it where one of them holds a reference. */
function joined(value: WrittenValue, text: string, parts: readonly ResolvedValue[]): ResolvedValue {
  const isReference = parts.some(({ reference }) => reference !== undefined);
  return isReference ? { ...composed(value, parts), reference: text } : composed(value, parts);
}

/** A value made of parts, as far as it is a secret. */
function composed(value: WrittenValue, parts: readonly ResolvedValue[]): ResolvedValue {
  const sensitive = parts.some((part) => part.sensitive);
  return parts.some(({ secret }) => secret === true)
    ? { value, sensitive, secret: true }
    : { value, sensitive };
}
