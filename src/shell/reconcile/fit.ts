import type { WrittenConfig } from '../../core/config/entry.ts';
import {
  type ResolvedConfig,
  resolveConfig,
} from '../../core/config/resolve.ts';
import type { Checked, Diagnostic } from '../../core/findings/diagnostic.ts';
import {
  matchCatalog,
  matchEntries,
  matchSchema,
} from '../../core/match/match.ts';
import { grouped } from '../../core/model/json.ts';
import { checkFit } from '../../core/plan/fit.ts';
import type { Policy } from '../../core/plan/risk.ts';
import { withoutFlood } from '../../core/plan/unknown-option.ts';
import type { Run } from '../run.ts';
import { named } from '../servers/results.ts';
import type { FoundServers, Server } from '../servers/server.ts';
import { readCatalog } from '../sources/catalog.ts';
import { readPulledSchema } from '../sources/pulled-schema.ts';

/** How options fit what is known of them. */
export interface Fit {
  readonly diagnostics: readonly Diagnostic[];
  /** The paths of the schemas by which they were checked, if any. */
  readonly schemas?: readonly string[] | undefined;
  /** The names of servers and entries that were not checked, if any. */
  readonly unchecked?: readonly string[] | undefined;
}

/** Checks how each configuration fits a catalog. */
export async function fitOfCatalog(
  run: Run,
  configs: readonly Checked<WrittenConfig>[],
  folder: string,
  policy: Policy = {},
): Promise<Fit> {
  const catalog = await readCatalog(run, folder);
  const diagnostics: Diagnostic[] = [];
  for (const { value } of configs) {
    if (value === undefined) continue;
    const matched = matchCatalog(resolveConfig(value), catalog);
    const { integrations, installed } = matched;
    diagnostics.push(...matched.diagnostics);
    diagnostics.push(...checkFit(integrations, installed, policy));
  }
  return { diagnostics };
}

/**
 * Checks how each configuration fits the snapshot of its server, or else the
 * schema that `pull` left of it.
 */
export async function fitOfServers(
  run: Run,
  configs: readonly Checked<WrittenConfig>[],
  { servers }: FoundServers,
): Promise<Fit> {
  const misfits: Misfit[] = [];
  const schemas = new Set<string>();
  const unchecked = new Set<string>();
  let checked = 0;
  for (const [index, server] of servers.entries()) {
    const { value } = configs[index] ?? {};
    const [layer] = server.layers;
    if (value === undefined || layer === undefined) continue;
    const config = resolveConfig(value);
    let findings = fitOfSnapshot(config, server);
    if (findings === undefined) {
      const schema = await readPulledSchema(run, layer);
      if (schema === undefined) {
        unchecked.add(server.name);
        continue;
      }
      schemas.add(schema.path);
      const matched = matchSchema(config, schema.integrations);
      for (const name of matched.misses.unmet) unchecked.add(name);
      findings = [
        ...matched.diagnostics.filter((finding) => !isSinceInstalled(finding)),
        ...checkFit(matched.integrations, matched.installed, server.policy),
      ];
    }
    checked += 1;
    misfits.push(...findings.map((finding) => ({ server, finding })));
  }
  return {
    diagnostics: toldOnce(misfits, checked),
    schemas: schemas.size === 0 ? undefined : [...schemas],
    unchecked: unchecked.size === 0 ? undefined : [...unchecked],
  };
}

function fitOfSnapshot(
  config: ResolvedConfig,
  { snapshot, policy }: Server,
): readonly Diagnostic[] | undefined {
  if (snapshot === undefined) return undefined;
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

/** What does not fit a server. */
interface Misfit {
  readonly server: Server;
  readonly finding: Diagnostic;
}

/** Names the servers of a finding, unless it holds for all that were checked. */
function toldOnce(misfits: readonly Misfit[], checked: number): Diagnostic[] {
  const alike = grouped(misfits, ({ finding }) => JSON.stringify(finding));
  return [...alike.values()].flatMap((group) => {
    const [{ finding }] = group;
    if (group.length === checked) return [finding];
    return group.flatMap(({ server }) => named(server, [finding]));
  });
}
