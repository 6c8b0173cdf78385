import type { NamesOfProject } from '../flags.ts';
import type { Run } from '../run.ts';
import { configReader } from '../sources/config.ts';
import {
  type FoundProject,
  findProject,
  layersOf,
} from '../sources/project.ts';

/** Reads the names of the servers, or of the entries, of the project here. */
export async function wordsOf(
  run: Run,
  of: NamesOfProject,
): Promise<readonly string[]> {
  const project = await findProject(run);
  if (project === undefined) return [];
  if (of === 'servers') return project.project.servers.map(({ name }) => name);
  return entryWords(run, project);
}

async function entryWords(run: Run, project: FoundProject): Promise<string[]> {
  const read = configReader(run);
  const names = new Set<string>();
  for (const server of project.project.servers) {
    const { value } = await read(layersOf(server, project));
    for (const { name } of value?.entries ?? []) names.add(name);
  }
  return [...names];
}
