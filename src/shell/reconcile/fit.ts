import type { ResolvedConfig } from '../../core/config/resolve.ts';
import type { Diagnostic } from '../../core/findings/diagnostic.ts';
import { matchEntries, matchOffline } from '../../core/match/match.ts';
import { checkFit } from '../../core/plan/fit.ts';
import { withoutFlood } from '../../core/plan/unknown-option.ts';
import type { Run } from '../run.ts';
import { named } from '../servers/results.ts';
import type { FoundServers, Server } from '../servers/server.ts';
import { readCatalog } from '../sources/catalog.ts';
import { readPulledSchema, SCHEMA } from '../sources/pulled-schema.ts';

/** How options fit what is known of them. */
export interface Fit {
  diagnostics: readonly Diagnostic[];
  /** The path of the schema by which they were checked. */
  schema?: string | undefined;
  /** The names of entries that the schema does not have. */
  unchecked?: readonly string[] | undefined;
}

/**
 * Checks how configurations fit the snapshots of their servers, a catalog, or
 * else the schema that `pull` left; undefined if there is none.
 */
export async function fitOf(
  run: Run,
  { servers }: FoundServers,
  configs: readonly (ResolvedConfig | undefined)[],
): Promise<Fit | undefined> {
  const { catalog, live } = run.options;
  if (live !== undefined) {
    const diagnostics = servers.flatMap((server, index) =>
      named(server, fitOfSnapshot(server, configs[index])),
    );
    return { diagnostics };
  }
  // All servers of a project have one folder and one policy.
  const [server] = servers;
  const known =
    catalog === undefined
      ? server && (await readPulledSchema(run, server.root))
      : await readCatalog(run, catalog);
  if (known === undefined) return undefined;
  const diagnostics: Diagnostic[] = [];
  const unmet = new Set<string>();
  for (const config of new Set(configs)) {
    if (config === undefined) continue;
    const matched = matchOffline(config, known);
    const { integrations, installed, misses } = matched;
    diagnostics.push(...matched.diagnostics);
    diagnostics.push(...checkFit(integrations, installed, server?.policy));
    for (const name of misses.unmet) unmet.add(name);
  }
  if (catalog !== undefined) return { diagnostics };
  return {
    diagnostics: diagnostics.filter((finding) => !isSinceInstalled(finding)),
    schema: SCHEMA,
    unchecked: unmet.size === 0 ? undefined : [...unmet],
  };
}

function fitOfSnapshot(
  { snapshot, policy }: Server,
  config: ResolvedConfig | undefined,
): readonly Diagnostic[] {
  if (snapshot === undefined || config === undefined) return [];
  const { live } = snapshot;
  const { integrations, diagnostics } = matchEntries(config, live);
  const misfits = checkFit(integrations, live, policy);
  return [...diagnostics, ...withoutFlood(misfits, integrations)];
}

/**
 * Whether an entry matches nothing, and has no name that is almost known: its
 * integration may be installed since the pull, which is no finding.
 */
function isSinceInstalled({ code, facts }: Diagnostic): boolean {
  return code === 'no-match' && facts.total === 0;
}
