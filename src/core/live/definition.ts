import { freshId } from '../model/integration-id.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { present } from '../model/present.ts';
import { decodeOption } from './option.ts';
import { attribute, isRecord, list, type Resource, textAttribute } from './resource.ts';

/**
 * Decodes an integration's own configuration file as a server would hold it freshly installed: under an id made from
 * `name` (that of the file or folder), every option with its default. A text says what is wrong with the file.
 */
export function decodeDefinition(name: string, raw: unknown): LiveIntegration | string {
  if (!isRecord(raw)) return 'it is not a JSON object';
  const own = resource(raw);
  if (textAttribute(own, 'name') === undefined) return 'it has no `name`';
  if (raw['options'] !== undefined && !Array.isArray(raw['options'])) return '`options` is not a list';
  const options = list(raw['options']).flatMap((option) => decodeDefined(option) ?? []);
  if (options.length < list(raw['options']).length) return 'an entry of `options` has no `key`';
  const byKey = new Map(options.map((option) => [option.key, option]));
  if (byKey.size < options.length) return 'it lists an option twice';
  return {
    id: freshId(name),
    ...present({
      name: textAttribute(own, 'name'),
      acronym: textAttribute(own, 'acronym'),
      description: textAttribute(own, 'description'),
    }),
    errorCount: 0,
    optionKeys: [...byKey.keys()],
    options: byKey,
  };
}

function decodeDefined(raw: unknown): LiveOption | undefined {
  if (!isRecord(raw)) return undefined;
  const key = raw['key'];
  if (typeof key !== 'string' || key === '') return undefined;
  const defined = resource({ ...raw, value: raw['default'] });
  // In a file, a list as the default says as much as `multiple`.
  return Array.isArray(attribute(defined, 'default'))
    ? { ...decodeOption(key, defined), multiple: true }
    : decodeOption(key, defined);
}

function resource(attributes: Readonly<Record<string, unknown>>): Resource {
  return { type: '', id: '', attributes, relationships: {} };
}
