import type { Permission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { isChoiceList, type WrittenValue } from '../model/value.ts';

/** Globs that select integrations; all that are given must match. */
export interface Selector {
  id?: string | undefined;
  name?: string | undefined;
  acronym?: string | undefined;
}

/** How many integrations an entry means. An entry for `any` is a default. */
export const EXPECT = ['one', 'optional', 'any'] as const;

interface Declared {
  /** The name of its entry in the YAML. */
  entry: string;
  place: Place;
  comment?: string | undefined;
}

interface EntryField<Name, Value> extends Declared {
  field: Name;
  option?: undefined;
  keyPlace?: undefined;
  value: Value;
}

interface OptionField<Name, Value> extends Declared {
  field: Name;
  option: string;
  /** The place of the key of the option. */
  keyPlace: Place;
  value: Value;
}

/** A value as a file writes it: its texts may hold references. */
export interface Template {
  value: WrittenValue;
  place: Place;
  /** The places of the members of a list. */
  members?: readonly Place[] | undefined;
}

/** The value of a template, or the members of its list, each at its place. */
export function partsOf({ value, place, members = [] }: Template) {
  if (!isChoiceList(value)) return [{ part: value, place }];
  return value.map((part, at) => ({ part, place: members[at] ?? place }));
}

export interface ValueSetter
  extends OptionField<'value', WrittenValue>,
    Template {}

/** A declaration that sets a field. */
export type Setter =
  | EntryField<'match', Selector>
  | EntryField<'expect', (typeof EXPECT)[number]>
  | EntryField<'autosubscribe', boolean>
  | ValueSetter
  | OptionField<'permission', Permission>
  | OptionField<'sensitive', boolean>
  | OptionField<'rotated', string>;

export type FieldName = Setter['field'];

export type SetterOf<Field extends FieldName> = Extract<
  Setter,
  { field: Field }
>;

/** A null: its entry stops managing a field, or all fields within. */
interface Stop extends Declared {
  field: FieldName | 'option' | 'options' | 'entry';
  option?: string | undefined;
  keyPlace?: Place | undefined;
  value: null;
}

/**
 * What a file says of one field. A configuration is a list of these, in the
 * order of its layers.
 */
export type Declaration = Setter | Stop;

/** The declarations of several entries about one field or option, by rank. */
export interface Ranked {
  /** A list for each entry, earlier layers first. */
  specific: readonly (readonly Declaration[])[];
  defaults: readonly (readonly Declaration[])[];
}

/**
 * Finds the declaration of a field that counts, by the rule of precedence:
 * specific entries come before defaults; among equal entries, the first setter,
 * or else the last null; in one entry, the last declaration. A null that counts
 * asks for nothing, and no default can ask instead.
 */
export function decisive(
  ranked: Ranked,
  field: FieldName,
): Declaration | undefined {
  return contenders(ranked, field)[0] ?? deciding(ranked, field).at(-1);
}

/**
 * Finds the setters of a field that nothing overrides: one, or several equal.
 */
export function contenders<Field extends FieldName>(
  ranked: Ranked,
  field: Field,
): SetterOf<Field>[] {
  return deciding(ranked, field).filter((declaration) =>
    isSetterOf(declaration, field),
  );
}

/** The last declarations of the equal entries that decide about a field. */
function deciding(
  { specific, defaults }: Ranked,
  field: FieldName,
): readonly Declaration[] {
  const last = specific.flatMap((about) => lastOf(about, field) ?? []);
  if (last.length > 0) return last;
  return defaults.flatMap((about) => lastOf(about, field) ?? []);
}

/**
 * Finds the setter of a field in one entry: its last declaration, if it is no
 * null.
 */
export function setterIn<Field extends FieldName>(
  declarations: readonly Declaration[],
  field: Field,
): SetterOf<Field> | undefined {
  const last = lastOf(declarations, field);
  return last !== undefined && isSetterOf(last, field) ? last : undefined;
}

/** The last declaration of a field, or around it, in one entry. */
function lastOf(
  declarations: readonly Declaration[],
  field: FieldName,
): Declaration | undefined {
  return declarations.findLast((declaration) => speaksOf(declaration, field));
}

/** True for a declaration of a field, and for a null in place of several. */
export function speaksOf(
  { field: own }: Declaration,
  field: FieldName,
): boolean {
  if (own === 'option' || own === 'options' || own === 'entry') return true;
  return own === field;
}

export function isSetterOf<Field extends FieldName>(
  declaration: Declaration,
  field: Field,
): declaration is SetterOf<Field> {
  return declaration.field === field && declaration.value !== null;
}
