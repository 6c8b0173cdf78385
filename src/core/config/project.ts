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
import { grouped, present } from '../model/json.ts';
import type { Place, SourceFile } from '../model/place.ts';
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

interface PlacedText {
  readonly text: string;
  readonly place: Place;
}

/** One server of a project, as its file says; paths are relative to the file. */
interface ProjectServer {
  readonly name: string;
  readonly namePlace: Place;
  readonly url: PlacedText;
  /** The layers. */
  readonly config: readonly PlacedText[];
  readonly labels: Readonly<Record<string, string>>;
  readonly caFile?: PlacedText;
  /** Whether it shows every secret as empty. */
  readonly hidesSecrets?: true;
}

/** A `setpoint.yaml`: the servers in its order, and how risks are treated. */
export interface Project {
  readonly servers: readonly ProjectServer[];
  readonly policy: Readonly<
    Partial<Record<PolicyKey, 'off' | 'warn' | 'error'>>
  >;
  /** Days after which a secret should be replaced. */
  readonly secretMaxAge?: number;
  readonly waivers: readonly Waiver[];
}

/** A difference that is known and left alone up to and including a day, in UTC. */
interface Waiver {
  /** The address of a field, or of an option with all its fields. */
  readonly address: string;
  readonly addressPlace: Place;
  /** The name of a server, or `label=value`; absent if it is for all servers. */
  readonly server?: PlacedText;
  /** The names of all servers that it is for. */
  readonly servers: readonly string[];
  readonly until: string;
  readonly place: Place;
}

type PolicyKey = Exclude<
  keyof typeof projectSchema.properties.policy.properties,
  'secret-max-age'
>;

/** Reads a project file; all problems at once, each at its place. A file with an error has no value. */
export function parseProject(file: SourceFile): Checked<Project> {
  const { value: root, diagnostics } = checkFile(file, validate);
  if (diagnostics.length > 0) return { diagnostics };
  const servers = pairsOf(childOf(root, 'servers')).map(serverOf);
  const {
    'secret-max-age': maxAge,
    ...policy
  }: Project['policy'] & { 'secret-max-age'?: string } = textsUnder(
    childOf(root, 'policy'),
  );
  const secretMaxAge =
    maxAge === undefined ? undefined : Number.parseInt(maxAge, 10);
  const waivers = itemsOf(childOf(root, 'waivers')).map((node) =>
    waiverOf(node, servers),
  );
  const misplaced = waivers.flatMap(({ server }) =>
    server === undefined
      ? []
      : unknownServer(servers, server.text, server.place),
  );
  return {
    value: { servers, policy, waivers, ...present({ secretMaxAge }) },
    diagnostics: [...misplaced, ...alike(servers)],
  };
}

/** A server of a file that fits the schema. */
function serverOf({
  key: name,
  keyPlace: namePlace,
  value: node,
}: YamlPair): ProjectServer {
  const caFile = childOf(childOf(node, 'tls'), 'caFile');
  return {
    name,
    namePlace,
    url: placedText(childOf(node, 'url') ?? node),
    config: itemsOf(childOf(node, 'config')).map(placedText),
    labels: textsUnder(childOf(node, 'labels')),
    ...present({
      hidesSecrets:
        scalarOf(childOf(node, 'hidesSecrets')) === true || undefined,
      caFile: caFile && placedText(caFile),
    }),
  };
}

/** A waiver of a file that fits the schema. */
function waiverOf(node: YamlNode, all: readonly ProjectServer[]): Waiver {
  const { address = '', until = '' } = textsUnder(node);
  const written = childOf(node, 'server');
  const server = written && placedText(written);
  const meant = all.filter(
    (each) => server === undefined || isMeantBy(each, server.text),
  );
  return {
    address,
    addressPlace: childOf(node, 'address')?.place ?? node.place,
    servers: meant.map(({ name }) => name),
    until,
    place: childOf(node, 'until')?.place ?? node.place,
    ...present({ server }),
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
  return Object.fromEntries(
    pairsOf(node).map(({ key, value }) => [key, textOf(value) ?? '']),
  );
}

/**
 * Finds servers with the variables or the URL of an earlier one. The former would be sent each other's credentials; of the
 * latter, each apply would undo the other.
 */
function alike(servers: readonly ProjectServer[]): Diagnostic[] {
  const found = (
    of: 'variables' | 'URL',
    keyOf: (server: ProjectServer) => string,
  ) =>
    [...grouped(servers, keyOf).values()].flatMap(
      ([{ name: other }, ...others]) =>
        others.map(({ name, namePlace, url }) =>
          diagnostic(
            'servers-alike',
            { name, other, of },
            of === 'URL' ? url.place : namePlace,
          ),
        ),
    );
  return [
    ...found('variables', ({ name }) => environmentName(name)),
    ...found('URL', ({ url }) => plainAddress(url.text)),
  ];
}

/** The part that names a server in its environment variables: `SETPOINT_SERVER_<this>_TOKEN`. */
export function environmentName(server: string): string {
  return server.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

/** Selects the servers that selectors mean: names, globs or `label=value`; all without selectors. Each must match one. */
export function selectServers(
  { servers }: Pick<Project, 'servers'>,
  selectors: readonly string[],
): Checked<readonly ProjectServer[]> {
  if (selectors.length === 0) return { value: servers, diagnostics: [] };
  const diagnostics = selectors.flatMap((selector) =>
    unknownServer(servers, selector),
  );
  const isMeant = (server: ProjectServer) =>
    selectors.some((selector) => isMeantBy(server, selector));
  return diagnostics.length > 0
    ? { diagnostics }
    : { value: servers.filter(isMeant), diagnostics };
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

/** Whether a selector means a server: by its name, a glob of names, or a label. */
function isMeantBy(server: ProjectServer, selector: string): boolean {
  const isNamed = !isCostlyGlob(selector) && globMatcher(selector)(server.name);
  return isNamed || labelsOf(server).includes(selector);
}

/** The labels of a server, as `--server` takes them. */
function labelsOf({ labels }: ProjectServer): string[] {
  return Object.entries(labels).map(([label, value]) => `${label}=${value}`);
}

/** Whether the last day of a waiver has ended; `now` is in milliseconds since the epoch. */
export function isOver({ until }: Waiver, now: number): boolean {
  return until < new Date(now).toISOString().slice(0, 10);
}
