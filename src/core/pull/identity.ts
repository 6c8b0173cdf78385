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
import { compareText } from '../findings/diagnostic.ts';
import type { LiveIndex } from '../match/live-index.ts';
import { matchEntries } from '../match/match.ts';
import { baseOfGlob, baseOfId, globOfId } from '../model/ids.ts';
import { byId } from '../model/lists.ts';
import type { LiveIntegration } from '../model/live.ts';
import { compareIntegration } from '../plan/compare.ts';

/** A specific entry, and the installed integration that belongs to it. */
export interface Bond {
  entry: Entry;
  integration: LiveIntegration;
  /** The match that means it alone, if that of the entry does not. */
  match?: string | undefined;
}

/** Which integration belongs to which entry. */
export interface Identity {
  /** Ordered by the names of entries. */
  bonds: readonly Bond[];
  /** The nulls in place of the entries of integrations. */
  stopped: ReadonlyMap<LiveIntegration, Declaration>;
  /** The integrations that belong to no entry. */
  free: readonly LiveIntegration[];
  /** The entries of integrations that are not installed, but should be. */
  absent: readonly Entry[];
  /** How many integrations entries select as they are. */
  managed: number;
}

/**
 * Finds the integration of each specific entry: the one that it selects,
 * whatever it is called, or else the one that it selected before an upgrade. Of
 * several it is the one that differs least from what the entry asks.
 */
export function identify(config: WrittenConfig, index: LiveIndex): Identity {
  const stops = new Map<LiveIntegration, Declaration>();
  const claims: Claim[] = [];
  const known = byId(index.all);
  const specific = config.entries.filter((entry) => !isDefault(entry));
  for (const entry of specific) {
    const stop = stopOf(entry);
    const found = index.found(selectorOf(entry));
    if (stop === undefined) claims.push(claimOf(entry, found, index, known));
    else for (const integration of found) stops.set(integration, stop);
  }
  claims.sort((a, b) => a.rank - b.rank);
  const bound = bind(claims, stops, config, index);
  const taken = new Set(bound.bonds.map(({ integration }) => integration));
  const managed = new Set(claims.flatMap(({ found }) => found)).size;
  const stopped = new Map<LiveIntegration, Declaration>();
  const free: LiveIntegration[] = [];
  for (const integration of index.all) {
    if (taken.has(integration)) continue;
    const stop = stops.get(integration);
    if (stop === undefined) free.push(integration);
    else stopped.set(integration, stop);
  }
  return { ...bound, stopped, free, managed };
}

/**
 * Binds each entry to one of its candidates. What an entry can only mean is its
 * own, even if another entry has it; a guess takes only what is free.
 */
function bind(
  claims: readonly Claim[],
  stops: ReadonlyMap<LiveIntegration, Declaration>,
  config: WrittenConfig,
  index: LiveIndex,
): Pick<Identity, 'bonds' | 'absent'> {
  const taken = new Set(stops.keys());
  const bonds: Bond[] = [];
  const absent: Entry[] = [];
  for (const { entry, found, candidates, rank } of claims) {
    const free = candidates.filter((each) => rank === 0 || !taken.has(each));
    const selected = found.length === 1 ? found[0] : undefined;
    const integration = nearest(entry, free, config) ?? selected;
    if (integration !== undefined) {
      taken.add(integration);
      const isMeant = integration === selected;
      const match = isMeant ? undefined : matchOf(integration, index);
      bonds.push({ entry, integration, match });
    } else if (found.length === 0 && isExpected(entry)) absent.push(entry);
  }
  bonds.sort((a, b) => compareText(a.entry.name, b.entry.name));
  return { bonds, absent };
}

function isExpected(entry: Entry): boolean {
  return managesAnything(entry) && entry.expect?.value !== 'optional';
}

/** The integrations that may belong to an entry. */
interface Claim {
  entry: Entry;
  /** Those that it selects as it is. */
  found: readonly LiveIntegration[];
  candidates: readonly LiveIntegration[];
  /** 0 if it can only be one, 1 if the entry selects any, else 2. */
  rank: 0 | 1 | 2;
}

/**
 * What an entry selects, or else what has the id that it asks for but for its
 * version. An entry with the name of an id can mean no other integration.
 */
function claimOf(
  entry: Entry,
  found: readonly LiveIntegration[],
  index: LiveIndex,
  known: ReadonlyMap<string, LiveIntegration>,
): Claim {
  const bearer = known.get(entry.name);
  const { id, ...others } = selectorOf(entry);
  let candidates = found;
  if (bearer !== undefined) candidates = [bearer];
  else if (found.length === 0 && id !== undefined) {
    const base = baseOfGlob(id);
    const alike = index.found({ ...others, id: '*' });
    candidates = alike.filter((each) => baseOfId(each.id) === base);
  }
  if (found.length === 0) return { entry, found, candidates, rank: 2 };
  const isCertain = found.length === 1 && found[0] === candidates[0];
  return { entry, found, candidates, rank: isCertain ? 0 : 1 };
}

/** The glob that outlasts an upgrade if it is of one integration, or the id. */
export function matchOf({ id }: LiveIntegration, index: LiveIndex): string {
  const glob = globOfId(id);
  return index.found({ id: glob }).length === 1 ? glob : id;
}

/** The integration with the fewest fields that are not as an entry asks. */
function nearest(
  entry: Entry,
  candidates: readonly LiveIntegration[],
  { values }: WrittenConfig,
): LiveIntegration | undefined {
  let [best] = candidates;
  if (candidates.length < 2) return best;
  let fewest = Number.POSITIVE_INFINITY;
  for (const integration of candidates) {
    const entries = [withMatch(entry, integration.id)];
    const resolved = resolveConfig({ entries, values });
    const [desired] = matchEntries(resolved, [integration]).integrations;
    if (desired === undefined) continue;
    const compared = compareIntegration(desired, integration);
    let differing = compared.diagnostics.length;
    for (const { state } of compared.comparisons)
      if (state === 'differs') differing += 1;
    if (differing >= fewest) continue;
    best = integration;
    fewest = differing;
  }
  return best;
}

function withMatch(entry: Entry, id: string): Entry {
  const { name, place } = entry;
  const match = { field: 'match', entry: name, place, value: { id } } as const;
  return { ...entry, match };
}

/** A configuration in which each entry selects what belongs to it. */
export function meantConfig(
  { entries, values }: WrittenConfig,
  { bonds, absent }: Identity,
): WrittenConfig {
  const matches = new Map(bonds.map(({ entry, match }) => [entry.name, match]));
  const gone = new Set(absent.map(({ name }) => name));
  const meant: Entry[] = [];
  for (const entry of entries) {
    if (gone.has(entry.name)) continue;
    const match = matches.get(entry.name);
    meant.push(match === undefined ? entry : withMatch(entry, match));
  }
  return { entries: meant, values };
}
