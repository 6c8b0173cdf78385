import type { WrittenConfig } from '../../core/config/entry.ts';
import { resolveConfig } from '../../core/config/resolve.ts';
import type { Checked, Diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { matchCatalog, matchEntries } from '../../core/match/match.ts';
import { withoutFlood } from '../../core/plan/few-options.ts';
import { checkFit } from '../../core/plan/fit.ts';
import type { Run } from '../run.ts';
import type { FoundServers } from '../servers/server.ts';
import { readCatalog } from '../sources/catalog.ts';

/** How each configuration fits a catalog, or else the snapshot of its server, if that has one. */
export async function misfits(
  run: Run,
  read: readonly Checked<WrittenConfig>[],
  { servers, diagnostics }: FoundServers,
  folder: string | undefined,
): Promise<readonly Diagnostic[]> {
  const catalog =
    folder === undefined ? undefined : await readCatalog(run, folder);
  // Without all servers nothing tells whose layers are whose.
  if (catalog === undefined && hasErrors(diagnostics)) return [];
  return read.flatMap(({ value: config }, index) => {
    if (config === undefined) return [];
    const entries = resolveConfig(config);
    if (catalog !== undefined) {
      const {
        value,
        installed,
        diagnostics: found,
      } = matchCatalog(entries, catalog);
      return [...found, ...checkFit(value, installed)];
    }
    const { live } = servers[index]?.snapshot ?? {};
    if (live === undefined) return [];
    const { value, diagnostics: found } = matchEntries(entries, live);
    return [...found, ...withoutFlood(checkFit(value, live), value)];
  });
}
