import type { projectSchema } from '../../generated/project-schema.ts';
import { validate } from '../../generated/project-validator.js';
import {
  type Checked,
  compareText,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import { isCostlyGlob } from '../model/costly-glob.ts';
import { globMatcher } from '../model/glob.ts';
import { grouped } from '../model/lists.ts';
import type { Place, PlacedText, SourceFile } from '../model/place.ts';
import {
  childOf,
  pairsOf,
  scalarOf,
  textOf,
  type YamlNode,
  type YamlPair,
} from '../yaml/node.ts';
import { checkFile } from './checked-file.ts';
import { plainAddress } from './server-url.ts';

/** A server as its file says; paths are relative to the file. */
export interface ProjectServer {
  name: string;
  namePlace: Place;
  url: PlacedText;
  /** The layers. */
  config: readonly PlacedText[];
  labels: Readonly<Record<string, string>>;
  caFile?: PlacedText | undefined;
  /** The file with variables for its references and its login. */
  secretsFile?: PlacedText | undefined;
  /** Whether it shows every secret as empty. */
  hidesSecrets?: true | undefined;
}

/** A `setpoint.yaml`: the servers in its order, and how risks are treated. */
export interface Project {
  servers: readonly ProjectServer[];
  policy: Readonly<Partial<Record<PolicyKey, 'off' | 'warn' | 'error'>>>;
  /** Days after which a secret should be replaced. */
  secretMaxAge?: number | undefined;
  waivers: readonly Waiver[];
}

/** A difference that is left alone up to and including a day, in UTC. */
export interface Waiver {
  /** The address of a field, or of an option with all its fields. */
  address: string;
  addressPlace: Place;
  /** The name of a server, or `label=value`; absent for all servers. */
  server?: PlacedText | undefined;
  /** The names of all servers that it is for. */
  servers: readonly string[];
  until: string;
  /** Why the difference is left alone. */
  reason: string;
  place: Place;
}

type PolicyKey = Exclude<
  keyof typeof projectSchema.properties.policy.properties,
  'secret-max-age'
>;

/**
 * Parses a project file. One that does not fit the schema has no value; errors
 * about its servers come beside one.
 */
export function parseProject(file: SourceFile): Checked<Project> {
  const { value: root, diagnostics } = checkFile(file, validate);
  if (diagnostics.length > 0) return { diagnostics };
  const servers = pairsOf(childOf(root, 'servers')).map(serverOf);
  const waivers = itemsOf(childOf(root, 'waivers')).map((node) =>
    waiverOf(node, servers),
  );
  const misplaced = waivers.flatMap(({ server }) =>
    server === undefined
      ? []
      : unknownServer(servers, server.text, server.place),
  );
  const { 'secret-max-age': age, ...policy } = textsUnder(
    childOf(root, 'policy'),
  );
  const secretMaxAge = age === undefined ? undefined : Number.parseInt(age, 10);
  return {
    value: { servers, policy, waivers, secretMaxAge },
    diagnostics: [...misplaced, ...alike(servers)],
  };
}

/** A server of a file that fits the schema. */
function serverOf(pair: YamlPair): ProjectServer {
  const { key: name, keyPlace: namePlace, value: node } = pair;
  const caFile = childOf(childOf(node, 'tls'), 'caFile');
  const secretsFile = childOf(node, 'secretsFile');
  const hidesSecrets = scalarOf(childOf(node, 'hidesSecrets')) === true;
  return {
    name,
    namePlace,
    url: placedText(childOf(node, 'url') ?? node),
    config: itemsOf(childOf(node, 'config')).map(placedText),
    labels: textsUnder(childOf(node, 'labels')),
    hidesSecrets: hidesSecrets || undefined,
    caFile: caFile && placedText(caFile),
    secretsFile: secretsFile && placedText(secretsFile),
  };
}

/** A waiver of a file that fits the schema. */
function waiverOf(node: YamlNode, servers: readonly ProjectServer[]): Waiver {
  const { address = '', until = '', reason = '' } = textsUnder(node);
  const serverNode = childOf(node, 'server');
  const server = serverNode && placedText(serverNode);
  const meant = servers.filter(
    (candidate) => server === undefined || isMeantBy(candidate, server.text),
  );
  return {
    address,
    addressPlace: childOf(node, 'address')?.place ?? node.place,
    server,
    servers: meant.map(({ name }) => name),
    until,
    reason,
    place: childOf(node, 'until')?.place ?? node.place,
  };
}

function itemsOf(node: YamlNode | undefined): readonly YamlNode[] {
  return node?.kind === 'list' ? node.items : [];
}

function placedText(node: YamlNode): PlacedText {
  return { text: textOf(node) ?? '', place: node.place };
}

/** The texts of a map, by their keys. */
function textsUnder(node: YamlNode | undefined): Record<string, string> {
  const pairs = pairsOf(node);
  return Object.fromEntries(
    pairs.map(({ key, value }) => [key, textOf(value) ?? '']),
  );
}

/**
 * Finds servers with the variables or the URL of an earlier one: they would be
 * sent each other's credentials or changes.
 */
function alike(servers: readonly ProjectServer[]): Diagnostic[] {
  const keys = {
    variables: ({ name }: ProjectServer) => environmentName(name),
    URL: ({ url }: ProjectServer) => plainAddress(url.text),
  };
  const findings: Diagnostic[] = [];
  for (const of of ['variables', 'URL'] as const)
    for (const [first, ...others] of grouped(servers, keys[of]).values())
      for (const { name, namePlace } of others) {
        const facts = { name, other: first.name, of };
        findings.push(diagnostic('servers-alike', facts, namePlace));
      }
  return findings;
}

/** The name of a server in its variables: `SETPOINT_SERVER_<this>_TOKEN`. */
export function environmentName(server: string): string {
  return server.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

/** Selects servers by names, globs or `label=value`; all without selectors. */
export function selectServers(
  { servers }: Project,
  selectors: readonly string[],
): Checked<readonly ProjectServer[]> {
  if (selectors.length === 0) return { value: servers, diagnostics: [] };
  const diagnostics = selectors.flatMap((selector) =>
    unknownServer(servers, selector),
  );
  if (diagnostics.length > 0) return { diagnostics };
  const value = servers.filter((server) =>
    selectors.some((selector) => isMeantBy(server, selector)),
  );
  return { value, diagnostics };
}

/** The finding for a selector that means no server. */
function unknownServer(
  servers: readonly ProjectServer[],
  word: string,
  place?: Place,
): Diagnostic[] {
  if (servers.some((server) => isMeantBy(server, word))) return [];
  const labels = [...new Set(servers.flatMap(labelsOf))].sort(compareText);
  const names = [...servers.map(({ name }) => name), ...labels];
  return [diagnostic('unknown-name', { word, of: 'server', names }, place)];
}

/** Whether a selector means a server: by its name, a glob, or a label. */
function isMeantBy(server: ProjectServer, selector: string): boolean {
  const isNamed = !isCostlyGlob(selector) && globMatcher(selector)(server.name);
  return isNamed || labelsOf(server).includes(selector);
}

/** The labels of a server, as `--server` takes them. */
function labelsOf({ labels }: ProjectServer): string[] {
  return Object.entries(labels).map(([label, value]) => `${label}=${value}`);
}

/** Whether the last day of a waiver has ended; `now` is in ms of the epoch. */
export function isOver({ until }: Waiver, now: number): boolean {
  return until < new Date(now).toISOString().slice(0, 10);
}
