import type { WrittenConfig } from '../../core/config/entry.ts';
import { resolveConfig } from '../../core/config/resolve.ts';
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

/** Checks how configurations fit the snapshots of their servers. */
export function fitOfSnapshots(
  configs: readonly Checked<WrittenConfig>[],
  { servers }: FoundServers,
): Fit {
  const diagnostics: Diagnostic[] = [];
  for (const [index, { snapshot, policy }] of servers.entries()) {
    const { value } = configs[index] ?? {};
    if (value === undefined || snapshot === undefined) continue;
    const { live } = snapshot;
    const matched = matchEntries(resolveConfig(value), live);
    const misfits = checkFit(matched.integrations, live, policy);
    diagnostics.push(...matched.diagnostics);
    diagnostics.push(...withoutFlood(misfits, matched.integrations));
  }
  return { diagnostics };
}

/**
 * Checks how each configuration fits the schema that `pull` left of its server.
 */
export async function fitOfSchemas(
  run: Run,
  configs: readonly Checked<WrittenConfig>[],
  { servers }: FoundServers,
): Promise<Fit> {
  const misfits: Misfit[] = [];
  const schemas: string[] = [];
  const unchecked = new Set<string>();
  for (const [index, server] of servers.entries()) {
    const { value } = configs[index] ?? {};
    const [layer] = server.layers;
    if (value === undefined || layer === undefined) continue;
    const schema = await readPulledSchema(run, server.name, layer);
    if (schema === undefined) {
      unchecked.add(server.name);
      continue;
    }
    schemas.push(schema.path);
    const matched = matchSchema(resolveConfig(value), schema.integrations);
    for (const name of matched.misses.unmet) unchecked.add(name);
    const findings = [
      ...matched.diagnostics.filter((finding) => !isSinceInstalled(finding)),
      ...checkFit(matched.integrations, matched.installed, server.policy),
    ];
    misfits.push(...findings.map((finding) => ({ server, finding })));
  }
  return {
    diagnostics: toldOnce(misfits, schemas.length),
    schemas: schemas.length === 0 ? undefined : [...new Set(schemas)],
    unchecked: unchecked.size === 0 ? undefined : [...unchecked],
  };
}

/** What does not fit a server. */
interface Misfit {
  readonly server: Server;
  readonly finding: Diagnostic;
}

/** Names the servers of a finding, unless it holds for all that were checked. */
function toldOnce(misfits: readonly Misfit[], checked: number): Diagnostic[] {
  const findings: Diagnostic[] = [];
  const alike = grouped(misfits, ({ finding }) => JSON.stringify(finding));
  for (const group of alike.values()) {
    const [{ finding }] = group;
    if (group.length === checked) {
      findings.push(finding);
      continue;
    }
    for (const { server } of group) findings.push(...named(server, [finding]));
  }
  return findings;
}

/**
 * Whether an entry matches nothing, and has no name that is almost known: its
 * integration may be installed since the pull, which is no finding.
 */
function isSinceInstalled(finding: Diagnostic): boolean {
  return finding.code === 'no-match' && finding.facts.total === 0;
}
