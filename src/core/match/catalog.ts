import { type Entry, selectorOf } from '../config/entry.ts';
import type { ResolvedConfig } from '../config/resolve.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredState } from '../model/desired.ts';
import { literalStart } from '../model/glob.ts';
import { baseOfId } from '../model/ids.ts';
import { present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { matchEntries, type Unmet } from './match.ts';

/** What a configuration asks of the integrations of a catalog, as they would be installed. */
interface MatchedCatalog {
  readonly value: DesiredState;
  readonly installed: readonly LiveIntegration[];
  /** The entries that match none or several where one is expected. */
  readonly unmet: readonly Unmet[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Matches a configuration, resolved without the outside, with the integrations of a catalog, offline. A catalog need not
 * be complete: an entry for none of its integrations is a warning.
 */
export function matchCatalog(config: ResolvedConfig, catalog: readonly LiveIntegration[]): MatchedCatalog {
  const ids = exactIds(config);
  // An integration is installed under each exact id that the configuration has for it; else under that of the catalog.
  const installed = catalog.flatMap((integration) =>
    (ids.get(baseOfId(integration.id)) ?? [integration.id]).map((id) => ({ ...integration, id })),
  );
  const { value, unmet, diagnostics } = matchEntries(config, installed);
  return { value, installed, unmet, diagnostics: [...unmet.flatMap(inCatalog), ...diagnostics] };
}

/** The exact ids that entries name, without a wildcard, by the part that is the same on every server. */
function exactIds(entries: ResolvedConfig): ReadonlyMap<string, readonly string[]> {
  const byBase = new Map<string, string[]>();
  for (const id of entries.flatMap((entry) => selectorOf(entry).id ?? [])) {
    const base = baseOfId(id);
    if (base !== id && literalStart(id) === id) byBase.set(base, [...(byBase.get(base) ?? []), id]);
  }
  return byBase;
}

/**
 * The finding for an unmet entry offline. A catalog need not be complete, and no server needs to have all of it; its ids are
 * made up and are not shown.
 */
function inCatalog({ entry, finding: { code, facts, place }, meant }: Unmet): Diagnostic[] {
  if (code === 'several-matches') {
    const candidates = [...new Set(meant.map(({ id }) => `${baseOfId(id)}_*`))];
    const several = { selector: facts.selector, candidates, total: candidates.length };
    // One integration can have several exact ids, each on its own server.
    return candidates.length > 1
      ? [diagnostic('several-matches', { ...several, inCatalog: true }, place)]
      : [];
  }
  if (code !== 'no-match') return [];
  const { selector } = facts;
  const candidates = [...new Set(meant.map((each) => selectorLike(entry, each)))].slice(0, 3);
  const glob = facts.glob ?? (candidates.length === 0 ? globFor(entry) : undefined);
  return [
    diagnostic(
      'no-match',
      { selector, candidates, total: candidates.length, inCatalog: true, ...present({ glob }) },
      place,
    ),
  ];
}

/** The glob for an entry that selects by a bare name, which is no id on any server; undefined for other selectors. */
function globFor(entry: Entry<unknown>): string | undefined {
  const { id, ...others } = selectorOf(entry);
  const isName =
    id !== undefined && Object.keys(others).length === 0 && /^[\w-]+$/.test(id) && baseOfId(id) === id;
  return isName ? `${id.replaceAll('-', '_')}_*` : undefined;
}

/** A selector for an integration, by the attribute that the entry uses. */
function selectorLike(entry: Entry<unknown>, { id, name, acronym }: LiveIntegration): string {
  const selector = selectorOf(entry);
  if (selector.name !== undefined && name !== undefined) return `name: ${name}`;
  if (selector.acronym !== undefined && acronym !== undefined) return `acronym: ${acronym}`;
  return `${baseOfId(id)}_*`;
}
