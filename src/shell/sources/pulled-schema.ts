import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { integrationsIn } from '../../core/schema/read-schema.ts';
import type { Run } from '../run.ts';
import type { NamedFile } from './config.ts';
import { readTextFile, shownPath } from './files.ts';

/** The integrations of a server as a schema describes them. */
export interface PulledSchema {
  /** As people would type it. */
  readonly path: string;
  readonly integrations: readonly LiveIntegration[];
}

/** The most bytes of a schema. */
const LARGEST = 64 * 1024 * 1024;

const FOLDER = 'schemas';

/** The path of the schema of all servers, beside `setpoint.yaml`. */
export const SCHEMA = `${FOLDER}/server.schema.json`;

/** Whether the project of these layers has a folder of schemas. */
export function hasSchemas(layers: readonly (readonly NamedFile[])[]): boolean {
  const [layer] = layers.flat();
  return layer !== undefined && existsSync(join(layer.base, FOLDER));
}

/**
 * Reads the schema that `pull` left; undefined if there is none, or another
 * file. A layer of a server says where its `setpoint.yaml` is.
 */
export async function readPulledSchema(
  run: Run,
  { base, root }: NamedFile,
): Promise<PulledSchema | undefined> {
  const path = join(base, SCHEMA);
  const content = await readTextFile(run, path, { most: LARGEST, root });
  if ('reason' in content) return undefined;
  const integrations = integrationsIn(parseJson(content.text));
  if (integrations.length === 0) return undefined;
  return { path: shownPath(path, run.runtime.cwd), integrations };
}
