import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import { didYouMean } from '../findings/words.ts';
import type { Want, WantedValue } from '../model/desired.ts';
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
import { setterIn, type Template, type ValueSetter } from './declaration.ts';
import type { Entry, NamedValues, WrittenConfig } from './entry.ts';
import {
  filled,
  isTemplate,
  type Reference,
  referencesIn,
  sourceOf,
} from './template.ts';
import { textFlaws } from './text-flaws.ts';

/** The texts of the references of a configuration, by their names. References that it lacks were not read. */
export interface ReferenceTable {
  readonly env: ReadonlyMap<string, Found>;
  readonly file: ReadonlyMap<string, Found>;
}

/** Why a variable or a file is not read, with the remedy if there is one. */
export interface Unread {
  readonly reason: string;
  readonly hint?: string | undefined;
  /** The code of the system; `ENODATA` if git cannot give its content, `EILSEQ` if it is no text. */
  readonly code?: string | undefined;
}

/** The text of a variable or a file, or why there is none. */
type Found = { readonly text: Secret<string> } | Unread;

/** A file that references name, by its path: its text, or why it has none. */
export type ReadFile = readonly [
  path: string,
  { readonly text: string } | Unread,
];

/** A value with its references replaced, and the findings about these. */
export interface ResolvedValue {
  /** Undefined if a reference cannot be used. */
  readonly wanted?: WantedValue | undefined;
  /** Why not, or warnings about the texts of its references. */
  readonly findings: readonly Diagnostic[];
}

/** An entry with its values. */
export interface ResolvedEntry extends Entry {
  /** Its values with references. */
  readonly resolved: ReadonlyMap<ValueSetter, ResolvedValue>;
}

/** The configuration of one server with all values, ordered by name. */
export type ResolvedConfig = readonly ResolvedEntry[];

/** Makes the table of references, from the environment and the files that were read. An empty variable counts as missing. */
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

/** Drops a byte order mark and one final line end; `reason` tells why nothing is left. */
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
      const value = setterIn(about, 'value')?.value ?? '';
      for (const { kind, name } of outsideParts(value, values)) {
        const mark = setterIn(about, 'sensitive')?.value;
        const isMasked = found[kind].get(name) === true || mark !== false;
        found[kind].set(name, isMasked);
      }
    }
  }
  return found;
}

/** A reference to something outside the configuration. */
type OutsidePart = Reference & { readonly kind: 'env' | 'file' };

function isOutside(reference: Reference): reference is OutsidePart {
  return reference.kind !== 'value';
}

/** Whether any part of a value comes from the environment or a file. */
export function isFromOutside(
  value: WrittenValue,
  values: NamedValues,
): boolean {
  return outsideParts(value, values).length > 0;
}

/** The references to the environment and files in a value and in its named values. */
function outsideParts(value: WrittenValue, values: NamedValues): OutsidePart[] {
  return referencesIn(value).flatMap((reference) => {
    if (isOutside(reference)) return reference;
    return outsideParts(values.get(reference.name)?.value ?? '', values);
  });
}

/**
 * Replaces the references of all values. If one is not set or was not read, those of its value stay as they are written: only
 * an apply shows whether it is needed. `digests`, those of files by path, are given to compare with a base.
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
      const setter = setterIn(about, 'value');
      if (setter === undefined || !isTemplate(setter.value)) continue;
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

/** A value without references, as it is written. */
function literalValue({ value: written, members }: Template): ResolvedValue {
  const value = isChoiceList(written) ? written.map(asChoice) : written;
  const want = { kind: 'literal', value } as const;
  return { wanted: { want, members }, findings: [] };
}

/** A reference in the value of an option. */
interface UsedReference {
  readonly reference: Reference;
  /** The place of the value, or of its member. */
  readonly place: Place;
  /** The place of the text with the reference: there, or in a named value. */
  readonly writtenAt: Place;
}

/** How much text named values may add up to: a few lines can ask for more than there is memory. */
const MOST_COMPOSED = 4 * 1024 * 1024;

/** Puts in named values, and the texts of references to the outside. */
export class Resolver {
  readonly #values: NamedValues;
  readonly #table: ReferenceTable;
  readonly #digests: ReadonlyMap<string, string>;
  #composed = 0;

  constructor(
    values: NamedValues,
    table = NOTHING_READ,
    digests: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#values = values;
    this.#table = table;
    this.#digests = digests;
  }

  resolve(template: Template): ResolvedValue {
    if (!isTemplate(template.value)) return literalValue(template);
    const whole = this.#namedBy(template.value) ?? template;
    const used = this.#referencesOf(whole, template.place);
    const findings = used.flatMap((reference) => this.#flawsOf(reference));
    if (hasErrors(findings)) return { findings };
    const outside = used.map(({ reference }) => reference).filter(isOutside);
    const files = new Map<string, string>();
    for (const { kind, name } of outside) {
      const digest = this.#digests.get(name);
      if (kind === 'file' && digest !== undefined) files.set(name, digest);
    }
    const wanted = {
      want: this.#wantOf(whole.value, outside),
      reference: sourceOf(template.value),
      // An empty fallback is no secret.
      hasFallback: outside.some(({ fallback = '' }) => fallback !== ''),
      files,
      members: whole.members,
    };
    return { wanted, findings };
  }

  /** The named value that is all of a value. */
  #namedBy(value: WrittenValue): Template | undefined {
    if (typeof value !== 'string') return undefined;
    const [, name = ''] = /^\$\{value:([\w-]+)\}$/.exec(value) ?? [];
    const named = this.#values.get(name);
    if (named === undefined || named.value === null) return undefined;
    return { ...named, value: named.value };
  }

