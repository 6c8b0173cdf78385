import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import { didYouMean } from '../findings/words.ts';
import type { Want, WantedValue } from '../model/desired.ts';
import { isOwnCredential } from '../model/own-credential.ts';
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
  partsOf,
  setterIn,
  type Template,
  type ValueSetter,
} from './declaration.ts';
import type { Entry, NamedValues, WrittenConfig } from './entry.ts';
import {
  filled,
  isTemplate,
  namesIn,
  type Reference,
  referencesIn,
  wholeReference,
  writtenReferences,
} from './template.ts';
import { textFlaws } from './text-flaws.ts';

/**
 * The texts of the references of a configuration, by what is in their braces:
 * `env:NAME`. References that it lacks were not read.
 */
export type ReferenceTable = ReadonlyMap<string, Found>;

/** Why a variable or a file is not read, with the remedy if there is one. */
export interface Unread {
  reason: string;
  hint?: string | undefined;
  /**
   * The code of the system, `ENOENT` also for a variable; `ENODATA` if git
   * cannot give its content, `EILSEQ` if it is no text.
   */
  code?: string | undefined;
}

/** The text of a variable or a file, or why there is none. */
type Found = { text: Secret<string> } | Unread;

/** A file that references name, by its path: its text, or why it has none. */
export type ReadFile = readonly [path: string, { text: string } | Unread];

/**
 * Makes the table of references, from the environment and the files that were
 * read. An empty variable counts as missing.
 */
export function referenceTable(
  references: OutsideReferences,
  env: Readonly<Record<string, string | undefined>>,
  isAllowed: (name: string) => boolean,
  files: readonly ReadFile[],
): ReferenceTable {
  const table = new Map<string, Found>();
  for (const [key, { kind, name }] of references) {
    if (kind !== 'env') continue;
    const given = Object.hasOwn(env, name) ? env[name] : undefined;
    const found = foundText(given ?? '', UNSET);
    table.set(key, isAllowed(name) ? found : { reason: 'it is not allowed' });
  }
  for (const [path, found] of files) {
    // A secret that was not filled in must not empty that of the server.
    const isRead = 'text' in found;
    const text = isRead ? foundText(found.text, EMPTY) : found;
    table.set(`file:${path}`, text);
  }
  return table;
}

const UNSET: Unread = { reason: 'it is not set', code: 'ENOENT' };

const EMPTY: Unread = { reason: 'it is empty' };

/**
 * Drops a byte order mark and one final line end; `unread` if nothing is left.
 */
function foundText(given: string, unread: Unread): Found {
  const text = given.replace(/^\ufeff/, '').replace(/\r?\n$/, '');
  return text === '' ? unread : { text: hide(text) };
}

/** Adds what `foundText` drops, so that a reference reads this very text. */
export function framed(text: string): string {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const end = text.endsWith('\n') ? '\n' : '';
  return `${mark}${text}${end}`;
}

/** A variable or a file that a configuration refers to. */
interface OutsideReference extends Reference {
  /**
   * Whether its text is masked: it is used elsewhere than under `sensitive:
   * false`.
   */
  isMasked: boolean;
}

/**
 * The variables and files that a configuration refers to, by what is in their
 * braces.
 */
export type OutsideReferences = ReadonlyMap<string, OutsideReference>;

/** Finds the variables and files that a configuration refers to. */
export function outsideReferences({
  entries,
  values,
}: WrittenConfig): OutsideReferences {
  const found = new Map<string, OutsideReference>();
  for (const about of entries.flatMap(({ options }) => [...options.values()])) {
    const setter = setterIn(about, 'value');
    if (setter === undefined || !isTemplate(setter.value)) continue;
    const isPublic = setterIn(about, 'sensitive')?.value === false;
    for (const reference of outsideIn(setter.value, values)) {
      const key = keyOf(reference);
      const isMasked = !isPublic || found.get(key)?.isMasked === true;
      found.set(key, { ...reference, isMasked });
    }
  }
  return found;
}

function keyOf({ kind, name }: Reference): string {
  return `${kind}:${name}`;
}

/** Whether any part of a value comes from the environment or a file. */
export function isFromOutside(
  { value }: Template,
  values: NamedValues,
): boolean {
  return outsideIn(value, values).length > 0;
}

/**
 * The references to the environment and files in a value and in its named
 * values, which refer to no other ones.
 */
function outsideIn(value: WrittenValue, values: NamedValues): Reference[] {
  return referencesIn(value).flatMap((reference) => {
    if (reference.kind !== 'value') return reference;
    const named = values.get(reference.name);
    return named === undefined ? [] : outsideIn(named.value, values);
  });
}

/** Finds named values that are missing, or cannot be a part of a text. */
function namedFlaws(
  { value, place }: Template,
  values: NamedValues,
): Diagnostic[] {
  const flaws: Diagnostic[] = [];
  for (const name of namesIn(value)) {
    const named = values.get(name)?.value;
    if (named === undefined) {
      const hint = didYouMean(name, [...values.keys()]);
      const facts = { needed: [`\${value:${name}}`], hint };
      flaws.push(diagnostic('reference-missing', facts, place));
    } else if (typeof named === 'object') {
      flaws.push(diagnostic('reference-syntax', MISFIT, place));
    }
  }
  return flaws;
}

const MISFIT = {
  problem: 'A select or a list cannot be a part of another value.',
  hint: 'Make the reference the whole value.',
};

/** How many characters named values put into a value. */
export function namedLength({ value }: Template, values: NamedValues): number {
  let length = 0;
  for (const { kind, name } of referencesIn(value)) {
    const named = kind === 'value' ? values.get(name) : undefined;
    length += String(named?.value ?? '').length;
  }
  return length;
}

