import { join } from 'node:path';
import { parseJson } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { integrationsIn } from '../../core/schema/read-schema.ts';
import type { Run } from '../run.ts';
import { readTextFile } from './files.ts';

/** The path of the schema of all servers, beside `setpoint.yaml`. */
export const SCHEMA = 'schemas/server.schema.json';

/**
 * Reads the integrations that `pull` found on any server, from the schema that
 * it left in a folder; undefined if there is none, or another file.
 */
export async function readPulledSchema(
  run: Run,
  folder: string,
): Promise<readonly LiveIntegration[] | undefined> {
  const path = join(folder, SCHEMA);
  const content = await readTextFile(run, path, { root: folder });
  if ('reason' in content) return undefined;
  const integrations = integrationsIn(parseJson(content.text));
  return integrations.length === 0 ? undefined : integrations;
}
