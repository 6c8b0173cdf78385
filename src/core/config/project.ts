import { projectSchema as schema } from '../../generated/project-schema.ts';
import { validate } from '../../generated/project-validator.js';
import { type Checked, compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { globMatcher, isCostlyGlob } from '../model/glob.ts';
import { nearNames } from '../model/near-names.ts';
import type { Place, SourceText } from '../model/place.ts';
import { present } from '../model/present.ts';
import { isDay, type Waiver } from '../model/waiver.ts';
import { childOf, pairsOf, textOf, type YamlNode, type YamlPair } from '../yaml/node.ts';
import type { SourceFile } from '../yaml/tree.ts';
import { checkFile } from './checked-file.ts';

/** The file that names servers and their layers; a layer that is a folder leaves it out. */
export const PROJECT_FILE = 'setpoint.yaml';

interface PlacedText {
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
  /** Whether it shows every secret as empty. */
  readonly hidesSecrets?: true;
}

/** A `setpoint.yaml`: the servers in its order, and how risks are treated. */
export interface Project {
  readonly servers: readonly ProjectServer[];
  /** Where the key `servers` is. */
  readonly serversPlace?: Place;
  readonly policy: Readonly<Partial<Record<PolicyKey, 'off' | 'warn' | 'error'>>>;
  /** Where the keys of the policy are, by these. */
  readonly policyPlaces: Readonly<Record<string, Place>>;
  /** Days after which a secret should be replaced. */
  readonly secretMaxAge?: number;
  readonly waivers: readonly ProjectWaiver[];
}

/** A waiver, and the server that it names, or `label=value`; one without it is for all servers. */
interface ProjectWaiver extends Waiver {
  readonly server?: PlacedText;
  readonly servers: readonly string[];
}

type PolicyKey = Exclude<keyof typeof schema.properties.policy.properties, 'secret-max-age'>;

/** Reads a project file; all problems at once, each at its place. A file with an error has no value. */
export function parseProject(file: SourceFile): Checked<Project> & Pick<SourceText, 'hidden'> {
  const { root, diagnostics, hidden } = checkFile(file, { schema, validate });
  if (diagnostics.length > 0) return { diagnostics, hidden };
  const servers = pairsOf(childOf(root, 'servers')).map(serverOf);
  const {
    'secret-max-age': maxAge,
    ...policy
  }: Project['policy'] & Partial<Record<'secret-max-age', string>> = textsUnder(childOf(root, 'policy'));
  const secretMaxAge = maxAge === undefined ? undefined : Number.parseInt(maxAge, 10);
  const waivers = itemsOf(childOf(root, 'waivers')).map((each) => waiverOf(each, servers));
  const project = {
    servers,
    policy,
    policyPlaces: Object.fromEntries(
      pairsOf(childOf(root, 'policy')).map(({ key, keyPlace }) => [key, keyPlace]),
    ),
    waivers,
    ...present({ secretMaxAge, serversPlace: pairsOf(root).find(({ key }) => key === 'servers')?.keyPlace }),
  };
  return {
    value: project,
    diagnostics: [
      ...waivers.flatMap((waiver) => misplaced(waiver, project)),
      ...twins(servers, ({ name }) => environmentName(name)).map(([{ name, namePlace }, other]) =>
        diagnostic('servers-alike', { name, other, of: 'variables' }, namePlace),
      ),
      ...twins(servers, ({ url }) => plainAddress(url.text)).map(([{ name, url }, other]) =>
        diagnostic('servers-alike', { name, other, of: 'URL' }, url.place),
      ),
    ],
    hidden,
  };
}

/** The servers that selectors mean: names, or `label=value`. All without selectors. Reports a selector that matches no server. */
export function selectServers(
  project: Pick<Project, 'servers'>,
  selectors: readonly string[],
): Checked<readonly ProjectServer[]> {
  if (selectors.length === 0) return { value: project.servers, diagnostics: [] };
  const known = project.servers.map(({ name }) => name);
  const labels = [...new Set(project.servers.flatMap(labelsOf))].sort(compareText);
  const unmet = selectors.filter(
    (selector) => !project.servers.some((server) => isMeantBy(server, selector)),
  );
  if (unmet.length > 0)
    return {
      diagnostics: unmet.map((word) => diagnostic('unknown-name', unknownServer(word, known, labels))),
    };
  return {
    value: project.servers.filter((server) => selectors.some((selector) => isMeantBy(server, selector))),
    diagnostics: [],
  };
}

function unknownServer(word: string, known: readonly string[], labels: readonly string[]) {
  const [near] = nearNames(word, [...known, ...labels]);
  return { word, of: 'server', names: [...known, ...labels], ...present({ near }) } as const;
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

/** The waivers that are for one server. */
export function waiversFor({ waivers }: Pick<Project, 'waivers'>, server: ProjectServer): readonly Waiver[] {
  return waivers.filter((each) => each.server === undefined || isMeantBy(server, each.server.text));
}

/** What is wrong with a waiver: no server has its name, or its last day is none. */
function misplaced({ until, server, place }: ProjectWaiver, project: Project): Diagnostic[] {
  const unknown = server === undefined ? [] : selectServers(project, [server.text]).diagnostics;
  const misfits = unknown.map((found) => ({ ...found, ...present({ place: server?.place }) }));
  return [
    ...misfits,
    ...(isDay(until)
      ? []
      : [
          diagnostic(
            'not-allowed',
            {
              expected: ['a day, such as until: 2026-12-31'],
              written: until,
            },
            place,
          ),
        ]),
  ];
}

/** A waiver of a file that fits the schema, for some of its servers. */
function waiverOf(node: YamlNode, servers: readonly ProjectServer[]): ProjectWaiver {
  const text = (key: string) => textOf(childOf(node, key));
  const server = childOf(node, 'server');
  const selector = text('server');
  const meant = servers.filter((each) => selector === undefined || isMeantBy(each, selector));
  return {
    address: text('address') ?? '',
    until: text('until') ?? '',
    reason: text('reason') ?? '',
    place: childOf(node, 'until')?.place ?? node.place,
    servers: meant.map(({ name }) => name),
    ...present({ server: server && placedText(server) }),
  };
}

function itemsOf(node: YamlNode | undefined): readonly YamlNode[] {
  return node?.kind === 'list' ? node.items : [];
}

/** The part that names a server in its environment variables: `SETPOINT_SERVER_<this>_TOKEN`. */
export function environmentName(server: string): string {
  return server.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

/** A server of a file that fits the schema. */
function serverOf({ key: name, keyPlace: namePlace, value: node }: YamlPair): ProjectServer {
  const config = childOf(node, 'config');
  const caFile = childOf(childOf(node, 'tls'), 'caFile');
  const hides = childOf(node, 'hidesSecrets');
  const hidesSecrets = (hides?.kind === 'scalar' && hides.value === true) || undefined;
  return {
    name,
    namePlace,
    url: placedText(childOf(node, 'url') ?? node),
    config: itemsOf(config).map(placedText),
    labels: textsUnder(childOf(node, 'labels')),
    ...present({ hidesSecrets, caFile: caFile === undefined ? undefined : placedText(caFile) }),
  };
}

function placedText(node: YamlNode): PlacedText {
  return { text: textOf(node) ?? '', place: node.place };
}

/** The texts of a map, by their keys. */
function textsUnder(node: YamlNode | undefined): Record<string, string> {
  return Object.fromEntries(pairsOf(node).map(({ key, value }) => [key, textOf(value) ?? '']));
}

/**
 * Each server with the name of an earlier one of the same key. Servers that read the same variables would be sent each
 * other's credentials; of two with one address, each apply would undo the other.
 */
function twins(
  servers: readonly ProjectServer[],
  keyOf: (server: ProjectServer) => string,
): [ProjectServer, string][] {
  const firsts = new Map<string, string>();
  return servers.flatMap((server) => {
    const first = firsts.get(keyOf(server));
    if (first === undefined) firsts.set(keyOf(server), server.name);
    return first === undefined ? [] : [[server, first]];
  });
}

/** An address in one form: the case of the host, the usual port and final slashes make no difference. */
export function plainAddress(url: string): string {
  return (URL.canParse(url) ? new URL(url).href : url.toLowerCase()).replace(/\/+$/, '');
}
