import type { MergedConfig } from './config/layers.ts';
import { matchEntries } from './config/match.ts';
import { namedIds, resolveOffline } from './config/offline.ts';
import { type Diagnostic, diagnostic } from './diagnostic.ts';
import { baseOfId } from './integration-id.ts';
import type { LiveIntegration } from './model.ts';
import { checkFit } from './plan/fit.ts';

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
  const known = catalog.flatMap(selectors);
  return [
    ...matched.diagnostics.map((found) =>
      found.code === 'no-match' ? notInCatalog(found.facts.selector, known, found) : found,
    ),
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

/** How an entry can select an integration, in the words of a message. */
function selectors({ id, name, acronym }: LiveIntegration): string[] {
  return [
    `${baseOfId(id)}_*`,
    ...(name === undefined ? [] : [`name: ${name}`]),
    ...(acronym === undefined ? [] : [`acronym: ${acronym}`]),
  ];
}

function notInCatalog(selector: string, known: readonly string[], { place }: Diagnostic): Diagnostic {
  return diagnostic('not-in-catalog', { selector, known }, place);
}
