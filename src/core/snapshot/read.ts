import { validate } from '../../generated/snapshot-validator.js';
import { checkServerUrl } from '../config/server-url.ts';
import { parseJson } from '../model/json.ts';
import type { LiveIntegration, LiveOption, LiveValue } from '../model/live.ts';
import { isSecret } from '../model/secrecy.ts';
import { hide } from '../model/secret.ts';
import { formProblem } from '../plan/saved.ts';
import { SNAPSHOT_VERSION, type Snapshot } from './snapshot.ts';

type SnapshotIntegration = Snapshot['integrations'][number];
type SnapshotOption = SnapshotIntegration['options'][number];

/** The server in the text of a snapshot, as it was then, or what is wrong with the text. Anybody may have written it. */
export function decodeSnapshot(text: string) {
  const document = parseJson(text);
  const written = 'what setpoint snapshot writes';
  const problem = formProblem(document, validate, {
    version: SNAPSHOT_VERSION,
    written,
    shape: 'a snapshot',
  });
  if (problem !== undefined) return { problem };
  // It has the shape of the schema, which the type is made from.
  const { server, takenAt, integrations } = document as Snapshot;
  if (checkServerUrl(server.url).value?.origin !== server.url)
    return { problem: 'its server has no usable address' };
  const ids = new Set(integrations.map(({ id }) => id));
  if (ids.size < integrations.length) return { problem: 'it lists an integration twice' };
  return { server, takenAt, live: integrations.map(liveIntegration) };
}

function liveIntegration({ options, ...integration }: SnapshotIntegration): LiveIntegration {
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

function liveValue({ key, type, value, secret, hidden }: SnapshotOption): LiveValue {
  if (secret === true) return { kind: 'unreadable', reason: 'snapshot' };
  if (hidden === true || value === undefined) return { kind: 'unreadable', reason: 'absent' };
  if (value === null) return { kind: 'empty' };
  // Only an edited snapshot has the value of a secret.
  return { kind: 'readable', value: isSecret({ key, type }) ? hide(value) : value };
}
