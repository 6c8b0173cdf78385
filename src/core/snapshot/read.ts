import { validate } from '../../generated/snapshot-validator.js';
import { checkServerUrl } from '../config/server-url.ts';
import { parseJson } from '../model/json.ts';
import type { LiveIntegration, LiveOption, LiveValue } from '../model/live.ts';
import { isSecret } from '../model/secrecy.ts';
import { hide } from '../model/secret.ts';
import { formProblem } from '../plan/saved.ts';
import { SNAPSHOT_VERSION, type Snapshot } from './snapshot.ts';

type SnapshotOption = Snapshot['integrations'][number]['options'][number];

/** The snapshot in the text of a file, or what is wrong with it. Anybody may have written it. */
export function decodeSnapshot(text: string): Snapshot | { readonly problem: string } {
  const document = parseJson(text);
  const problem = formProblem(document, validate, {
    version: SNAPSHOT_VERSION,
    written: 'what setpoint snapshot writes',
    shape: 'a snapshot',
  });
  if (problem !== undefined) return { problem };
  // It has the shape of the schema, which the type is made from.
  const snapshot = document as Snapshot;
  const { server, integrations } = snapshot;
  if (checkServerUrl(server.url).value?.origin !== server.url)
    return { problem: 'its server has no usable address' };
  const ids = new Set(integrations.map(({ id }) => id));
  return ids.size < integrations.length ? { problem: 'it lists an integration twice' } : snapshot;
}

/** What was installed when a snapshot was taken, as a server shows it. */
export function liveOf({ integrations }: Snapshot): readonly LiveIntegration[] {
  return integrations.map(({ options, ...integration }) => ({
    ...integration,
    errorCount: 0,
    optionKeys: new Set(options.map(({ key }) => key).sort()),
    options: new Map(options.map((each) => [each.key, liveOption(each)])),
  }));
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
