import { childOf, pairsOf } from '../yaml/node.ts';
import { parseYaml } from '../yaml/parse.ts';
import { IN_FLOW, valueText } from '../yaml/value-text.ts';

/** A server as `setpoint.yaml` lists it. */
interface ListedServer {
  readonly name: string;
  readonly url: string;
  readonly layers: readonly string[];
  readonly hidesSecrets?: boolean | undefined;
}

/** A new `setpoint.yaml`, or an old one with one more server behind the last; as it is if its servers are not in block style. */
export function projectText(
  old: string | undefined,
  server: ListedServer,
  schema: string,
): string {
  if (old === undefined) {
    const head = [
      `# yaml-language-server: $schema=${schema}`,
      'version: 1',
      'servers:',
    ];
    return [...head, ...serverLines(server, '  '), ''].join('\n');
  }
  const servers = pairsOf(
    childOf(parseYaml({ path: '', text: old }).value, 'servers'),
  );
  const column = servers[0]?.keyPlace.column ?? 1;
  const lines = old.split('\n');
  const first = servers.at(-1)?.keyPlace.line ?? 0;
  const isBlock = servers.every(({ keyPlace: { line } }) =>
    /^ *["'\w-]/.test(lines[line - 1] ?? '{'),
  );
  if (column < 2 || first === 0 || !isBlock) return old;
  const indent = ' '.repeat(column - 1);
  const rest = lines
    .slice(first)
    .findIndex((line) => !line.startsWith(`${indent} `));
  const end = rest < 0 ? lines.length : first + rest;
  const newline = old.includes('\r\n') ? '\r' : '';
  const added = serverLines(server, indent).map((line) => `${line}${newline}`);
  return [...lines.slice(0, end), ...added, ...lines.slice(end)].join('\n');
}

/** A server as a line, for a person to add. */
export function serverLine(server: ListedServer): string {
  return `${valueText(server.name, IN_FLOW)}: { ${fieldsOf(server).join(', ')} }`;
}

function serverLines(server: ListedServer, indent: string): string[] {
  const fields = fieldsOf(server).map((field) => `${indent}  ${field}`);
  return [`${indent}${valueText(server.name, IN_FLOW)}:`, ...fields];
}

function fieldsOf({
  url,
  layers,
  hidesSecrets = false,
}: ListedServer): string[] {
  const fields = [
    `url: ${valueText(url, IN_FLOW)}`,
    `config: ${valueText(layers, IN_FLOW)}`,
  ];
  return hidesSecrets ? [...fields, 'hidesSecrets: true'] : fields;
}

const HEAD = `# What the configuration reads from the environment. Copy it to .env (which git must ignore), fill it in, then:
# set -a; . ./.env; set +a
`;

/** An `.env.example` with the variables that it lacked, each with the field that reads it; the old text stays as it is. */
export function exampleText(
  old: string | undefined,
  needed: readonly { readonly variable: string; readonly address: string }[],
): string {
  const named = new Set(
    [...(old ?? '').matchAll(/^[#\s]*(?:export\s+)?(\w+)=/gm)].map(
      ([, name]) => name,
    ),
  );
  const blocks = needed
    .filter(({ variable }) => !named.has(variable))
    .map(
      ({ variable, address }) =>
        `\n# ${address.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')}\n${variable}=\n`,
    );
  const start = old === undefined ? HEAD : old.replace(/[^\n]$/, '$&\n');
  return blocks.length === 0 ? (old ?? HEAD) : start + blocks.join('');
}
