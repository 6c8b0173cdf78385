import {
  type Fields,
  flagOf,
  isRecord,
  listOf,
  recordOf,
  textOf,
} from './json.ts';
import {
  decodeChoice,
  decodeChoices,
  type LiveIntegration,
  type LiveOption,
} from './live.ts';
import { permissionOf } from './permission.ts';
import { isSecret } from './secrecy.ts';
import { hiddenSide, secretSide, shownSide } from './side.ts';
import type { Choice, OptionValue } from './value.ts';

/**
 * Decodes an integration's own configuration file as a server would hold it
 * freshly installed, under an id made from `fileName`; or says why it is none.
 * Options have their defaults as their values, and nothing else is filled in.
 */
export function decodeDefinition(
  fileName: string,
  raw: unknown,
): LiveIntegration | { problem: string } {
  if (!isRecord(raw)) return { problem: 'it is not a JSON object' };
  const { name, options: entries = [] } = raw;
  if (typeof name !== 'string' || name === '')
    return { problem: 'it has no `name`' };
  if (!Array.isArray(entries)) return { problem: '`options` is not a list' };
  const options = entries.flatMap(
    (entry) => decodeEntry(recordOf(entry)) ?? [],
  );
  if (options.length < entries.length)
    return { problem: 'an entry of `options` has no `key`' };
  const byKey = new Map(options.map((option) => [option.key, option]));
  if (byKey.size < options.length)
    return { problem: 'it lists an option twice' };
  return {
    // Zeros stand where a server puts the time.
    id: `${fileName.replace(/[^0-9A-Za-z]/g, '_')}_node_18_0000000000`,
    name,
    acronym: textOf(raw['acronym']),
    description: textOf(raw['description']),
    errorCount: 0,
    optionKeys: new Set([...byKey.keys()].sort()),
    options: byKey,
  };
}

function decodeEntry(raw: Fields): LiveOption | undefined {
  const { key, default: written } = raw;
  if (typeof key !== 'string' || key === '') return undefined;
  const type = textOf(raw['type']);
  const choices = listOf(raw['options']).flatMap(
    (choice) => decodeChoice(choice) ?? [],
  );
  const initial = decodeOfType(written, type, choices);
  const sideOf = isSecret({ key, type }) ? secretSide : shownSide;
  // A list as the default says as much as `multiple`.
  const multiple =
    Array.isArray(written) ||
    (flagOf(raw['multiple']) ?? (type === 'select' ? false : undefined));
  return {
    key,
    value: initial === undefined ? hiddenSide('absent') : sideOf(initial),
    permission: permissionOf(raw['adminOnly'], raw['userCanEdit']),
    choices,
    type,
    multiple,
    // A schema for editors calls it so.
    title: textOf(raw['name'] ?? raw['title']),
    description: textOf(raw['description']),
  };
}

/**
 * Data as a value of an option's type; types that are not known here count as
 * text.
 */
export function decodeOfType(
  raw: unknown,
  type: string | undefined,
  choices: readonly Choice[],
): OptionValue | undefined {
  if (type === 'boolean') return flagOf(raw);
  if (type === 'number') return typeof raw === 'number' ? raw : undefined;
  if (type !== 'select') return textOf(raw);
  return Array.isArray(raw)
    ? decodeChoices(raw, choices)
    : decodeChoice(raw, choices);
}
