import {
  type Entry,
  type Field,
  isDefault,
  type OptionEntry,
  selectorOf,
  selectorText,
} from '../config/entry.ts';
import type { ResolvedConfig, ResolvedValue } from '../config/resolve.ts';
import { compareText } from '../findings/diagnostic.ts';
import { isSameWritten } from '../model/desired.ts';
import { present } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import {
  type Clues,
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
type AnOption = OptionEntry<ResolvedValue>;

/** Diffs two configurations with their references open: each field that differs, by the names of the entries. */
export function diffConfigs(before: ResolvedConfig, after: ResolvedConfig): readonly IntegrationDocument[] {
  const [bases, heads] = [before, after].map((all) => new Map(all.map((each) => [each.name, each])));
  const secrets = secretsOf(before, after);
  const names = [...new Set([...before, ...after].map(({ name }) => name))].sort(compareText);
  return names.map((name) => ({
    name,
    id: name,
    status: null,
    changes: diffEntry(bases?.get(name), heads?.get(name), secrets),
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

function diffEntry(
  base: AnEntry | undefined,
  head: AnEntry | undefined,
  secrets: ReturnType<typeof secretsOf>,
): ChangeDocument[] {
  const entry = head ?? base;
  if (entry === undefined) return [];
  const at = (...path: readonly string[]) => [entry.name, ...path].join('.');
  const isSubscribing = head?.autosubscribe?.value === true;
  const keys = [...new Set([...(base?.options.keys() ?? []), ...(head?.options.keys() ?? [])])];
  const changes = [
    ...changeOf(at('match'), matchIn(base), matchIn(head)),
    ...changeOf(at('expect'), plain(base?.expect), plain(head?.expect), {
      isSame: (base?.expect?.value ?? 'one') === (head?.expect?.value ?? 'one'),
    }),
    ...changeOf(at('autosubscribe'), plain(base?.autosubscribe), plain(head?.autosubscribe), {
      risks: risksOf({ field: 'autosubscribe', before: undefined, after: isSubscribing }),
    }),
    ...keys.flatMap((key) => {
      const [was, now] = [base?.options.get(key), head?.options.get(key)];
      const clues = { key, ...secrecyIn(was, now, secrets(entry, key)) };
      return diffOption(at('options', key), was, now, clues);
    }),
  ];
  return changes.sort((one, other) => compareText(one.address, other.address));
}

function matchIn(entry: AnEntry | undefined): Shown | undefined {
  return entry && plain({ place: entry.place, ...entry.match, value: selectorText(selectorOf(entry)) });
}

/** The changes of one option: a value by its text with references, and by the files that it refers to. */
function diffOption(
  address: string,
  was: AnOption | undefined,
  now: AnOption | undefined,
  clues: Clues,
): ChangeDocument[] {
  const [value, written] = [openValue(was?.value?.value), openValue(now?.value?.value)];
  const [held, permission] = [was?.permission?.value ?? undefined, now?.permission?.value ?? undefined];
  const isExposable = isSecret({
    ...clues,
    values: written === undefined || written.isFromOutside ? [] : [written.value],
  });
  const risks = risksOf({
    field: 'permission',
    before: held ?? 'unknown',
    after: permission ?? 'unknown',
    isExposable,
  });
  const kept = held === permission ? permission : undefined;
  const after = written?.value ?? '';
  return [
    ...changeOf(`${address}.permission`, plain(was?.permission), plain(now?.permission), { risks }),
    ...changeOf(`${address}.sensitive`, plain(was?.sensitive), plain(now?.sensitive)),
    ...changeOf(`${address}.rotated`, plain(was?.rotated), plain(now?.rotated)),
    ...changeOf(`${address}.value`, shown(was?.value, clues), shown(now?.value, clues), {
      isSame: value !== undefined && written !== undefined && isSameWritten(value, written),
      risks: risksOf({ field: 'value', before: undefined, after, isExposable, permission: kept }),
    }),
  ];
}

/** What makes an option of an entry a secret, besides what does `elsewhere`. A secret at the base still is one. */
function secrecyIn(
  was: AnOption | undefined,
  now: AnOption | undefined,
  elsewhere: DeclaredSecrecy,
): DeclaredSecrecy {
  const [past, declared] = [was, now].map((option) => ({
    mark: option?.sensitive?.value ?? undefined,
    isFromOutside: option?.value?.value?.isFromOutside,
  }));
  const own = declaredSecrecy(declared ?? {}, past);
  return {
    mark: elsewhere.mark ?? own.mark,
    isFromOutside: own.isFromOutside === true || elsewhere.isFromOutside === true,
  };
}

/** A declared field as far as it may be shown: of a value with references only these, and no secret. */
interface Shown {
  readonly value: OptionValue | null;
  readonly reference?: string;
  readonly isHidden?: true;
  readonly place: Place;
  readonly comment?: string;
}

/** A field that is never a secret; undefined if it is not declared. */
function plain(field: Field<string | boolean> | undefined): Shown | undefined {
  return field === undefined || field.value === null ? undefined : field;
}

function shown(field: Field<ResolvedValue> | undefined, clues: Clues): Shown | undefined {
  const written = openValue(field?.value);
  if (field === undefined || written === undefined) return undefined;
  const { place, comment } = field;
  const declared = { value: null, place, ...present({ comment }) };
  const { value, isFromOutside } = written;
  if (!isFromOutside) {
    const isHidden = isSecret({ ...clues, values: [value] });
    return isHidden ? { ...declared, isHidden } : { ...declared, value };
  }
  const one = (each: OptionValue) => shownReference(textsOf(each)[0] ?? '', clues);
  return { ...declared, reference: isChoiceList(value) ? `[${value.map(one).join(', ')}]` : one(value) };
}

/** A value whose references were not read, with these in their places. */
function openValue(written: ResolvedValue | null | undefined) {
  if (!written) return undefined;
  const { value = '', isFromOutside, files } = written;
  return { value: reveal(value), isFromOutside, ...present({ files }) };
}

/** A change of a field, if it is one: references as they are written, other secrets not at all. */
function changeOf(
  address: string,
  was: Shown | undefined,
  now: Shown | undefined,
  {
    isSame = was?.value === now?.value,
    risks = [],
  }: { isSame?: boolean; risks?: ChangeDocument['risks'] } = {},
): ChangeDocument[] {
  const declared = now ?? was;
  if (declared === undefined || isSame) return [];
  const { file, line, column } = declared.place;
  // The difference may be in a file, or in a part that is not shown.
  const isAlike = was?.reference !== undefined && was.reference === now?.reference;
  const reference = isAlike ? `${now?.reference} (changed)` : now?.reference;
  const beforeReference = was?.reference;
  const sides =
    was?.isHidden || now?.isHidden
      ? {
          before: was === undefined ? '' : null,
          after: null,
          secret: true as const,
          ...present({ reference, beforeReference }),
        }
      : { before: beforeReference ?? was?.value ?? null, after: reference ?? now?.value ?? null };
  return [
    {
      address,
      ...sides,
      label: 'change',
      risks: now === undefined ? [] : risks,
      ...present({ comment: shownComment(now?.comment) }),
      source: { file, line, column },
    },
  ];
}
