import { childOf, pairsOf } from '../yaml/node.ts';
import { parseYaml } from '../yaml/parse.ts';
import { valueText } from '../yaml/value-text.ts';

/** A server as `setpoint.yaml` lists it. */
interface ListedServer {
  readonly name: string;
  readonly url: string;
  readonly layers: readonly string[];
  readonly hidesSecrets?: boolean | undefined;
}

const IN_FLOW = { indent: '', isInFlow: true } as const;

/** A `setpoint.yaml` with one server. */
export function projectText(server: ListedServer, schema: string): string {
  const lines = [`# yaml-language-server: $schema=${schema}`, 'version: 1', 'servers:'];
  return [...lines, ...serverLines(server, '  '), ''].join('\n');
}

/** A `setpoint.yaml` with one more server behind the last one; undefined if the servers are not in block style. */
export function withServer(text: string, server: ListedServer): string | undefined {
  const servers = pairsOf(childOf(parseYaml({ path: '', text }).value, 'servers'));
  const column = servers[0]?.keyPlace.column ?? 1;
  const lines = text.split('\n');
  const first = servers.at(-1)?.keyPlace.line ?? 0;
  const isBlock = servers.every(({ keyPlace: { line } }) => /^ *["'\w-]/.test(lines[line - 1] ?? '{'));
  if (column < 2 || first === 0 || !isBlock) return undefined;
  const indent = ' '.repeat(column - 1);
  const isInside = (line: string) => line.startsWith(`${indent} `);
  const rest = lines.slice(first).findIndex((line) => !isInside(line));
  const end = rest < 0 ? lines.length : first + rest;
  const newline = text.includes('\r\n') ? '\r' : '';
  const added = serverLines(server, indent).map((line) => `${line}${newline}`);
  return [...lines.slice(0, end), ...added, ...lines.slice(end)].join('\n');
}

/** A server as a line, for a person to add. */
export function serverLine({ name, url, layers, hidesSecrets }: ListedServer): string {
  const rest = hidesSecrets ? ', hidesSecrets: true' : '';
  return `${valueText(name, IN_FLOW)}: { url: ${valueText(url, IN_FLOW)}, config: ${valueText(layers, IN_FLOW)}${rest} }`;
}

function serverLines({ name, url, layers, hidesSecrets }: ListedServer, indent: string): string[] {
  return [
    `${indent}${valueText(name, IN_FLOW)}:`,
    `${indent}  url: ${valueText(url, { indent: '' })}`,
    `${indent}  config: ${valueText(layers, IN_FLOW)}`,
    ...(hidesSecrets ? [`${indent}  hidesSecrets: true`] : []),
  ];
}
