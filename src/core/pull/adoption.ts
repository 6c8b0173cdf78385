import { isDefault, selectorOf } from '../config/entry.ts';
import type { LinkedConfig } from '../config/link.ts';
import { outsideReferences, resolveConfig } from '../config/resolve.ts';
import { compareText, type Diagnostic } from '../findings/diagnostic.ts';
import { LiveIndex } from '../match/live-index.ts';
import { matchEntries } from '../match/match.ts';
import { NarrowMatches } from '../match/narrow.ts';
import { globMatcher } from '../model/glob.ts';
import { baseOfId } from '../model/integration-id.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Scrubber } from '../scrub/scrubber.ts';
import { type AdoptedEntry, adoptedEntry } from './adopted-entry.ts';
import { logicalNames } from './logical-names.ts';
import { Variables } from './variables.ts';

/** What is to be adopted, and how. */
export interface AdoptionWish {
  readonly live: readonly LiveIntegration[];
  /** The name of their server. */
  readonly server: string;
  /** The configuration that it has already. */
  readonly existing: LinkedConfig;
  /** The variables that this and any other configuration around it reads. */
  readonly variables?: readonly string[];
  /** A glob on the ids and names of integrations. */
  readonly only?: string | undefined;
  /** The integrations' own files: what is at its default is not written. */
  readonly catalog?: readonly LiveIntegration[] | undefined;
  readonly hasComments: boolean;
  /** Knows all secrets of the run. */
  readonly scrubber: Scrubber;
}

/** What a configuration lacks of what is installed, as YAML. */
export interface Adoption {
  /** In the order of their names; those without lines declare nothing. */
  readonly entries: readonly AdoptedEntry[];
  /** How many integrations the configuration manages already. */
  readonly managed: number;
  /** The entries that no longer mean one integration: a person says which, and until then no plan is made. */
  readonly diagnostics: readonly Diagnostic[];
  /** The names of entries whose integration is not installed. */
  readonly notInstalled: readonly string[];
  /** The names and ids that a glob could have meant. */
  readonly names: readonly string[];
}

/** Describes each installed integration that no specific entry selects. The same state of a server leads to the same text. */
export function adopt(wish: AdoptionWish): Adoption {
  const { live, existing, scrubber } = wish;
  const index = new LiveIndex(live);
  const isMeant = wish.only === undefined ? () => true : globMatcher(wish.only);
  const { unmet } = matchEntries(resolveConfig(existing), live);
  const several = unmet.filter(({ finding }) => finding.code === 'several-matches');
  const unclear = new Set(several.flatMap(({ meant }) => meant));
  const specific = existing.filter((entry) => !isDefault(entry));
  const selected = new Set(specific.flatMap((entry) => index.found(selectorOf(entry))));
  const names = logicalNames(
    index.all.filter((each) => !selected.has(each)),
    live,
    { taken: existing.map(({ name }) => name), isShowing: (text) => scrubber.name(text) !== text },
  );
  const described = new Description(wish, index);
  const unmanaged = index.all.flatMap((each) => {
    const name = names.get(each.id);
    return name !== undefined && (isMeant(each.id) || isMeant(name)) ? [{ each, name }] : [];
  });
  return {
    entries: unmanaged
      .map(({ each, name }) => described.entryOf(each, name))
      .sort((a, b) => compareText(a.name, b.name)),
    managed: [...selected].filter((each) => !unclear.has(each)).length,
    diagnostics: several
      .filter(({ entry, meant }) => isMeant(entry.name) || meant.some(({ id }) => isMeant(id)))
      .map(({ finding }) => finding),
    notInstalled: unmet
      .filter(({ entry, finding }) => finding.code === 'no-match' && isMeant(entry.name))
      .map(({ entry }) => entry.name),
    names: [
      ...new Set([...names.values(), ...existing.map(({ name }) => name), ...index.all.map(({ id }) => id)]),
    ],
  };
}

/** Describes integrations, each on its own, with variables that no two share. */
class Description {
  readonly #wish: AdoptionWish;
  readonly #narrow: NarrowMatches;
  readonly #variables: Variables;
  readonly #defaults: ReadonlyMap<string, LiveIntegration['options']>;

  constructor(wish: AdoptionWish, index: LiveIndex) {
    this.#wish = wish;
    this.#narrow = new NarrowMatches(index);
    const outside = outsideReferences(wish.existing).filter(({ kind }) => kind === 'env');
    const own = outside.map(({ name }) => name);
    const others = (wish.variables ?? []).filter((name) => !own.includes(name));
    this.#variables = new Variables(wish.server, own, others);
    this.#defaults = new Map((wish.catalog ?? []).map(({ id, options }) => [baseOfId(id), options]));
  }

  entryOf(live: LiveIntegration, name: string): AdoptedEntry {
    const { scrubber, hasComments } = this.#wish;
    return adoptedEntry(live, {
      name,
      match: this.#narrow.globOf(live),
      isIdTaken: this.#wish.existing.some((entry) => entry.name === live.id && !isDefault(entry)),
      variables: this.#variables,
      hasComments,
      clean: scrubber.clean,
      isNameShowing: (text) => scrubber.name(text) !== text,
      isShowing: (text) => scrubber.find(text).length > 0,
      defaults: this.#defaults.get(baseOfId(live.id)),
    });
  }
}
