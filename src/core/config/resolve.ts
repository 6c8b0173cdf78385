import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import { didYouMean } from '../findings/words.ts';
import type { Want } from '../model/desired.ts';
import { present } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { hide, reveal, type Secret } from '../model/secret.ts';
import {
  type Choice,
  isChoice,
  isChoiceList,
  type OptionValue,
  type Scalar,
  type WrittenValue,
} from '../model/value.ts';
import {
  type Declaration,
  setterIn,
  type Template,
  type ValueSetter,
} from './declaration.ts';
import type { Entry, NamedValues, WrittenConfig } from './entry.ts';
import {
  filled,
  isTemplate,
  type Reference,
  referencesIn,
  sourceOf,
} from './template.ts';
import { textFlaws } from './text-flaws.ts';

/** What the shell found for the references of a configuration, by their names. What it lacks was not read. */
export interface ReferenceTable {
  readonly env: ReadonlyMap<string, Found>;
  readonly file: ReadonlyMap<string, Found>;
}

/** Why there is no text. */
interface Missing {
  readonly reason: string;
  readonly hint?: string | undefined;
  readonly code?: string | undefined;
}

/** Whether a variable is not set, or a file is not there. */
function isMissing(found: Found): boolean {
  if ('text' in found) return false;
  return found.reason === 'missing' || found.code === 'ENOENT';
}

/** The text of a variable or a file, or why there is none. */
type Found = { readonly text: Secret<string> } | Missing;

/** A file that references name, by its path: its text, or why it has none. */
type ReadFile = readonly [path: string, { readonly text: string } | Missing];

/** A value with its references replaced. */
export interface ResolvedValue {
  /** Undefined if a reference is missing: `problems` says which. */
  readonly want: Want | undefined;
  /** Whether a part came from `env` or `file`, or is a fallback for it. */
  readonly isFromOutside: boolean;
  readonly reference?: string | undefined;
  readonly hasFallback?: boolean | undefined;
  readonly files?: ReadonlyMap<string, string> | undefined;
  readonly members?: readonly Place[] | undefined;
  readonly problems: readonly Diagnostic[];
  /** Warnings of what its references hold. */
  readonly remarks: readonly Diagnostic[];
}

/** An entry with its values. */
export interface ResolvedEntry extends Entry {
  /** Those of its values that are not what is written. */
  readonly resolved: ReadonlyMap<ValueSetter, ResolvedValue>;
}

/** The configuration of one server with all values, ordered by name. */
export type ResolvedConfig = readonly ResolvedEntry[];

/** What references mean, from the environment and the files that were read. An empty variable counts as missing. */
export function referenceTable(
  { env: names }: OutsideReferences,
  env: Readonly<Record<string, string | undefined>>,
  isAllowed: (name: string) => boolean,
  files: readonly ReadFile[],
): ReferenceTable {
  const table = {
    env: new Map<string, Found>(),
    file: new Map<string, Found>(),
  };
  for (const name of names.keys()) {
    const given = Object.hasOwn(env, name) ? env[name] : undefined;
    const found = foundText(given ?? '', 'missing');
    table.env.set(name, isAllowed(name) ? found : { reason: 'forbidden' });
  }
  for (const [path, found] of files) {
    // A secret that was not filled in must not empty that of the server.
    const isRead = 'text' in found;
    table.file.set(path, isRead ? foundText(found.text, 'it is empty') : found);
  }
  return table;
}

/** A text without a byte order mark and one final line end; `reason` says that nothing is left. */
function foundText(given: string, reason: string): Found {
  const text = given.replace(/^\ufeff/, '').replace(/\r?\n$/, '');
  return text === '' ? { reason } : { text: hide(text) };
}

/** A text as a variable must hold it, so that a reference to it reads the same. */
export function framed(text: string): string {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const end = text.endsWith('\n') ? '\n' : '';
  return `${mark}${text}${end}`;
}

/** The variables and files that a configuration refers to, by name; true if a text is to be masked. */
export interface OutsideReferences {
  readonly env: ReadonlyMap<string, boolean>;
  readonly file: ReadonlyMap<string, boolean>;
}

/**
 * Finds the variables and files that a configuration refers to. The text of
 * one is masked if it is used elsewhere than under `sensitive: false`.
 */