  /** Lists the references in a value, and those in its named values. */
  #referencesOf(whole: Template, place: Place): UsedReference[] {
    const used: UsedReference[] = [];
    const { value, members } = whole;
    const parts = isChoiceList(value) ? value : [value];
    for (const [index, part] of parts.entries()) {
      const at = members?.[index] ?? place;
      const writtenAt = members?.[index] ?? whole.place;
      for (const reference of referencesIn(part)) {
        used.push({ reference, place: at, writtenAt });
        if (isOutside(reference)) continue;
        const named = this.#values.get(reference.name);
        for (const inner of referencesIn(named?.value ?? '')) {
          const namedAt = named?.place ?? at;
          used.push({ reference: inner, place: at, writtenAt: namedAt });
        }
      }
    }
    return used;
  }

  /** Finds why a reference can never be read, or the flaws of its text. */
  #flawsOf({ reference, place, writtenAt }: UsedReference): Diagnostic[] {
    if (!isOutside(reference)) return this.#flawsOfNamed(reference, place);
    const { kind, name, source } = reference;
    const found = this.#table[kind].get(name);
    if (found === undefined) return [];
    if ('text' in found) {
      return textFlaws({
        text: reveal(found.text),
        subject: { reference: `\${${kind}:${name}}` },
        place: writtenAt,
        isSecret: true,
      });
    }
    const { reason, hint, code } = found;
    // It may be set, or be there, when an apply needs it.
    if (reason === 'missing' || code === 'ENOENT') return [];
    if (kind === 'env') {
      return [diagnostic('reference-not-allowed', { name }, place)];
    }
    const facts = { path: source, reason, hint };
    return [diagnostic('file-unreadable', facts, place)];
  }

  /** Why a named value cannot be a part of a text. */
  #flawsOfNamed({ name, source }: Reference, place: Place): Diagnostic[] {
    const { value = null } = this.#values.get(name) ?? {};
    if (value === null) {
      const hint = didYouMean(name, [...this.#values.keys()]);
      const facts = { needed: [source], hint };
      return [diagnostic('reference-missing', facts, place)];
    }
    if (typeof value === 'object') {
      return [diagnostic('reference-syntax', MISFIT, place)];
    }
    this.#composed += String(value).length;
    if (this.#composed <= MOST_COMPOSED) return [];
    const facts = { of: 'characters in a value', limit: MOST_COMPOSED };
    return [diagnostic('too-large', facts, place)];
  }

  /** The wanted value, if all of its references can be used. */
  #wantOf(value: WrittenValue, outside: readonly OutsidePart[]): Want {
    const written = this.#fill(value, ({ source }) => source);
    if (outside.length === 0) return { kind: 'literal', value: written };
    const unset = outside.filter((part) => this.#textOf(part) === undefined);
    if (unset.length > 0) {
      const sources = new Set(unset.map(({ source }) => source));
      return { kind: 'unread', written, unset: [...sources] };
    }
    const whole = this.#fill(value, (part) => this.#textOf(part) ?? '');
    return { kind: 'resolved', value: hide(whole), written };
  }

  /** The text of a reference, or its fallback; undefined if it is not set, or was not read. */
  #textOf({ kind, name, fallback }: OutsidePart): string | undefined {
    const found = this.#table[kind].get(name);
    if (found === undefined) return undefined;
    return 'text' in found ? reveal(found.text) : fallback;
  }

  /** A value as an option could store it: members of a list are choices, by their values if they have no displays. */
  #fill(
    value: WrittenValue,
    textOf: (reference: OutsidePart) => string,
  ): OptionValue {
    const fill = (text: string): string =>
      filled(text, (reference) => {
        if (isOutside(reference)) return textOf(reference);
        return fill(String(this.#values.get(reference.name)?.value));
      });
    if (!isChoiceList(value)) return filledMember(value, fill);
    return value.map((member) => asChoice(filledMember(member, fill)));
  }
}

const NOTHING_READ: ReferenceTable = { env: new Map(), file: new Map() };

function filledMember(
  member: Scalar | Choice,
  fill: (text: string) => string,
): Scalar | Choice {
  if (isChoice(member)) {
    return { display: fill(member.display), value: fill(member.value) };
  }
  return typeof member === 'string' ? fill(member) : member;
}

function asChoice(member: Scalar | Choice): Choice {
  if (isChoice(member)) return member;
  const text = String(member);
  return { display: text, value: text };
}

const MISFIT = {
  problem: 'A select or a list cannot be a part of another value.',
  hint: 'Make the reference the whole value.',
};
