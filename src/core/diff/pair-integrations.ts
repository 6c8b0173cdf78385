import { compareText } from '../findings/diagnostic.ts';
import { baseOfId } from '../model/ids.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';

/** An integration on two servers, or on the one that has it. */
type IntegrationPair =
  | { readonly before: LiveIntegration; readonly after: LiveIntegration }
  | { readonly before: LiveIntegration; readonly after?: undefined }
  | { readonly before?: undefined; readonly after: LiveIntegration };

/** A pair under the name by which people know it. */
export type NamedPair = IntegrationPair & { readonly name: string };

/** Integrations of which nobody can tell which ones belong together. */
export interface Ambiguous {
  /** What their ids have in common. */
  readonly base: string;
  readonly before: readonly LiveIntegration[];
  readonly after: readonly LiveIntegration[];
}

/** How the integrations of two servers belong together. */
export interface Pairing {
  /** All integrations of both servers, ordered by name. */
  readonly pairs: readonly NamedPair[];
  /** Those that stand alone because names do not tell them apart. */
  readonly ambiguous: readonly Ambiguous[];
}

/** The integrations of two servers that have no counterpart yet. */
interface Unpaired {
  readonly before: readonly LiveIntegration[];
  readonly after: readonly LiveIntegration[];
}

/**
 * Pairs the integrations of two servers: by their ids, by what upgrades leave
 * of these, several of one such base by name, and the others by name and
 * acronym. What several could be is left alone.
 */
export function pairIntegrations(servers: Unpaired): Pairing {
  const pairs: IntegrationPair[] = [];
  let rest = pairBy(({ id }) => id, servers, pairs);
  rest = pairBy(({ id }) => baseOfId(id), rest, pairs);
  rest = pairBy(({ id, name }) => joined(baseOfId(id), name), rest, pairs);
  const ambiguous = ambiguousIn(rest);
  const unclear = new Set(
    ambiguous.flatMap(({ before, after }) => [...before, ...after]),
  );
  const isClear = (one: LiveIntegration): boolean => !unclear.has(one);
  const clear = {
    before: rest.before.filter(isClear),
    after: rest.after.filter(isClear),
  };
  pairBy(({ name, acronym }) => joined(name, acronym), clear, pairs);
  const paired = new Set(pairs.flatMap(({ before, after }) => [before, after]));
  for (const before of servers.before) {
    if (!paired.has(before)) pairs.push({ before });
  }
  for (const after of servers.after) {
    if (!paired.has(after)) pairs.push({ after });
  }
  return { pairs: namedPairs(pairs), ambiguous };
}

/** One key of two parts; undefined if one of them is not known. */
function joined(
  one: string | undefined,
  other: string | undefined,
): string | undefined {
  if (one === undefined || other === undefined) return undefined;
  return JSON.stringify([one, other]);
}

/** Groups what both servers have of one base. */
function ambiguousIn({ before, after }: Unpaired): Ambiguous[] {
  const news = grouped(after, ({ id }) => baseOfId(id));
  const ambiguous: Ambiguous[] = [];
  for (const [base, olds] of grouped(before, ({ id }) => baseOfId(id))) {
    const alike = news.get(base);
    if (alike !== undefined) {
      ambiguous.push({ base, before: olds, after: alike });
    }
  }
  return ambiguous;
}

/** Adds the pairs with a key that one on each server has; returns the rest. */
function pairBy(
  keyOf: (integration: LiveIntegration) => string | undefined,
  { before, after }: Unpaired,
  pairs: IntegrationPair[],
): Unpaired {
  const olds = grouped(before, keyOf);
  const news = grouped(after, keyOf);
  const paired = new Set<LiveIntegration>();
  for (const [key, [old, ...otherOlds]] of olds) {
    const [now, ...otherNews] = news.get(key) ?? [];
    const isClear = otherOlds.length + otherNews.length === 0;
    if (key === undefined || now === undefined || !isClear) continue;
    pairs.push({ before: old, after: now });
    paired.add(old).add(now);
  }
  const isAlone = (one: LiveIntegration): boolean => !paired.has(one);
  return { before: before.filter(isAlone), after: after.filter(isAlone) };
}

/** Names pairs by the base of their ids; by an id if several have that base. */
function namedPairs(pairs: readonly IntegrationPair[]): NamedPair[] {
  const owners = new Map<string, number>();
  for (const pair of pairs) {
    for (const base of basesOf(pair)) {
      owners.set(base, (owners.get(base) ?? 0) + 1);
    }
  }
  const named: NamedPair[] = [];
  for (const pair of pairs) {
    const { id } = pair.after ?? pair.before;
    const isUnique = basesOf(pair).every((base) => owners.get(base) === 1);
    named.push({ ...pair, name: isUnique ? baseOfId(id) : id });
  }
  return named.sort((one, other) => compareText(one.name, other.name));
}

function basesOf({ before, after }: IntegrationPair): string[] {
  const bases = new Set<string>();
  if (before !== undefined) bases.add(baseOfId(before.id));
  if (after !== undefined) bases.add(baseOfId(after.id));
  return [...bases];
}
