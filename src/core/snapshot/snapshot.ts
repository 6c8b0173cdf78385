import type { Types } from '../../generated/snapshot-types.ts';
import { validate } from '../../generated/snapshot-validator.js';
import { checkServerUrl } from '../config/server-url.ts';
import { compareText } from '../findings/diagnostic.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import { parseJson, present } from '../model/json.ts';
import {
  type LiveIntegration,
  type LiveOption,
  type LiveValue,
  openLive,
} from '../model/live.ts';
import { type DeclaredSecrecy, isSecret } from '../model/secrecy.ts';
import { hide } from '../model/secret.ts';
import { inOrderOf, isChoiceList, isEmpty } from '../model/value.ts';
import { VERSION } from '../model/version.ts';
import { formProblem } from '../plan/saved.ts';

/** A server in a file, without its secrets. `schemas/snapshot.schema.json` describes it. */
type Snapshot = Types['document'];

type SnapshotIntegration = Types['integration'];
type SnapshotOption = Types['option'];

/** The version of the saved form. Fields are only ever added within a major version. */
const SNAPSHOT_VERSION = '2.0';

/** What a snapshot is made from; what is declared says which options hold secrets. */
interface Taking extends Pick<Snapshot, 'server' | 'takenAt'> {
  readonly live: readonly LiveIntegration[];
  readonly desired: readonly DesiredIntegration[];
}

/** Takes a server without secrets. The same server in any order makes the same document but for its time. */
export function takeSnapshot({
  server,
  takenAt,
  live,
  desired,
}: Taking): Snapshot {
  const declared = new Map(desired.map((each) => [each.id, each]));
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
  { id, options, optionKeys, errorCount: _, ...attributes }: LiveIntegration,
  desired: DesiredIntegration | undefined,
): SnapshotIntegration {
  const keys = [...new Set([...optionKeys, ...options.keys()])].sort(
    compareText,
  );
  return {
    id,
    ...present(attributes),
    options: keys.map((key) => {
      const option = options.get(key);
      if (option === undefined)
        return { key, permission: 'unknown', hidden: true };
      const { type, title, description, multiple, permission } = option;
      const choices = option.choices.length === 0 ? undefined : option.choices;
      return {
        key,
        ...present({ type, title, description, multiple, choices }),
        permission,
        ...takenValue(option, desired?.secrecy.get(key)),
      };
    }),
  };
}

function takenValue(
  { key, type, value: live, choices }: LiveOption,
  secrecy: DeclaredSecrecy | undefined,
): Pick<SnapshotOption, 'value' | 'secret' | 'hidden'> {
  if (live.kind === 'empty') return { value: null };
  const value = openLive(live);
  if (value === undefined) return { hidden: true };
  if (!isEmpty(value) && isSecret({ key, type, ...secrecy, values: [value] }))
    return { secret: true };
  return { value: isChoiceList(value) ? inOrderOf(choices, value) : value };
}

/** The server in the text of a snapshot, as it was then, or what is wrong with the text. Anybody may have written it. */
export function decodeSnapshot(text: string) {
  const document = parseJson(text);
  const form = {
    version: SNAPSHOT_VERSION,
    written: 'what setpoint snapshot writes',
    shape: 'a snapshot',
  };
  const problem = formProblem(document, validate, form);
  if (problem !== undefined) return { problem };
  // It has the shape of the schema, which the type is made from.
  const { server, takenAt, integrations } = document as Snapshot;
  if (checkServerUrl(server.url).value?.origin !== server.url)
    return { problem: 'its server has no usable address' };
  const ids = new Set(integrations.map(({ id }) => id));
  if (ids.size < integrations.length)
    return { problem: 'it lists an integration twice' };
  return { server, takenAt, live: integrations.map(liveIntegration) };
}

function liveIntegration({
  options,
  ...integration
}: SnapshotIntegration): LiveIntegration {
  return {
    ...integration,
    errorCount: 0,
    optionKeys: new Set(options.map(({ key }) => key).sort()),
    options: new Map(options.map((each) => [each.key, liveOption(each)])),
  };
}

function liveOption(taken: SnapshotOption): LiveOption {
  const { value: _, secret: __, hidden: ___, choices = [], ...option } = taken;
  return { ...option, choices, value: liveValue(taken) };
}

function liveValue({
  key,
  type,
  value,
  secret,
  hidden,
}: SnapshotOption): LiveValue {
  if (secret === true) return { kind: 'unreadable', reason: 'snapshot' };
  if (hidden === true || value === undefined)
    return { kind: 'unreadable', reason: 'absent' };
  if (value === null) return { kind: 'empty' };
  // Only an edited snapshot has the value of a secret.
  return {
    kind: 'readable',
    value: isSecret({ key, type }) ? hide(value) : value,
  };
}
