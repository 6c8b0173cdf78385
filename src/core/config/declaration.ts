import type { Permission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import type { WrittenValue } from '../model/value.ts';

/** Globs that select integrations; all that are given must match. */
export interface Selector {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly acronym?: string | undefined;
}

/** How many integrations an entry means. An entry for `any` is a default. */
export type Expect = 'one' | 'optional' | 'any';

interface Declared {
  /** The name of its entry in the YAML. */
  readonly entry: string;
  readonly place: Place;
  readonly comment?: string | undefined;
}

interface EntryField<Name, Value> extends Declared {
  readonly field: Name;
  readonly option?: undefined;
  readonly keyPlace?: undefined;
  readonly value: Value;
}

interface OptionField<Name, Value> extends Declared {
  readonly field: Name;
  readonly option: string;
  /** The place of the key of the option. */
  readonly keyPlace: Place;
  readonly value: Value;
}

/** A value as a file writes it: its texts may hold references. */
export interface Template {
  readonly value: WrittenValue;
  readonly place: Place;
  /** The places of the members of a list. */
  readonly members?: readonly Place[] | undefined;
}

export interface ValueSetter
  extends OptionField<'value', WrittenValue>,
    Template {}

/** A declaration that sets a field. */
export type Setter =
  | EntryField<'match', Selector>
  | EntryField<'expect', Expect>
  | EntryField<'autosubscribe', boolean>
  | ValueSetter
  | OptionField<'permission', Permission>
  | OptionField<'sensitive', boolean>
  | OptionField<'rotated', string>;

export type FieldName = Setter['field'];

export type SetterOf<Field extends FieldName> = Extract<
  Setter,
  { readonly field: Field }
>;

/** A null: its entry stops managing a field, or all fields within. */
export interface Stop extends Declared {
  readonly field: FieldName | 'option' | 'options' | 'entry';
  readonly option?: string | undefined;
  readonly keyPlace?: Place | undefined;
  readonly value: null;
}

/**
 * What a file says of one field. A configuration is a list of these, in the
 * order of its layers.
 */
export type Declaration = Setter | Stop;

/** What several entries declare about one thing, as they rank. */
export interface Ranked {
  /** A list for each entry, earlier layers first. */
  readonly specific: readonly (readonly Declaration[])[];
  readonly defaults: readonly (readonly Declaration[])[];
}

/**
 * Finds the declaration of a field that counts: specific entries come before
 * defaults, then later layers before earlier ones. A null counts as well: it
 * asks for nothing, and no default can ask instead.
 */
export function winner<Field extends FieldName>(
  { specific, defaults }: Ranked,
  field: Field,
): SetterOf<Field> | undefined {
  const word = wordOf(specific, field) ?? wordOf(defaults, field);
  return word !== undefined && isSetterOf(word, field) ? word : undefined;
}

/** The word of a rank about a field: that of a setter rather than a null. */
function wordOf(
  rank: readonly (readonly Declaration[])[],
  field: FieldName,
): Declaration | undefined {
  let stop: Declaration | undefined;
  for (const declarations of rank) {
    const word = lastWord(declarations, field);
    if (word !== undefined && isSetter(word)) return word;
    stop ??= word;
  }
  return stop;
}

/** Finds the setters of a field that nothing overrides: one, or several equal. */
export function contenders<Field extends FieldName>(
  ranked: Ranked,
  field: Field,
): SetterOf<Field>[] {
  const setters: SetterOf<Field>[] = [];
  for (const word of decidingWords(ranked, field)) {
    if (isSetterOf(word, field)) setters.push(word);
  }
  return setters;
}

/** The last words of the entries that decide about a field. */
export function decidingWords(
  { specific, defaults }: Ranked,
  field: FieldName,
): Declaration[] {
  const words = lastWords(specific, field);
  return words.length > 0 ? words : lastWords(defaults, field);
}

function lastWords(
  rank: readonly (readonly Declaration[])[],
  field: FieldName,
): Declaration[] {
  const words: Declaration[] = [];
  for (const declarations of rank) {
    const word = lastWord(declarations, field);
    if (word !== undefined) words.push(word);
  }
  return words;
}

/** What one entry sets a field to, by its last word about it. */
export function setterIn<Field extends FieldName>(
  declarations: readonly Declaration[],
  field: Field,
): SetterOf<Field> | undefined {
  const word = lastWord(declarations, field);
  return word !== undefined && isSetterOf(word, field) ? word : undefined;
}

/** The last thing that one entry says about a field, or around it. */
function lastWord(
  declarations: readonly Declaration[],
  field: FieldName,
): Declaration | undefined {
  for (let index = declarations.length - 1; index >= 0; index -= 1) {
    const declaration = declarations[index];
    if (declaration !== undefined && speaksOf(declaration, field)) {
      return declaration;
    }
  }
  return undefined;
}

/** True for a declaration of a field, and for a null in place of several. */
export function speaksOf(declaration: Declaration, field: FieldName): boolean {
  return declaration.field === field || isWideStop(declaration);
}

function isSetterOf<Field extends FieldName>(
  declaration: Declaration,
  field: Field,
): declaration is SetterOf<Field> {
  return declaration.field === field && declaration.value !== null;
}

export function isSetter(declaration: Declaration): declaration is Setter {
  return declaration.value !== null;
}

/** True for a null that stands in place of several fields. */
function isWideStop({ field }: Declaration): boolean {
  return field === 'option' || field === 'options' || field === 'entry';
}
