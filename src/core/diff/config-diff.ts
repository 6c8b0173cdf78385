import {
  type Entry,
  type Field,
  isDefault,
  OPTION_FIELDS,
  selectorOf,
  selectorText,
} from '../config/entry.ts';
import type { ResolvedConfig, ResolvedValue } from '../config/resolve.ts';
import { compareText } from '../findings/diagnostic.ts';
import { isSameWritten } from '../model/desired.ts';
import { present } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import {
  type DeclaredSecrecy,
  declaredSecrecy,
  isSecret,
  shownComment,
  shownReference,
} from '../model/secrecy.ts';
import { reveal } from '../model/secret.ts';
import { isChoiceList, type OptionValue, textsOf } from '../model/value.ts';
import type { ChangeDocument, IntegrationDocument } from '../plan/plan.ts';
import { risksOf } from '../plan/risk.ts';

type AnEntry = Entry<ResolvedValue>;

/** One entry at both revisions. */
interface Pair {
  readonly base: AnEntry | undefined;
  readonly head: AnEntry | undefined;
}

/** Diffs two configurations with their references open: each field that differs, by the names of the entries. */
export function diffConfigs(before: ResolvedConfig, after: ResolvedConfig): readonly IntegrationDocument[] {
  const [bases, heads] = [before, after].map((all) => new Map(all.map((each) => [each.name, each])));
  const secrets = secretsOf(before, after);
  const names = [...new Set([...before, ...after].map(({ name }) => name))].sort(compareText);
  return names.map((name) => ({
    name,
    id: name,
    status: null,
    changes: diffEntry({ base: bases?.get(name), head: heads?.get(name) }, secrets),
    ...{ hidden: [], waived: [], settled: [], released: [] },
  }));
}

/**
 * Tells which options any entry marks as secrets, or takes from outside if it may select the same integrations: only a
 * server tells which do.
 */
function secretsOf(before: ResolvedConfig, after: ResolvedConfig) {
  const [was, is] = [before, after].map((all) => new Set(all.map(({ name }) => name)));
  const isWide = (entry: AnEntry) => isDefault(entry) || !was?.has(entry.name) || !is?.has(entry.name);
  const [marked, anywhere, wide] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const entry of [...before, ...after])
    for (const { key, sensitive, value } of entry.options.values()) {
      if (sensitive?.value === true) marked.add(key);
      if (value?.value?.isFromOutside !== true) continue;
      anywhere.add(key);
      if (isWide(entry)) wide.add(key);
    }
  return (entry: AnEntry, key: string): DeclaredSecrecy => ({
    mark: marked.has(key) || undefined,
    isFromOutside: (isWide(entry) ? anywhere : wide).has(key),
  });
}

