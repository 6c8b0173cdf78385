import {
  globsIn,
  isDefault,
  isLeftAlone,
  managesAnything,
  selectorOf,
  selectorText,
  stopOf,
} from '../config/entry.ts';
import type { ResolvedConfig, ResolvedEntry } from '../config/resolve.ts';
import {
  compareText,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import { isLiteral } from '../model/glob.ts';
import { baseOfId, globOfId } from '../model/ids.ts';
import { grouped } from '../model/lists.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import { selectedBy } from '../model/selected.ts';
import { gather } from './gather.ts';
import { LiveIndex } from './live-index.ts';
import { nearIntegrations, spellingsOf } from './near.ts';
import { fitsPlainly } from './plain.ts';

/**
 * The desired state of installed integrations, as far as `only` selects them.
 */
export interface Matched {
  /** The integrations to plan, ordered by name. */
  integrations: readonly DesiredIntegration[];
  diagnostics: readonly Diagnostic[];
  /** Errors of all entries, whatever `only` selects. */
  misses: Misses;
  /**
   * The ids of integrations that no entry matches, or whose entries are all
   * null, whatever `only` selects.
   */
  unmatched: readonly string[];
}

/**
 * Entries and integrations with errors: with a base, what these managed is not
 * released.
 */
export interface Misses {
  /** The names of entries that match none or several where one is expected. */
  unmet: readonly string[];
  /**
   * The ids of integrations that errors leave out. Those that contradict
   * themselves are known only if `only` selects them; no other is released.
   */
  erring: readonly string[];
}

/** The same of a catalog or a schema. */
export interface MatchedOffline extends Matched {
  /** Its integrations as they would be installed. */
  installed: readonly LiveIntegration[];
}

/**
 * Finds the installed integration that each entry means, and gathers what is
 * asked of each integration: specific entries over defaults (`expect: any`),
 * field by field. Integrations of entries that match several are left out.
 * `only` is a glob on ids and names of entries.
 */
export function matchEntries(
  entries: ResolvedConfig,
  live: readonly LiveIntegration[],
  only = '*',
): Matched {
  return matchAll({ entries, live, only, isOffline: false });
}

/**
 * The same offline, with the integrations of a catalog or a schema as they
 * would be installed, without those that plainly fit.
 */
export function matchOffline(
  entries: ResolvedConfig,
  known: readonly LiveIntegration[],
): MatchedOffline {
  const installed = installedFrom(known, entries);
  const input = { entries, live: installed, only: '*', isOffline: true };
  return { ...matchAll(input), installed };
}

/**
 * An integration is installed under each exact id that the configuration has
 * for it, else under its own. Several copies keep their ids.
 */
function installedFrom(
  known: readonly LiveIntegration[],
  entries: ResolvedConfig,
): LiveIntegration[] {
  const exact = new Set<string>();
  for (const entry of entries) {
    const { id = '' } = selectorOf(entry);
    if (baseOfId(id) !== id && isLiteral(id)) exact.add(id);
  }
  const idsByBase = grouped([...exact], baseOfId);
  const installed: LiveIntegration[] = [];
  for (const [base, copies] of grouped(known, ({ id }) => baseOfId(id))) {
    const [copy, ...others] = copies;
    const ids = idsByBase.get(base);
    if (others.length > 0 || ids === undefined) installed.push(...copies);
    else for (const id of ids) installed.push({ ...copy, id });
  }
  return installed;
}

interface MatchInput {
  entries: ResolvedConfig;
  live: readonly LiveIntegration[];
  only: string;
  /**
   * By a catalog or a schema. It need not be complete: there, an unmet entry is
   * a warning.
   */
  isOffline: boolean;
}

/** An entry with the integrations that it selects. */
interface Match {
  entry: ResolvedEntry;
  found: readonly LiveIntegration[];
}

function matchAll(input: MatchInput): Matched {
  const { live, isOffline } = input;
  const index = new LiveIndex(live);
  const { met, unmet, unclear } = sortMatches(input, index);
  const isNamed = selectedBy(input.only);
  const isSelected = (integration: LiveIntegration): boolean => {
    const entries = met.get(integration) ?? [];
    const specific = entries.filter((entry) => !isDefault(entry));
    const { id, name: shown } = integration;
    return isNamed(id, shown, ...specific.map(({ name }) => name));
  };
  const selections = [...met].filter(([integration, entries]) => {
    if (unclear.has(integration.id) || !isSelected(integration)) return false;
    const [entry, ...others] = entries;
    const isAlone = isOffline && others.length === 0;
    return !isAlone || !fitsPlainly(entry, integration);
  });
  const gathered = gatherAll(selections);
  const unmatched = live.filter(
    (integration) =>
      !unclear.has(integration.id) && isLeftAlone(met.get(integration) ?? []),
  );
  const selectedUnmet = unmet.filter(
    ({ entry, found }) => isNamed(entry.name) || found.some(isSelected),
  );
  const missing = unmet.filter(({ entry }) => !isDefault(entry));
  return {
    integrations: gathered.integrations,
    diagnostics: [
      ...findUnmet(selectedUnmet, index, isOffline),
      ...gathered.diagnostics,
    ],
    misses: {
      unmet: missing.map(({ entry }) => entry.name),
      erring: [...unclear, ...gathered.erring],
    },
    unmatched: unmatched.map(({ id }) => id),
  };
}

/** The matches of all entries, whatever is selected of them. */
interface SortedMatches {
  /** The entries that select each integration and match as they expect. */
  met: ReadonlyMap<LiveIntegration, Entries>;
  /** Also the defaults that apply to nothing. */
  unmet: readonly Match[];
  /** The ids of integrations that unmet entries may mean. */
  unclear: ReadonlySet<string>;
}

function sortMatches(
  { entries, isOffline }: MatchInput,
  index: LiveIndex,
): SortedMatches {
  const met = new Map<LiveIntegration, [ResolvedEntry, ...ResolvedEntry[]]>();
  const unmet: Match[] = [];
  for (const entry of entries) {
    const found = index.found(selectorOf(entry));
    // A schema of two servers has an integration under the ids of both.
    const bases = new Set(found.map(({ id }) => baseOfId(id)));
    if (isUnmet(entry, isOffline ? bases.size : found.length)) {
      unmet.push({ entry, found });
      continue;
    }
    for (const integration of found) {
      const others = met.get(integration);
      if (others === undefined) met.set(integration, [entry]);
      else others.push(entry);
    }
  }
  // Nothing is written: other entries of these integrations can
  // still be checked.
  const meant = isOffline ? [] : unmet.flatMap(({ found }) => found);
  const unclear = new Set(meant.map(({ id }) => id));
  return { met, unmet, unclear };
}

/**
 * Whether an entry matches none or several, and does not expect that. One that
 * manages nothing needs none; one that is null may match any number.
 */
function isUnmet(entry: ResolvedEntry, matches: number): boolean {
  if (matches === 1 || stopOf(entry) !== undefined) return false;
  const expect = entry.expect?.value ?? 'one';
  if (matches > 1) return expect !== 'any';
  return expect !== 'optional' && managesAnything(entry);
}

type Entries = readonly [ResolvedEntry, ...ResolvedEntry[]];

/** An integration with the entries that select it. */
type Selection = readonly [LiveIntegration, Entries];

/** The desired state of integrations, and those that errors leave out. */
interface GatheredIntegrations {
  integrations: readonly DesiredIntegration[];
  erring: readonly string[];
  diagnostics: readonly Diagnostic[];
}

/**
 * Gathers the settings of each integration. Those with the same entries share
 * them.
 */
function gatherAll(selections: readonly Selection[]): GatheredIntegrations {
  const usable: DesiredIntegration[] = [];
  const erring: string[] = [];
  // Several entries may use a default with a flaw.
  const findings = new Set<Diagnostic>();
  const sharing = grouped(selections, ([, entries]) =>
    entries.map(({ name }) => name).join('\n'),
  );
  for (const alike of sharing.values()) {
    const [[, entries]] = alike;
    const naming = entries.find((entry) => !isDefault(entry));
    const { place } = naming ?? entries[0];
    const ids = alike.map(([{ id }]) => id);
    const names = ids.map((id) => naming?.name ?? id);
    const { settings, diagnostics } = gather(names, entries);
    for (const finding of diagnostics) findings.add(finding);
    if (hasErrors(diagnostics)) {
      erring.push(...ids);
    } else if (settings.options.size > 0 || settings.autosubscribe) {
      for (const id of ids) {
        usable.push({ name: naming?.name ?? id, id, place, settings });
      }
    }
  }
  // The fields of an integration with the name of another one's id would have
  // the addresses of that.
  const known = new Set(usable.map(({ id }) => id));
  const ambiguous = usable.filter(
    ({ name, id }) => name !== id && known.has(name),
  );
  for (const { name, id, place } of ambiguous) {
    findings.add(diagnostic('ambiguous-name', { name, id }, place));
    erring.push(id);
  }
  return {
    integrations: usable
      .filter((integration) => !ambiguous.includes(integration))
      .sort((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id)),
    erring,
    diagnostics: [...findings],
  };
}

/** The place of the selection of an entry. */
function placeOf({ match, place }: ResolvedEntry): Place {
  return match?.place ?? place;
}

/** How many candidates a message lists. */
const CANDIDATES_SHOWN = 8;

/**
 * The findings for entries that match none or several where one is expected,
 * with the integrations that could be meant.
 */
function findUnmet(
  unmet: readonly Match[],
  index: LiveIndex,
  isOffline: boolean,
): Diagnostic[] {
  const findings: Diagnostic[] = [];
  const spellings = spellingsOf(unmet.length > 0 ? index.all : []);
  for (const { entry, found } of unmet) {
    const selector = selectorOf(entry);
    const isNone = found.length === 0;
    const candidates = isNone
      ? nearIntegrations(globsIn(selector), spellings)
      : found;
    // Offline, one can have several exact ids, each on its own server.
    const key = ({ id }: LiveIntegration) => (isOffline ? baseOfId(id) : id);
    const meant = [...grouped(candidates, key).values()].map(([one]) => one);
    const facts = {
      selector: selectorText(selector),
      candidates: meant
        .slice(0, CANDIDATES_SHOWN)
        .map((candidate) => candidateText(candidate, index, isOffline)),
      total: meant.length,
      isOffline,
      isDefault: isDefault(entry),
    };
    const code = isNone ? 'no-match' : 'several-matches';
    findings.push(diagnostic(code, facts, placeOf(entry)));
  }
  return findings;
}

/**
 * An integration with the match that means it alone: a glob that outlasts an
 * upgrade, else its id. Offline, ids are made up.
 */
function candidateText(
  { id, name = '-', acronym = '-' }: LiveIntegration,
  index: LiveIndex,
  isOffline: boolean,
): string {
  if (isOffline) return `${name}, ${acronym} (match: ${baseOfId(id)}_*)`;
  const described = `${name}, ${acronym}, ${id}`;
  const globs = isLiteral(id) ? [globOfId(id), id] : [];
  const match = globs.find((glob) => index.found({ id: glob }).length === 1);
  return match === undefined ? described : `${described} (match: ${match})`;
}

/**
 * The errors of a branch on a server, with its declarations and those of its
 * base.
 */
interface Undecided extends Misses {
  base: ResolvedConfig;
  branch: ResolvedConfig;
  live: readonly LiveIntegration[];
}

/**
 * Finds the integrations, by their ids, that a branch may still mean to manage:
 * errors leave them out, or an entry that matches none or several now, maybe
 * under another name, meant them at the base.
 */
export function undecidedIds(errors: Undecided): ReadonlySet<string> {
  const { base, branch, live, unmet, erring } = errors;
  const undecided = new Set(erring);
  if (unmet.length === 0) return undecided;
  const index = new LiveIndex(live);
  const met = new Set(branch.map(({ name }) => name));
  for (const name of unmet) met.delete(name);
  for (const entry of base) {
    if (met.has(entry.name)) continue;
    for (const { id } of index.found(selectorOf(entry))) undecided.add(id);
  }
  return undecided;
}
