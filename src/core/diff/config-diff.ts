import { type SetterOf, setterIn } from '../config/declaration.ts';
import {
  aboutOption,
  isDefault,
  selectionKey,
  selectorOf,
  selectorText,
} from '../config/entry.ts';
import {
  type ResolvedConfig,
  type ResolvedEntry,
  type ResolvedValue,
  resolvedIn,
} from '../config/resolve.ts';
import { compareText } from '../findings/diagnostic.ts';
import type { Want } from '../model/desired.ts';
import { grouped, present } from '../model/json.ts';
import type { Permission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
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
import type {
  ChangeDocument,
  IntegrationDocument,
  PlaceDocument,
} from '../plan/plan.ts';
import { type Policy, type Risk, risksOf } from '../plan/risk.ts';

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
  readonly base?: ResolvedEntry | undefined;
  readonly head?: ResolvedEntry | undefined;
}

/** An option of an entry at two revisions. */
interface OptionPair {
  readonly key: string;
  readonly was: DeclaredOption;
  readonly now: DeclaredOption;
}

/** What an entry declares of an option, all layers together. */
interface DeclaredOption {
  readonly permission?: SetterOf<'permission'> | undefined;
  readonly sensitive?: SetterOf<'sensitive'> | undefined;
  readonly rotated?: SetterOf<'rotated'> | undefined;
  readonly value?: SetterOf<'value'> | undefined;
  /** The value with its references. */
  readonly resolved?: ResolvedValue | undefined;
}

function declaredOption(
  entry: ResolvedEntry | undefined,
  key: string,
): DeclaredOption {
  if (entry === undefined) return {};
  const about = aboutOption(entry, key);
  const value = setterIn(about, 'value');
  return {
    permission: setterIn(about, 'permission'),
    sensitive: setterIn(about, 'sensitive'),
    rotated: setterIn(about, 'rotated'),
    value,
    resolved: value && resolvedIn(entry, value),
  };
}

/** Finds out what makes an option of an entry a secret. */
type CluesOf = (entry: EntryPair, option: OptionPair) => Clues;

/** Diffs two configurations: each field that differs, by the names of the entries. */
export function diffConfigs(
  configs: ConfigPair,
): readonly IntegrationDocument[] {
  const { before, after, policy = {} } = configs;
  const cluesOf = cluesIn(configs);
  const integrations: IntegrationDocument[] = [];
  for (const pair of pairEntries(before, after)) {
    const changes: ChangeDocument[] = [];
    for (const change of diffEntry(pair, cluesOf)) {
      const risks = change.risks.filter((risk) => policy[risk] !== 'off');
      changes.push({ ...change, risks });
    }
    const source = pair.head && sourceOf(pair.head.place);
    integrations.push({
      name: pair.name,
      id: pair.name,
      status: null,
      ...present({ source }),
      changes: changes.sort((a, b) => compareText(a.address, b.address)),
      hidden: [],
      unread: [],
      waived: [],
      settled: [],
      released: [],
    });
  }
  return integrations;
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
  added: readonly ResolvedEntry[],
  gone: readonly ResolvedEntry[],
): ReadonlyMap<ResolvedEntry, ResolvedEntry> {
  const goneBySelection = grouped(gone, selectionKey);
  const origins = new Map<ResolvedEntry, ResolvedEntry>();
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
  const isWide = (entry: ResolvedEntry) =>
    isDefault(entry) || byName.get(entry.name)?.length !== 2;
  const marked = new Set<string>();
  const anywhere = new Set<string>();
  const wide = new Set<string>();
  for (const entry of [...before, ...after, ...tip]) {
    for (const key of entry.options.keys()) {
      const secrecy = secrecyIn(declaredOption(entry, key));
      if (secrecy.mark === true) marked.add(key);
      if (secrecy.isSecretByValue !== true) continue;
      anywhere.add(key);
      if (isWide(entry)) wide.add(key);
    }
  }
  return ({ name }, { key, was, now }) => {
    const sinceBase = declaredSecrecy(secrecyIn(now), secrecyIn(was));
    const atTip = tips.get(name);
    const own =
      atTip === undefined
        ? sinceBase
        : declaredSecrecy(sinceBase, secrecyIn(declaredOption(atTip, key)));
    const elsewhere = byName.get(name)?.some(isWide) ? anywhere : wide;
    return {
      key,
      mark: marked.has(key) || own.mark,
      isSecretByValue: own.isSecretByValue === true || elsewhere.has(key),
    };
  };
}

function secrecyIn({ sensitive, resolved }: DeclaredOption): DeclaredSecrecy {
  return {
    mark: sensitive?.value,
    isSecretByValue: resolved?.isFromOutside,
  };
}