/** A value with its references replaced, and the findings about these. */
export interface ResolvedValue {
  /** Undefined if a reference cannot be used. */
  wanted?: WantedValue | undefined;
  /** Why not, or warnings about the texts of its references. */
  findings: readonly Diagnostic[];
}

/** An entry with its values. */
export interface ResolvedEntry extends Entry {
  /** Its values with references. */
  resolved: ReadonlyMap<ValueSetter, ResolvedValue>;
}

/** The configuration of one server with all values, ordered by name. */
export type ResolvedConfig = readonly ResolvedEntry[];

/** What references mean. */
interface Sources {
  values: NamedValues;
  /** What variables and files hold, as far as they were read. */
  table?: ReferenceTable | undefined;
  /** The digests of files by path, to compare with a base. */
  digests?: ReadonlyMap<string, string> | undefined;
}

/**
 * Replaces the references of all values. If one is not set or was not read,
 * those of its value stay as they are written: only an apply shows whether it
 * is needed.
 */
export function resolveConfig(
  { entries, values }: WrittenConfig,
  table?: ReferenceTable,
  digests?: ReadonlyMap<string, string>,
): ResolvedConfig {
  const sources = { values, table, digests };
  return entries.map((entry) => {
    const resolved = new Map<ValueSetter, ResolvedValue>();
    for (const about of entry.options.values()) {
      const setter = setterIn(about, 'value');
      if (setter !== undefined && isTemplate(setter.value))
        resolved.set(setter, resolveValue(setter, sources));
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
function literalValue({ value, members }: Template): ResolvedValue {
  const want = { kind: 'literal', value: optionValue(value) } as const;
  return { wanted: { want, members }, findings: [] };
}

/** Puts named values into a value, and the texts of its references. */
export function resolveValue(
  template: Template,
  { values, table, digests }: Sources,
): ResolvedValue {
  const { value: written } = template;
  if (!isTemplate(written)) return literalValue(template);
  const { kind, name = '' } = wholeReference(written) ?? {};
  const whole = (kind === 'value' && values.get(name)) || template;
  const outside = outsideIn(whole.value, values);
  const findings = namedFlaws(whole, values);
  for (const { part, place } of partsOf(whole)) {
    for (const reference of outsideIn(part, values))
      findings.push(...flawsOf(reference, place, table));
  }
  if (hasErrors(findings)) return { findings };
  const files = new Map<string, string>();
  for (const { kind, name } of outside) {
    const digest = digests?.get(name);
    if (kind === 'file' && digest !== undefined) files.set(name, digest);
  }
  const wanted = {
    want: wantOf(whole.value, outside, { values, table }),
    reference: writtenReferences(written),
    // An empty fallback is no secret.
    hasFallback: outside.some(({ fallback = '' }) => fallback !== ''),
    files,
    members: whole.members,
  };
  return { wanted, findings };
}

/** Finds why a reference can never be read, or the flaws of its text. */
function flawsOf(
  reference: Reference,
  place: Place,
  table: ReferenceTable | undefined,
): Diagnostic[] {
  const { kind, name, source } = reference;
  const barred = diagnostic('reference-not-allowed', { name }, place);
  if (kind === 'env' && isOwnCredential(name)) return [barred];
  const key = keyOf(reference);
  const found = table?.get(key);
  if (found === undefined) return [];
  if ('text' in found) {
    const subject = { reference: `\${${key}}` };
    const text = reveal(found.text);
    return textFlaws(text, { subject, place, isSecret: () => true });
  }
  const { reason, hint, code } = found;
  // It may be set, or be there, when an apply needs it.
  if (code === 'ENOENT') return [];
  if (kind === 'env') return [barred];
  const facts = { path: source, reason, hint };
  return [diagnostic('file-unreadable', facts, place)];
}

/** The wanted value, if all of its references can be used. */
function wantOf(
  value: WrittenValue,
  outside: readonly Reference[],
  { values, table }: Sources,
): Want {
  const put = (textOf: (reference: Reference) => string): OptionValue => {
    const fill = (text: string): string =>
      filled(text, (reference) => {
        const { kind, name } = reference;
        if (kind !== 'value') return textOf(reference);
        return fill(String(values.get(name)?.value));
      });
    return optionValue(mapTexts(value, fill));
  };
  const written = put(({ source }) => source);
  if (outside.length === 0) return { kind: 'literal', value: written };
  const textOf = (reference: Reference): string | undefined => {
    const found = table?.get(keyOf(reference));
    if (found === undefined) return undefined;
    return 'text' in found ? reveal(found.text) : reference.fallback;
  };
  const unset = new Set<string>();
  for (const reference of outside) {
    if (textOf(reference) === undefined) unset.add(reference.source);
  }
  if (unset.size > 0) return { kind: 'unread', written, unset: [...unset] };
  const whole = put((reference) => textOf(reference) ?? '');
  return { kind: 'resolved', value: hide(whole), written };
}

/** A value with other texts; those of the members of a list. */
function mapTexts(
  value: WrittenValue,
  replace: (text: string) => string,
): WrittenValue {
  const replaced = (member: Scalar | Choice): Scalar | Choice => {
    if (isChoice(member)) {
      return { display: replace(member.display), value: replace(member.value) };
    }
    return typeof member === 'string' ? replace(member) : member;
  };
  return isChoiceList(value) ? value.map(replaced) : replaced(value);
}

/**
 * A value as an option could store it: members of a list are choices, by their
 * values if they have no displays.
 */
function optionValue(value: WrittenValue): OptionValue {
  return isChoiceList(value) ? value.map(asChoice) : value;
}

function asChoice(member: Scalar | Choice): Choice {
  if (isChoice(member)) return member;
  const text = String(member);
  return { display: text, value: text };
}
