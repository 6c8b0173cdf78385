import {
  type Entry,
  type Field,
  isDefault,
  type OptionEntry,
  selectionKey,
  selectorOf,
  selectorText,
} from '../config/entry.ts';
import type { ResolvedConfig, ResolvedValue } from '../config/resolve.ts';
import { compareText } from '../findings/diagnostic.ts';
import type { Want } from '../model/desired.ts';
import { grouped, present } from '../model/json.ts';
import {
  type Clues,
  type DeclaredSecrecy,
  declaredSecrecy,
  isSecret,
  shownComment,
  shownReference,
} from '../model/secrecy.ts';
import { isChoiceList, type OptionValue, textsOf } from '../model/value.ts';
import { wantedValue } from '../plan/conform.ts';
import { isSameWritten, type WrittenSetting } from '../plan/label.ts';
import type { ChangeDocument, IntegrationDocument } from '../plan/plan.ts';
import { type Policy, type Risk, risksOf } from '../plan/risk.ts';

type AnEntry = Entry<ResolvedValue>;
type AnOption = OptionEntry<ResolvedValue>;

/** Two configurations with their references open. */
export interface ConfigPair {
  readonly before: ResolvedConfig;
  readonly after: ResolvedConfig;
  readonly policy?: Policy | undefined;
  /** Another configuration, whose secrets are secrets here too. */
  readonly tip?: ResolvedConfig | undefined;
}

/** An entry at two revisions; a renamed one has another name at each. */
interface EntryPair {
  readonly name: string;
  readonly base?: AnEntry | undefined;
  readonly head?: AnEntry | undefined;
}

/** An option of an entry at two revisions. */
interface OptionPair {
  readonly key: string;
  readonly was?: AnOption | undefined;
  readonly now?: AnOption | undefined;
}

/** Finds out what makes an option of an entry a secret. */
type CluesOf = (entry: EntryPair, option: OptionPair) => Clues;

/** Diffs two configurations: each field that differs, by the names of the entries. */
export function diffConfigs(
  configs: ConfigPair,
): readonly IntegrationDocument[] {
  const { before, after, policy = {} } = configs;
  const cluesOf = cluesIn(configs);
  const isReported = (risk: Risk) => policy[risk] !== 'off';
  return pairEntries(before, after).map((pair) => {
    const changes = diffEntry(pair, cluesOf).map((change) => ({
      ...change,
      risks: change.risks.filter(isReported),
    }));
    return {
      name: pair.name,
      id: pair.name,
      status: null,
      changes: changes.sort((a, b) => compareText(a.address, b.address)),
      hidden: [],
      waived: [],
      settled: [],
      released: [],
    };
  });
}

/** Pairs entries by their names, and renamed ones by what they select; ordered by name. */
function pairEntries(
  before: ResolvedConfig,
  after: ResolvedConfig,
): EntryPair[] {
  const bases = new Map(before.map((entry) => [entry.name, entry]));
  const heads = new Set(after.map(({ name }) => name));
  const gone = before.filter(({ name }) => !heads.has(name));
  const added = after.filter(({ name }) => !bases.has(name));
  const origins = originsOf(added, gone);
  const pairs: EntryPair[] = [];
  for (const head of after) {
    const base = bases.get(head.name) ?? origins.get(head);
    pairs.push({ name: head.name, base, head });
  }
  const renamed = new Set(origins.values());
  for (const base of gone) {
    if (!renamed.has(base)) pairs.push({ name: base.name, base });
  }
  return pairs.sort((a, b) => compareText(a.name, b.name));
}

/** Finds which new entries are old ones under another name: the only two that select in the same words. */
function originsOf(
  added: readonly AnEntry[],
  gone: readonly AnEntry[],
): ReadonlyMap<AnEntry, AnEntry> {
  const goneBySelection = grouped(gone, selectionKey);
  const origins = new Map<AnEntry, AnEntry>();
  for (const [selection, heads] of grouped(added, selectionKey)) {
    const bases = goneBySelection.get(selection) ?? [];
    const [base] = bases;
    if (base === undefined || bases.length > 1 || heads.length > 1) continue;
    origins.set(heads[0], base);
  }
  return origins;
}