function diffEntry(pair: Pair, secrets: ReturnType<typeof secretsOf>): ChangeDocument[] {
  const [before, after] = [declarationsIn(pair.base), declarationsIn(pair.head)];
  const addresses = [...new Set([...before.keys(), ...after.keys()])].sort(compareText);
  return addresses.flatMap((address) => {
    const [was, now] = [before.get(address), after.get(address)];
    const declaration = now ?? was;
    if (declaration === undefined || isSame(was, now)) return [];
    const { option, place } = declaration;
    const secrecy = option === undefined ? {} : secrecyIn(pair, option, secrets);
    const { file, line, column } = place;
    return [
      {
        address,
        ...sidesOf(was, now, secrecy),
        label: 'change' as const,
        risks: now === undefined ? [] : risksIn(now, pair, secrecy),
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
function secrecyIn(
  { base, head }: Pair,
  key: string,
  secrets: ReturnType<typeof secretsOf>,
): DeclaredSecrecy {
  const secrecy = (entry: AnEntry | undefined, past?: DeclaredSecrecy) => {
    const { sensitive, value } = entry?.options.get(key) ?? {};
    const declared = { mark: sensitive?.value ?? undefined, isFromOutside: value?.value?.isFromOutside };
    return declaredSecrecy(declared, past);
  };
  const own = secrecy(head, secrecy(base));
  const entry = head ?? base;
  const elsewhere = entry === undefined ? {} : secrets(entry, key);
  return {
    mark: elsewhere.mark ?? own.mark,
    isFromOutside: own.isFromOutside === true || elsewhere.isFromOutside === true,
  };
}

type Sides = Pick<ChangeDocument, 'before' | 'after' | 'secret' | 'reference' | 'beforeReference'>;

/** Both sides: references as they are written, other secrets not at all. */
function sidesOf(
  was: Declaration | undefined,
  now: Declaration | undefined,
  secrecy: DeclaredSecrecy,
): Sides {
  const [before, after] = [shown(was, secrecy), shown(now, secrecy)];
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

/** One side as far as it may be shown: of a value with references only these, and no secret. */
function shown({ content, option: key }: Partial<Declaration> = {}, secrecy: DeclaredSecrecy): Shown {
  if (typeof content !== 'object') return { value: content ?? null };
  const { value, isFromOutside } = openValue(content);
  const clues = { key, ...secrecy };
  if (!isFromOutside)
    return isSecret({ ...clues, values: [value] }) ? { value: null, isHidden: true } : { value: value };
  const one = (each: OptionValue) => shownReference(textsOf(each)[0] ?? '', clues);
  return { value: null, reference: isChoiceList(value) ? `[${value.map(one).join(', ')}]` : one(value) };
}

interface Shown {
  readonly value: OptionValue | null;
  readonly reference?: string;
  readonly isHidden?: true;
}

/** The risks of a declaration that differs from the base, as far as they show without a server. */
function risksIn(
  { field, content, option: key }: Declaration,
  { base, head }: Pair,
  secrecy: DeclaredSecrecy,
) {
  if (field === 'autosubscribe') return risksOf({ field, before: undefined, after: content === true });
  if (key === undefined) return [];
  const [was, now] = [optionIn(base, key), optionIn(head, key)];
  const { value, permission: after } = now;
  const literals = now.isFromOutside || value === undefined ? [] : [value];
  const isExposable = isSecret({ key, ...secrecy, values: literals });
  if (field === 'permission' && after !== undefined)
    return risksOf({ field, before: was.permission ?? 'unknown', after, isExposable });
  if (field !== 'value' || value === undefined) return [];
  const permission = was.permission === after ? after : undefined;
  return risksOf({ field, before: was.value, after: value, isExposable, permission });
}

/** What an entry declares for an option; a value has its references in their places. */
function optionIn(entry: AnEntry | undefined, key: string) {
  const declared = entry?.options.get(key);
  const resolved = declared?.value?.value ?? undefined;
  const { value, isFromOutside = false } = resolved === undefined ? {} : openValue(resolved);
  return { value, isFromOutside, permission: declared?.permission?.value ?? undefined };
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

/** The declarations of an entry by their addresses; none without an entry. */
function declarationsIn(entry: AnEntry | undefined): ReadonlyMap<string, Declaration> {
  const found = new Map<string, Declaration>();
  if (entry === undefined) return found;
  const { name, place, match = { place }, expect, autosubscribe, options } = entry;
  const add = (
    field: Declaration['field'],
    declared: Field<Declaration['content']> | undefined,
    option?: string,
  ) => {
    if (declared === undefined || declared.value === null) return;
    const { value: content, place: at, comment } = declared;
    const path = option === undefined ? [field] : ['options', option, field];
    found.set([name, ...path].join('.'), { field, content, place: at, ...present({ option, comment }) });
  };
  add('match', { ...match, value: selectorText(selectorOf(entry)) });
  add('expect', expect);
  add('autosubscribe', autosubscribe);
  for (const option of options.values())
    for (const field of OPTION_FIELDS) add(field, option[field], option.key);
  return found;
}

/** A value whose references were not read, with these in their places. */
function openValue({ value = '', isFromOutside, files }: ResolvedValue) {
  return { value: reveal(value), isFromOutside, ...present({ files }) };
}
