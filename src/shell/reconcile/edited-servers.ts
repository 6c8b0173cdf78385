import { dirname, resolve } from 'node:path';
import type { EditedFile, EditedServer } from '../../core/accept/editing.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import type { SourceFile } from '../../core/yaml/compose.ts';
import { Failure } from '../failure.ts';
import { isInside, realPath } from '../paths.ts';
import type { Run } from '../run.ts';
import { layersOf, type Server } from '../servers/server.ts';
import { findProject, readConfig } from '../sources/config.ts';
import { WORK_TREE } from '../sources/files.ts';
import type { LivePlan } from './planning.ts';
import type { Prepared } from './preparation.ts';

/** The servers whose files may be edited, and all others of setpoint.yaml, which are read offline. */
export async function editedServers(
  run: Run,
  servers: readonly Prepared[],
  planned: readonly LivePlan[],
): Promise<readonly EditedServer[]> {
  const own = servers.map(async ({ name, files }): Promise<EditedServer> => {
    const found = planned.find(({ plan }) => plan.name === name);
    const layers = await editedLayers(run, files);
    return found === undefined ? { name, layers } : { name, layers, planned: found };
  });
  return Promise.all([...own, ...(await otherServers(run, servers))]);
}

/** The folder that a file must stay in: the root of the project that names it, or that of the file itself. */
export async function rootOf(run: Run, servers: readonly Server[], path: string): Promise<string> {
  const absolute = resolve(run.runtime.cwd, path);
  const roots = servers.flatMap(({ layers }) => layers.flatMap(({ root }) => root ?? []));
  return roots.find((root) => isInside(root, absolute)) ?? WORK_TREE.rootOf(dirname(absolute));
}

async function otherServers(run: Run, servers: readonly Server[]): Promise<Promise<EditedServer>[]> {
  const project = await findProject(run);
  if (project === undefined) return [];
  const others = project.project.servers.filter(({ name }) => !servers.some((each) => each.name === name));
  const read = await Promise.all(others.map((server) => readConfig(run, layersOf(server, project))));
  const wrong = [...project.diagnostics, ...read.flatMap(({ diagnostics }) => diagnostics)];
  if (hasErrors(wrong)) throw new Failure(wrong);
  return others.map(async ({ name }, index) => ({
    name,
    layers: await editedLayers(run, read[index]?.files ?? []),
  }));
}

function editedLayers(
  { runtime: { cwd } }: Run,
  layers: readonly (readonly SourceFile[])[],
): Promise<readonly (readonly EditedFile[])[]> {
  const edited = async (file: SourceFile) => ({
    ...file,
    real: await realPath(resolve(cwd, file.path)),
  });
  return Promise.all(layers.map((files) => Promise.all(files.map(edited))));
}
