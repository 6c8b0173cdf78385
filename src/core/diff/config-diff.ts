import { addressOf } from '../config/declaration.ts';
import { type Entry, type OptionEntry, selectorOf } from '../config/entry.ts';
import type { ResolvedConfig, ResolvedValue } from '../config/resolve.ts';
import { compareText } from '../findings/diagnostic.ts';
import { pairBy } from '../model/pairs.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import { type Clues, isExposing, isSecret, shownComment, type Told, toldOf } from '../model/secrecy.ts';
import { asOptionValue, isSameWritten } from '../model/written.ts';
import { type Risk, type RiskFacts, risksOf } from '../plan/risk.ts';
import { outsideElsewhere, type Revised } from './outside-elsewhere.ts';
import type { DeclaredPart, DeclaredSide, EntryDiff, FieldDiff, Unshown } from './revision-diff.ts';
import { openValue, shownValue, unshownIn } from './shown-value.ts';

type Declared = Entry<ResolvedValue>;

type DeclaredOption = OptionEntry<ResolvedValue>;

/**
 * What differs between two revisions of a configuration, their references open. Entries are the same by their names, else by
 * what they select; files, their order and comments make no difference.
 */
export function diffConfigs(before: ResolvedConfig, after: ResolvedConfig): readonly EntryDiff[] {
  const bases = pairBy(after, before, [
    ({ name }) => name,
    (entry) => [selectorText(entry), ...partsOf(entry).keys()].join('\n'),
    selectorText,
  ]);
  const kept = new Set(bases.values());
  const marked = markedKeys([...before, ...after]);
  const revised: readonly Revised[] = [
    ...after.map((head) => ({ head, base: bases.get(head) })),
    ...before.filter((each) => !kept.has(each)).map((base) => ({ base })),
  ];
  const isOutside = outsideElsewhere(revised);
  const pairs = revised.map(
    (each): Pair => ({ ...each, marked, isOutsideElsewhere: (key) => isOutside(each, key) }),
  );
  return pairs.flatMap(diffEntry).sort((a, b) => compareText(a.name, b.name));
}

/** One entry at both revisions. */
interface Pair extends Revised {
  /** The keys of options that any entry marks as sensitive: which of them hold for one integration only a server tells. */
  readonly marked: ReadonlySet<string>;
  /** Whether another entry that may select the same integrations takes an option from outside at one revision alone. */
  readonly isOutsideElsewhere: (key: string) => boolean;
}

function markedKeys(entries: ResolvedConfig): ReadonlySet<string> {
  const options = entries.flatMap((entry) => [...entry.options.values()]);
  return new Set(options.flatMap(({ key, sensitive }) => (sensitive?.value === true ? [key] : [])));
}

function selectorText(entry: Declared): string {
  const globs = Object.entries(selectorOf(entry)).sort(([a], [b]) => compareText(a, b));
  return globs.map(([attribute, glob]) => `${attribute}: ${glob}`).join(', ');
}

function diffEntry(pair: Pair): EntryDiff[] {
  const { base, head } = pair;
  const entry = head ?? base;
  if (entry === undefined) return [];
  const [before, after] = [partsOf(base), partsOf(head)];
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort(compareText);
  const fields = paths.flatMap((path) => {
    const [was, now] = [before.get(path), after.get(path)];
    if (path === 'match' && base && head && selectorText(base) === selectorText(head)) return [];
    if (isSame(was, now)) return [];
    return diffPart(`${entry.name}.${path}`, was, now, pair);
  });
  const was = base === undefined || base.name === entry.name ? undefined : base.name;
  const change = changeOf(base, head);
  return fields.length === 0 ? [] : [{ name: entry.name, ...present({ was }), change, fields }];
}

/** One thing that an entry declares. */
interface Part {
  readonly field: DeclaredPart;
  readonly option?: string;
  readonly content: ResolvedValue | string | boolean;
  readonly place: Place;
  readonly comment?: string;
}

/** What an entry declares, by path. */
function partsOf(entry: Declared | undefined): ReadonlyMap<string, Part> {
  if (entry === undefined) return new Map();
  const { match, expect, autosubscribe, options } = entry;
  const part = <T extends Part['content']>(
    field: DeclaredPart,
    declared: { readonly value: T | null; readonly place: Place; readonly comment?: string } | undefined,
    option?: string,
  ): [string, Part][] => {
    if (declared === undefined || declared.value === null) return [];
    const { value: content, place, comment } = declared;
    const path = option === undefined ? [field] : ['options', option, field];
    return [[addressOf('', path).slice(1), { field, content, place, ...present({ option, comment }) }]];
  };
  return new Map([
    ...part('match', match && { ...match, value: selectorText(entry) }),
    ...part('expect', expect),
    ...part('autosubscribe', autosubscribe),
    ...[...options.values()].flatMap(({ key, value, permission, sensitive, rotated }) => [
      ...part('value', value, key),
      ...part('permission', permission, key),
      ...part('sensitive', sensitive, key),
      ...part('rotated', rotated, key),
    ]),
  ]);
}

