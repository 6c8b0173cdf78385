import { projectSchema } from '../../generated/project-schema.ts';
import { validate } from '../../generated/project-validator.js';
import { type Checked, compareText, type Diagnostic, diagnostic, elsewhere } from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import { parseYaml, type SourceFile, type YamlTree } from '../yaml/tree.ts';
import { keyPlace, pointerPart, schemaProblems, valuePlace } from './schema-problem.ts';

/** One server of a project, as its file says; paths are relative to the file. What was refused of it is left out. */
export interface ProjectServer {
  readonly name: string;
  readonly url?: string;
  readonly urlPlace: Place;
  /** The layers; empty where they were refused. */
  readonly config: readonly string[];
  /** Where each layer is named. */
  readonly configPlaces: readonly Place[];
  readonly labels: Readonly<Record<string, string>>;
  readonly caFile?: string;
  readonly caFilePlace?: Place;
}

/** A `setpoint.yaml`: the servers, ordered by name, and how risks are treated. */
export interface Project {
  readonly servers: readonly ProjectServer[];
  readonly policy: Readonly<Partial<Record<PolicyKey, 'error' | 'warn'>>>;
}

const POLICY = projectSchema.properties.policy.properties;

type PolicyKey = keyof typeof POLICY;

/** Reads a project file; all problems at once, each at its place. Where something was refused, the value holds the rest. */
export function parseProject(file: SourceFile): Checked<Project> {
  const parsed = parseYaml(file);
  const tree = parsed.value;
  if (tree === undefined) return { diagnostics: parsed.diagnostics };
  const misfits = validate(tree.raw)
    ? []
    : schemaProblems(validate.errors ?? [], tree, file.path, projectKeys);
  const reader = new ProjectReader(tree, file.path);
  const written = reader.servers();
  const diagnostics = [
    ...parsed.diagnostics.map(ofProject),
    ...elsewhere(misfits, parsed.diagnostics),
    ...reader.alikeServers(written),
    ...sameUrls(written),
  ];
  const servers = [...written].sort((a, b) => compareText(a.name, b.name));
  return { value: { servers, policy: reader.policy() }, diagnostics };
}

/** In a project nothing is managed, so nothing stops being managed by a null. */
function ofProject(found: Diagnostic): Diagnostic {
  const { code, facts, place } = found;
  if (code === 'empty-value') return diagnostic(code, { ...facts, in: 'project' }, place);
  return code === 'ambiguous-scalar' ? diagnostic(code, { ...facts, in: 'project' }, place) : found;
}

/** The servers that selectors mean: names, or `label=value`; all without a selector. A selector that means none is found. */
export function selectServers(
  project: Project,
  selectors: readonly string[],
): Checked<readonly ProjectServer[]> {
  if (selectors.length === 0) return { value: project.servers, diagnostics: [] };
  const known = project.servers.map(({ name }) => name);
  const labels = [...new Set(project.servers.flatMap(labelsOf))].sort(compareText);
  const unmet = selectors.filter((selector) => !project.servers.some((server) => isMeant(server, selector)));
  if (unmet.length > 0)
    return { diagnostics: unmet.map((wanted) => diagnostic('unknown-server', { wanted, known, labels })) };
  return {
    value: project.servers.filter((server) => selectors.some((selector) => isMeant(server, selector))),
    diagnostics: [],
  };
}

/** The labels of a server, as `--server` selects by them. */
function labelsOf({ labels }: ProjectServer): string[] {
  return Object.entries(labels).map(([label, value]) => `${label}=${value}`);
}

