import type { WrittenConfig } from '../../core/config/entry.ts';
import {
  type ResolvedConfig,
  resolveConfig,
} from '../../core/config/resolve.ts';
import type { Checked, Diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { matchCatalog, matchEntries } from '../../core/match/match.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { withoutFlood } from '../../core/plan/few-options.ts';
import { checkFit } from '../../core/plan/fit.ts';
import type { Run } from '../run.ts';
import type { FoundServers } from '../servers/server.ts';
import { readCatalog } from '../sources/catalog.ts';

/**
 * Finds how each configuration fits a catalog, or else the snapshot of its
 * server, if that has one.
 */
export async function misfits(
  run: Run,
  configs: readonly Checked<WrittenConfig>[],
  found: FoundServers,
  folder: string | undefined,
): Promise<readonly Diagnostic[]> {
  const catalog =
    folder === undefined ? undefined : await readCatalog(run, folder);
  // Without all servers nothing tells whose layers are whose.
  if (catalog === undefined && hasErrors(found.diagnostics)) return [];
  const findings: Diagnostic[] = [];
  for (const [index, { value }] of configs.entries()) {
    if (value === undefined) continue;
    const entries = resolveConfig(value);
    const snapshot = found.servers[index]?.snapshot;
    if (catalog !== undefined) {
      findings.push(...misfitsOfCatalog(entries, catalog));
    } else if (snapshot !== undefined) {
      findings.push(...misfitsOfServer(entries, snapshot.live));
    }
  }
  return findings;
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
