import { childOf, pairsOf, textOf, type YamlPair } from '../yaml/node.ts';
import { parseYaml } from '../yaml/parse.ts';
import { IN_FLOW, valueText } from '../yaml/value-text.ts';

/** A server as `setpoint.yaml` lists it. */
export interface ListedServer {
  readonly name: string;
  readonly url: string;
  readonly layers: readonly string[];
  readonly hidesSecrets?: boolean | undefined;
  /** The file with its variables. */
  readonly secretsFile?: string | undefined;
}

/** A new `setpoint.yaml`, or an old one with one more server. */
export function projectText(
  old: string | undefined,
  server: ListedServer,
  schema: string,
): string {
  if (old !== undefined) return withServer(old, server);
  const lines = [
    `# yaml-language-server: $schema=${schema}`,
    'version: 1',
    'servers:',
    ...serverLines(server, '  '),
    '',
  ];
  return lines.join('\n');
}

/**
 * A project with one more server, for tests before the first one that is none:
 * apply goes through them in this order. As it is if that would not be read.
 */
function withServer(old: string, server: ListedServer): string {
  const servers = serversIn(old);
  const last = servers?.at(-1);
  if (servers === undefined || last === undefined) return old;
  const { line, column } = last.keyPlace;
  const indent = ' '.repeat(column - 1);
  const lines = old.split('\n');
  let at = line;
  while (lines[at]?.startsWith(`${indent} `)) at += 1;
  const productive = servers.find(
    ({ key, value }) => !isForTests(key, textOf(childOf(value, 'url'))),
  );
  if (isForTests(server.name, server.url) && productive !== undefined) {
    at = productive.keyPlace.line - 1;
    while (lines[at - 1]?.startsWith(`${indent}#`)) at -= 1;
  }
  const newline = old.includes('\r\n') ? '\r' : '';
  const added = serverLines(server, indent).map((text) => `${text}${newline}`);
  lines.splice(at, 0, ...added);
  const text = lines.join('\n');
  // Between braces a line cannot simply be added.
  const isRead = serversIn(text)?.length === servers.length + 1;
  return isRead ? text : old;
}

/** Whether the name or the address of a server has a word for tests. */
function isForTests(name: string, url: string | undefined): boolean {
  const words = `${name} ${url}`.toLowerCase().split(/[^a-z]+/);
  return words.some((word) => TESTS.has(word));
}

const TESTS = new Set(['staging', 'stage', 'stg', 'test', 'dev', 'qa', 'uat']);

/** The servers of a project; undefined if it is no valid YAML. */
function serversIn(text: string): readonly YamlPair[] | undefined {
  const { value, diagnostics } = parseYaml({ path: '', text });
  if (diagnostics.length > 0) return undefined;
  return pairsOf(childOf(value, 'servers'));
}

/** A server as a line, for a person to add. */
export function serverLine(server: ListedServer): string {
  return `${valueText(server.name, IN_FLOW)}: { ${fieldsOf(server).join(', ')} }`;
}

/** The layers of a server as a line. */
export function configLine(layers: readonly string[]): string {
  return `config: ${valueText(layers, IN_FLOW)}`;
}

function serverLines(server: ListedServer, indent: string): string[] {
  const fields = fieldsOf(server).map((field) => `${indent}  ${field}`);
  return [`${indent}${valueText(server.name, IN_FLOW)}:`, ...fields];
}

function fieldsOf(server: ListedServer): string[] {
  const { url, secretsFile, hidesSecrets } = server;
  const fields = [`url: ${valueText(url, IN_FLOW)}`, configLine(server.layers)];
  if (secretsFile !== undefined)
    fields.push(`secretsFile: ${valueText(secretsFile, IN_FLOW)}`);
  if (hidesSecrets) fields.push('hidesSecrets: true');
  return fields;
}
