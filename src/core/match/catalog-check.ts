import type { MergedConfig, MergedEntry } from '../config/layers.ts';
import { namedIds, resolveOffline } from '../config/offline.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { baseOfId } from '../model/integration-id.ts';
import type { LiveIntegration } from '../model/live.ts';
import { present } from '../model/present.ts';
import { checkFit } from '../plan/fit.ts';
import { matchEntries, type Unmet } from './match.ts';

/**
 * Everything in a configuration that does not fit the integrations of a catalog, offline; what the configuration shows by
 * itself was found with it. A catalog need not be complete:
 * an entry for none of its integrations is a warning.
 */
export function checkAgainstCatalog(
  config: MergedConfig,
  catalog: readonly LiveIntegration[],
): readonly Diagnostic[] {
  const ids = idsByBase(namedIds(config));
  const installed = catalog.flatMap((integration) => installedAs(integration, ids));
  const resolved = resolveOffline(config);
  const matched = matchEntries(config, resolved.value, installed);
  const ofCatalog = new Map(matched.unmet.map((unmet) => [unmet.finding, inCatalog(unmet)]));
  return [
    ...matched.diagnostics.flatMap((found) => ofCatalog.get(found) ?? [found]),
    ...checkFit(matched.value, installed),
  ];
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
function globFor(entry: MergedEntry): string | undefined {
  const selector = entry.fields.get('match')?.value ?? entry.name;
  const isName = typeof selector === 'string' && /^[\w-]+$/.test(selector) && baseOfId(selector) === selector;
  return isName ? `${selector.replaceAll('-', '_')}_*` : undefined;
}

/** How an entry could select an integration, by the attribute that it selects by. */
function selectorLike(entry: MergedEntry, { id, name, acronym }: LiveIntegration): string {
  const selector = Object(entry.fields.get('match')?.value ?? entry.name);
  if ('name' in selector && name !== undefined) return `name: ${name}`;
  if ('acronym' in selector && acronym !== undefined) return `acronym: ${acronym}`;
  return `${baseOfId(id)}_*`;
}
