import { childOf, pairsOf, textOf, type YamlPair } from '../yaml/node.ts';
import { parseYaml } from '../yaml/parse.ts';
import { IN_FLOW, yamlText } from '../yaml/yaml-text.ts';

/** A server as `setpoint.yaml` lists it. */
export interface ListedServer {
  name: string;
  url: string;
  layers: readonly string[];
  hidesSecrets?: boolean | undefined;
  /** The file with its variables. */
  secretsFile?: string | undefined;
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
 * Adds a server to a project, one for tests before the first that is none:
 * apply goes through them in this order. Returns the text as it is if the
 * server cannot be added by lines alone.
 */
function withServer(old: string, server: ListedServer): string {
  const servers = serversIn(old);
  const last = servers?.at(-1);
  if (servers === undefined || last === undefined) return old;
  const indent = ' '.repeat(last.keyPlace.column - 1);
  const lines = old.split('\n');
  const productive = servers.find(
    ({ key, value }) => !isForTests(key, textOf(childOf(value, 'url'))),
  );
  const isFirst = isForTests(server.name, server.url);
  const at =
    isFirst && productive !== undefined
      ? startOf(productive, lines)
      : endOf(last, lines);
  const newline = old.includes('\r\n') ? '\r' : '';
  const added = serverLines(server, indent).map((line) => `${line}${newline}`);
  const text = lines.toSpliced(at, 0, ...added).join('\n');
  // Between braces a line cannot simply be added.
  const read = serversIn(text) ?? [];
  const fields = pairsOf(read.find(({ key }) => key === server.name)?.value);
  const isAlone = fields.length === fieldsOf(server).length;
  return read.length === servers.length + 1 && isAlone ? text : old;
}

/** How many lines are before a server and the comment above it. */
function startOf({ keyPlace }: YamlPair, lines: readonly string[]): number {
  const comment = `${' '.repeat(keyPlace.column - 1)}#`;
  let start = keyPlace.line - 1;
  while (lines[start - 1]?.startsWith(comment)) start -= 1;
  return start;
}

/**
 * How many lines there are up to the last field of a server. Blank lines and
 * comments may stand between its fields.
 */
function endOf({ keyPlace }: YamlPair, lines: readonly string[]): number {
  let end = keyPlace.line;
  for (const [index, line] of lines.entries()) {
    const indent = line.search(/\S/);
    if (index < keyPlace.line || indent < 0) continue;
    if (indent >= keyPlace.column) end = index + 1;
    else if (line[indent] !== '#') break;
  }
  return end;
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
  return `${yamlText(server.name, IN_FLOW)}: { ${fieldsOf(server).join(', ')} }`;
}

/** The layers of a server as a line. */
export function configLine(layers: readonly string[]): string {
  return `config: ${yamlText(layers, IN_FLOW)}`;
}

function serverLines(server: ListedServer, indent: string): string[] {
  const fields = fieldsOf(server).map((field) => `${indent}  ${field}`);
  return [`${indent}${yamlText(server.name, IN_FLOW)}:`, ...fields];
}

function fieldsOf(server: ListedServer): string[] {
  const { url, secretsFile, hidesSecrets } = server;
  const fields = [`url: ${yamlText(url, IN_FLOW)}`, configLine(server.layers)];
  if (secretsFile !== undefined)
    fields.push(`secretsFile: ${yamlText(secretsFile, IN_FLOW)}`);
  if (hidesSecrets) fields.push('hidesSecrets: true');
  return fields;
}
