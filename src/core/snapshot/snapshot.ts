import type { Types } from '../../generated/snapshot-types.ts';
import { validate } from '../../generated/snapshot-validator.js';
import { checkServerUrl } from '../config/server-url.ts';
import { compareText } from '../findings/diagnostic.ts';
import type { DesiredIntegration, Settings } from '../model/desired.ts';
import { parseJson, present } from '../model/json.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { type DeclaredSecrecy, isSecret } from '../model/secrecy.ts';
import {
  contentOf,
  hiddenSide,
  type LiveSide,
  secretSide,
  shownSide,
  UNSET,
} from '../model/side.ts';
import { isEmpty } from '../model/value.ts';
import { VERSION } from '../model/version.ts';
import { formProblem } from '../plan/saved.ts';

/** A server in a file, without its secrets: `schemas/snapshot.schema.json`. */
export type Snapshot = Types['document'];

type SnapshotIntegration = Types['integration'];
type SnapshotOption = Types['option'];

/** The version of the saved form. Major versions alone remove fields. */
const SNAPSHOT_VERSION = '2.0';

/** A server at some time. */
export interface TakenServer {
  server: { name: string; url: string };
  /** ISO 8601. */
  takenAt: string;
  live: readonly LiveIntegration[];
}

/**
 * Takes a server without secrets; what is desired says which options hold some.
 * The order of its integrations is free.
 */
export function takeSnapshot(
  { server, takenAt, live }: TakenServer,
  desired: readonly DesiredIntegration[],
): Snapshot {
  const asked = new Map<string, Settings>();
  for (const { id, settings } of desired) asked.set(id, settings);
  const integrations = live.map((integration) =>
    encodeIntegration(integration, asked.get(integration.id)),
  );
  return {
    formatVersion: SNAPSHOT_VERSION,
    tool: { name: 'setpoint', version: VERSION },
    server,
    takenAt,
    integrations: integrations.sort((a, b) => compareText(a.id, b.id)),
  };
}

function encodeIntegration(
  integration: LiveIntegration,
  asked: Settings | undefined,
): SnapshotIntegration {
  const { id, options, optionKeys } = integration;
  const { name, acronym, description, status, autosubscribe } = integration;
  const keys = [...optionKeys].sort(compareText);
  const encoded = keys.map((key): SnapshotOption => {
    const option = options.get(key);
    return option === undefined
      ? { key, permission: 'unknown', hidden: true }
      : encodeOption(option, asked?.options.get(key)?.secrecy);
  });
  return present({
    id,
    name,
    acronym,
    description,
    status,
    autosubscribe,
    options: encoded,
  });
}

function encodeOption(
  option: LiveOption,
  secrecy: DeclaredSecrecy | undefined,
): SnapshotOption {
  const { key, type, title, description, multiple, permission } = option;
  const choices = option.choices.length === 0 ? undefined : option.choices;
  const known = present({ type, title, description, multiple, choices });
  const encoded = { key, ...known, permission };
  if (option.value.kind === 'unset') return { ...encoded, value: null };
  const value = contentOf(option.value);
  if (value === undefined) return { ...encoded, hidden: true };
  const secret = isSecret({ key, type, ...secrecy, values: [value] });
  if (secret && !isEmpty(value)) return { ...encoded, secret };
  return { ...encoded, value };
}

/** The form of a document, in the words of a problem with it. */
const FORM = {
  version: SNAPSHOT_VERSION,
  written: 'what setpoint snapshot writes',
  shape: 'a snapshot',
};

/**
 * Decodes the server in the text of a snapshot, which anybody may have
 * written, or says what is wrong with the text.
 */
export function decodeSnapshot(
  text: string,
): TakenServer | { problem: string } {
  const document = parseJson(text);
  const problem = formProblem(document, validate, FORM);
  if (problem !== undefined) return { problem };
  // It has the shape of the schema, which the type is made from.
  const { server, takenAt, integrations } = document as Snapshot;
  if (checkServerUrl(server.url).value?.origin !== server.url) {
    return { problem: 'its server has no usable address' };
  }
  const ids = new Set(integrations.map(({ id }) => id));
  if (ids.size < integrations.length) {
    return { problem: 'it lists an integration twice' };
  }
  return { server, takenAt, live: integrations.map(decodeIntegration) };
}

function decodeIntegration(integration: SnapshotIntegration): LiveIntegration {
  const keys: string[] = [];
  const options = new Map<string, LiveOption>();
  for (const option of integration.options) {
    keys.push(option.key);
    options.set(option.key, decodeOption(option));
  }
  const optionKeys = new Set(keys.sort());
  // A snapshot does not count errors.
  return { ...integration, errorCount: 0, optionKeys, options };
}

function decodeOption(option: SnapshotOption): LiveOption {
  const { value: _, secret: __, hidden: ___, ...rest } = option;
  return { choices: [], ...rest, value: decodeValue(option) };
}

function decodeValue(option: SnapshotOption): LiveSide {
  const { key, type, value } = option;
  if (option.secret === true) return hiddenSide('snapshot');
  if (option.hidden === true || value === undefined) {
    return hiddenSide('absent');
  }
  if (value === null) return UNSET;
  // Only an edited snapshot has the value of a secret.
  return isSecret({ key, type }) ? secretSide(value) : shownSide(value);
}
