import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Snapshot } from './document.ts';

/** A server by what a snapshot knows of it. */
interface Named {
  readonly name: string;
  readonly url: URL;
}

/** Finds the server of each snapshot; reports those of no server, and of one that has a snapshot already. */
export function pairSnapshots<S extends Named, Taken extends Snapshot & { readonly path: string }>(
  servers: readonly S[],
  snapshots: readonly Taken[],
): { readonly value: ReadonlyMap<S, Taken>; readonly diagnostics: readonly Diagnostic[] } {
  const value = new Map<S, Taken>();
  const diagnostics: Diagnostic[] = [];
  for (const snapshot of snapshots) {
    const { path, server: taken } = snapshot;
    const server = serverOf(snapshot, servers);
    const other = server && value.get(server);
    if (server !== undefined && other === undefined) value.set(server, snapshot);
    const problem =
      other === undefined
        ? `it is of ${taken.name} at ${taken.url}, which is no server of this run`
        : `${other.path} is of the same server`;
    if (server === undefined || other !== undefined)
      diagnostics.push(diagnostic('snapshot-unusable', { path, problem }));
  }
  return { value, diagnostics };
}

/** The server at the origin of a snapshot; of several that differ in their paths alone, the one of its name. */
function serverOf<S extends Named>({ server }: Snapshot, servers: readonly S[]): S | undefined {
  const there = servers.filter(({ url }) => url.origin === server.url);
  return there.length === 1 ? there[0] : there.find(({ name }) => name === server.name);
}
