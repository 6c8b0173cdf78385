import { validate } from '../../generated/snapshot-validator.js';
import { checkServerUrl } from '../config/server-url.ts';
import { isRecord } from '../model/json.ts';
import { shapeProblem, versionProblem } from '../model/saved-form.ts';
import { SNAPSHOT_VERSION, type Snapshot } from './document.ts';

/** The snapshot in the text of a file, or what is wrong with it. Anybody may have written it. */
export function decodeSnapshot(text: string): Snapshot | { readonly problem: string } {
  const document = jsonOf(text);
  const version = versionProblem(document, SNAPSHOT_VERSION, 'what setpoint snapshot writes');
  if (version !== undefined) return { problem: version };
  if (!isSnapshot(document)) return { problem: shapeProblem(validate.errors ?? [], 'a snapshot') };
  const problem = problemIn(document, text);
  return problem === undefined ? document : { problem };
}

/** The document in a text; undefined, which is not a document either, where the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSnapshot(document: unknown): document is Snapshot {
  return validate(document);
}

/** What a schema cannot tell. */
function problemIn(snapshot: Snapshot, text: string): string | undefined {
  const { server, takenAt, integrations } = snapshot;
  if (keysIn(text) > keysOf(snapshot)) return 'an object in it has one key twice';
  if (checkServerUrl(server.url).value?.origin !== server.url) return 'its server has no usable address';
  if (Number.isNaN(Date.parse(takenAt))) return 'its time is none';
  if (hasTwice(integrations.map(({ id }) => id))) return 'it lists an integration twice';
  const isCrowded = integrations.some(({ options }) => hasTwice(options.map(({ key }) => key)));
  return isCrowded ? 'it lists an option of an integration twice' : undefined;
}

/** How many keys a text of JSON has; of two that are the same in one object, `JSON.parse` drops the first. */
function keysIn(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g))
    if (colon !== undefined) count += 1;
  return count;
}

/** How many keys plain data has, at all depths. */
function keysOf(data: unknown): number {
  if (Array.isArray(data)) return data.reduce((sum: number, each) => sum + keysOf(each), 0);
  if (!isRecord(data)) return 0;
  const values = Object.values(data);
  return values.reduce((sum: number, each) => sum + keysOf(each), values.length);
}

function hasTwice(texts: readonly string[]): boolean {
  return new Set(texts).size < texts.length;
}
