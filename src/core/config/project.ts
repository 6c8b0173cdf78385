import { validate } from '../../generated/project-validator.js';
import { type Checked, compareText, type Diagnostic, diagnostic, elsewhere } from '../diagnostic.ts';
import type { Place } from '../model.ts';
import { keyPlace, schemaProblems, valuePlace } from './schema-problem.ts';
import { parseYaml, type SourceFile, type YamlTree } from './yaml-tree.ts';

/** One server of a project, as its file says; paths are relative to the file. */
export interface ProjectServer {
  readonly name: string;
  readonly url: string;
  readonly urlPlace: Place;
  readonly config: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly caFile?: string;
}

/** A `setpoint.yaml`: the servers, ordered by name, and how risks are treated. */
export interface Project {
  readonly servers: readonly ProjectServer[];
  readonly policy: Readonly<Partial<Record<PolicyKey, 'error' | 'warn'>>>;
}

type PolicyKey = 'exposes-secret' | 'overrides-users' | 'subscribes-everyone' | 'plain-secret';

/** Reads a project file; all problems at once, each at its place. */
export function parseProject(file: SourceFile): Checked<Project> {
  const parsed = parseYaml(file);
  const tree = parsed.value;
  if (tree === undefined) return { diagnostics: parsed.diagnostics };
  const misfits = validate(tree.raw)
    ? []
    : schemaProblems(validate.errors ?? [], tree, file.path, projectKeys);
  const problems = [...parsed.diagnostics, ...elsewhere(misfits, parsed.diagnostics)];
  if (problems.length > 0) return { diagnostics: problems };
  const raw = tree.raw as RawProject;
  const written = Object.entries(raw.servers).map(([name, server]) =>
    projectServer(name, server, tree, file.path),
  );
  const servers = [...written].sort((a, b) => compareText(a.name, b.name));
  const diagnostics = [...alikeServers(written, tree, file.path), ...sameUrls(written)];
  return { value: { servers, policy: raw.policy ?? {} }, diagnostics };
}

/** The servers that selectors mean: names, or `label=value`; all without a selector. A selector that means none is found. */
export function selectServers(
  project: Project,
  selectors: readonly string[],
): Checked<readonly ProjectServer[]> {
  if (selectors.length === 0) return { value: project.servers, diagnostics: [] };
  const known = project.servers.map(({ name }) => name);
  const unmet = selectors.filter((selector) => !project.servers.some((server) => isMeant(server, selector)));
  if (unmet.length > 0)
    return { diagnostics: unmet.map((wanted) => diagnostic('unknown-server', { wanted, known })) };
  return {
    value: project.servers.filter((server) => selectors.some((selector) => isMeant(server, selector))),
    diagnostics: [],
  };
}

/** The part of the names of a server's own environment variables: `SETPOINT_<this>_TOKEN`. */
export function environmentName(server: string): string {
  return server.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

/** The keys of the project file, by where they stand. A test holds this against the schema. */
export function projectKeys(pointer: string): readonly string[] {
  if (pointer === '') return ['version', 'servers', 'policy'];
  if (pointer === '/policy')
    return ['exposes-secret', 'overrides-users', 'subscribes-everyone', 'plain-secret'];
  return pointer.endsWith('/tls') ? ['caFile'] : ['url', 'config', 'labels', 'tls'];
}

/** What the schema lets through. */
interface RawProject {
  readonly servers: Readonly<Record<string, RawServer>>;
  readonly policy?: Project['policy'];
}

interface RawServer {
  readonly url: string;
  readonly config: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly tls?: { readonly caFile?: string };
}

function projectServer(name: string, raw: RawServer, tree: YamlTree, file: string): ProjectServer {
  const { url, config, labels = {}, tls } = raw;
  const urlPlace = valuePlace(tree, file, `/servers/${name}/url`);
  return {
    name,
    url,
    urlPlace,
    config,
    labels,
    ...(tls?.caFile === undefined ? {} : { caFile: tls.caFile }),
  };
}

/** Two servers that read the same variables would be sent each other's credentials. */
function alikeServers(servers: readonly ProjectServer[], tree: YamlTree, file: string): Diagnostic[] {
  return servers.flatMap(({ name }, index) => {
    const twin = servers
      .slice(0, index)
      .find((other) => environmentName(other.name) === environmentName(name));
    if (twin === undefined) return [];
    return [
      diagnostic('servers-alike', { name, other: twin.name }, keyPlace(tree, file, `/servers/${name}`)),
    ];
  });
}

/** Two servers with one address: each apply would undo what the other wants otherwise. Often a block that was copied. */
function sameUrls(servers: readonly ProjectServer[]): Diagnostic[] {
  const firsts = new Map<string, ProjectServer>();
  return servers.flatMap((server) => {
    const address = server.url.toLowerCase().replace(/\/$/, '');
    const first = firsts.get(address);
    if (first === undefined) firsts.set(address, server);
    const facts = { name: server.name, other: first?.name ?? '' };
    return first === undefined ? [] : [diagnostic('same-url', facts, server.urlPlace)];
  });
}

function isMeant({ name, labels }: ProjectServer, selector: string): boolean {
  const at = selector.indexOf('=');
  return at < 0 ? name === selector : labels[selector.slice(0, at)] === selector.slice(at + 1);
}