/**
 * Makes the finder of clues. A secret at the base or the tip still is one, and so is what any entry marks, or takes from outside
 * if it may select the same integrations: only a server knows which do.
 */
function cluesIn({ before, after, tip = [] }: ConfigPair): CluesOf {
  const byName = grouped([...before, ...after], ({ name }) => name);
  const tips = new Map(tip.map((entry) => [entry.name, entry]));
  const isWide = (entry: AnEntry) =>
    isDefault(entry) || byName.get(entry.name)?.length !== 2;
  const marked = new Set<string>();
  const anywhere = new Set<string>();
  const wide = new Set<string>();
  for (const entry of [...before, ...after, ...tip])
    for (const { key, sensitive, value } of entry.options.values()) {
      if (sensitive?.value === true) marked.add(key);
      if (value?.isFromOutside !== true) continue;
      anywhere.add(key);
      if (isWide(entry)) wide.add(key);
    }
  return ({ name }, { key, was, now }) => {
    const sinceBase = declaredSecrecy(secrecyIn(now), secrecyIn(was));
    const atTip = tips.get(name);
    const own =
      atTip === undefined
        ? sinceBase
        : declaredSecrecy(sinceBase, secrecyIn(atTip.options.get(key)));
    const elsewhere = byName.get(name)?.some(isWide) ? anywhere : wide;
    return {
      key,
      mark: marked.has(key) || own.mark,
      isSecretByValue: own.isSecretByValue === true || elsewhere.has(key),
    };
  };
}

function secrecyIn(option: AnOption | undefined): DeclaredSecrecy {
  const { sensitive, value } = option ?? {};
  return {
    mark: sensitive?.value ?? undefined,
    isSecretByValue: value?.isFromOutside,
  };
}

function diffEntry(pair: EntryPair, cluesOf: CluesOf): ChangeDocument[] {
  const { name, base, head } = pair;
  const isSubscribing = head?.autosubscribe?.value === true;
  const risks = risksOf({
    kind: 'autosubscribe',
    before: undefined,
    after: isSubscribing,
  });
  const changes = [
    ...renameOf(pair),
    ...changeOf(`${name}.match`, matchIn(base), matchIn(head)),
    ...expectationOf(pair),
    ...changeOf(
      `${name}.autosubscribe`,
      base?.autosubscribe,
      head?.autosubscribe,
      { risks },
    ),
  ];
  const keys = new Set([
    ...(base?.options.keys() ?? []),
    ...(head?.options.keys() ?? []),
  ]);
  for (const key of keys) {
    const was = base?.options.get(key);
    const now = head?.options.get(key);
    const option = { key, was, now };
    const clues = cluesOf(pair, option);
    changes.push(...diffOption(`${name}.options.${key}`, option, clues));
  }
  return changes;
}

/** The change of an entry's name, if it has another at each side. */
function renameOf({ name, base, head }: EntryPair): ChangeDocument[] {
  if (base === undefined || head === undefined) return [];
  const before = { place: base.place, value: base.name };
  const after = { place: head.place, value: head.name };
  return changeOf(`${name}.name`, before, after);
}

/** The selector of an entry, which is its name if it has no match. */
function matchIn(entry: AnEntry | undefined): Shown | undefined {
  if (entry === undefined) return undefined;
  const { place, match } = entry;
  return { place, ...match, value: selectorText(selectorOf(entry)) };
}

/** The change of how many integrations an entry expects. An entry that comes or goes with the default says nothing. */
function expectationOf({ name, base, head }: EntryPair): ChangeDocument[] {
  const [was, now] = [base, head].map((entry) => {
    if (entry === undefined) return undefined;
    const { place, expect } = entry;
    return { place, ...expect, value: expect?.value ?? 'one' };
  });
  const isSame = (was?.value ?? 'one') === (now?.value ?? 'one');
  return changeOf(`${name}.expect`, was, now, { isSame });
}

