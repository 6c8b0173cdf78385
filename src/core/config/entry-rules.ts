import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { grouped } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import {
  addressOf,
  declarationsOf,
  duplicate,
  type Entry,
  isDefault,
  optionsOf,
  pathKey,
  selectorOf,
  valuesIn,
  type WrittenConfig,
} from './entry.ts';
import { namesIn } from './template.ts';
import { hiddenCharacters } from './value-rules.ts';

/** Finds mistakes in an entry, as all layers together make it. */
type EntryRule = (entry: Entry<unknown>) => readonly Diagnostic[];

/** A secret that all users can see, or a value for an option whose value each user sets. */
const permissionMistakes: EntryRule = (entry) =>
  optionsOf(entry).flatMap(({ address, value, sensitive, permission }) => {
    if (sensitive?.value === true && permission?.value === 'lock-and-show')
      return [diagnostic('exposes-secret', { address }, permission.place)];
    return value?.value && permission?.value === 'user-provides'
      ? [diagnostic('user-provides-value', { address }, value.place)]
      : [];
  });

/** Invisible characters in the keys and the match of an entry. */
const hiddenInEntry: EntryRule = ({ name, match, options }) => {
  const globs = match?.value ? hiddenCharacters(name, Object.values(match.value).join(), match.place) : [];
  return [...globs, ...[...options.values()].flatMap(({ key, place }) => hiddenCharacters(name, key, place))];
};

/** Mistakes in entries, whatever other files hold. */
export const ENTRY_RULES: readonly EntryRule[] = [permissionMistakes, hiddenInEntry];

/** An entry with nothing but `match` and `expect`, or defaults that select only the id that is their name. */
const idleEntry: EntryRule = (entry) => {
  const { name, place, match, expect } = entry;
  if (declarationsOf(entry).length === 0)
    return [diagnostic('idle-declaration', { of: 'entry', name }, place)];
  return isDefault(entry) && match === undefined
    ? [diagnostic('idle-declaration', { of: 'any', name }, expect?.place)]
    : [];
};

/** Mistakes that only a whole configuration shows: what seems to be missing may be in a file that could not be read. */
export function mistakesAcross(
  { entries, values }: WrittenConfig,
  files: readonly WrittenConfig[],
): Diagnostic[] {
  const used = new Set(files.flatMap(templatesIn).flatMap(namesIn));
  const unused = [...values].filter(([name, { value }]) => value !== null && !used.has(name));
  return [
    ...entries.flatMap(idleEntry),
    ...sameMatch(entries),
    ...unused.map(([name, { namePlace }]) =>
      diagnostic('idle-declaration', { of: 'value', name }, namePlace),
    ),
  ];
}

function templatesIn({ entries, values }: WrittenConfig) {
  return [...entries.flatMap(valuesIn), ...[...values.values()].flatMap(({ value }) => value ?? [])];
}

/** Finds entries that select in the same words. A field that two of them set can never be applied. */
function sameMatch(entries: readonly Entry<unknown>[]): Diagnostic[] {
  const groups = grouped(entries, (entry) =>
    JSON.stringify([isDefault(entry), Object.entries(selectorOf(entry)).sort()]),
  );
  return [...groups.values()].filter(({ length }) => length > 1).flatMap(clashesAmong);
}

/** A finding for each field that an earlier entry of the group sets too; for an entry without one, a finding for itself. */
function clashesAmong(group: readonly Entry<unknown>[]): Diagnostic[] {
  const places = new Map<string, Place>();
  const [first] = group;
  return group.flatMap((entry) => {
    const both = declarationsOf(entry).flatMap(({ path, place, isNull }) => {
      if (isNull) return [];
      const other = places.get(pathKey(path));
      places.set(pathKey(path), other ?? place);
      return duplicate(addressOf(entry.name, path), place, other);
    });
    if (first === undefined || entry === first || both.length > 0 || isDefault(entry)) return both;
    const facts = { name: first.name, other: first.place };
    return [diagnostic('same-match', facts, entry.match?.place ?? entry.place)];
  });
}

const PAST = 'a date in the past, such as 2026-11-21';

const DAY = 24 * 60 * 60 * 1000;

/** Warns of secrets whose last rotation is more than a number of days before `now`, in milliseconds since the epoch. */
export function agedSecrets(entries: readonly Entry<unknown>[], days: number, now: number): Diagnostic[] {
  return entries.flatMap(optionsOf).flatMap(({ address, rotated }) => {
    if (rotated === undefined || rotated.value === null) return [];
    const time = Date.parse(rotated.value);
    const age = Math.floor((now - time) / DAY);
    // No zone is more than a day ahead; the 30th of February would be read as a day in March.
    const isDay = age >= -1 && new Date(time).toISOString().startsWith(rotated.value);
    if (!isDay) return [diagnostic('not-allowed', { expected: [PAST] }, rotated.place)];
    return age > days ? [diagnostic('secret-aged', { address, age, days }, rotated.place)] : [];
  });
}
