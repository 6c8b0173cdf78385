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
  const unclear = ambiguous.flatMap(({ before, after }) => [
    ...before,
    ...after,
  ]);
  const clear = without(rest, unclear);
  pairBy(({ name, acronym }) => joined(name, acronym), clear, pairs);
  const alone = without(servers, pairs.flatMap(installedIn));
  for (const before of alone.before) pairs.push({ before });
  for (const after of alone.after) pairs.push({ after });
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
  servers: Unpaired,
  pairs: IntegrationPair[],
): Unpaired {
  const news = grouped(servers.after, keyOf);
  const paired: LiveIntegration[] = [];
  for (const [key, [before, ...olds]] of grouped(servers.before, keyOf)) {
    const [after, ...others] = news.get(key) ?? [];
    const isClear = olds.length + others.length === 0;
    if (key === undefined || after === undefined || !isClear) continue;
    pairs.push({ before, after });
    paired.push(before, after);
  }
  return without(servers, paired);
}

function without(
  { before, after }: Unpaired,
  integrations: readonly LiveIntegration[],
): Unpaired {
  const dropped = new Set(integrations);
  const isLeft = (one: LiveIntegration): boolean => !dropped.has(one);
  return { before: before.filter(isLeft), after: after.filter(isLeft) };
}

/** Names pairs by the base of their ids; by an id if several have that base. */
function namedPairs(pairs: readonly IntegrationPair[]): NamedPair[] {
  const owners = grouped(pairs.flatMap(basesOf), (base) => base);
  const named: NamedPair[] = [];
  for (const pair of pairs) {
    const { id } = pair.after ?? pair.before;
    const isUnique = basesOf(pair).every(
      (base) => owners.get(base)?.length === 1,
    );
    named.push({ ...pair, name: isUnique ? baseOfId(id) : id });
  }
  return named.sort((one, other) => compareText(one.name, other.name));
}

function basesOf(pair: IntegrationPair): string[] {
  const bases = installedIn(pair).map(({ id }) => baseOfId(id));
  return [...new Set(bases)];
}

/** The integrations of a pair. */
function installedIn({ before, after }: IntegrationPair): LiveIntegration[] {
  return [before, after].filter((one) => one !== undefined);
}
