import { valueText } from '../yaml/value-text.ts';
import { type AdoptedEntry, HEAD } from './adopted-entry.ts';
import { commentText } from './entry-text.ts';
import type { NeededVariable } from './variables.ts';

/** The text of a file, by its path in the folder of the configuration, with forward slashes. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** A file of entries; `schema` is the path of its schema from its own folder. */
export function entriesText(entries: readonly AdoptedEntry[], schema: string): string {
  const blocks = entries.map(({ lines }) => lines.join('\n'));
  return `${[modeline(schema), ...HEAD].join('\n')}\n${blocks.join('\n\n')}\n`;
}

/** The line by which editors find the schema of a file. */
function modeline(schema: string): string {
  return `# yaml-language-server: $schema=${schema}`;
}

/** A `setpoint.yaml` with one server. */
export function projectText(name: string, url: string, layers: readonly string[], schema: string): string {
  const inFlow = { indent: '', isInFlow: true };
  return [
    modeline(schema),
    'version: 1',
    'servers:',
    `  ${valueText(name, inFlow)}:`,
    `    url: ${valueText(url, { indent: '      ' })}`,
    `    config: ${valueText(layers, inFlow)}`,
    '',
  ].join('\n');
}

/** A dotenv file to be filled in: each variable below the field that needs it. */
export function exampleText(server: string, needed: readonly NeededVariable[]): string {
  const blocks = needed.map(({ variable, address }) => `\n# ${commentText(address)}\n${variable}=\n`);
  return [
    `# What the configuration of ${server} reads from the environment. Add it to .env, which git must ignore,\n`,
    '# fill it in there, then:\n',
    '# set -a; . ./.env; set +a\n',
    ...blocks,
  ].join('');
}
