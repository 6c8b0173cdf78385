import { compareText } from '../findings/diagnostic.ts';
import { type DesiredIntegration, type DesiredState, secrecyOf } from '../model/desired.ts';
import { present } from '../model/json.ts';
import { type LiveIntegration, type LiveOption, openLive } from '../model/live.ts';
import { isSecret, type Told } from '../model/secrecy.ts';
import { inOrderOf, isChoiceList, isEmpty } from '../model/value.ts';
import {
  SNAPSHOT_VERSION,
  type Snapshot,
  type SnapshotIntegration,
  type SnapshotOption,
} from './document.ts';

/** What a snapshot is made from. */
export interface Taking extends Pick<Snapshot, 'server' | 'takenAt'> {
  /** The version of the program. */
  readonly version: string;
  readonly live: readonly LiveIntegration[];
  /** What is declared of them: it says which options hold secrets. */
  readonly desired: DesiredState;
}

/** Takes a server without secrets. The same server in any order makes the same document but for its time. */
export function takeSnapshot({ version, server, takenAt, live, desired }: Taking): Snapshot {
  const declared = new Map(desired.integrations.map((each) => [each.id, each]));
  return {
    formatVersion: SNAPSHOT_VERSION,
    tool: { name: 'setpoint', version },
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
  secrecy: Told,
): Pick<SnapshotOption, 'value' | 'secret' | 'hidden'> {
  if (live.kind === 'empty') return { value: null };
  const value = openLive(live);
  if (value === undefined) return { hidden: true };
  if (!isEmpty(value) && isSecret({ key, type, ...secrecy, values: [value] })) return { secret: true };
  return { value: isChoiceList(value) ? inOrderOf(choices, value) : value };
}
