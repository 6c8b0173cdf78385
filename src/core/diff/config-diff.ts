import { type Entry, isDefault, type OptionEntry } from '../config/entry.ts';
import type { ResolvedConfig, ResolvedValue } from '../config/resolve.ts';
import { compareText } from '../findings/diagnostic.ts';
import { present } from '../model/present.ts';
import { isSecret, shownComment, type Told, toldOf } from '../model/secrecy.ts';
import { asOptionValue, isSameWritten } from '../model/written.ts';
import type { ChangeDocument, IntegrationDocument } from '../plan/document.ts';
import { type RiskFacts, risksOf } from '../plan/risk.ts';
import { type Declaration, declarationsIn } from './declarations.ts';
import { openValue, shownValue } from './shown-value.ts';

/** One entry at both revisions. */
interface Pair {
  readonly base: Entry<ResolvedValue> | undefined;
  readonly head: Entry<ResolvedValue> | undefined;
  /** What makes an option a secret in any entry: which of them select the same integrations, only a server tells. */
  readonly toldElsewhere: (entry: Entry<ResolvedValue>, key: string) => Told;
}

/** Diffs two configurations with their references open: each field that differs, by the names of the entries. */
export function diffConfigs(before: ResolvedConfig, after: ResolvedConfig): readonly IntegrationDocument[] {
  const [bases, heads] = [before, after].map((all) => new Map(all.map((each) => [each.name, each])));
  const toldElsewhere = secretsOf(before, after);
  const names = [...new Set([...before, ...after].map(({ name }) => name))].sort(compareText);
  return names.map((name) => ({
    name,
    id: name,
    status: null,
    changes: diffEntry({ base: bases?.get(name), head: heads?.get(name), toldElsewhere }),
    hidden: [],
    waived: [],
    settled: [],
    released: [],
  }));
}

/** Tells which options any entry marks as secrets, or takes from outside if it may select the same integrations. */
function secretsOf(before: ResolvedConfig, after: ResolvedConfig): Pair['toldElsewhere'] {
  const [was, is] = [before, after].map((all) => new Set(all.map(({ name }) => name)));
  const isKept = ({ name }: Entry<unknown>) => was?.has(name) === true && is?.has(name) === true;
  const isWide = (entry: Entry<unknown>) => isDefault(entry) || !isKept(entry);
  const options = [...before, ...after].flatMap((entry) =>
    [...entry.options.values()].map((option) => ({ ...option, isWide: isWide(entry) })),
  );
  const outside = options.filter(({ value }) => value?.value?.isFromOutside === true);
  const keysOf = (some: readonly { readonly key: string }[]) => new Set(some.map(({ key }) => key));
  const marked = keysOf(options.filter(({ sensitive }) => sensitive?.value === true));
  const [anywhere, wide] = [keysOf(outside), keysOf(outside.filter((each) => each.isWide))];
  return (entry, key) => ({
    mark: marked.has(key) || undefined,
    isFromOutside: (isWide(entry) ? anywhere : wide).has(key),
  });
}

function diffEntry(pair: Pair): ChangeDocument[] {
  const [before, after] = [declarationsIn(pair.base), declarationsIn(pair.head)];
  const addresses = [...new Set([...before.keys(), ...after.keys()])].sort(compareText);
  return addresses.flatMap((address) => {
    const [was, now] = [before.get(address), after.get(address)];
    return isSame(was, now) ? [] : changeOf(address, was, now, pair);
  });
}

function isSame(was: Declaration | undefined, now: Declaration | undefined): boolean {
  const unsaid = (was ?? now)?.field === 'expect' ? 'one' : undefined;
  const [one = unsaid, other = unsaid] = [was?.content, now?.content];
  return typeof one === 'object' && typeof other === 'object'
    ? isSameWritten(openValue(one), openValue(other))
    : one === other;
}

function changeOf(
  address: string,
  was: Declaration | undefined,
  now: Declaration | undefined,
  pair: Pair,
): ChangeDocument[] {
  const declaration = now ?? was;
  if (declaration === undefined) return [];
  const { option } = declaration;
  const told = option === undefined ? {} : toldIn(pair, option);
  const { file, line, column } = declaration.place;
  return [
    {
      address,
      ...sidesOf(was, now, told),
      label: 'change',
      risks: now === undefined ? [] : risksOfDeclaration(now, pair.base, pair.head, told),
      ...present({ comment: shownComment(now?.comment) }),
      source: { file, line, column },
    },
  ];
}

/** What makes an option of an entry a secret; what was one at the base still is. */
function toldIn({ base, head, toldElsewhere }: Pair, key: string): Told {
  const told = (option: OptionEntry<ResolvedValue> | undefined, past?: Told) =>
    toldOf({
      sensitive: option?.sensitive?.value ?? undefined,
      value: option?.value?.value ?? undefined,
      past,
    });
  const past = base?.options.get(key);
  const own = told(head?.options.get(key), told(past));
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
  // What differs may be in a file, or in a part that is not shown.
  const isAlike = before.reference !== undefined && before.reference === after.reference;
  const reference = isAlike ? `${after.reference} (changed)` : after.reference;
  if (before.isHidden || after.isHidden)
    return {
      before: was === undefined ? '' : null,
      after: null,
      secret: true,
      ...present({ reference, beforeReference: before.reference }),
    };
  return { before: before.reference ?? before.value, after: reference ?? after.value };
}

function shown(declaration: Declaration | undefined, told: Told) {
  const { content, option = '' } = declaration ?? {};
  if (typeof content !== 'object') return { value: content ?? null };
  const { value, ...rest } = shownValue(content, { key: option, ...told });
  return { value: value === null ? null : asOptionValue(value), ...rest };
}

/** The risks of a declaration that differs from the base, as far as they show without a server. */
function risksOfDeclaration(
  declaration: Declaration,
  base: Entry<ResolvedValue> | undefined,
  head: Entry<ResolvedValue> | undefined,
  told: Told,
): ChangeDocument['risks'] {
  const facts = factsOf(declaration, base, head, told);
  return facts === undefined ? [] : risksOf(facts);
}

function factsOf(
  { field, option: key = '' }: Declaration,
  base: Entry<ResolvedValue> | undefined,
  head: Entry<ResolvedValue> | undefined,
  told: Told,
): RiskFacts | undefined {
  if (field === 'autosubscribe') return { field, after: head?.autosubscribe?.value === true };
  const [was, now] = [base, head].map((entry) => entry?.options.get(key));
  const [before, after] = [was, now].map((option) => option?.permission?.value ?? undefined);
  const resolved = now?.value?.value ?? undefined;
  const value = resolved && openValue(resolved).value;
  const literals = resolved === undefined || resolved.isFromOutside || value === undefined ? [] : [value];
  const isExposable = isSecret({ key, ...told, values: literals });
  if (field === 'permission' && after !== undefined)
    return { field, before: before ?? 'unknown', after, isExposable };
  if (field !== 'value' || resolved === undefined || value === undefined) return undefined;
  return {
    field,
    after: asOptionValue(value),
    isExposable,
    permission: before === after ? after : undefined,
  };
}