/** The changes of one option: a value by its text with references, and by the files that it refers to. */
function diffOption(
  address: string,
  { was, now }: OptionPair,
  clues: Clues,
): ChangeDocument[] {
  const [value, written] = [openValue(was?.value), openValue(now?.value)];
  const [held, permission] = [
    was?.permission?.value ?? undefined,
    now?.permission?.value ?? undefined,
  ];
  const values = written?.want.kind === 'literal' ? [written.want.value] : [];
  const facts = {
    isExposable: isSecret({ ...clues, values }),
    permission: held === permission ? permission : undefined,
  };
  return [
    ...changeOf(`${address}.permission`, was?.permission, now?.permission, {
      risks: risksOf({
        ...facts,
        kind: 'permission',
        before: held,
        after: permission ?? '',
      }),
    }),
    ...changeOf(`${address}.sensitive`, was?.sensitive, now?.sensitive),
    ...changeOf(`${address}.rotated`, was?.rotated, now?.rotated),
    ...changeOf(
      `${address}.value`,
      shown(was?.value, clues),
      shown(now?.value, clues),
      {
        isSame:
          value !== undefined &&
          written !== undefined &&
          isSameWritten(value, written),
        risks: risksOf({
          ...facts,
          kind: 'value',
          before: undefined,
          after: written === undefined ? '' : wantedValue(written.want),
        }),
      },
    ),
  ];
}

/** A declared field as far as it may be shown: of a value with references only these, and no secret. */
interface Shown extends Pick<Field<unknown>, 'place' | 'comment'> {
  readonly value?: OptionValue | null;
  readonly reference?: string;
  readonly isHidden?: true;
}

function shown(
  field: ResolvedValue | undefined,
  clues: Clues,
): Shown | undefined {
  const written = openValue(field);
  if (field === undefined || written === undefined) return undefined;
  const { place, comment } = field;
  const declared = { place, ...present({ comment }) };
  const value = wantedValue(written.want);
  if (written.want.kind === 'literal') {
    const isHidden = isSecret({ ...clues, values: [value] });
    return isHidden ? { ...declared, isHidden } : { ...declared, value };
  }
  const one = (each: OptionValue) =>
    shownReference(textsOf(each)[0] ?? '', clues);
  return {
    ...declared,
    reference: isChoiceList(value)
      ? `[${value.map(one).join(', ')}]`
      : one(value),
  };
}

/** A value whose references were not read, with these in their places. */
function openValue(
  written: ResolvedValue | undefined,
): WrittenSetting | undefined {
  if (written === undefined || written.value === null) return undefined;
  const { value: want = MISSING, files } = written;
  return { want, files };
}

/** A value whose named value is missing. */
const MISSING: Want = { kind: 'literal', value: '' };

/** A change of a field, if it is one: references as they are written, other secrets not at all. A null declares nothing. */
function changeOf(
  address: string,
  before: Shown | undefined,
  after: Shown | undefined,
  {
    isSame,
    risks = [],
  }: { isSame?: boolean; risks?: ChangeDocument['risks'] } = {},
): ChangeDocument[] {
  const [was, now] = [before, after].map((side) =>
    side?.value === null ? undefined : side,
  );
  const declared = now ?? was;
  if (declared === undefined || (isSame ?? was?.value === now?.value))
    return [];
  const { file, line, column } = declared.place;
  return [
    {
      address,
      ...sidesOf(was, now),
      declared: declaredSides(was, now),
      label: 'change',
      risks: now === undefined ? [] : risks,
      ...present({ comment: shownComment(now?.comment) }),
      source: { file, line, column },
    },
  ];
}

/** Which sides declare a field. */
function declaredSides(
  was: Shown | undefined,
  now: Shown | undefined,
): NonNullable<ChangeDocument['declared']> {
  if (was === undefined) return 'after';
  return now === undefined ? 'before' : 'both';
}

/** Both sides of a change as far as they may be shown. */
function sidesOf(
  was: Shown | undefined,
  now: Shown | undefined,
): Partial<ChangeDocument> & Pick<ChangeDocument, 'before' | 'after'> {
  const beforeReference = was?.reference;
  // The difference may be in a file, or in a part that is not shown.
  const isAlike =
    beforeReference !== undefined && beforeReference === now?.reference;
  const reference = isAlike ? `${now?.reference} (changed)` : now?.reference;
  if (was?.isHidden || now?.isHidden)
    return {
      before: was === undefined ? '' : null,
      after: null,
      secret: true,
      ...present({ reference, beforeReference }),
    };
  return {
    before: beforeReference ?? was?.value ?? null,
    after: reference ?? now?.value ?? null,
  };
}
