import type { Declaration } from '../config/declaration.ts';
import {
  type Entry,
  isDefault,
  managesAnything,
  selectorOf,
  stopOf,
  type WrittenConfig,
} from '../config/entry.ts';
import { resolveConfig } from '../config/resolve.ts';
import type { LiveIndex } from '../match/live-index.ts';
import { matchEntries } from '../match/match.ts';
import { globOfId } from '../model/ids.ts';
import type { LiveIntegration } from '../model/live.ts';
import { compareIntegration } from '../plan/compare.ts';
import { entryName } from './names.ts';

/** A specific entry, and the integration that it is to mean. */
export interface Pair {
  readonly entry: Entry;
  readonly integration: LiveIntegration;
  /** The match that means it alone, if that of the entry does not. */
  readonly match?: string | undefined;
}

/** The entries of other servers, and what is installed on this one. */
export interface Pairing {
  readonly pairs: readonly Pair[];
  /** The entries that mean nothing that is installed, but should. */
  readonly absent: readonly Entry[];
}

/** The entries that a server lacks anew, since it got its overlay. */
export interface LaterPairing extends Pairing {
  /** Those that may only be out of sight. */
  readonly unseen: readonly Entry[];
  /**
   * Entries that the server's own layers mention, and that match nothing by
   * now: an upgrade has changed the form of an id. They need another match.
   */
  readonly moved: readonly Pair[];
}

/**
 * Finds the entries that match nothing: those of integrations whose ids moved,
 * and those that the server lacks and its own layers do not mention. If most
 * entries match nothing, the account is likely to see too little.
 */
export function pairLater(
  config: WrittenConfig,
  index: LiveIndex,
  mentioned: ReadonlySet<string>,
): LaterPairing {
  const all = pairEntries(config, index);
  const { managed, stops } = selectedBy(config.entries, index);
  const moved: Pair[] = [];
  for (const pair of all.pairs) {
    const { entry, integration } = pair;
    const hasLostMatch = index.found(selectorOf(entry)).length === 0;
    const isSelected = managed.has(integration) || stops.has(integration);
    if (hasLostMatch && !isSelected) moved.push(pair);
  }
  const absent = all.absent.filter(({ name }) => !mentioned.has(name));
  const stopped = config.entries.filter((entry) => stopOf(entry) !== undefined);
  const seesTooLittle = absent.length > all.pairs.length + stopped.length;
  return seesTooLittle
    ? { pairs: [], absent: [], unseen: absent, moved }
    : { pairs: [], absent, unseen: [], moved };
}

/** The integrations that specific entries select. */
interface SelectedIntegrations {
  readonly managed: ReadonlySet<LiveIntegration>;
  /** The nulls in place of entries, by what these would select. */
  readonly stops: ReadonlyMap<LiveIntegration, Declaration>;
}

/** Finds the integrations that specific entries select as they are. */
export function selectedBy(
  entries: readonly Entry[],
  index: LiveIndex,
): SelectedIntegrations {
  const managed = new Set<LiveIntegration>();
  const stops = new Map<LiveIntegration, Declaration>();
  for (const entry of entries) {
    if (isDefault(entry)) continue;
    const stop = stopOf(entry);
    for (const integration of index.found(selectorOf(entry))) {
      if (stop === undefined) managed.add(integration);
      else stops.set(integration, stop);
    }
  }
  return { managed, stops };
}

/** Finds the integration that each specific entry means. */
export function pairEntries(config: WrittenConfig, index: LiveIndex): Pairing {
  const pairs: Pair[] = [];
  const unmatched: Entry[] = [];
  const byId = new Map(index.all.map((each) => [each.id, each]));
  for (const entry of config.entries) {
    if (isDefault(entry) || stopOf(entry) !== undefined) continue;
    // An entry with the name of an id can mean no other integration.
    const bearer = byId.get(entry.name);
    const found = bearer ? [bearer] : index.found(selectorOf(entry));
    const pair = nearestPair(entry, found, config, index);
    if (pair !== undefined) pairs.push(pair);
    else if (managesAnything(entry)) unmatched.push(entry);
  }
  return withNamesakes(unmatched, pairs, index);
}

