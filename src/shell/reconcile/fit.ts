import type { WrittenConfig } from '../../core/config/entry.ts';
import {
  type ResolvedConfig,
  resolveConfig,
} from '../../core/config/resolve.ts';
import type { Checked, Diagnostic } from '../../core/findings/diagnostic.ts';
import { matchCatalog, matchEntries } from '../../core/match/match.ts';
import { grouped } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { withoutFlood } from '../../core/plan/few-options.ts';
import { checkFit } from '../../core/plan/fit.ts';
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
): Promise<Fit> {
  const catalog = await readCatalog(run, folder);
  const diagnostics: Diagnostic[] = [];
  for (const { value } of configs) {
    if (value === undefined) continue;
    diagnostics.push(...misfitsOfCatalog(resolveConfig(value), catalog));
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
  found: FoundServers,
): Promise<Fit> {
  const misfits: Misfit[] = [];
  const schemas: string[] = [];
  const unchecked: string[] = [];
  for (const [index, server] of found.servers.entries()) {
    const { value } = configs[index] ?? {};
    const [layer] = found.layers[index] ?? [];
    if (value === undefined || layer === undefined) continue;
    const { name, snapshot } = server;
    const entries = resolveConfig(value);
    if (snapshot !== undefined) {
      const diagnostics = misfitsOfServer(entries, snapshot.live);
      return { diagnostics };
    }
    const schema = await readPulledSchema(run, name, layer);
    if (schema === undefined) {
      unchecked.push(name);
      continue;
    }
    schemas.push(schema.path);
    const matched = matchCatalog(entries, schema.integrations);
    unchecked.push(...matched.misses.unmet);
    const findings = [
      ...matched.diagnostics.filter(isNearMiss),
      ...checkFit(matched.integrations, matched.installed),
    ];
    for (const finding of findings) misfits.push({ server, finding });
  }
  return {
    diagnostics: toldOnce(misfits, schemas.length),
    schemas: schemas.length === 0 ? undefined : schemas,
    unchecked: unchecked.length === 0 ? undefined : [...new Set(unchecked)],
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
 * Whether an entry has almost the name of an integration. Others may be
 * installed since the pull, which is no finding.
 */
function isNearMiss(finding: Diagnostic): boolean {
  return finding.code === 'no-match' && finding.facts.total > 0;
}

function misfitsOfCatalog(
  entries: ResolvedConfig,
  catalog: readonly LiveIntegration[],
): Diagnostic[] {
  const matched = matchCatalog(entries, catalog);
  const { integrations, installed, diagnostics } = matched;
  return [...diagnostics, ...checkFit(integrations, installed)];
}

function misfitsOfServer(
  entries: ResolvedConfig,
  live: readonly LiveIntegration[],
): Diagnostic[] {
  const { integrations, diagnostics } = matchEntries(entries, live);
  const misfits = checkFit(integrations, live);
  return [...diagnostics, ...withoutFlood(misfits, integrations)];
}
