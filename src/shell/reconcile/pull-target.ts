import { join, parse, resolve } from 'node:path';
import { mayOverlap, takesIn } from '../../core/config/layer-overlap.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { uniquely } from '../../core/pull/pull.ts';
import { fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import { isInside, isOfGit } from '../paths.ts';
import type { Run } from '../run.ts';
import { findServers, layersOf, type Server } from '../servers/server.ts';
import { configReader, layerPath, type NamedFile } from '../sources/config.ts';
import { WORK_TREE } from '../sources/files.ts';
import { findProject } from '../sources/project.ts';

type FoundProject = Awaited<ReturnType<typeof findProject>>;

/** Finds the server, and reads the configuration that there is for it. Fails with all that is wrong, before any request. */
export async function pullTarget(run: Run, options: Options) {
  const { cwd } = run.runtime;
  const folder = resolve(cwd, options.out ?? '.');
  if (isOfGit(folder)) failUsage('--out is in a folder of git itself.');
  const project = await findProject(run, WORK_TREE, folder);
  const {
    warnings: found,
    isNamed,
    ...pulled
  } = await pulledServer(run, options, folder, project);
  const { server, isListed } = pulled;
  const others = (project?.project.servers ?? []).filter(
    (each) => !isListed || each.name !== server.name,
  );
  const theirs = others.flatMap((each) =>
    project === undefined ? [] : layersOf(each, project),
  );
  const into = folderFor(folder, server, isNamed || others.length > 0, theirs);
  const isRead = isInLayers(server.layers, join(folder, into));
  const read = isRead
    ? server.layers
    : [...server.layers, { path: into, base: folder }];
  const layers = read.map((each) => ({ ...each, mayBeEmpty: true }));
  const {
    value: existing,
    diagnostics,
    files,
  } = await configReader(run)(layers);
  // It is what a pull is about to fill.
  const own = diagnostics.filter(({ code }) => code !== 'nothing-managed');
  const warnings = [...found, ...own];
  if (existing === undefined || hasErrors(warnings)) return fail(...warnings);
  const paths = files.flat().map(({ path }) => resolve(cwd, path));
  return {
    /** The server, and whether the project has it. */
    ...pulled,
    /** The folder to write to, and the folder of new entries from there, with a slash at its end. */
    ...{ folder, into },
    /** Undefined without a `setpoint.yaml`, and whether that has the folder among the layers of the server. */
    ...{ project, isRead },
    /** What is there, with the names of the files in the folder, without their extension. */
    existing,
    taken: paths
      .filter((path) => isInside(join(folder, into), path))
      .map((path) => parse(path).name),
    warnings,
  };
}

/** The folder for new entries: one that the server reads already and no other does, or else a new one. */
function folderFor(
  folder: string,
  { name, layers }: Server,
  isNamed: boolean,
  others: readonly NamedFile[],
): string {
  const folders = ['integrations/', `integrations/${name}/`, `${name}/`];
  const known = [...layers, ...others].map(layerPath);
  const own = folders.find(
    (path) =>
      isInLayers(layers, join(folder, path)) &&
      !isInLayers(others, join(folder, path)),
  );
  // A new folder must not share a file with any layer.
  const free = folders.filter((path) => {
    const layer = layerPath({ path, base: folder });
    return !known.some((other) => mayOverlap(layer, other));
  });
  return (
    own ??
    free.find((path) => !isNamed || path !== 'integrations/') ??
    failUsage(
      'Another server reads all that a pull would write here.',
      'Name another folder with --out.',
    )
  );
}

/** Whether layers take in the files of a folder. */
function isInLayers(layers: readonly NamedFile[], folder: string): boolean {
  const file = layerPath({ path: 'a.yaml', base: folder });
  return layers.some((layer) => takesIn(layerPath(layer), file));
}

/** The one server that flags or the project name, and whether it needs its name: its variables begin with it then. */
async function pulledServer(
  run: Run,
  options: Options,
  folder: string,
  project: FoundProject,
) {
  const { server: names = [] } = options;
  const own =
    project === undefined ? run.runtime.env['SETPOINT_URL'] : undefined;
  const url = options.url ?? (own === '' ? undefined : own);
  if (url === undefined && project === undefined)
    failUsage('Name the server: --url https://integrations.example.com');
  const selected =
    url === undefined ? options : { ...options, url, server: [] };
  const { servers, diagnostics: warnings } = await findServers(
    run,
    selected,
    folder,
  );
  if (hasErrors(warnings)) fail(...warnings);
  const [server, second] = servers;
  if (
    server === undefined ||
    second !== undefined ||
    (url !== undefined && names.length > 1)
  )
    return failUsage(
      'pull reads one server at a time.',
      'Name it with --server.',
    );
  if (url === undefined)
    return { server, isListed: true, isNamed: false, warnings };
  return {
    ...serverNamed(server, names[0], project),
    isNamed: names.length > 0,
    warnings,
  };
}

/** A server of `--url`, with the name and the layers that a project has for it. */
function serverNamed(
  server: Server,
  name: string | undefined,
  project: FoundProject,
) {
  if (name !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(name))
    failUsage(
      'With --url, --server takes a name of letters, digits, underscores and dashes.',
    );
  const isMeant = (text: string) =>
    plainAddress(text) === plainAddress(server.url.href);
  const known = project?.project.servers ?? [];
  const own = known.find((each) =>
    name === undefined ? isMeant(each.url.text) : each.name === name,
  );
  if (own !== undefined && !isMeant(own.url.text))
    failUsage(
      'setpoint.yaml has another address for the server of --server.',
      'Leave out --url.',
    );
  // A name made of an address must not choose the credentials that are sent there.
  const credentialsName = own?.name ?? name;
  const layers =
    own === undefined || project === undefined ? [] : layersOf(own, project);
  const [host = ''] = server.url.hostname.split('.');
  const taken = known.map((each) => each.name);
  const made = uniquely(
    taken,
    '-',
  )(/^[a-z][a-z0-9-]*$/i.test(host) ? host : 'server');
  return {
    server: {
      ...server,
      name: credentialsName ?? made,
      credentialsName,
      projectServers: known,
      layers,
    },
    isListed: own !== undefined,
  };
}