function isSame(was: Part | undefined, now: Part | undefined): boolean {
  const field = (now ?? was)?.field;
  // What an entry expects that does not say it.
  const [one, other] = [was, now].map((part) => part?.content ?? (field === 'expect' ? 'one' : undefined));
  return typeof one === 'object' && typeof other === 'object'
    ? isSameWritten(openValue(one), openValue(other))
    : one === other;
}

function diffPart(address: string, was: Part | undefined, now: Part | undefined, pair: Pair): FieldDiff[] {
  const part = now ?? was;
  if (part === undefined) return [];
  const { field, option, place: source } = part;
  const told = option === undefined ? {} : shownBy(pair, option);
  const side = (each: Part | undefined) => each && sideOf(each, told);
  const comment = shownComment(now?.comment, cluesOf(option, told, pair));
  const [before, after] = [side(was), side(now)];
  const left = now === undefined ? leftOf(pair, option) : undefined;
  const optional = present({
    left,
    option,
    before,
    after,
    unshown: unshownOf(was, now, before, after),
    comment,
  });
  const risks = now === undefined ? [] : risksIn(field, option, pair);
  return [{ address, field, change: changeOf(was, now), risks, source, ...optional }];
}

/** Where the option, or else the entry, of what is no longer declared is at the head. */
function leftOf({ head }: Pair, key = ''): Place | undefined {
  return head?.options.get(key)?.place ?? head?.place;
}

/** What the head shows of an option, if it is one: one comment stands beside all that it declares. */
function cluesOf(key: string | undefined, told: Told, { head }: Pair): Clues | undefined {
  return key === undefined ? undefined : { key, ...told, values: literalsOf(head?.options.get(key)) };
}

/** The value of an option, unless it comes from outside. */
function literalsOf(option: DeclaredOption | undefined) {
  const value = option?.value?.value;
  return value && !value.isFromOutside ? [openValue(value).value] : [];
}

/** What of a value differs that its two sides do not show. */
function unshownOf(
  was: Part | undefined,
  now: Part | undefined,
  before: DeclaredSide | undefined,
  after: DeclaredSide | undefined,
): readonly Unshown[] | undefined {
  if (typeof was?.content !== 'object' || typeof now?.content !== 'object') return undefined;
  const unshown = unshownIn(was.content, now.content, before?.reference !== after?.reference);
  return unshown.length === 0 ? undefined : unshown;
}

function sideOf({ content, option = '' }: Part, told: Told): DeclaredSide {
  return typeof content === 'object' ? shownValue(option, content, told) : { value: content };
}

function changeOf(before: unknown, after: unknown): FieldDiff['change'] {
  if (before === undefined) return 'added';
  return after === undefined ? 'released' : 'changed';
}

/** What counts of the secrecy of an option that an entry has at both revisions, or at one of them. */
function toldIn({ base, head }: Pair, key: string): Told {
  const [was, now] = [base, head].map((entry) => entry?.options.get(key));
  const told = (option: DeclaredOption | undefined, past?: Told) =>
    toldOf({
      sensitive: option?.sensitive?.value ?? undefined,
      value: option?.value?.value ?? undefined,
      past,
    });
  return now === undefined ? told(was) : told(now, told(was));
}

/** What decides of an option whether it is shown: also other entries, since only a server tells which of them hold for it. */
function shownBy(pair: Pair, key: string): Told {
  const { mark, isFromOutside } = toldIn(pair, key);
  return {
    mark: pair.marked.has(key) || mark,
    isFromOutside: isFromOutside === true || pair.isOutsideElsewhere(key),
  };
}

/** The risks of what the head declares, as far as they show without a server. */
function risksIn(field: DeclaredPart, key: string | undefined, pair: Pair): Risk[] {
  const { base, head } = pair;
  if (field === 'autosubscribe') return risksOf({ field, after: head?.autosubscribe?.value === true });
  const now = key === undefined ? undefined : head?.options.get(key);
  if (now === undefined || key === undefined) return [];
  const { isFromOutside, mark = pair.marked.has(key) || undefined } = toldIn(pair, key);
  const facts = factsOf(field, base?.options.get(key), now, { mark, isFromOutside });
  return facts === undefined ? [] : risksOf(facts);
}

function factsOf(
  field: DeclaredPart,
  was: DeclaredOption | undefined,
  now: DeclaredOption,
  told: Told,
): RiskFacts | undefined {
  const { key, value, permission } = now;
  const resolved = value?.value ?? undefined;
  const isExposable = isExposing({ key, ...told, values: literalsOf(now) });
  const [before, after] = [was?.permission?.value ?? undefined, permission?.value ?? undefined];
  if (field === 'permission' && after !== undefined)
    return { field, before: before ?? 'unknown', after, isExposable };
  if (field !== 'value' || resolved === undefined) return undefined;
  return {
    field,
    after: asOptionValue(openValue(resolved).value),
    isSecretOption: isSecret({ key, mark: told.mark }),
    isExposable,
    permission: before === after ? after : undefined,
    isFromOutside: resolved.isFromOutside,
  };
}
