import { dirname, join } from 'node:path';
import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../../core/findings/diagnostic.ts';
import { grouped } from '../../core/model/json.ts';
import { YAML_LIMITS } from '../../core/yaml/compose.ts';
import { IN_FLOW, valueText } from '../../core/yaml/value-text.ts';
import type { Options } from '../flags.ts';
import type { Run } from '../run.ts';
import { isYaml, layerPath, takesIn } from './config.ts';
import { readTextFile, shownPath, WORK_TREE } from './files.ts';
import { type FoundProject, findProject, layersOf } from './project.ts';

/**
 * Warns of configuration files beside the layers of a project that no server
 * reads: in the folders of a pull, and in those that layers lie in.
 */
export async function unreadFiles(
  run: Run,
  { file = [], url }: Options,
): Promise<Diagnostic[]> {
  if (file.length > 0 || url !== undefined) return [];
  const project = await findProject(run);
  if (project === undefined) return [];
  const paths = await unreadPaths(run, project);
  const findings: Diagnostic[] = [];
  for (const alike of grouped(paths, dirname).values()) {
    findings.push(unreadFinding(run, project, alike));
  }
  return findings;
}

/** What a configuration begins a line with; other YAML is for others. */
const SECTION = /^(?:integrations|values):/m;

/** Lists the configuration files beside the layers that none takes in. */
async function unreadPaths(run: Run, found: FoundProject): Promise<string[]> {
  const { folder, project, root } = found;
  const layers = project.servers.flatMap((server) =>
    layersOf(server, found).map(layerPath),
  );
  const folders = new Set(layers.map(dirname));
  folders.add(join(folder, 'integrations')).add(join(folder, 'servers'));
  // What else a repository holds is not for us.
  folders.delete(folder);
  const beside = new Set<string>();
  for (const each of folders) {
    const listed = await WORK_TREE.list(each, root, true);
    if ('reason' in listed) continue;
    for (const path of listed) beside.add(path);
  }
  const unread: string[] = [];
  for (const path of [...beside].sort()) {
    const isTaken = layers.some((layer) => takesIn(layer, path));
    if (isTaken || !isYaml(shownPath(path, folder))) continue;
    const most = YAML_LIMITS.bytes.most;
    const content = await readTextFile(run, path, { most, root });
    if ('text' in content && SECTION.test(content.text)) unread.push(path);
  }
  return unread;
}

/** Warns of files of one folder, with the line to add if it is a server's own. */
function unreadFinding(
  { runtime }: Run,
  { folder, project }: FoundProject,
  paths: readonly [string, ...string[]],
): Diagnostic {
  const layer = `${shownPath(dirname(paths[0]), folder)}/`;
  const server = project.servers.find(
    ({ name }) => layer === `servers/${name}/`,
  );
  const layers = server?.config.map(({ text }) => text) ?? [];
  const line = `config: ${valueText([...layers, layer], IN_FLOW)}`;
  const places = paths.map((path) => ({
    file: shownPath(path, runtime.cwd),
    line: 1,
    column: 1,
  }));
  const facts = { layer, server: server?.name, yaml: server && [line] };
  return withPlaces(diagnostic('unread-file', facts, places[0]), places);
}
