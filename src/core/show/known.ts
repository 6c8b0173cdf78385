import { type Entry, isDefault, selectorOf } from '../config/entry.ts';
import type { Holding } from '../config/origins.ts';
import { LiveIndex } from '../match/live-index.ts';
import type { Unmet } from '../match/match.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import { globMatcher, literalStart } from '../model/glob.ts';
import { baseOfId } from '../model/integration-id.ts';
import type { LiveIntegration } from '../model/live.ts';
import { present } from '../model/present.ts';
import type { ShownServer } from './shown.ts';
import type { TracedConfig } from './traced.ts';

/** A server as far as a run knows it. */
export interface KnownServer extends ShownServer {
  /** The layers of its configuration, as that names them. */
  readonly layerNames: readonly string[];
  readonly config: TracedConfig;
  /** Absent where nobody was asked. */
  readonly inventory?: Inventory;
}

/** What is installed, and what the configuration asks of it. */
export interface Inventory {
  /** Those that were asked for with all their options; of a catalog, as they are installed. */
  readonly installed: readonly LiveIntegration[];
  readonly desired: readonly DesiredIntegration[];
  readonly unmet: readonly Pick<Unmet, 'entry'>[];
}

/** An integration on a server, or an entry of which nobody knows what it matches. */
export interface Target {
  /** Its name in the configuration; its id where no entry names it. */
  readonly name: string;
  readonly holding: readonly Holding[];
  readonly installed?: LiveIntegration;
  readonly desired?: DesiredIntegration;
}

/** What a server has to show, by name. */
export class Targets {
  readonly #all: readonly Target[];
  readonly #entries: TracedConfig['merged']['entries'];

  constructor({ config: { merged }, inventory, live }: Pick<KnownServer, 'config' | 'inventory' | 'live'>) {
    this.#entries = merged.entries;
    // The ids of a catalog are made up: only their beginning is that of a server.
    const shownId = live === 'catalog' ? baseOfId : (id: string) => id;
    const installed = inventory === undefined ? [] : installedTargets(merged.entries, inventory, shownId);
    const named = new Set(installed.map(({ name }) => name));
    const others = merged.entries.filter(({ name }) => !named.has(name));
    this.#all = [...installed, ...others.map((entry) => entryTarget(entry, merged.entries))];
  }

  /** Those whose name or id is a word, or matches it as a glob; defaults only by their name. */
  of(word: string): readonly Target[] {
    const matches = globMatcher(word);
    const isGlob = literalStart(word) !== word;
    const isMeant = ({ name, installed, holding }: Target) => {
      if (name === word || installed?.id === word) return true;
      const isOfDefaults = installed === undefined && holding.every((each) => each.isDefault);
      return isGlob && !isOfDefaults && (matches(name) || matches(installed?.id ?? ''));
    };
    return this.#all.filter(isMeant);
  }

  /** The counterpart of an integration that another server has: what a catalog has of its type, else the entries that mean its id. */
  like(other: LiveIntegration): Target | undefined {
    const base = baseOfId(other.id);
    const own = this.#all.find(({ installed }) => installed !== undefined && baseOfId(installed.id) === base);
    if (own !== undefined) return own;
    const index = new LiveIndex([other]);
    const holding = this.#entries.flatMap((entry): Holding[] => {
      const selector = selectorOf(entry);
      if (index.found(selector).length === 0) return [];
      const isCertain = selector.name === undefined && selector.acronym === undefined;
      return [isCertain ? holdingOf(entry) : { ...holdingOf(entry), isUncertain: true }];
    });
    const name = holding.find((each) => !each.isDefault)?.entry ?? other.id;
    return holding.length === 0 ? undefined : { name, holding };
  }

  /** All names and ids by which they can be asked for. */
  get words(): readonly string[] {
    return [...new Set(this.#all.flatMap(({ name, installed }) => [name, installed?.id ?? name]))];
  }
}

/** The installed integrations, each with the entries that mean it. */
function installedTargets(
  entries: TracedConfig['merged']['entries'],
  inventory: Inventory,
  shownId: (id: string) => string,
): Target[] {
  const index = new LiveIndex(inventory.installed);
  const unmet = new Set(inventory.unmet.map(({ entry }) => entry.name));
  const holding = new Map(index.all.map(({ id }): [string, Holding[]] => [id, []]));
  for (const entry of entries.filter(({ name }) => !unmet.has(name)))
    for (const { id } of index.found(selectorOf(entry))) holding.get(id)?.push(holdingOf(entry));
  const desired = new Map(inventory.desired.map((each) => [each.id, each]));
  return index.all.map((installed) => {
    const held = holding.get(installed.id) ?? [];
    const name = held.find((each) => !each.isDefault)?.entry ?? shownId(installed.id);
    return { name, holding: held, installed, ...present({ desired: desired.get(installed.id) }) };
  });
}

/** An entry by itself; the defaults that may hold for what it matches go below it. */
function entryTarget(entry: Entry<unknown>, all: readonly Entry<unknown>[]): Target {
  const defaults = isDefault(entry) ? [] : all.filter((each) => isDefault(each) && mayMeet(entry, each));
  const below = defaults.map((each): Holding => {
    const isCertain = JSON.stringify(selectorOf(each)) === EVERYTHING;
    return isCertain ? holdingOf(each) : { ...holdingOf(each), isUncertain: true };
  });
  return { name: entry.name, holding: [holdingOf(entry), ...below] };
}

/** The selector that means every integration. */
const EVERYTHING = JSON.stringify({ id: '*' });

/** Whether two entries may mean one integration, as far as the beginnings of their globs tell. */
function mayMeet(one: Entry<unknown>, other: Entry<unknown>): boolean {
  const [a, b] = [selectorOf(one), selectorOf(other)];
  return (['id', 'name', 'acronym'] as const).every((attribute) => {
    const [start, otherStart] = [literalStart(a[attribute] ?? ''), literalStart(b[attribute] ?? '')];
    return start.startsWith(otherStart) || otherStart.startsWith(start);
  });
}

function holdingOf(entry: Entry<unknown>): Holding {
  return { entry: entry.name, isDefault: isDefault(entry) };
}