export function outsideReferences({
  entries,
  values,
}: WrittenConfig): OutsideReferences {
  const found = {
    env: new Map<string, boolean>(),
    file: new Map<string, boolean>(),
  };
  for (const { options } of entries) {
    for (const about of options.values()) {
      const setter = templateIn(about);
      if (setter === undefined) continue;
      const mark = setterIn(about, 'sensitive')?.value;
      for (const { kind, name } of outsideParts(setter.value, values)) {
        const isMasked = found[kind].get(name) === true || mark !== false;
        found[kind].set(name, isMasked);
      }
    }
  }
  return found;
}

/** The declaration of a value, if its text may hold references. */
function templateIn(about: readonly Declaration[]): ValueSetter | undefined {
  const setter = setterIn(about, 'value');
  if (setter === undefined || !isTemplate(setter.value)) return undefined;
  return setter;
}

/** A reference to something outside the configuration. */
type OutsidePart = Reference & { readonly kind: 'env' | 'file' };

/** Whether any part of a value comes from the environment or a file. */
export function isFromOutside(
  value: WrittenValue,
  values: NamedValues,
): boolean {
  return isTemplate(value) && outsideParts(value, values).length > 0;
}

/** The references to the environment and files in a value and in its named values. */
function outsideParts(value: WrittenValue, values: NamedValues): OutsidePart[] {
  const parts: OutsidePart[] = [];
  for (const { kind, ...rest } of referencesIn(value)) {
    if (kind !== 'value') {
      parts.push({ kind, ...rest });
      continue;
    }
    const named = values.get(rest.name)?.value ?? '';
    parts.push(...outsideParts(named, values));
  }
  return parts;
}

/**
 * Replaces the references of all values. If one is not set or was not read, those of its value stay as they are written: only
 * an apply shows whether it is needed. `digests`, those of files by path, are given to compare with a base: then values from
 * outside are also kept as they are written.
 */
export function resolveConfig(
  { entries, values }: WrittenConfig,
  table?: ReferenceTable,
  digests?: ReadonlyMap<string, string>,
): ResolvedConfig {
  const resolver = new Resolver(values, table, digests);
  return entries.map((entry) => {
    const resolved = new Map<ValueSetter, ResolvedValue>();
    for (const about of entry.options.values()) {
      const setter = templateIn(about);
      if (setter === undefined) continue;
      resolved.set(setter, resolver.resolve(setter));
    }
    return { ...entry, resolved };
  });
}

/** The value of a declaration of an entry. */
export function resolvedIn(
  { resolved }: ResolvedEntry,
  setter: ValueSetter,
): ResolvedValue {
  return resolved.get(setter) ?? literalValue(setter);
}

const NO_FINDINGS: readonly Diagnostic[] = [];

/** A value without references: it means what is written. */
function literalValue({ value: written, members }: Template): ResolvedValue {
  const value = isChoiceList(written) ? written.map(asChoice) : written;
  return {
    want: { kind: 'literal', value },
    isFromOutside: false,
    members,
    problems: NO_FINDINGS,
    remarks: NO_FINDINGS,
  };
}

/** A value to fill, with the places of its members: at the option, and where their texts are written. */
interface Whole {
  readonly value: WrittenValue;
  readonly placeOf: (index: number) => Place;
  readonly writtenAt: (index: number) => Place;
}

/** How a value is filled. */
interface Way {
  /** True if references to the outside stay as they are written. */
  readonly keepsReferences: boolean;
  /** False to fill a value again: its composed text has been counted. */
  readonly counts: boolean;
}

/** A value while it is filled. */
interface Filling extends Way {
  readonly problems: Diagnostic[];
  readonly remarks: Diagnostic[];
}

/** A filled value; it is of no use if there are problems. */
interface FilledValue {
  readonly value: OptionValue;
  readonly problems: readonly Diagnostic[];
  readonly remarks: readonly Diagnostic[];
}

/** Where a text belongs: to an option, and where it is written, there or in a named value. */
interface TextPlaces {
  readonly at: Place;
  readonly writtenAt: Place;
}

/** The references of a value to the outside. */
interface References {
  readonly outside: readonly OutsidePart[];
  /** Those that are not set, or were not read, as they are written. */
  readonly unset: readonly string[];
}

