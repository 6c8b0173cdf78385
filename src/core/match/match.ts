import { type Entry, isDefault, selectorOf } from '../config/entry.ts';
import { declarationsOf } from '../config/layers.ts';
import type { ResolvedConfig, ResolvedValue } from '../config/resolve.ts';
import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import type { DesiredIntegration, DesiredState } from '../model/desired.ts';
import { globMatcher, literalStart } from '../model/glob.ts';
import { globOfId } from '../model/ids.ts';
import { present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import { gatherer } from './gather.ts';
import { LiveIndex } from './live-index.ts';
import { type NearIntegrations, nearIntegrations } from './near.ts';

type ResolvedEntry = Entry<ResolvedValue>;

/** What a configuration asks of the installed integrations, and everything that could not be matched. */
export interface Matched {
  readonly value: DesiredState;
  /** The entries that match none or several where one is expected. */
  readonly unmet: readonly Unmet[];
  /** The names of entries, or else the ids, that errors leave out. */
  readonly leftOut: readonly string[];
  /** All other findings. */
  readonly diagnostics: readonly Diagnostic[];
}

/** An entry that matches none or several, its finding, and the integrations that could be meant, best first. */
export interface Unmet {
  readonly entry: ResolvedEntry;
  readonly finding: Diagnostic;
  readonly meant: readonly LiveIntegration[];
}

/** An entry with the integrations that it selects. */
interface Match {
  readonly entry: ResolvedEntry;
  readonly found: readonly LiveIntegration[];
}

/** How many candidates a message lists. */
const CANDIDATES_SHOWN = 8;

/**
 * Finds the installed integration that each entry means, and gathers what is asked of each integration: specific entries
 * over defaults (`expect: any`), field by field. Entries that match none or several are found and are not in the value.
 * `only` is a glob on ids and names of entries: other integrations and what is found about them are left out.
 */
export function matchEntries(
  entries: ResolvedConfig,
  live: readonly LiveIntegration[],
  only?: string,
): Matched {
  const isMeant = only === undefined ? () => true : globMatcher(only);
  const index = new LiveIndex(live);
  const matches = entries.map((entry): Match => ({ entry, found: index.found(selectorOf(entry)) }));
  const missed = matches.filter(isUnmet);
  const entriesOf = new Map(index.all.map((each): [LiveIntegration, ResolvedEntry[]] => [each, []]));
  for (const { entry, found } of matches.filter((match) => !isUnmet(match)))
    for (const integration of found) entriesOf.get(integration)?.push(entry);
  const isSelected = ([{ id }, own]: [LiveIntegration, ResolvedEntry[]]) =>
    isMeant(id) || own.some((entry) => !isDefault(entry) && isMeant(entry.name));
  const selected = new Map([...entriesOf].filter(isSelected));
  const unclear = new Set(missed.flatMap(({ found }) => found));
  const asked = gather([...selected].filter(([integration]) => !unclear.has(integration)));
  const near = nearIntegrations(missed.length === 0 ? [] : index.all);
  const unmet = missed
    .filter(({ entry, found }) => isMeant(entry.name) || found.some((each) => selected.has(each)))
    .map((match) => unmetBy(match, near, index));
  const idle = matches.filter(
    ({ entry, found }) => found.length === 0 && isDefault(entry) && isMeant(entry.name),
  );
  return {
    value: { integrations: asked.integrations },
    unmet,
    leftOut: [...unmet.map(({ entry }) => entry.name), ...asked.leftOut],
    diagnostics: [
      ...idle.map(({ entry }) =>
        diagnostic('idle-declaration', { of: 'default', name: entry.name }, placeOf(entry)),
      ),
      ...asked.diagnostics,
    ],
  };
}

/** Gathers what entries ask of each integration; what is unclear is left out. */
function gather(selected: readonly (readonly [LiveIntegration, readonly ResolvedEntry[]])[]) {
  const asked = gatherer();
  const gathered = selected.map(([{ id }, own]) => ({ id, ...asked(id, own) }));
  const all = gathered.flatMap(({ value }) => value ?? []);
  const ids = new Set(all.map(({ id }) => id));
  // The fields of both would have the same addresses.
  const isAmbiguous = ({ name, id }: DesiredIntegration) => name !== id && ids.has(name);
  const ambiguous = all.filter(isAmbiguous);
  return {
    integrations: all
      .filter((each) => !isAmbiguous(each))
      .sort((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id)),
    leftOut: [
      ...ambiguous.map(({ name }) => name),
      ...gathered
        .filter(({ value, diagnostics }) => value === undefined && hasErrors(diagnostics))
        .map(({ id }) => id),
    ],
    diagnostics: [
      // What defaults contradict is found once for all of their integrations.
      ...new Set(gathered.flatMap(({ diagnostics }) => diagnostics)),
      ...ambiguous.map(({ name, id, place }) => diagnostic('ambiguous-name', { name, id }, place)),
    ],
  };
}

/** Whether an entry manages anything; one that only stops management needs no integration. */
function manages(entry: ResolvedEntry): boolean {
  return declarationsOf(entry).some(({ isNull }) => !isNull);
}

/** Whether an entry expects another number of integrations than it matches. */
function isUnmet({ entry, found }: Match): boolean {
  const expect = entry.expect?.value ?? 'one';
  if (expect === 'any' || found.length === 1) return false;
  return found.length > 1 || (expect !== 'optional' && manages(entry));
}

function unmetBy({ entry, found }: Match, near: NearIntegrations, index: LiveIndex): Unmet {
  const place = placeOf(entry);
  const facts = (candidates: readonly LiveIntegration[]) => ({
    selector: selectorText(entry),
    candidates: candidates.slice(0, CANDIDATES_SHOWN).map((each) => {
      const match = narrowMatch(each, index);
      return match === undefined ? candidate(each) : `${candidate(each)} (match: ${match})`;
    }),
    total: candidates.length,
  });
  if (found.length > 1)
    return { entry, finding: diagnostic('several-matches', facts(found), place), meant: found };
  const words = Object.values(selectorOf(entry));
  const meant = near.of(words);
  const glob = near.forgottenGlob(words);
  const finding = diagnostic('no-match', { ...facts(meant), ...present({ glob }) }, place);
  return { entry, finding, meant };
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

function candidate({ id, name, acronym }: LiveIntegration): string {
  return [name ?? '-', acronym ?? '-', id].join(', ');
}

/** The match that means only this integration: a glob that outlasts an upgrade, else its id; undefined if neither does. */
function narrowMatch({ id }: LiveIntegration, index: LiveIndex): string | undefined {
  if (literalStart(id) !== id) return undefined;
  return [globOfId(id), id].find((glob) => {
    const [first, ...others] = index.found({ id: glob });
    return first?.id === id && others.length === 0;
  });
}
