import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Snapshot } from './document.ts';

/** Finds the server of each snapshot; reports those of no server, and of one that has a snapshot already. */
export function pairSnapshots<
  S extends { readonly name: string; readonly url: URL },
  Taken extends Snapshot & { readonly path: string },
>(
  servers: readonly S[],
  snapshots: readonly Taken[],
): { readonly value: ReadonlyMap<S, Taken>; readonly diagnostics: readonly Diagnostic[] } {
  const value = new Map<S, Taken>();
  const diagnostics: Diagnostic[] = [];
  for (const snapshot of snapshots) {
    const { path, server: taken } = snapshot;
    const there = servers.filter(({ url }) => url.origin === taken.url);
    // Servers that differ only in their paths are matched by name.
    const server = there.length === 1 ? there[0] : there.find(({ name }) => name === taken.name);
    const other = server && value.get(server);
    if (server !== undefined && other === undefined) {
      value.set(server, snapshot);
      continue;
    }
    const nowhere = `it is of ${taken.name} at ${taken.url}, which is no server of this run`;
    const problem = other === undefined ? nowhere : `${other.path} is of the same server`;
    diagnostics.push(diagnostic('snapshot-unusable', { path, problem }));
  }
  return { value, diagnostics };
}
