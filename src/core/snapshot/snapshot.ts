import type { snapshotSchema } from '../../generated/snapshot-schema.ts';
import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { type DesiredIntegration, type DesiredState, secrecyOf } from '../model/desired.ts';
import { present } from '../model/json.ts';
import { type LiveIntegration, type LiveOption, openLive } from '../model/live.ts';
import type { TypeOf } from '../model/schema-type.ts';
import { type DeclaredSecrecy, isSecret } from '../model/secrecy.ts';
import { inOrderOf, isChoiceList, isEmpty } from '../model/value.ts';
import { VERSION } from '../model/version.ts';

/** A server in a file, without its secrets. `schemas/snapshot.schema.json` describes it. */
export interface Snapshot extends TypeOf<typeof snapshotSchema, (typeof snapshotSchema)['definitions']> {}

type SnapshotIntegration = Snapshot['integrations'][number];
type SnapshotOption = SnapshotIntegration['options'][number];

/** The version of the saved form. Fields are only ever added within a major version. */
export const SNAPSHOT_VERSION = '2.0';

/** What a snapshot is made from; what is declared says which options hold secrets. */
interface Taking extends Pick<Snapshot, 'server' | 'takenAt'> {
  readonly live: readonly LiveIntegration[];
  readonly desired: DesiredState;
}

/** Takes a server without secrets. The same server in any order makes the same document but for its time. */
export function takeSnapshot({ server, takenAt, live, desired }: Taking): Snapshot {
  const declared = new Map(desired.integrations.map((each) => [each.id, each]));
  return {
    formatVersion: SNAPSHOT_VERSION,
    tool: { name: 'setpoint', version: VERSION },
    server,
    takenAt,
    integrations: [...live]
      .sort((a, b) => compareText(a.id, b.id))
      .map((each) => takenIntegration(each, declared.get(each.id))),
  };
}

function takenIntegration(
  { options, optionKeys, errorCount: _, ...attributes }: LiveIntegration,
  desired: DesiredIntegration | undefined,
): SnapshotIntegration {
  const keys = [...new Set([...optionKeys, ...options.keys()])].sort(compareText);
  return {
    ...attributes,
    options: keys.map((key) => {
      const option = options.get(key);
      if (option === undefined) return { key, permission: 'unknown', hidden: true };
      const { type, title, description, multiple, permission } = option;
      const choices = option.choices.length === 0 ? undefined : option.choices;
      return {
        key,
        ...present({ type, title, description, multiple, choices }),
        permission,
        ...takenValue(option, secrecyOf(desired, key)),
      };
    }),
  };
}

function takenValue(
  { key, type, value: live, choices }: LiveOption,
  secrecy: DeclaredSecrecy,
): Pick<SnapshotOption, 'value' | 'secret' | 'hidden'> {
  if (live.kind === 'empty') return { value: null };
  const value = openLive(live);
  if (value === undefined) return { hidden: true };
  if (!isEmpty(value) && isSecret({ key, type, ...secrecy, values: [value] })) return { secret: true };
  return { value: isChoiceList(value) ? inOrderOf(choices, value) : value };
}

/** How much a snapshot holds, with the values that were kept out and those that the server does not show. */
export function countsOf({ integrations }: Snapshot) {
  const options = integrations.flatMap((each) => each.options);
  return {
    integrations: integrations.length,
    options: options.length,
    secrets: options.filter(({ secret }) => secret).length,
    hidden: options.filter(({ hidden }) => hidden).length,
  };
}

/** Finds the server of each snapshot; reports those of no server, and of one that has a snapshot already. */
export function pairSnapshots<
  S extends { readonly name: string; readonly url: URL },
  Taken extends Pick<Snapshot, 'server'> & { readonly path: string },
>(servers: readonly S[], snapshots: readonly Taken[]) {
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
