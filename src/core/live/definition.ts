import { sortedKeys } from '../model/ids.ts';
import { freshId } from '../model/integration-id.ts';
import { isRecord } from '../model/json.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { present } from '../model/present.ts';
import { decodeOption } from './option.ts';
import { type Resource, textAttribute } from './resource.ts';

/**
 * Decodes an integration's own configuration file as a server would hold it freshly installed: under an id made from
 * `name` (that of the file or folder), every option with its default. A text says what is wrong with the file.
 */
export function decodeDefinition(name: string, raw: unknown): LiveIntegration | string {
  if (!isRecord(raw)) return 'it is not a JSON object';
  const text = (attribute: string) => textAttribute(resource(raw), attribute);
  if (text('name') === undefined) return 'it has no `name`';
  const { options: entries = [] } = raw;
  if (!Array.isArray(entries)) return '`options` is not a list';
  const options = entries.flatMap((entry) => decodeDefined(entry) ?? []);
  if (options.length < entries.length) return 'an entry of `options` has no `key`';
  const byKey = new Map(options.map((option) => [option.key, option]));
  if (byKey.size < options.length) return 'it lists an option twice';
  return {
    id: freshId(name),
    ...present({ name: text('name'), acronym: text('acronym'), description: text('description') }),
    errorCount: 0,
    optionKeys: sortedKeys(byKey.keys()),
    options: byKey,
  };
}

function decodeDefined(raw: unknown): LiveOption | undefined {
  if (!isRecord(raw)) return undefined;
  const { key, default: initial } = raw;
  if (typeof key !== 'string' || key === '') return undefined;
  const option = decodeOption(key, resource({ ...raw, value: initial }));
  // In a file, a list as the default says as much as `multiple`.
  return Array.isArray(initial) ? { ...option, multiple: true } : option;
}

function resource(attributes: Readonly<Record<string, unknown>>): Resource {
  return { type: '', id: '', attributes, relationships: {} };
}
