import { projectSchema } from '../../generated/project-schema.ts';
import { validate } from '../../generated/project-validator.js';
import { type Checked, compareText, type Diagnostic, diagnostic, elsewhere } from '../findings/diagnostic.ts';
import type { Place, SourceText } from '../model/place.ts';
import { present } from '../model/present.ts';
import { childOf, dataOf, pairsOf, textOf, type YamlNode, type YamlPair } from '../yaml/node.ts';
import { parseYaml, type SourceFile } from '../yaml/tree.ts';
import { hiddenIn } from './hidden.ts';
import { schemaProblems } from './schema-problem.ts';

/** A text of the project file and where it is. */
export interface PlacedText {
  readonly text: string;
  readonly place: Place;
}

/** One server of a project, as its file says; paths are relative to the file. */
export interface ProjectServer {
  readonly name: string;
  readonly namePlace: Place;
  readonly url: PlacedText;
  /** The layers. */
  readonly config: readonly PlacedText[];
  readonly labels: Readonly<Record<string, string>>;
  readonly caFile?: PlacedText;
}

/** A `setpoint.yaml`: the servers, ordered by name, and how risks are treated. */
export interface Project {
  readonly servers: readonly ProjectServer[];
  readonly policy: Readonly<Partial<Record<PolicyKey, 'error' | 'warn'>>>;
}

type PolicyKey = keyof typeof projectSchema.properties.policy.properties;

/** A project, and what an excerpt of its file must not show. */
export interface ParsedProject extends Checked<Project> {
  readonly hidden: SourceText['hidden'];
}

/** Reads a project file; all problems at once, each at its place. Where the file has an error there is no project. */
export function parseProject(file: SourceFile): ParsedProject {
  const { value: root, diagnostics } = parseYaml(file);
  if (root === undefined) return { diagnostics, hidden: undefined };
  const hidden = () => hiddenIn(root);
  const misfits = validate(dataOf(root)) ? [] : schemaProblems(validate.errors ?? [], root, projectSchema);
  const broken = [...diagnostics, ...elsewhere(misfits, diagnostics)];
  if (broken.length > 0) return { diagnostics: broken, hidden };
  const servers = pairsOf(childOf(root, 'servers')).map(serverOf);
  const policy = dataOf(childOf(root, 'policy') ?? EMPTY) as Project['policy'];
  return {
    value: { servers: [...servers].sort((a, b) => compareText(a.name, b.name)), policy },
    diagnostics: [...alikeServers(servers), ...sameUrls(servers)],
    hidden,
  };
}

const EMPTY: YamlNode = { kind: 'map', pairs: [], place: { file: '', line: 1, column: 1 } };

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

/** A server of a file that fits the schema. */
function serverOf({ key: name, keyPlace: namePlace, value: node }: YamlPair): ProjectServer {
  const config = childOf(node, 'config');
  const caFile = childOf(childOf(node, 'tls'), 'caFile');
  const labels = pairsOf(childOf(node, 'labels')).map(({ key, value }) => [key, textOf(value) ?? '']);
  return {
    name,
    namePlace,
    url: placedText(childOf(node, 'url') ?? node),
    config: config?.kind === 'list' ? config.items.map(placedText) : [],
    labels: Object.fromEntries(labels),
    ...present({ caFile: caFile === undefined ? undefined : placedText(caFile) }),
  };
}

function placedText(node: YamlNode): PlacedText {
  return { text: textOf(node) ?? '', place: node.place };
}

/** Two servers that read the same variables would be sent each other's credentials. */
function alikeServers(servers: readonly ProjectServer[]): Diagnostic[] {
  return servers.flatMap(({ name, namePlace }, index) => {
    const twin = servers
      .slice(0, index)
      .find((other) => environmentName(other.name) === environmentName(name));
    return twin === undefined ? [] : [diagnostic('servers-alike', { name, other: twin.name }, namePlace)];
  });
}

/** Two servers with one address: each apply would undo what the other wants otherwise. Often a block that was copied. */
function sameUrls(servers: readonly ProjectServer[]): Diagnostic[] {
  const firsts = new Map<string, ProjectServer>();
  return servers.flatMap((server) => {
    const address = plainAddress(server.url.text);
    const first = firsts.get(address);
    if (first === undefined) firsts.set(address, server);
    const facts = { name: server.name, other: first?.name ?? '' };
    return first === undefined ? [] : [diagnostic('same-url', facts, server.url.place)];
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