/** How much text named values may add up to: a few lines can ask for more than there is memory. */
const MOST_COMPOSED = 4 * 1024 * 1024;

/** Puts in named values, and what the references to the outside mean. */
export class Resolver {
  readonly #values: NamedValues;
  readonly #table: ReferenceTable;
  /** Undefined without a base. */
  readonly #digests: ReadonlyMap<string, string> | undefined;
  readonly #hasBase: boolean;
  #composed = 0;

  constructor(
    values: NamedValues,
    table = NOTHING_READ,
    digests?: ReadonlyMap<string, string>,
  ) {
    this.#values = values;
    this.#table = table;
    this.#digests = digests;
    this.#hasBase = digests !== undefined;
  }

  resolve(template: Template): ResolvedValue {
    const { value: written, members: own, place } = template;
    if (!isTemplate(written)) return literalValue(template);
    const outside = outsideParts(written, this.#values);
    const named = this.#namedBy(written);
    const { value: whole, members } = named ?? { value: written, members: own };
    const toFill: Whole = {
      value: whole,
      placeOf: (index) => members?.[index] ?? place,
      writtenAt: (index) => members?.[index] ?? named?.place ?? place,
    };
    const unset = this.#unsetIn(outside);
    const keepsReferences = unset.length > 0;
    const filledValue = this.#fill(toFill, { keepsReferences, counts: true });
    // An empty fallback is no secret.
    const hasFallback =
      outside.some(({ fallback = '' }) => fallback !== '') || undefined;
    return {
      want: this.#wantOf(filledValue, toFill, { outside, unset }),
      isFromOutside: outside.length > 0,
      reference: sourceOf(written),
      hasFallback,
      files: this.#digestsOf(outside),
      members,
      problems: filledValue.problems,
      remarks: filledValue.remarks,
    };
  }

  /** The references that are not set, or were not read, as they are written. */
  #unsetIn(outside: readonly OutsidePart[]): string[] {
    const unset = new Set<string>();
    for (const reference of outside) {
      const { kind, name, fallback, source } = reference;
      const found = this.#table[kind].get(name);
      const isUnset = found === undefined || isMissing(found);
      const isFallback = found !== undefined && fallback !== undefined;
      if (isUnset && !isFallback) unset.add(source);
    }
    return [...unset];
  }

