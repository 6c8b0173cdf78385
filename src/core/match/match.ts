import {
  declarationsOf,
  isDefault,
  selectorOf,
  selectorText,
} from '../config/entry.ts';
import type { ResolvedConfig } from '../config/resolve.ts';
import {
  compareText,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import { globMatcher, literalStart } from '../model/glob.ts';
import { baseOfId, globOfId } from '../model/ids.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import { type Gathered, gather } from './gather.ts';
import { NearNames } from './near.ts';

type ResolvedEntry = ResolvedConfig[number];

/** An entry with the integrations that it selects. */
interface Match {
  readonly entry: ResolvedEntry;
  readonly found: readonly LiveIntegration[];
}

/** An integration with one of the entries that select it. */
type Pair = readonly [LiveIntegration, ResolvedEntry];

/**
 * Finds the installed integration that each entry means, and gathers what is asked of each integration: specific entries
 * over defaults (`expect: any`), field by field. Integrations of entries that match several are left out. `only` is a glob
 * on ids and names of entries. A catalog need not be complete: an unmet entry is a warning there.
 */
export function matchEntries(
  entries: ResolvedConfig,
  live: readonly LiveIntegration[],
  only = '*',
  inCatalog = false,
) {
  const isMeant = globMatcher(only);
  const index = new LiveIndex(live);
  const matches = entries.map(
    (entry): Match => ({ entry, found: index.found(selectorOf(entry)) }),
  );
  const missed = matches.filter(isUnmet);
  const met = matches.filter((match) => !isUnmet(match));
  const pairs = met.flatMap(({ entry, found }) =>
    found.map((each): Pair => [each, entry]),
  );
  const pairsOf = grouped(pairs, ([each]) => each);
  const isSelected = (each: LiveIntegration) =>
    isMeant(each.id) ||
    (pairsOf.get(each) ?? []).some(
      ([, entry]) => !isDefault(entry) && isMeant(entry.name),
    );
  // Nothing is written to a catalog: what other entries ask of them can still be checked.
  const unclear = new Set(
    inCatalog ? [] : missed.flatMap(({ found }) => found),
  );
  const asked = gatherAll(
    [...pairsOf.values()].filter(
      ([[each]]) => isSelected(each) && !unclear.has(each),
    ),
  );
  const unmet = missed.filter(
    ({ entry, found }) => isMeant(entry.name) || found.some(isSelected),
  );
  const idle = matches.filter(
    ({ entry, found }) =>
      isDefault(entry) && isMeant(entry.name) && found.length === 0,
  );
  return {
    /** Ordered by name. */
    value: asked.integrations,
    /** The names of entries that match none or several where one is expected. */
    missed: missed.map(({ entry }) => entry.name),
    /** The ids of integrations that errors leave out. */
    erring: [...[...unclear].map(({ id }) => id), ...asked.erring],
    /** The names of entries, or else the ids, that errors leave out. */
    leftOut: [...unmet.map(({ entry }) => entry.name), ...asked.leftOut],
    diagnostics: [
      ...findUnmet(unmet, index, inCatalog),
      ...idle.map(({ entry }) =>
        diagnostic(
          'idle-declaration',
          { of: 'default', name: entry.name },
          placeOf(entry),
        ),
      ),
      ...asked.diagnostics,
    ],
  };
}

/** The same offline, with the integrations of a catalog as they would be installed. */
export function matchCatalog(
  config: ResolvedConfig,
  catalog: readonly LiveIntegration[],
) {
  const exact = config
    .flatMap((entry) => selectorOf(entry).id ?? [])
    .filter((id) => baseOfId(id) !== id && literalStart(id) === id);
  const ids = grouped([...new Set(exact)], baseOfId);
  // An integration is installed under each exact id that the configuration has for it; else under that of the catalog.
  const installed = catalog.flatMap((each) =>
    (ids.get(baseOfId(each.id)) ?? [each.id]).map((id) => ({ ...each, id })),
  );
  return { ...matchEntries(config, installed, '*', true), installed };
}

/** Gathers what entries ask of each integration. Integrations with the same entries share their settings. */
function gatherAll(selected: readonly (readonly [Pair, ...Pair[]])[]) {
  const asked = new Map<string, Gathered>();
  const gathered = selected.map((pairs) => {
    const [{ id }, entry] =
      pairs.find(([, each]) => !isDefault(each)) ?? pairs[0];
    const name = isDefault(entry) ? id : entry.name;
    const own = pairs.map(([, each]) => each);
    const key = JSON.stringify(own.map((each) => each.name));
    const found = asked.get(key) ?? gather(name, own);
    asked.set(key, found);
    return { name, id, place: entry.place, ...found };
  });
  const all = gathered.flatMap(
    ({ diagnostics, ...each }): DesiredIntegration[] => {
      const isContradictory = diagnostics.some(
        ({ code }) => code === 'duplicate-field',
      );
      const { options, autosubscribe } = each.settings;
      const isNothing = options.size === 0 && autosubscribe === undefined;
      return isContradictory || isNothing ? [] : [each];
    },
  );
  const ids = new Set(all.map(({ id }) => id));
  // The fields of both would have the same addresses.
  const isAmbiguous = ({ name, id }: DesiredIntegration) =>
    name !== id && ids.has(name);
  const ambiguous = all.filter(isAmbiguous);
  const failed = gathered.filter(
    ({ id, diagnostics }) => !ids.has(id) && hasErrors(diagnostics),
  );
  return {
    integrations: all
      .filter((each) => !isAmbiguous(each))
      .sort((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id)),
    erring: [...ambiguous, ...failed].map(({ id }) => id),
    leftOut: [
      ...ambiguous.map(({ name }) => name),
      ...failed.map(({ id }) => id),
    ],
    diagnostics: [
      // What defaults contradict is found once for all of their integrations.
      ...new Set(gathered.flatMap(({ diagnostics }) => diagnostics)),
      ...ambiguous.map(({ name, id, place }) =>
        diagnostic('ambiguous-name', { name, id }, place),
      ),
    ],
  };
}

/** Whether an entry expects another number of integrations than it matches. One that manages nothing needs none. */
function isUnmet({ entry, found }: Match): boolean {
  const expect = entry.expect?.value ?? 'one';
  if (expect === 'any' || found.length === 1) return false;
  const isNeeded =
    expect === 'one' && declarationsOf(entry).some(({ isNull }) => !isNull);
  return found.length > 1 || isNeeded;
}

/** Where an entry says what it selects. */
function placeOf({ match, place }: ResolvedEntry): Place {
  return match?.place ?? place;
}

/** How many candidates a message lists. */
const CANDIDATES_SHOWN = 8;

/** The findings for entries that match none or several where one is expected, with the integrations that could be meant. */
function findUnmet(
  unmet: readonly Match[],
  index: LiveIndex,
  inCatalog: boolean,
): Diagnostic[] {
  const near = new NearNames(unmet.length === 0 ? [] : index.all);
  return unmet.flatMap(({ entry, found }) => {
    const selector = selectorOf(entry);
    const meant = found.length > 0 ? found : near.find(Object.values(selector));
    // In a catalog one integration can have several exact ids, each on its own server.
    const all = inCatalog
      ? [...grouped(meant, ({ id }) => baseOfId(id)).values()].map(
          ([each]) => each,
        )
      : meant;
    if (found.length > 0 && all.length === 1) return [];
    const candidates = all
      .slice(0, CANDIDATES_SHOWN)
      .map((each) => candidateText(each, index, inCatalog));
    const facts = {
      selector: selectorText(selector),
      candidates,
      total: all.length,
      inCatalog,
    };
    return [
      diagnostic(
        found.length > 0 ? 'several-matches' : 'no-match',
        facts,
        placeOf(entry),
      ),
    ];
  });
}

/** An integration with the match that means it alone: a glob that outlasts an upgrade, else its id. In a catalog ids are made up. */
function candidateText(
  { id, name = '-', acronym = '-' }: LiveIntegration,
  index: LiveIndex,
  inCatalog: boolean,
): string {
  if (inCatalog) return `${name}, ${acronym} (match: ${baseOfId(id)}_*)`;
  const matches = literalStart(id) === id ? [globOfId(id), id] : [];
  const match = matches.find((glob) => index.found({ id: glob }).length === 1);
  return `${name}, ${acronym}, ${id}${match === undefined ? '' : ` (match: ${match})`}`;
}

/** Finds integrations by globs; with a glob on the id only among those whose ids begin like it. */
export class LiveIndex {
  /** All integrations, ordered by id, like every answer. */
  readonly all: readonly LiveIntegration[];

  constructor(live: readonly LiveIntegration[]) {
    this.all = [...live].sort((a, b) => compareText(a.id, b.id));
  }

  /** The integrations that a selector matches. */
  found({
    id = '*',
    name,
    acronym,
  }: ReturnType<typeof selectorOf>): readonly LiveIntegration[] {
    const start = literalStart(id);
    // U+FFFF follows every character that an id can continue with.
    const near =
      start === ''
        ? this.all
        : this.all.slice(
            this.#firstFrom(start),
            this.#firstFrom(`${start}\uffff`),
          );
    const [byId, byName, byAcronym] = [id, name, acronym].map(matcherOf);
    return near.filter(
      (each) =>
        byId?.(each.id) && byName?.(each.name) && byAcronym?.(each.acronym),
    );
  }

  /** The first position whose id is not before a text, by bisection. */
  #firstFrom(text: string): number {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.all[middle]?.id ?? '') < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Whether a text matches a glob; without a glob everything does. */
function matcherOf(
  glob: string | undefined,
): (text: string | undefined) => boolean {
  if (glob === undefined) return () => true;
  const matches = globMatcher(glob);
  return (text) => text !== undefined && matches(text);
}
