import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { decodeDefinition } from '../../src/core/model/definition.ts';
import type { LiveIntegration } from '../../src/core/model/live.ts';

/** An integration as its configuration file defines it; throws where it is none. */
export function defined(name: string, raw: unknown): LiveIntegration {
  const definition = decodeDefinition(name, raw);
  if ('problem' in definition) throw new Error(definition.problem);
  return definition;
}

/** The integrations of a folder of configuration files. */
export function catalogOf(folder: string): LiveIntegration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.map((file) =>
    defined(
      basename(file, '.json'),
      JSON.parse(readFileSync(join(folder, file), 'utf8')),
    ),
  );
}