  /** The digests of the files among references, as far as they are known. */
  #digestsOf(
    outside: readonly OutsidePart[],
  ): ReadonlyMap<string, string> | undefined {
    if (this.#digests === undefined) return undefined;
    const digests = new Map<string, string>();
    for (const { kind, name } of outside) {
      const digest = this.#digests.get(name);
      if (kind === 'file' && digest !== undefined) digests.set(name, digest);
    }
    return digests;
  }

  /** What is asked of a filled value; undefined if it has problems. */
  #wantOf(
    { value, problems }: FilledValue,
    whole: Whole,
    { outside, unset }: References,
  ): Want | undefined {
    if (problems.length > 0) return undefined;
    if (unset.length > 0) return { kind: 'unread', written: value, unset };
    if (outside.length === 0) return { kind: 'literal', value };
    // A base compares values with their references as they are written.
    const way = { keepsReferences: true, counts: false };
    const written = this.#hasBase ? this.#fill(whole, way).value : undefined;
    return { kind: 'resolved', value: hide(value), written };
  }

  /** Fills a value as an option could store it: members of a list are choices, by their values if they have no displays. */
  #fill(whole: Whole, way: Way): FilledValue {
    const filling: Filling = { ...way, problems: [], remarks: [] };
    const { value } = whole;
    const content = isChoiceList(value)
      ? value.map((member, index) =>
          asChoice(this.#fillMember(member, index, whole, filling)),
        )
      : this.#fillMember(value, 0, whole, filling);
    return { ...filling, value: content };
  }

  #fillMember(
    member: Scalar | Choice,
    index: number,
    whole: Whole,
    filling: Filling,
  ): Scalar | Choice {
    const places = {
      at: whole.placeOf(index),
      writtenAt: whole.writtenAt(index),
    };
    if (isChoice(member)) {
      const display = this.#fillText(member.display, places, filling);
      const value = this.#fillText(member.value, places, filling);
      return { display, value };
    }
    if (typeof member !== 'string') return member;
    return this.#fillText(member, places, filling);
  }

  #fillText(text: string, places: TextPlaces, filling: Filling): string {
    return filled(text, (reference) =>
      reference.kind === 'value'
        ? this.#fillNamed(reference, places, filling)
        : this.#fillOutside(reference, places, filling),
    );
  }

  #fillNamed(
    reference: Reference,
    { at }: TextPlaces,
    filling: Filling,
  ): string {
    const found = this.#namedText(reference, at);
    if (typeof found !== 'string') {
      filling.problems.push(found);
      return '';
    }
    if (filling.counts) this.#composed += found.length;
    if (this.#composed > MOST_COMPOSED) {
      const facts = { of: 'characters in a value', limit: MOST_COMPOSED };
      filling.problems.push(diagnostic('too-large', facts, at));
      return '';
    }
    const writtenAt = this.#values.get(reference.name)?.place ?? at;
    return this.#fillText(found, { at, writtenAt }, filling);
  }

  #fillOutside(
    reference: Reference,
    { at, writtenAt }: TextPlaces,
    filling: Filling,
  ): string {
    for (const flaw of this.#flawsOf(reference, writtenAt)) {
      const isError = hasErrors([flaw]);
      (isError ? filling.problems : filling.remarks).push(flaw);
    }
    const refused = this.#refusalOf(reference, at);
    if (refused !== undefined) {
      filling.problems.push(refused);
      return '';
    }
    if (filling.keepsReferences) return reference.source;
    return this.#outsideText(reference);
  }

  /** What is wrong with the text of a reference; the finding is at `place`. */
  #flawsOf(reference: Reference, place: Place): readonly Diagnostic[] {
    const { kind, name } = reference;
    const found = this.#foundFor(reference);
    if (found === undefined || !('text' in found)) return NO_FINDINGS;
    return textFlaws({
      text: reveal(found.text),
      subject: { reference: `\${${kind}:${name}}` },
      place,
      isSecret: true,
    });
  }

  /** The named value that is all of a value. */
  #namedBy(value: WrittenValue): Template | undefined {
    if (typeof value !== 'string') return undefined;
    const [, name = ''] = /^\$\{value:([\w-]+)\}$/.exec(value) ?? [];
    const named = this.#values.get(name);
    if (named === undefined || named.value === null) return undefined;
    return { ...named, value: named.value };
  }

  /** The text of a named value, or why it cannot be a part of a text. */
  #namedText({ name, source }: Reference, place: Place): string | Diagnostic {
    const { value = null } = this.#values.get(name) ?? {};
    if (value === null) {
      const hint = didYouMean(name, [...this.#values.keys()]);
      const facts = { needed: [source], ...present({ hint }) };
      return diagnostic('reference-missing', facts, place);
    }
    if (typeof value === 'object') {
      return diagnostic('reference-syntax', MISFIT, place);
    }
    return String(value);
  }

  /** Why a reference can never be read: its name is not allowed, or its file cannot be used. */
  #refusalOf(reference: Reference, place: Place): Diagnostic | undefined {
    const found = this.#foundFor(reference);
    if (found === undefined || 'text' in found) return undefined;
    if (isMissing(found)) return undefined;
    const { kind, name, source } = reference;
    if (kind === 'env') {
      return diagnostic('reference-not-allowed', { name }, place);
    }
    const { reason, hint } = found;
    const facts = { path: source, reason, ...present({ hint }) };
    return diagnostic('file-unreadable', facts, place);
  }

  /** The text of a reference that is set, or its fallback. */
  #outsideText(reference: Reference): string {
    const found = this.#foundFor(reference);
    if (found !== undefined && 'text' in found) return reveal(found.text);
    return reference.fallback ?? '';
  }

  /** What the shell found for a reference. */
  #foundFor({ kind, name }: Reference): Found | undefined {
    return kind === 'value' ? undefined : this.#table[kind].get(name);
  }
}

const NOTHING_READ: ReferenceTable = { env: new Map(), file: new Map() };

function asChoice(member: Scalar | Choice): Choice {
  if (isChoice(member)) return member;
  const text = String(member);
  return { display: text, value: text };
}

const MISFIT = {
  problem: 'A select or a list cannot be a part of another value.',
  hint: 'Make the reference the whole value.',
};
