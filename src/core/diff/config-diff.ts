import { addressOf } from '../config/declaration.ts';
import { type Entry, type Field, isDefault, OPTION_FIELDS, type OptionEntry, type Selector, selectorOf } from '../config/entry.ts';
import type { ResolvedConfig, ResolvedValue } from '../config/resolve.ts';
import { compareText } from '../findings/diagnostic.ts';
import { asOptionValue, isSameWritten, type WrittenValue } from '../model/desired.ts';
import { present } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { type Clues, isSecret, shownComment, shownReference, type Told, toldOf } from '../model/secrecy.ts';
import { reveal } from '../model/secret.ts';
import { isChoiceList, textsOf } from '../model/value.ts';
import type { ChangeDocument, IntegrationDocument } from '../plan/plan.ts';
import { risksOf } from '../plan/risk.ts';

type AnEntry = Entry<ResolvedValue>;

/** One entry at both revisions. */
interface Pair {
  readonly base: AnEntry | undefined;
  readonly head: AnEntry | undefined;
}

/** What makes an option of an entry a secret in any entry: only a server tells which of them select the same integrations. */
type ToldElsewhere = (entry: AnEntry, key: string) => Told;

/** Diffs two configurations with their references open: each field that differs, by the names of the entries. */
export function diffConfigs(before: ResolvedConfig, after: ResolvedConfig): readonly IntegrationDocument[] {
  const [bases, heads] = [before, after].map((all) => new Map(all.map((each) => [each.name, each])));
  const toldElsewhere = secretsOf(before, after);
  const names = [...new Set([...before, ...after].map(({ name }) => name))].sort(compareText);
  return names.map((name) => ({
    name,
    id: name,
    status: null,
    changes: diffEntry({ base: bases?.get(name), head: heads?.get(name) }, toldElsewhere),
    hidden: [],
    waived: [],
    settled: [],
    released: [],
  }));
}

/** Tells which options any entry marks as secrets, or takes from outside if it may select the same integrations. */
function secretsOf(before: ResolvedConfig, after: ResolvedConfig): ToldElsewhere {
  const [was, is] = [before, after].map((all) => new Set(all.map(({ name }) => name)));
  const isWide = (entry: AnEntry) => isDefault(entry) || !was?.has(entry.name) || !is?.has(entry.name);
  const keysIn = (entries: ResolvedConfig, isMeant: (option: OptionEntry<ResolvedValue>) => boolean) =>
    new Set(entries.flatMap(({ options }) => [...options.values()].filter(isMeant).map(({ key }) => key)));
  const isOutside = ({ value }: OptionEntry<ResolvedValue>) => value?.value?.isFromOutside === true;
  const all = [...before, ...after];
  const marked = keysIn(all, ({ sensitive }) => sensitive?.value === true);
  const [anywhere, wide] = [keysIn(all, isOutside), keysIn(all.filter(isWide), isOutside)];
  return (entry, key) => ({
    mark: marked.has(key) || undefined,
    isFromOutside: (isWide(entry) ? anywhere : wide).has(key),
  });
}

function diffEntry(pair: Pair, toldElsewhere: ToldElsewhere): ChangeDocument[] {
  const [before, after] = [declarationsIn(pair.base), declarationsIn(pair.head)];
  const addresses = [...new Set([...before.keys(), ...after.keys()])].sort(compareText);
  return addresses.flatMap((address) => {
    const [was, now] = [before.get(address), after.get(address)];
    const declaration = now ?? was;
    if (declaration === undefined || isSame(was, now)) return [];
    const { option, place } = declaration;
    const told = option === undefined ? {} : toldIn(pair, option, toldElsewhere);
    const { file, line, column } = place;
    return [
      {
        address,
        ...sidesOf(was, now, told),
        label: 'change' as const,
        risks: now === undefined ? [] : risksIn(now, pair, told),
        ...present({ comment: shownComment(now?.comment) }),
        source: { file, line, column },
      },
    ];
  });
}

function isSame(was: Declaration | undefined, now: Declaration | undefined): boolean {
  const unsaid = (was ?? now)?.field === 'expect' ? 'one' : undefined;
  const [one = unsaid, other = unsaid] = [was?.content, now?.content];
  return typeof one === 'object' && typeof other === 'object'
    ? isSameWritten(openValue(one), openValue(other))
    : one === other;
}

/** What makes an option of an entry a secret. A secret at the base still is one. */
function toldIn({ base, head }: Pair, key: string, toldElsewhere: ToldElsewhere): Told {
  const told = (entry: AnEntry | undefined, past?: Told) => {
    const { sensitive, value } = entry?.options.get(key) ?? {};
    return toldOf({ sensitive: sensitive?.value ?? undefined, value: value?.value ?? undefined, past });
  };
  const own = told(head, told(base));
  const entry = head ?? base;
  const elsewhere: Told = entry === undefined ? {} : toldElsewhere(entry, key);
  return {
    mark: elsewhere.mark ?? own.mark,
    isFromOutside: own.isFromOutside === true || elsewhere.isFromOutside === true,
  };
}

