import { resolve } from 'node:path';
import type { EditedFile, EditedLayer, EditedServer } from '../../core/accept/editing.ts';
import type { ProjectServer } from '../../core/config/project.ts';
import { PROJECT_FILE } from '../../core/config/project.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { literalStart } from '../../core/model/glob.ts';
import type { SourceFile } from '../../core/yaml/tree.ts';
import { Failure } from '../failure.ts';
import { isInside, realPath } from '../report-target.ts';
import type { Run } from '../run.ts';
import { layersOf, type Server } from '../servers/server.ts';
import { type NamedFile, readConfig } from '../sources/config.ts';
import { projectsOver } from '../sources/project.ts';
import { WORK_TREE } from '../sources/work-tree.ts';
import type { LivePlan } from './planning.ts';
import type { Prepared } from './preparation.ts';

/** A server whose files are known, and its plan if it has one. */
interface Layered {
  readonly name: string;
  readonly layers: readonly NamedFile[];
  readonly files: readonly (readonly SourceFile[])[];
  readonly planned?: LivePlan | undefined;
}

/** The servers whose files are to be edited, and all others of the projects over these files, which are read offline. */
export async function editedServers(
  run: Run,
  servers: readonly Prepared[],
  planned: readonly LivePlan[],
): Promise<readonly EditedServer[]> {
  const others = await otherServers(run, servers);
  const own = servers.map((server): Layered => {
    return { ...server, planned: planned.find(({ plan }) => plan.name === server.name) };
  });
  const all = [...own, ...others];
  return Promise.all(all.map((server) => editedServer(run, server, all)));
}

/** The folder that a file must stay in, by its path: the root of the project that names it, or that of the file itself. */
export async function rootOf(run: Run, servers: readonly Server[], path: string): Promise<string> {
  const absolute = resolve(run.runtime.cwd, path);
  const roots = servers.flatMap(({ layers }) => layers.flatMap(({ root }) => root ?? []));
  return roots.find((root) => isInside(root, absolute)) ?? WORK_TREE.rootOf(absolute);
}

/** The servers that the projects over the files of a run have beside those of the run. */
async function otherServers(run: Run, servers: readonly Server[]): Promise<readonly Layered[]> {
  const projects = await projectsOver(run, [resolve(run.runtime.cwd, PROJECT_FILE), ...run.configFiles]);
  const found = projects.flatMap(({ diagnostics }) => diagnostics);
  if (hasErrors(found)) throw new Failure(found);
  const others = projects.flatMap((project) =>
    project.project.servers
      .filter((each) => !servers.some((server) => isSame(server, each)))
      .map((server) => ({ name: server.name, layers: layersOf(server, project) })),
  );
  const read = await Promise.all(
    others.map(async (server) => ({ server, config: await readConfig(run, server.layers) })),
  );
  const wrong = read.flatMap(({ config }) => config.diagnostics);
  if (hasErrors(wrong)) throw new Failure(wrong);
  return read.map(({ server, config: { files } }) => ({ ...server, files }));
}

/** Whether a server of a run is that of a project: by its name, or by its address where a flag names it. */
function isSame({ name, url, credentialsName }: Server, server: ProjectServer): boolean {
  if (credentialsName !== undefined) return name === server.name;
  return URL.canParse(server.url.text) && new URL(server.url.text).href === url.href;
}

async function editedServer(run: Run, server: Layered, all: readonly Layered[]): Promise<EditedServer> {
  const others = all.filter((each) => each !== server);
  const layers = await Promise.all(
    server.layers.map(async (layer, index): Promise<EditedLayer> => {
      const files = await Promise.all((server.files[index] ?? []).map((file) => editedFile(run, file)));
      const folder = await ownFolder(run, layer, others);
      return { files, folder };
    }),
  );
  const { name, planned } = server;
  return planned === undefined ? { name, layers } : { name, layers, planned };
}

async function editedFile({ runtime: { cwd } }: Run, file: SourceFile): Promise<EditedFile> {
  return { ...file, real: await realPath(resolve(cwd, file.path)) };
}

/** The folder that a layer is, if no other server could take a new file of it for one of its own. */
async function ownFolder({ runtime: { cwd } }: Run, { path, base }: NamedFile, others: readonly Layered[]) {
  const absolute = resolve(base, path);
  if ((await WORK_TREE.kindOf(absolute)) !== 'folder') return undefined;
  const starts = others.flatMap(({ layers }) =>
    layers.map((layer) => ({ start: literalStart(layer.path), layer })),
  );
  const isReached = starts.some(({ start, layer }) => {
    const reached = resolve(layer.base, start);
    return start !== layer.path && (reached.startsWith(absolute) || absolute.startsWith(reached));
  });
  if (isReached) return undefined;
  return { path: WORK_TREE.shownPath(absolute, cwd), real: await realPath(absolute) };
}
