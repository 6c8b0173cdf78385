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
 * of these, and by name and acronym. What several could be is left alone.
 */
export function pairIntegrations(servers: Unpaired): Pairing {
  const pairs: IntegrationPair[] = [];
  const ambiguous: Ambiguous[] = [];
  const alone: { before: LiveIntegration[]; after: LiveIntegration[] } = {
    before: [],
    after: [],
  };
  const rest = pairBy(({ id }) => id, servers, pairs);
  for (const [base, group] of groupsOf(rest)) {
    const left = pairGroup(group, pairs);
    if (left.before.length > 0 && left.after.length > 0) {
      ambiguous.push({ base, ...left });
      pairs.push(...singles(left));
      continue;
    }
    alone.before.push(...left.before);
    alone.after.push(...left.after);
  }
  pairs.push(...singles(pairBy(nameAndAcronym, alone, pairs)));
  return { pairs: namedPairs(pairs), ambiguous };
}

/** Groups integrations by what an upgrade leaves of their ids. */
function groupsOf({ before, after }: Unpaired): Map<string, Unpaired> {
  const olds = grouped(before, ({ id }) => baseOfId(id));
  const news = grouped(after, ({ id }) => baseOfId(id));
  const groups = new Map<string, Unpaired>();
  for (const base of new Set([...olds.keys(), ...news.keys()])) {
    const group = { before: olds.get(base) ?? [], after: news.get(base) ?? [] };
    groups.set(base, group);
  }
  return groups;
}

/** Pairs integrations of one base, several of them by name. */
function pairGroup(group: Unpaired, pairs: IntegrationPair[]): Unpaired {
  const [before, ...olds] = group.before;
  const [after, ...news] = group.after;
  if (before === undefined || after === undefined) return group;
  if (olds.length + news.length > 0) {
    return pairBy(({ name }) => name, group, pairs);
  }
  pairs.push({ before, after });
  return { before: [], after: [] };
}

type KeyOf = (integration: LiveIntegration) => string | undefined;

/** Adds the pairs with a key that one on each server has; returns the rest. */
function pairBy(
  keyOf: KeyOf,
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

function nameAndAcronym({
  name,
  acronym,
}: LiveIntegration): string | undefined {
  if (name === undefined || acronym === undefined) return undefined;
  return JSON.stringify([name, acronym]);
}

function singles({ before, after }: Unpaired): IntegrationPair[] {
  return [
    ...before.map((integration) => ({ before: integration })),
    ...after.map((integration) => ({ after: integration })),
  ];
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