/** The part of the names of a server's own environment variables: `SETPOINT_<this>_TOKEN`. */
export function environmentName(server: string): string {
  return server.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

/** The keys of the project file, by where they stand. A test holds this against the schema. */
export function projectKeys(pointer: string): readonly string[] {
  if (pointer === '') return ['version', 'servers', 'policy'];
  if (pointer === '/policy') return Object.keys(POLICY);
  return pointer.endsWith('/tls') ? ['caFile'] : ['url', 'config', 'labels', 'tls'];
}

/** What the schema lets through, of which parts may have been refused. */
interface RawProject {
  readonly servers?: Readonly<Record<string, RawServer>>;
  readonly policy?: Project['policy'];
}

interface RawServer {
  readonly url?: string;
  readonly config?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly tls?: { readonly caFile?: string };
}

/** Reads what can be relied on in a project file. */
class ProjectReader {
  readonly #tree: YamlTree;
  readonly #file: string;
  readonly #raw: RawProject;

  constructor(tree: YamlTree, file: string) {
    this.#tree = tree;
    this.#file = file;
    this.#raw = tree.soundness.isBroken('') ? {} : (tree.raw as RawProject);
  }

  /** The servers, in the order of the file. */
  servers(): ProjectServer[] {
    const { soundness } = this.#tree;
    const raw = soundness.isBroken('/servers') ? {} : (this.#raw.servers ?? {});
    return Object.entries(raw)
      .filter(([name]) => !soundness.isBroken(serverPointer(name)))
      .map(([name, server]) => this.#server(name, server));
  }

  policy(): Project['policy'] {
    return this.#sound('/policy', this.#raw.policy) ?? {};
  }

  /** Two servers that read the same variables would be sent each other's credentials. */
  alikeServers(servers: readonly ProjectServer[]): Diagnostic[] {
    return servers.flatMap(({ name }, index) => {
      const twin = servers
        .slice(0, index)
        .find((other) => environmentName(other.name) === environmentName(name));
      if (twin === undefined) return [];
      const place = keyPlace(this.#tree, this.#file, serverPointer(name));
      return [diagnostic('servers-alike', { name, other: twin.name }, place)];
    });
  }

  #server(name: string, raw: RawServer): ProjectServer {
    const pointer = serverPointer(name);
    const config = this.#sound(`${pointer}/config`, raw.config) ?? [];
    const caFile = this.#sound(`${pointer}/tls`, raw.tls)?.caFile;
    const server = {
      name,
      urlPlace: this.#place(`${pointer}/url`),
      config,
      configPlaces: config.map((_, index) => this.#place(`${pointer}/config/${index}`)),
      labels: this.#sound(`${pointer}/labels`, raw.labels) ?? {},
    };
    const caFilePlace = caFile === undefined ? undefined : this.#place(`${pointer}/tls/caFile`);
    return { ...server, ...present({ url: this.#sound(`${pointer}/url`, raw.url), caFile, caFilePlace }) };
  }

  #sound<T>(pointer: string, value: T | undefined): T | undefined {
    return this.#tree.soundness.isSound(pointer) ? value : undefined;
  }

  #place(pointer: string): Place {
    return valuePlace(this.#tree, this.#file, pointer);
  }
}

function serverPointer(name: string): string {
  return `/servers/${pointerPart(name)}`;
}

/** Two servers with one address: each apply would undo what the other wants otherwise. Often a block that was copied. */
function sameUrls(servers: readonly ProjectServer[]): Diagnostic[] {
  const firsts = new Map<string, ProjectServer>();
  return servers.flatMap((server) => {
    if (server.url === undefined) return [];
    const address = plainAddress(server.url);
    const first = firsts.get(address);
    if (first === undefined) firsts.set(address, server);
    const facts = { name: server.name, other: first?.name ?? '' };
    return first === undefined ? [] : [diagnostic('same-url', facts, server.urlPlace)];
  });
}

/** An address without what makes no difference: capitals in the host, a port that is the usual one, slashes at the end. */
function plainAddress(url: string): string {
  return (URL.canParse(url) ? new URL(url).href : url.toLowerCase()).replace(/\/+$/, '');
}

function isMeant({ name, labels }: ProjectServer, selector: string): boolean {
  const at = selector.indexOf('=');
  return at < 0 ? name === selector : labels[selector.slice(0, at)] === selector.slice(at + 1);
}
