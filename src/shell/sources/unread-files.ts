import { dirname, join } from 'node:path';
import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../../core/findings/diagnostic.ts';
import { grouped } from '../../core/model/json.ts';
import { IN_FLOW, valueText } from '../../core/yaml/value-text.ts';
import type { Options } from '../flags.ts';
import type { Run } from '../run.ts';
import { isYaml, takesIn } from './config.ts';
import { shownPath, WORK_TREE } from './files.ts';
import { findProject } from './project.ts';

/**
 * Warns of YAML files beside the layers of a project that no server reads: in
 * the folders of a pull, and in those that layers lie in.
 */
export async function unreadFiles(
  run: Run,
  { file = [], url }: Options,
): Promise<Diagnostic[]> {
  if (file.length > 0 || url !== undefined) return [];
  const found = await findProject(run);
  if (found === undefined) return [];
  const { folder, project, root } = found;
  const named = project.servers.flatMap(({ config }) =>
    config.map(({ text }) => join(folder, text).replace(/\/$/, '')),
  );
  const around = [...named.map(dirname), join(folder, 'integrations')];
  const folders = new Set([...around, join(folder, 'servers')]);
  // What else a repository holds is not for us.
  folders.delete(folder);
  const listing = [...folders].map((beside) =>
    WORK_TREE.list(beside, root, true),
  );
  const listed = await Promise.all(listing);
  const paths = listed.flatMap((files) => ('reason' in files ? [] : files));
  const unread = new Set(paths.filter((path) => isUnread(path, folder, named)));
  const findings: Diagnostic[] = [];
  for (const [path, files] of grouped([...unread].sort(), dirname)) {
    const layer = `${shownPath(path, folder)}/`;
    const server = project.servers.find(
      ({ name }) => layer === `servers/${name}/`,
    );
    const layers = server?.config.map(({ text }) => text) ?? [];
    const line = `config: ${valueText([...layers, layer], IN_FLOW)}`;
    const facts = {
      layer,
      server: server?.name,
      yaml: server && [line],
    };
    const places = files.map((each) => ({
      file: shownPath(each, run.runtime.cwd),
      line: 1,
      column: 1,
    }));
    findings.push(
      withPlaces(diagnostic('unread-file', facts, places[0]), places),
    );
  }
  return findings;
}

function isUnread(
  path: string,
  folder: string,
  layers: readonly string[],
): boolean {
  const shown = shownPath(path, folder);
  if (!isYaml(shown) || /(^|\/)(node_modules|schemas)\//.test(shown))
    return false;
  return !layers.some((layer) => takesIn(layer, path));
}
