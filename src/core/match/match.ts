import { declarationsOf } from '../config/declaration.ts';
import { type Entry, isDefault, selectorOf } from '../config/entry.ts';
import type { ResolvedConfig, ResolvedValue } from '../config/resolve.ts';
import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DefaultOption, DesiredIntegration, DesiredState } from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import { askedOptions, gather } from './gather.ts';
import { LiveIndex } from './live-index.ts';
import { forgottenGlob, nearIntegrations } from './near.ts';

type ResolvedEntry = Entry<ResolvedValue>;

/** What a configuration asks of the integrations that are there, beside all that could not be matched. */
export interface Matched {
  readonly value: DesiredState;
  /** How many other integrations the configuration manages, those that `only` leaves out. */
  readonly managedElsewhere: number;
  /** The entries that match none or several where one is expected. */
  readonly unmet: readonly Unmet[];
  /** All other findings. */
  readonly diagnostics: readonly Diagnostic[];
}

/** An entry that matches none or several, its finding, and the integrations that could be meant, best first. */
export interface Unmet {
  readonly entry: ResolvedEntry;
  readonly finding: Diagnostic;
  readonly meant: readonly LiveIntegration[];
}

/** How many candidates a message lists. */
const CANDIDATES_SHOWN = 8;

/** To how many entries without a match near names are looked for: more findings are not shown. */
const SUGGESTIONS = 100;

/**
 * Finds the installed integration that each entry means, and gathers per integration what is asked of it: specific
 * entries over defaults (`expect: any`), field by field. Finds every entry that matches none or several; such entries are
 * not in the value. `only` narrows it to integrations by a glob on their ids and the names of their entries: all entries
 * take part all the same, but what is found of others does not count.
 */
export function matchEntries(
  entries: ResolvedConfig,
  live: readonly LiveIntegration[],
  only?: string,
): Matched {
  const isMeant = only === undefined ? () => true : globMatcher(only);
  const index = new LiveIndex(live);
  const matches = entries.map((entry) => {
    const found = index.found(selectorOf(entry));
    return { entry, found, isUnmet: isUnmet(entry, found) };
  });
  const entriesOf = new Map(index.all.map((integration) => [integration, [] as ResolvedEntry[]]));
  for (const { entry, found, isUnmet } of matches)
    if (!isUnmet) for (const integration of found) entriesOf.get(integration)?.push(entry);
  const gathered = [...entriesOf]
    .filter(([{ id }, entries]) => [id, ...specificNames(entries)].some(isMeant))
    .map(([integration, entries]) => ({ integration, ...gather(integration.id, entries) }));
  const integrations = gathered
    .flatMap(({ value }) => value ?? [])
    .sort((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id));
  const selected = new Set(gathered.map(({ integration }) => integration));
  const unmet = matches
    .filter(
      ({ entry, found, isUnmet }) =>
        isUnmet && (isMeant(entry.name) || found.some((each) => selected.has(each))),
    )
    .map(({ entry, found }, index) => unmetBy(entry, found, live, index < SUGGESTIONS));
  const diagnostics = [
    ...matches
      .filter(({ entry, found }) => found.length === 0 && isDefault(entry) && isMeant(entry.name))
      .map(({ entry }) => diagnostic('idle-default', { name: entry.name }, placeOf(entry))),
    ...gathered.flatMap((each) => each.diagnostics),
    ...ambiguousNames(integrations),
  ];
  const managedElsewhere = [...entriesOf].filter(
    ([integration, own]) => !selected.has(integration) && own.some(manages),
  ).length;
  const value = { integrations, defaults: defaultOptions(matches) };
  return { value, managedElsewhere, unmet, diagnostics };
}

/** The options of all entries that hold defaults, each with all integrations that it is for. */
function defaultOptions(matches: readonly Match[]): DefaultOption[] {
  return matches
    .filter(({ entry, found }) => isDefault(entry) && found.length > 0)
    .flatMap(({ entry, found }) => {
      const ids = found.map(({ id }) => id);
      return askedOptions(entry).map((option) => ({ ...option, ids }));
    });
}

/** An entry with the integrations that it selects. */
interface Match {
  readonly entry: ResolvedEntry;
  readonly found: readonly LiveIntegration[];
}

/** The names of the entries that mean one integration by itself. */
function specificNames(entries: readonly ResolvedEntry[]): string[] {
  return entries.filter((entry) => !isDefault(entry)).map(({ name }) => name);
}

/** Two integrations with one name would have the same field addresses. */
function ambiguousNames(integrations: readonly DesiredIntegration[]): Diagnostic[] {
  const ids = new Set(integrations.map(({ id }) => id));
  return integrations
    .filter(({ name, id }) => name !== id && ids.has(name))
    .map(({ name, id, place }) => diagnostic('ambiguous-name', { name, id }, place));
}

/** Whether an entry manages anything; one that only stops management need not find its integration. */
function manages(entry: ResolvedEntry): boolean {
  return declarationsOf(entry).some(({ isNull }) => !isNull);
}

/** Whether an entry expects another number of integrations than it matches. */
function isUnmet(entry: ResolvedEntry, found: readonly LiveIntegration[]): boolean {
  const expect = entry.expect?.value ?? 'one';
  if (expect === 'any' || found.length === 1) return false;
  return found.length > 1 || (expect !== 'optional' && manages(entry));
}

function unmetBy(
  entry: ResolvedEntry,
  found: readonly LiveIntegration[],
  live: readonly LiveIntegration[],
  suggests: boolean,
): Unmet {
  const place = placeOf(entry);
  const selector = selectorText(entry);
  const facts = (some: readonly LiveIntegration[]) => ({
    selector,
    candidates: some.slice(0, CANDIDATES_SHOWN).map(candidate),
    total: some.length,
  });
  if (found.length > 1) {
    const meant = [...found].sort(byId);
    return { entry, finding: diagnostic('several-matches', facts(meant), place), meant };
  }
  const words = Object.values(selectorOf(entry));
  const meant = suggests ? nearIntegrations(words, live) : [];
  const glob = suggests ? forgottenGlob(words, live) : undefined;
  const listed = facts(meant.length > 0 ? meant : [...live].sort(byId));
  return { entry, finding: diagnostic('no-match', { ...listed, ...present({ glob }) }, place), meant };
}

function selectorText(entry: ResolvedEntry): string {
  const { id, ...others } = selectorOf(entry);
  const texts = Object.entries(others).map(([attribute, glob]) => `${attribute}: ${glob}`);
  if (id === undefined) return texts.join(', ');
  return texts.length === 0 ? id : [`id: ${id}`, ...texts].join(', ');
}

/** Where an entry says what it selects. */
function placeOf({ match, place }: ResolvedEntry): Place {
  return match?.place ?? place;
}

function byId(a: LiveIntegration, b: LiveIntegration): number {
  return compareText(a.id, b.id);
}

function candidate({ id, name, acronym }: LiveIntegration): string {
  return [name ?? '-', acronym ?? '-', id].join(', ');
}
