import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeDefinition } from '../../src/core/model/definition.ts';
import type { LiveIntegration } from '../../src/core/model/live.ts';

/** An integration as its configuration file defines it; throws where it is none. */
export function defined(name: string, raw: unknown): LiveIntegration {
  const definition = decodeDefinition(name, raw);
  if ('problem' in definition) throw new Error(definition.problem);
  return definition;
}

/** The integrations of a folder of configuration files, ordered by id; `ids` says which ids some of them get, by their names. */
export function catalogOf(
  folder: string,
  ids: Readonly<Record<string, string>> = {},
): LiveIntegration[] {
  const files = readdirSync(folder).flatMap((name) =>
    name.endsWith('.json') ? name : `${name}/config/config.json`,
  );
  const integrations = files
    .filter((file) => existsSync(join(folder, file)))
    .map((file) => {
      const name = file.replace(/(\/config\/config)?\.json$/, '');
      const text = readFileSync(join(folder, file), 'utf8');
      const definition = defined(name, JSON.parse(text));
      return { ...definition, id: ids[name] ?? definition.id };
    });
  return integrations.sort((a, b) => (a.id < b.id ? -1 : 1));
}
