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
  for (const about of entries.flatMap(({ options }) => [...options.values()])) {
    const setter = setterIn(about, 'value');
    if (setter === undefined) continue;
    for (const { kind, name } of outsideIn(setter, values)) {
      const isMasked = setterIn(about, 'sensitive')?.value !== false;
      found[kind].set(name, isMasked || found[kind].get(name) === true);
    }
  }
  return found;
}

/** A reference, and the place of its value, list member or named value. */
interface PlacedReference extends Reference {
  readonly place: Place;
}

interface OutsideReference extends PlacedReference {
  readonly kind: 'env' | 'file';
}

/** Whether any part of a value comes from the environment or a file. */
export function isFromOutside(
  template: Template,
  values: NamedValues,
): boolean {
  return outsideIn(template, values).length > 0;
}

/** The references to the environment and files in a value and in its named values. */
function outsideIn(
  template: Template,
  values: NamedValues,
): OutsideReference[] {
  return placedReferences(template).flatMap((reference) => {
    const { kind, name } = reference;
    if (kind !== 'value') return { ...reference, kind };
    const named = values.get(name);
    return named === undefined ? [] : outsideIn(named, values);
  });
}

function placedReferences(template: Template): PlacedReference[] {
  const { value, place: around, members = [] } = template;
  if (!isTemplate(value)) return [];
  const parts = isChoiceList(value) ? value : [value];
  return parts.flatMap((part, at) => {
    const place = members[at] ?? around;
    return referencesIn(part).map((reference) => ({ ...reference, place }));
  });
}

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

/** What references mean. */
interface Sources {
  readonly values: NamedValues;
  /** What variables and files hold, as far as they were read. */
  readonly table?: ReferenceTable | undefined;
  /** The digests of files by path, to compare with a base. */
  readonly digests?: ReadonlyMap<string, string> | undefined;
}

/**
 * Replaces the references of all values. If one is not set or was not read, those of its value stay as they are written: only
 * an apply shows whether it is needed.
 */
export function resolveConfig(
  { entries, values }: WrittenConfig,
  table?: ReferenceTable,
  digests?: ReadonlyMap<string, string>,
): ResolvedConfig {
  const sources = { values, table, digests };
  let composed = 0;
  return entries.map((entry) => {
    const resolved = new Map<ValueSetter, ResolvedValue>();
    for (const about of entry.options.values()) {
      const setter = setterIn(about, 'value');
      if (setter === undefined || !isTemplate(setter.value)) continue;
      composed += namedLength(setter, values);
      if (composed <= MOST_COMPOSED) {
        resolved.set(setter, resolveValue(setter, sources));
        continue;
      }
      const facts = { of: 'characters of named values', limit: MOST_COMPOSED };
      const findings = [diagnostic('too-large', facts, setter.place)];
      resolved.set(setter, { findings });
    }
    return { ...entry, resolved };
  });
}

/** How many characters named values may fill in all values together: a short file can name a long text often. */
const MOST_COMPOSED = 4 * 1024 * 1024;

/** How many characters named values fill in a value. */
function namedLength(template: Template, values: NamedValues): number {
  let length = 0;
  for (const { kind, name } of placedReferences(template)) {
    const { value } = (kind === 'value' && values.get(name)) || {};
    if (typeof value === 'string') length += value.length;
  }
  return length;
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

/** Puts named values into a value, and the texts of its references. */
export function resolveValue(
  template: Template,
  sources: Sources,
): ResolvedValue {
  const { values, table, digests } = sources;
  if (!isTemplate(template.value)) return literalValue(template);
  const whole = namedBy(template.value, values) ?? template;
  const outside = outsideIn(whole, values);
  const findings = [
    ...namedFlaws(whole, values),
    ...outside.flatMap((part) => flawsOf(part, table)),
  ];
  if (hasErrors(findings)) return { findings };
  const files = new Map<string, string>();
  for (const { kind, name } of outside) {
    const digest = digests?.get(name);
    if (kind === 'file' && digest !== undefined) files.set(name, digest);
  }
  const wanted = {
    want: wantOf(whole.value, outside, sources),
    reference: sourceOf(template.value),
    // An empty fallback is no secret.
    hasFallback: outside.some(({ fallback = '' }) => fallback !== ''),
    files,
    members: whole.members,
  };
  return { wanted, findings };
}

/** The named value that is all of a value. */
function namedBy(
  value: WrittenValue,
  values: NamedValues,
): Template | undefined {
  if (typeof value !== 'string') return undefined;
  const [, name = ''] = /^\$\{value:([\w-]+)\}$/.exec(value) ?? [];
  return values.get(name);
}

/** Finds named values that are missing, or cannot be a part of a text. */
function namedFlaws(template: Template, values: NamedValues): Diagnostic[] {
  const findings: Diagnostic[] = [];
  for (const { kind, name, source, place } of placedReferences(template)) {
    if (kind !== 'value') continue;
    const named = values.get(name);
    if (named === undefined) {
      const hint = didYouMean(name, [...values.keys()]);
      const facts = { needed: [source], hint };
      findings.push(diagnostic('reference-missing', facts, place));
    } else if (typeof named.value === 'object') {
      findings.push(diagnostic('reference-syntax', MISFIT, place));
    }
  }
  return findings;
}

const MISFIT = {
  problem: 'A select or a list cannot be a part of another value.',
  hint: 'Make the reference the whole value.',
};

/** Finds why a reference can never be read, or the flaws of its text. */
function flawsOf(
  { kind, name, source, place }: OutsideReference,
  table: ReferenceTable | undefined,
): Diagnostic[] {
  const found = table?.[kind].get(name);
  if (found === undefined) return [];
  if ('text' in found) {
    const subject = { reference: `\${${kind}:${name}}` };
    const text = reveal(found.text);
    return textFlaws(text, { subject, place, isSecret: () => true });
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

/** The wanted value, if all of its references can be used. */
function wantOf(
  value: WrittenValue,
  outside: readonly OutsideReference[],
  { values, table }: Sources,
): Want {
  const written = put(value, values, ({ source }) => source);
  if (outside.length === 0) return { kind: 'literal', value: written };
  const textOf = ({ kind, name, fallback }: Reference): string | undefined => {
    const found = kind === 'value' ? undefined : table?.[kind].get(name);
    if (found === undefined) return undefined;
    return 'text' in found ? reveal(found.text) : fallback;
  };
  const unset = new Set<string>();
  for (const part of outside) {
    if (textOf(part) === undefined) unset.add(part.source);
  }
  if (unset.size > 0) return { kind: 'unread', written, unset: [...unset] };
  const whole = put(value, values, (reference) => textOf(reference) ?? '');
  return { kind: 'resolved', value: hide(whole), written };
}

/** A value as an option could store it: members of a list are choices, by their values if they have no displays. */
function put(
  value: WrittenValue,
  values: NamedValues,
  textOf: (reference: Reference) => string,
): OptionValue {
  const fill = (text: string): string =>
    filled(text, (reference) => {
      const { kind, name } = reference;
      if (kind !== 'value') return textOf(reference);
      return fill(String(values.get(name)?.value));
    });
  const filledMember = (member: Scalar | Choice): Scalar | Choice => {
    if (isChoice(member)) {
      return { display: fill(member.display), value: fill(member.value) };
    }
    return typeof member === 'string' ? fill(member) : member;
  };
  if (!isChoiceList(value)) return filledMember(value);
  return value.map((member) => asChoice(filledMember(member)));
}

function asChoice(member: Scalar | Choice): Choice {
  if (isChoice(member)) return member;
  const text = String(member);
  return { display: text, value: text };
}
