import { dirname, join } from 'node:path';
import { sourceText } from '../../core/config/hidden.ts';
import {
  type Project,
  type ProjectServer,
  parseProject,
} from '../../core/config/project.ts';
import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../../core/findings/diagnostic.ts';
import { grouped } from '../../core/model/lists.ts';
import type { PlacedText } from '../../core/model/place.ts';
import { YAML_LIMITS } from '../../core/yaml/compose.ts';
import { IN_FLOW, yamlText } from '../../core/yaml/yaml-text.ts';
import { fail } from '../failure.ts';
import { gitRoot, realPath } from '../paths.ts';
import type { Run } from '../run.ts';
import {
  isYaml,
  layerPath,
  type NamedFile,
  overlapsOf,
  readSource,
  takesIn,
} from './config.ts';
import {
  configRoot,
  type FileSource,
  PROJECT_FILE,
  readTextFile,
  shownPath,
  WORK_TREE,
} from './files.ts';

/** A `setpoint.yaml` that can be read. */
export interface FoundProject {
  project: Project;
  folder: string;
  /** The folder of all files that it may name. */
  root: string;
  /** The findings on its servers. */
  diagnostics: readonly Diagnostic[];
}

/**
 * Reads the project file of a folder or of one above it, inside the git work
 * tree; undefined if there is none.
 */
export async function findProject(
  run: Run,
  source: FileSource = WORK_TREE,
  folder: string = run.runtime.cwd,
): Promise<FoundProject | undefined> {
  const path = join(folder, PROJECT_FILE);
  const listed = await source.list(path);
  // A file that cannot be read must not be taken for absent.
  const isAbsent = 'reason' in listed && listed.code === 'ENOENT';
  if (!isAbsent) return readProject(run, source, folder);
  const top = gitRoot(folder) ?? folder;
  if (folder === top) return undefined;
  return findProject(run, source, dirname(folder));
}

async function readProject(
  run: Run,
  source: FileSource,
  folder: string,
): Promise<FoundProject> {
  const root = configRoot(realPath(folder));
  const file = await readSource(run, source, join(folder, PROJECT_FILE), root);
  if ('code' in file) return fail(file);
  const { value: project, diagnostics } = parseProject(file);
  run.sources.set(file.path, sourceText(file));
  if (project === undefined) return fail(...diagnostics);
  const found = { project, folder, root, diagnostics };
  // A branch may mend the layers of its base.
  if (source.ref === undefined) {
    const layers = project.servers.map((server) => layersOf(server, found));
    const overlaps = overlapsOf(layers);
    if (overlaps.length > 0) fail(...diagnostics, ...overlaps);
  }
  return found;
}

/** Returns the layers of a server of a project. */
export function layersOf(
  { config }: ProjectServer,
  project: FoundProject,
): NamedFile[] {
  return config.map((layer) => placed(layer, project));
}

/** Returns a file or layer that a project names. */
export function placed(
  { text, place }: PlacedText,
  { folder, root }: FoundProject,
): NamedFile {
  return { path: text, base: folder, root, place };
}

/** What a configuration begins a line with; other YAML is for others. */
const SECTION = /^(?:integrations|values):/m;

/**
 * Warns of configuration files beside the layers of a project that no server
 * reads: in the folders of a pull, and in those that layers lie in.
 */
export async function unreadFiles(run: Run): Promise<Diagnostic[]> {
  const { file = [], url } = run.options;
  if (file.length > 0 || url !== undefined) return [];
  const found = await findProject(run);
  if (found === undefined) return [];
  const { folder, project } = found;
  const findings: Diagnostic[] = [];
  const paths = await unreadPaths(run, found);
  for (const [inside, alike] of grouped(paths, dirname)) {
    const layer = `${shownPath(inside, folder)}/`;
    // A server's own folder is named with the line that lists it.
    const server = project.servers.find(
      ({ name }) => layer === `servers/${name}/`,
    );
    const layers = server?.config.map(({ text }) => text) ?? [];
    const line = `config: ${yamlText([...layers, layer], IN_FLOW)}`;
    const facts = { layer, server: server?.name, yaml: server && [line] };
    const places = alike.map((path) => {
      const file = shownPath(path, run.runtime.cwd);
      return { file, line: 1, column: 1 };
    });
    const finding = diagnostic('unread-file', facts, places[0]);
    findings.push(withPlaces(finding, places));
  }
  return findings;
}

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
  const unread = new Set<string>();
  for (const beside of folders) {
    const listed = await WORK_TREE.list(beside, root);
    if ('reason' in listed) continue;
    for (const path of listed) {
      const isTaken = layers.some((layer) => takesIn(layer, path));
      if (isTaken || !isYaml(shownPath(path, folder))) continue;
      const { most } = YAML_LIMITS.bytes;
      const content = await readTextFile(run, path, { most, root });
      const isOurs = 'text' in content && SECTION.test(content.text);
      if (isOurs) unread.add(path);
    }
  }
  return [...unread].sort();
}
