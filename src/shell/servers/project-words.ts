import type { NamesOfProject } from '../flags.ts';
import type { Run } from '../run.ts';
import { configReader } from '../sources/config.ts';
import { findProject, layersOf } from '../sources/project.ts';

/** Reads the names of the servers, or of the entries, of the project here. */
export async function wordsOf(
  run: Run,
  of: NamesOfProject,
): Promise<readonly string[]> {
  const found = await findProject(run);
  if (found === undefined) return [];
  const { servers } = found.project;
  if (of === 'servers') return servers.map(({ name }) => name);
  const read = configReader(run);
  const names = new Set<string>();
  for (const server of servers) {
    const { value } = await read(layersOf(server, found));
    for (const { name } of value?.entries ?? []) names.add(name);
  }
  return [...names];
}