function diffEntry(pair: EntryPair, cluesOf: CluesOf): ChangeDocument[] {
  const { name, base, head } = pair;
  const changes = [
    ...renameOf(pair),
    ...changeOf(`${name}.match`, matchIn(base), matchIn(head)),
    ...expectationOf(pair),
    ...subscriptionOf(pair),
  ];
  const keys = new Set([
    ...(base?.options.keys() ?? []),
    ...(head?.options.keys() ?? []),
  ]);
  for (const key of keys) {
    const was = declaredOption(base, key);
    const now = declaredOption(head, key);
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
function matchIn(entry: ResolvedEntry | undefined): Shown | undefined {
  if (entry === undefined) return undefined;
  const { place, comment } = entry.match ?? { place: entry.place };
  return { place, comment, value: selectorText(selectorOf(entry)) };
}

/** The change of how many integrations an entry expects. An entry that comes or goes with the default says nothing. */
function expectationOf({ name, base, head }: EntryPair): ChangeDocument[] {
  const was = expectationIn(base);
  const now = expectationIn(head);
  const isSame = (was?.value ?? 'one') === (now?.value ?? 'one');
  return changeOf(`${name}.expect`, was, now, { isSame });
}

function expectationIn(entry: ResolvedEntry | undefined): Shown | undefined {
  if (entry === undefined) return undefined;
  const { place, expect } = entry;
  return expect ?? { place, value: 'one' };
}

function subscriptionOf({ name, base, head }: EntryPair): ChangeDocument[] {
  const was = base && setterIn(base.autosubscribe, 'autosubscribe');
  const now = head && setterIn(head.autosubscribe, 'autosubscribe');
  const risks = risksOf({
    kind: 'autosubscribe',
    before: undefined,
    after: now?.value === true,
  });
  return changeOf(`${name}.autosubscribe`, was, now, { risks });
}

/** The changes of one option: a value by its text with references, and by the files that it refers to. */
function diffOption(
  address: string,
  option: OptionPair,
  clues: Clues,
): ChangeDocument[] {
  const { was, now } = option;
  return [
    ...permissionChange(`${address}.permission`, option, clues),
    ...changeOf(`${address}.sensitive`, was.sensitive, now.sensitive),
    ...changeOf(`${address}.rotated`, was.rotated, now.rotated),
    ...valueChange(`${address}.value`, option, clues),
  ];
}

function permissionChange(
  address: string,
  option: OptionPair,
  clues: Clues,
): ChangeDocument[] {
  const { permission: before } = option.was;
  const { permission: after } = option.now;
  const risks = risksOf({
    ...exposureOf(option, clues),
    kind: 'permission',
    before: before?.value,
    after: after?.value ?? '',
  });
  return changeOf(address, before, after, { risks });
}

function valueChange(
  address: string,
  option: OptionPair,
  clues: Clues,
): ChangeDocument[] {
  const before = writtenIn(option.was);
  const after = writtenIn(option.now);
  const isSame =
    before !== undefined && after !== undefined && isSameWritten(before, after);
  const risks = risksOf({
    ...exposureOf(option, clues),
    kind: 'value',
    before: undefined,
    after: after === undefined ? '' : wantedValue(after.want),
  });
  const was = shown(option.was, clues);
  const now = shown(option.now, clues);
  return changeOf(address, was, now, { isSame, risks });
}

/** Whether an option may show a secret, and the permission that it keeps. */
function exposureOf(
  { was, now }: OptionPair,
  clues: Clues,
): {
  readonly isExposable: boolean;
  readonly permission?: Permission | undefined;
} {
  const want = writtenIn(now)?.want;
  const values = want?.kind === 'literal' ? [want.value] : [];
  const kept = was.permission?.value === now.permission?.value;
  return {
    isExposable: isSecret({ ...clues, values }),
    permission: kept ? now.permission?.value : undefined,
  };
}

/** A declared field as far as it may be shown: of a value with references only these, and no secret. */
interface Shown {
  readonly place: Place;
  readonly comment?: string | undefined;
  readonly value?: OptionValue | undefined;
  readonly reference?: string | undefined;
  readonly isHidden?: true | undefined;
}

function shown(option: DeclaredOption, clues: Clues): Shown | undefined {
  const written = writtenIn(option);
  if (option.value === undefined || written === undefined) return undefined;
  const { place, comment } = option.value;
  const value = wantedValue(written.want);
  if (written.want.kind === 'literal') {
    const isHidden = isSecret({ ...clues, values: [value] });
    return isHidden ? { place, comment, isHidden } : { place, comment, value };
  }
  return { place, comment, reference: referenceIn(value, clues) };
}

/** A value with references as it may be shown. */
function referenceIn(value: OptionValue, clues: Clues): string {
  const textIn = (member: OptionValue) =>
    shownReference(textsOf(member)[0] ?? '', clues);
  if (!isChoiceList(value)) return textIn(value);
  return `[${value.map(textIn).join(', ')}]`;
}

/** A value whose references were not read, with these in their places. */
function writtenIn({ resolved }: DeclaredOption): WrittenSetting | undefined {
  if (resolved === undefined) return undefined;
  const { want = MISSING, files } = resolved;
  return { want, files };
}

/** A value whose named value is missing. */
const MISSING: Want = { kind: 'literal', value: '' };

/** How two sides of a change compare. */
interface Comparing {
  readonly isSame?: boolean | undefined;
  readonly risks?: readonly Risk[] | undefined;
}

/** A change of a field, if it is one: references as they are written, other secrets not at all. */
function changeOf(
  address: string,
  before: Shown | undefined,
  after: Shown | undefined,
  comparing: Comparing = {},
): ChangeDocument[] {
  const { isSame = before?.value === after?.value, risks = [] } = comparing;
  const declared = after ?? before;
  if (declared === undefined || isSame) return [];
  return [
    {
      address,
      ...sidesOf(before, after),
      declared: declaredSides(before, after),
      label: 'change',
      risks: after === undefined ? [] : risks,
      ...present({ comment: shownComment(after?.comment) }),
      source: sourceOf(declared.place),
    },
  ];
}

function sourceOf({ file, line, column }: Place): PlaceDocument {
  return { file, line, column };
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
  if (was?.isHidden || now?.isHidden) {
    return {
      before: was === undefined ? '' : null,
      after: null,
      secret: true,
      ...present({ reference, beforeReference }),
    };
  }
  return {
    before: beforeReference ?? was?.value ?? null,
    after: reference ?? now?.value ?? null,
  };
}
