import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { WrittenValue } from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import { present } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { hide, reveal, type Secret } from '../model/secret.ts';
import { type Choice, isChoice, isChoiceList, type Scalar } from '../model/value.ts';
import { type Entry, isDefault, valuesIn, withValues } from './entry.ts';
import type { LinkedConfig } from './link.ts';
import { filled, type Linked, type OutsidePart, outsideParts, type Template } from './template.ts';

/** What the shell found for the references of a configuration. */
export interface ReferenceTable {
  /** The value of each environment variable, or why there is none. An empty variable counts as missing. */
  readonly env: ReadonlyMap<string, FoundVariable>;
  /** The text of each referenced file, or why it cannot be read. */
  readonly file: ReadonlyMap<
    string,
    | { readonly text: Secret<string> }
    | { readonly reason: string; readonly hint?: string; readonly code?: string }
  >;
}

/** The value of an environment variable, or why there is none. */
export type FoundVariable = { readonly text: Secret<string> } | { readonly reason: 'missing' | 'forbidden' };

/** A value with its references replaced; hidden where a part of it comes from outside. */
export interface ResolvedValue {
  /** Undefined where a reference is missing: `problems` says which. */
  readonly value?: WrittenValue | Secret<WrittenValue>;
  readonly problems: readonly Diagnostic[];
  /** True if an environment variable in it has a fallback that is not empty. */
  readonly hasFallback?: true;
  /** The text with references, as written; absent where there are none. */
  readonly reference?: string;
  /** True where a part comes from the environment or a file, or falls back for one. */
  readonly isFromOutside: boolean;
  /** True where the environment and files were not read, so `value` has references in place of their text. */
  readonly unread?: true;
  /** Digests of the files that it refers to, by path; only of files whose content is known. */
  readonly files?: ReadonlyMap<string, string>;
  /** Where the members of a list are. */
  readonly members?: readonly Place[];
}

/** The configuration of one server with all values, ordered by name. */
export type ResolvedConfig = readonly Entry<ResolvedValue>[];

/** The environment variables and files that a configuration refers to, each once. */
export function outsideReferences(entries: LinkedConfig): OutsidePart[] {
  const outside = entries.flatMap(valuesIn).flatMap(outsideParts);
  return [...new Map(outside.map((part) => [`${part.kind}:${part.name}`, part])).values()];
}

/** The same of those that are used elsewhere than under `sensitive: false`: their texts are masked. */
export function secretReferences(entries: LinkedConfig): OutsidePart[] {
  const withoutOpen = ({ options, ...entry }: Entry<Linked>) => ({
    ...entry,
    options: new Map([...options].filter(([, { sensitive }]) => sensitive?.value !== false)),
  });
  return outsideReferences(entries.map(withoutOpen));
}

/**
 * Replaces the references of all values. A missing one stays with its value, since only matching shows whether the value is
 * needed. Without a table nothing outside was read: references stay as they are written, and their values are marked as unread.
 */
export function resolveConfig(entries: LinkedConfig, table?: ReferenceTable): ResolvedConfig {
  return entries.map((entry) => withValues(entry, (template) => resolveValue(template, table)));
}

/**
 * The same for a run that applies nothing: what is missing here may be there where it is applied, so that a value which refers
 * to it is not read at all, whatever its fallback.
 */
export function resolveKnown(entries: LinkedConfig, table: ReferenceTable): ResolvedConfig {
  const isMissing = ({ kind, name }: OutsidePart) => {
    const found = { reason: '', code: '', ...table[kind].get(name) };
    return found.reason === 'missing' || found.code === 'ENOENT';
  };
  const resolve = (linked: Linked) =>
    resolveValue(linked, outsideParts(linked).some(isMissing) ? undefined : table);
  return entries.map((entry) => withValues(entry, resolve));
}

/** The same with references as they are written, and digests of the files that they name, by path. */
export function openConfig(entries: LinkedConfig, digests: ReadonlyMap<string, string>): ResolvedConfig {
  return entries.map((entry) =>
    withValues(entry, (template) => {
      const files = outsideParts(template).flatMap(({ kind, name }): [string, string][] => {
        const digest = kind === 'file' ? digests.get(name) : undefined;
        return digest === undefined ? [] : [[name, digest]];
      });
      return { ...resolveValue(template, undefined), files: new Map(files) };
    }),
  );
}

/**
 * The missing references in the entries that a glob selects by name, and in defaults, which may apply to any; without a glob
 * in all entries. No server is needed for it.
 */
export function missingReferences(entries: ResolvedConfig, only?: string): Diagnostic[] {
  const matches = only === undefined ? () => true : globMatcher(only);
  return entries
    .filter((entry) => matches(entry.name) || isDefault(entry))
    .flatMap(valuesIn)
    .flatMap(({ problems }) => problems);
}

/** Replaces the references of one value, as `resolveConfig` does. */
export function resolveValue(linked: Linked, table: ReferenceTable | undefined): ResolvedValue {
  const { members, source: reference, named } = linked;
  const problems: Diagnostic[] = [];
  const value = withTexts(linked, (text, place) =>
    filled(text, named, (part) => {
      const found = table === undefined ? part.source : lookUp(part, table, place);
      if (typeof found === 'string') return found;
      problems.push(found);
      return '';
    }),
  );
  const outside = reference === undefined ? [] : outsideParts(linked);
  const isFromOutside = outside.length > 0;
  return {
    problems,
    isFromOutside,
    ...(problems.length === 0 ? { value: isFromOutside ? hide(value) : value } : {}),
    // An empty fallback is no secret.
    ...(outside.some(({ fallback = '' }) => fallback !== '') ? { hasFallback: true } : {}),
    ...(table === undefined && isFromOutside ? { unread: true } : {}),
    ...present({ reference, members }),
  };
}

/** A value with its texts changed. */
function withTexts(
  { value, place, members }: Template,
  change: (text: string, place: Place) => string,
): WrittenValue {
  const single = (item: Scalar | Choice, at: Place) => {
    if (isChoice(item)) return { display: change(item.display, at), value: change(item.value, at) };
    return typeof item === 'string' ? change(item, at) : item;
  };
  return isChoiceList(value)
    ? value.map((item, index) => single(item, members?.[index] ?? place))
    : single(value, place);
}

/** The text of a reference or its fallback, or what is wrong with it. */
function lookUp(
  { kind, name, fallback, source }: OutsidePart,
  table: ReferenceTable,
  place: Place,
): string | Diagnostic {
  const found = table[kind].get(name) ?? { reason: 'it was not read' };
  if ('text' in found) return reveal(found.text);
  const { reason } = found;
  if (kind === 'file') {
    const hint = 'hint' in found ? found.hint : undefined;
    return diagnostic('reference-file', { reference: source, reason, ...present({ hint }) }, place);
  }
  if (reason === 'forbidden') return diagnostic('reference-not-allowed', { name }, place);
  return fallback ?? diagnostic('reference-missing', { reference: source }, place);
}
