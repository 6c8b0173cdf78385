import type { Place } from '../model/place.ts';
import {
  type Declaration,
  isSetterOf,
  type Selector,
  type Setter,
  type SetterOf,
  setterIn,
  type Template,
} from './declaration.ts';

/** The declarations of one file under one name. */
export interface EntryPart {
  name: string;
  /** The place of its key. */
  place: Place;
  declarations: readonly Declaration[];
}

/** The declarations under one name in the YAML, of all layers. */
export interface Entry extends EntryPart {
  /** The last declarations of its selection; no null stops these. */
  match?: SetterOf<'match'> | undefined;
  expect?: SetterOf<'expect'> | undefined;
  /** The declarations of its autosubscribe flag, and the nulls around it. */
  autosubscribe: readonly Declaration[];
  /** The declarations of each option, and the nulls around them. */
  options: ReadonlyMap<string, readonly Declaration[]>;
  /** The nulls in place of all options. */
  aroundOptions: readonly Declaration[];
}

/** The values that options share, by name. */
export type NamedValues = ReadonlyMap<string, Template>;

/** The declarations of all files of a server. */
export interface WrittenConfig {
  values: NamedValues;
  /** Ordered by name. */
  entries: readonly Entry[];
}

/** Joins the parts of an entry, earlier layers first. */
export function joinParts([first, ...later]: readonly [
  EntryPart,
  ...EntryPart[],
]): Entry {
  const { name, place } = first;
  // Configurations share the list of a single file.
  const declarations =
    later.length === 0
      ? first.declarations
      : [first, ...later].flatMap((part) => part.declarations);
  const options = new Map<string, Declaration[]>();
  const aroundOptions: Declaration[] = [];
  for (const declaration of declarations) {
    const { field, option } = declaration;
    if (field === 'options' || field === 'entry') {
      aroundOptions.push(declaration);
      for (const known of options.values()) known.push(declaration);
    }
    if (option === undefined) continue;
    const known = options.get(option) ?? [...aroundOptions];
    known.push(declaration);
    options.set(option, known);
  }
  return {
    name,
    place,
    declarations,
    match: declarations.findLast((each) => isSetterOf(each, 'match')),
    expect: declarations.findLast((each) => isSetterOf(each, 'expect')),
    autosubscribe: declarations.filter(
      ({ field }) => field === 'autosubscribe' || field === 'entry',
    ),
    options,
    aroundOptions,
  };
}

/** The declarations of an entry about an option, and around it. */
export function aboutOption(
  { options, aroundOptions }: Entry,
  option: string,
): readonly Declaration[] {
  return options.get(option) ?? aroundOptions;
}

/**
 * The keys of the options that an entry declares and does not take back as a
 * whole.
 */
export function optionKeys({ options }: Entry): string[] {
  return [...options.keys()].filter(
    (key) => options.get(key)?.at(-1)?.option !== undefined,
  );
}

/** The fields of an option. */
export const OPTION_FIELDS = [
  'value',
  'permission',
  'sensitive',
  'rotated',
] as const;

/** Whether an entry sets anything of an option. */
export function asksAnything(about: readonly Declaration[]): boolean {
  return OPTION_FIELDS.some((field) => setterIn(about, field) !== undefined);
}

/** Whether an entry sets any field, beyond its selection. */
export function managesAnything({ autosubscribe, options }: Entry): boolean {
  const flag = setterIn(autosubscribe, 'autosubscribe');
  return flag !== undefined || [...options.values()].some(asksAnything);
}

/** The null that takes back a whole entry; undefined if it sets anything. */
export function stopOf(entry: Entry): Declaration | undefined {
  const stop = entry.declarations.findLast(({ field }) => field === 'entry');
  return stop === undefined || managesAnything(entry) ? undefined : stop;
}

/**
 * Whether nulls take back all that entries ask of one integration: its specific
 * ones, or its defaults if there are none.
 */
export function isLeftAlone(entries: readonly Entry[]): boolean {
  const specific = entries.filter((entry) => !isDefault(entry));
  const deciding = specific.length > 0 ? specific : entries;
  return deciding.every((entry) => stopOf(entry) !== undefined);
}

/** The declarations by which an entry sets fields, beyond its selection. */
export function settersOf({ autosubscribe, options }: Entry): Setter[] {
  const setters: Setter[] = [];
  const flag = setterIn(autosubscribe, 'autosubscribe');
  if (flag !== undefined) setters.push(flag);
  for (const about of options.values()) {
    for (const field of OPTION_FIELDS) {
      const setter = setterIn(about, field);
      if (setter !== undefined) setters.push(setter);
    }
  }
  return setters;
}

/** Whether an entry holds defaults, which specific entries override. */
export function isDefault({ expect }: Entry): boolean {
  return expect?.value === 'any';
}

/**
 * How an entry selects integrations: by its match, else by its name as an id.
 */
export function selectorOf({ match, name }: Entry): Selector {
  return match?.value ?? { id: name };
}

/** The globs of a selector. */
export function globsIn({ id, name, acronym }: Selector): string[] {
  return [id, name, acronym].filter((glob) => glob !== undefined);
}

/**
 * Equal for entries that select in the same words, as defaults or as specific
 * entries.
 */
export function selectionKey(entry: Entry): string {
  const { id, name, acronym } = selectorOf(entry);
  return JSON.stringify([isDefault(entry), id, name, acronym]);
}

/** A selector as people read it: the glob on the id, or all globs by name. */
export function selectorText({ id, name, acronym }: Selector): string {
  if (id !== undefined && name === undefined && acronym === undefined)
    return id;
  const globs = Object.entries({ id, name, acronym });
  return globs
    .filter(([, glob]) => glob !== undefined)
    .map(([attribute, glob]) => `${attribute}: ${glob}`)
    .join(', ');
}

/** The part of an address behind the name of the entry, key by key. */
export function pathOf({ field, option }: Declaration): string[] {
  if (field === 'entry') return [];
  if (option === undefined) return [field];
  return field === 'option' ? ['options', option] : ['options', option, field];
}

/** The address of a declaration; a null may stand for all below it. */
export function declaredAddress(declaration: Declaration): string {
  return [declaration.entry, ...pathOf(declaration)].join('.');
}