type Sides = Pick<ChangeDocument, 'before' | 'after' | 'secret' | 'reference' | 'beforeReference'>;

/** Both sides: references as they are written, other secrets not at all. */
function sidesOf(was: Declaration | undefined, now: Declaration | undefined, told: Told): Sides {
  const [before, after] = [shown(was, told), shown(now, told)];
  // The difference may be in a file, or in a part that is not shown.
  const isAlike = before.reference !== undefined && before.reference === after.reference;
  const reference = isAlike ? `${after.reference} (changed)` : after.reference;
  if (!before.isHidden && !after.isHidden)
    return { before: before.reference ?? before.value, after: reference ?? after.value };
  return {
    before: was === undefined ? '' : null,
    after: null,
    secret: true,
    ...present({ reference, beforeReference: before.reference }),
  };
}

function shown({ content, option = '' }: Partial<Declaration> = {}, told: Told) {
  if (typeof content !== 'object') return { value: content ?? null };
  const { value, ...rest } = shownValue(content, { key: option, ...told });
  return { value: value === null ? null : asOptionValue(value), ...rest };
}

/** The risks of a declaration that differs from the base, as far as they show without a server. */
function risksIn({ field, content, option: key }: Declaration, { base, head }: Pair, told: Told) {
  if (field === 'autosubscribe') return risksOf({ field, after: content === true });
  if (key === undefined) return [];
  const now = head?.options.get(key);
  const before = base?.options.get(key)?.permission?.value ?? undefined;
  const after = now?.permission?.value ?? undefined;
  const resolved = now?.value?.value ?? undefined;
  const value = resolved && openValue(resolved).value;
  const literals = resolved?.isFromOutside === true || value === undefined ? [] : [value];
  const isExposable = isSecret({ key, ...told, values: literals });
  if (field === 'permission' && after !== undefined)
    return risksOf({ field, before: before ?? 'unknown', after, isExposable });
  if (field !== 'value' || value === undefined) return [];
  const permission = before === after ? after : undefined;
  return risksOf({ field, after: asOptionValue(value), isExposable, permission });
}

/** One field that an entry declares. */
interface Declaration {
  readonly field: 'match' | 'expect' | 'autosubscribe' | (typeof OPTION_FIELDS)[number];
  /** The key of its option. */
  readonly option?: string;
  readonly content: ResolvedValue | string | boolean;
  readonly place: Place;
  readonly comment?: string;
}

type Declared = readonly [
  Declaration['field'],
  Field<Declaration['content']> | undefined,
  ...option: readonly string[],
];

/** The declarations of an entry by their addresses; none without an entry. */
function declarationsIn(entry: Entry<ResolvedValue> | undefined): ReadonlyMap<string, Declaration> {
  if (entry === undefined) return new Map();
  const { name, place, match, expect, autosubscribe, options } = entry;
  const all: readonly Declared[] = [
    ['match', { ...(match ?? { place }), value: selectorText(selectorOf(entry)) }],
    ['expect', expect],
    ['autosubscribe', autosubscribe],
    ...[...options.values()].flatMap((option) =>
      OPTION_FIELDS.map((field): Declared => [field, option[field], option.key]),
    ),
  ];
  return new Map(
    all.flatMap(([field, declared, option]): [string, Declaration][] => {
      if (declared === undefined || declared.value === null) return [];
      const { value: content, place: at, comment } = declared;
      const path = option === undefined ? [field] : ['options', option, field];
      return [[addressOf(name, path), { field, content, place: at, ...present({ option, comment }) }]];
    }),
  );
}

/** A selector as people read it: the glob on the id, or all globs by name. */
function selectorText(selector: Selector): string {
  const globs = Object.entries(selector).sort(([a], [b]) => compareText(a, b));
  if (globs.every(([attribute]) => attribute === 'id')) return selector.id ?? '';
  return globs.map(([attribute, glob]) => `${attribute}: ${glob}`).join(', ');
}

/** A declared value, as far as it may be shown. */
interface ShownValue {
  /** Null if it is hidden, or a reference. */
  readonly value: WrittenValue | null;
  /** The text with references, without the secrets in it. */
  readonly reference?: string;
  readonly isHidden?: true;
}

/** A value whose references were not read, with these in their places. */
function openValue({ value = '', isFromOutside, files }: ResolvedValue) {
  return { value: reveal(value), isFromOutside, ...present({ files }) };
}

/** Shows a value that is no secret; of a value with references only these. */
function shownValue(resolved: ResolvedValue, clues: Omit<Clues, 'values'>): ShownValue {
  const { value, isFromOutside } = openValue(resolved);
  if (!isFromOutside)
    return isSecret({ ...clues, values: [value] }) ? { value: null, isHidden: true } : { value };
  const shown = (each: WrittenValue) => shownReference(textsOf(each)[0] ?? '', clues);
  const reference = isChoiceList(value) ? `[${value.map((each) => shown(each)).join(', ')}]` : shown(value);
  return { value: null, reference };
}
