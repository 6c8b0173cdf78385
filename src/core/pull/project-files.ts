import { childOf, pairsOf, textOf, type YamlPair } from '../yaml/node.ts';
import { parseYaml } from '../yaml/parse.ts';
import { IN_FLOW, valueText } from '../yaml/value-text.ts';
import type { NeededVariable } from './report.ts';

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
 * A project with one more server, for tests before the first one of production:
 * apply goes through them in this order. As it is if that would not be read.
 */
function withServer(old: string, server: ListedServer): string {
  const servers = serversIn(old);
  const last = servers?.at(-1);
  if (servers === undefined || last === undefined) return old;
  const { line, column } = last.keyPlace;
  const indent = ' '.repeat(column - 1);
  const lines = old.split('\n');
  let end = line;
  while (lines[end]?.startsWith(`${indent} `)) end += 1;
  const isTest = TESTING.test(`${server.name} ${server.url}`);
  const productive = servers.find(({ key, value }) =>
    PRODUCTION.test(`${key} ${textOf(childOf(value, 'url'))}`),
  );
  if (isTest && productive !== undefined) {
    end = productive.keyPlace.line - 1;
    while (lines[end - 1]?.startsWith(`${indent}#`)) end -= 1;
  }
  const newline = old.includes('\r\n') ? '\r' : '';
  const added = serverLines(server, indent).map((text) => `${text}${newline}`);
  lines.splice(end, 0, ...added);
  const text = lines.join('\n');
  // Between braces a line cannot simply be added.
  const isRead = serversIn(text)?.length === servers.length + 1;
  return isRead ? text : old;
}

/** Words of names and hosts, between other characters than letters. */
const TESTING = /(?<![a-z])(staging|stage|stg|test|dev|qa|uat)(?![a-z])/i;
const PRODUCTION = /(?<![a-z])(prod|production|live)(?![a-z])/i;

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

/** The first line of an `.env.example`. */
function exampleHead(secretsFile: string | undefined): string {
  const start = '# Variables that the configuration uses.';
  if (secretsFile === undefined)
    return `${start} Copy this to a file that git ignores, fill it in, and pass it with --secrets-file.\n`;
  const file = valueText(secretsFile, IN_FLOW);
  return `${start} Put their values in ${file}, the secretsFile of setpoint.yaml, and keep that file out of git.\n`;
}

/**
 * An `.env.example` with the variables it lacked; the old text stays. A new one
 * names the file of `setpoint.yaml` for its values.
 */
export function exampleText(
  old: string | undefined,
  needed: readonly Omit<NeededVariable, 'isShown'>[],
  secretsFile?: string | undefined,
): string {
  const head = exampleHead(secretsFile);
  const named = new Set<string | undefined>();
  for (const [, name] of (old ?? '').matchAll(VARIABLE)) named.add(name);
  const blocks: string[] = [];
  for (const { variable, address } of needed) {
    if (named.has(variable)) continue;
    const comment = address.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
    blocks.push(`\n# ${comment}\n${variable}=\n`);
  }
  if (blocks.length === 0) return old ?? head;
  const start = old === undefined ? head : old.replace(/[^\n]$/, '$&\n');
  return start + blocks.join('');
}

/** A line that names a variable, also as a comment. */
const VARIABLE = /^[#\s]*(?:export\s+)?(\w+)=/gm;
