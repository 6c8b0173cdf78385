import { type Entry, selectorOf } from '../config/entry.ts';
import type { ResolvedConfig } from '../config/resolve.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredState } from '../model/desired.ts';
import { literalStart } from '../model/glob.ts';
import { baseOfId } from '../model/integration-id.ts';
import type { LiveIntegration } from '../model/live.ts';
import { present } from '../model/present.ts';
import { matchEntries, type Unmet } from './match.ts';

/** What a configuration asks of the integrations of a catalog, as they would be installed. */
export interface MatchedCatalog {
  readonly value: DesiredState;
  readonly installed: readonly LiveIntegration[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Matches a configuration, resolved without the outside, with the integrations of a catalog, offline. A catalog need not
 * be complete: an entry for none of its integrations is a warning.
 */
export function matchCatalog(config: ResolvedConfig, catalog: readonly LiveIntegration[]): MatchedCatalog {
  const ids = idsByBase(namedIds(config));
  const installed = catalog.flatMap((integration) => installedAs(integration, ids));
  const { value, unmet, diagnostics } = matchEntries(config, installed);
  return { value, installed, diagnostics: [...unmet.flatMap(inCatalog), ...diagnostics] };
}

/** The exact ids that entries name, without a wildcard. */
function namedIds(entries: ResolvedConfig): string[] {
  return entries
    .flatMap((entry) => selectorOf(entry).id ?? [])
    .filter((id) => baseOfId(id) !== id && literalStart(id) === id);
}

/** An integration under each exact id that the configuration has for it; under that of the catalog where it has none. */
function installedAs(
  integration: LiveIntegration,
  ids: ReadonlyMap<string, readonly string[]>,
): LiveIntegration[] {
  const own = ids.get(baseOfId(integration.id));
  return own === undefined ? [integration] : own.map((id) => ({ ...integration, id }));
}

function idsByBase(ids: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const byBase = new Map<string, string[]>();
  for (const id of ids) byBase.set(baseOfId(id), [...(byBase.get(baseOfId(id)) ?? []), id]);
  return byBase;
}

/**
 * What an unmet entry comes to offline. A catalog need not be complete, and no server needs to have all of it; its ids are
 * made up and are not shown.
 */
function inCatalog({ entry, finding: { code, facts, place }, meant }: Unmet): Diagnostic[] {
  if (code === 'several-matches') {
    const candidates = [...new Set(meant.map(({ id }) => `${baseOfId(id)}_*`))];
    const several = { selector: facts.selector, candidates, total: candidates.length };
    // One integration can stand under several exact ids, of one server each.
    return candidates.length > 1 ? [diagnostic('several-in-catalog', several, place)] : [];
  }
  if (code !== 'no-match') return [];
  const { selector } = facts;
  const candidates = [...new Set(meant.map((each) => selectorLike(entry, each)))].slice(0, 3);
  const glob = facts.glob ?? (candidates.length === 0 ? globFor(entry) : undefined);
  return [diagnostic('not-in-catalog', { selector, candidates, ...present({ glob }) }, place)];
}

/** The glob for an entry that selects by a bare name, which is no id on any server; undefined for what selects otherwise. */
function globFor(entry: Entry<unknown>): string | undefined {
  const { id, ...others } = selectorOf(entry);
  const isName =
    id !== undefined && Object.keys(others).length === 0 && /^[\w-]+$/.test(id) && baseOfId(id) === id;
  return isName ? `${id.replaceAll('-', '_')}_*` : undefined;
}

/** How an entry could select an integration, by the attribute that it selects by. */
function selectorLike(entry: Entry<unknown>, { id, name, acronym }: LiveIntegration): string {
  const selector = selectorOf(entry);
  if (selector.name !== undefined && name !== undefined) return `name: ${name}`;
  if (selector.acronym !== undefined && acronym !== undefined) return `acronym: ${acronym}`;
  return `${baseOfId(id)}_*`;
}
