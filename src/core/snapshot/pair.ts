import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { grouped } from '../model/grouped.ts';
import type { Snapshot } from './document.ts';

/** A server by what a snapshot knows of it. */
interface Named {
  readonly name: string;
  readonly url: URL;
}

/** Which server each snapshot is of, by its path; with a finding for each that is of none, and for two of one server. */
export function pairSnapshots<S extends Named, Taken extends Snapshot & { readonly path: string }>(
  servers: readonly S[],
  snapshots: readonly Taken[],
): { readonly value: ReadonlyMap<S, Taken>; readonly diagnostics: readonly Diagnostic[] } {
  const found = snapshots.map((snapshot) => ({ snapshot, server: serverOf(snapshot, servers) }));
  const strangers = found.filter(({ server }) => server === undefined);
  const others = strangers.map(({ snapshot: { path, server } }) => {
    const now = servers.find(({ name }) => name === server.name)?.url.origin;
    const mismatch = now === undefined ? 'which is no server of this run' : `which this run has at ${now}`;
    return diagnostic('snapshot-unusable', {
      path,
      problem: `it is of ${server.name} at ${server.url}, ${mismatch}`,
    });
  });
  const pairs = found.flatMap(({ snapshot, server }) => (server === undefined ? [] : [{ snapshot, server }]));
  const twice = [...grouped(pairs, ({ server }) => server).values()].flatMap(([first, ...more]) =>
    more.map(({ snapshot: { path }, server }) =>
      diagnostic('snapshot-unusable', { path, problem: `${first?.snapshot.path} is of ${server.name} too` }),
    ),
  );
  return {
    value: new Map(pairs.map(({ snapshot, server }) => [server, snapshot])),
    diagnostics: [...others, ...twice],
  };
}

/** The server at the origin of a snapshot; of several that differ in their paths alone, the one of its name. */
function serverOf<S extends Named>({ server }: Snapshot, servers: readonly S[]): S | undefined {
  const there = servers.filter(({ url }) => url.origin === server.url);
  return there.length === 1 ? there[0] : there.find(({ name }) => name === server.name);
}