/** Pairs entries that match nothing with integrations of their names. */
function withNamesakes(
  unmatched: readonly Entry[],
  matched: readonly Pair[],
  index: LiveIndex,
): Pairing {
  const pairs = [...matched];
  const absent: Entry[] = [];
  const taken = new Set(pairs.map(({ integration }) => integration));
  for (const entry of unmatched) {
    const integration = namesake(entry, taken, index);
    if (integration !== undefined) {
      taken.add(integration);
      pairs.push(pairWith(integration, entry, index));
    } else if (entry.expect?.value !== 'optional') {
      absent.push(entry);
    }
  }
  return { pairs, absent };
}

/** Pairs an entry with an integration, by a match that means no other one. */
function pairWith(
  integration: LiveIntegration,
  entry: Entry,
  index: LiveIndex,
): Pair {
  const [found, ...others] = index.found(selectorOf(entry));
  const isMeant = found === integration && others.length === 0;
  if (isMeant) return { entry, integration };
  return { entry, integration, match: matchOf(integration, index) };
}

/** The glob that outlasts an upgrade if it is of one integration, or the id. */
export function matchOf({ id }: LiveIntegration, index: LiveIndex): string {
  const glob = globOfId(id);
  return index.found({ id: glob }).length === 1 ? glob : id;
}

/** The integration for which pull would make an entry of the same name. */
function namesake(
  { name }: Entry,
  taken: ReadonlySet<LiveIntegration>,
  index: LiveIndex,
): LiveIntegration | undefined {
  const alike = index.all.filter(
    (integration) =>
      entryName(integration.id) === name && !taken.has(integration),
  );
  return alike.length === 1 ? alike[0] : undefined;
}

/** Chooses the integration that is most as an entry asks; undefined of none. */
function nearestPair(
  entry: Entry,
  found: readonly LiveIntegration[],
  config: WrittenConfig,
  index: LiveIndex,
): Pair | undefined {
  const pairs = found.map((integration) => pairWith(integration, entry, index));
  let [nearest] = pairs;
  if (pairs.length < 2) return nearest;
  let fewest = Number.POSITIVE_INFINITY;
  for (const pair of pairs) {
    const differing = differencesOf(pair, config);
    if (differing >= fewest) continue;
    nearest = pair;
    fewest = differing;
  }
  return nearest;
}

/** How many fields of an entry are not as it asks on an integration. */
function differencesOf(pair: Pair, { values }: WrittenConfig): number {
  const entries = [selecting(pair)];
  const { integration } = pair;
  const resolved = resolveConfig({ entries, values });
  const [desired] = matchEntries(resolved, [integration]).integrations;
  if (desired === undefined) return 0;
  const compared = compareIntegration(desired, integration);
  let differing = compared.diagnostics.length;
  for (const { state } of compared.comparisons)
    if (state === 'differs') differing += 1;
  return differing;
}

/** An entry that selects the integration of its pair. */
function selecting({ entry, match }: Pair): Entry {
  if (match === undefined) return entry;
  const { name, place } = entry;
  const selector = { id: match };
  const setter = {
    field: 'match',
    entry: name,
    place,
    value: selector,
  } as const;
  return { ...entry, match: setter };
}

/** The configuration in which each entry selects what it is paired with. */
export function pairedConfig(
  { entries, values }: WrittenConfig,
  { pairs, absent }: Pairing,
): WrittenConfig {
  const byEntry = new Map(pairs.map((pair) => [pair.entry, pair]));
  const gone = new Set(absent);
  const paired: Entry[] = [];
  for (const entry of entries) {
    if (gone.has(entry)) continue;
    const pair = byEntry.get(entry);
    paired.push(pair === undefined ? entry : selecting(pair));
  }
  return { entries: paired, values };
}
