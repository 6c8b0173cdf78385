import { sortedKeys } from './ids.ts';
import { freshId } from './integration-id.ts';
import { isRecord, listOf } from './json.ts';
import type { LiveIntegration, LiveOption } from './live.ts';
import { permissionOf } from './permission.ts';
import { present } from './present.ts';
import { isSecretOption } from './secrecy.ts';
import { hide } from './secret.ts';
import { type Choice, isChoice, type OptionValue } from './value.ts';

/** What an integration's own configuration file says of it; nothing is filled in. */
export interface Definition {
  readonly name: string;
  readonly acronym?: string;
  readonly description?: string;
  /** Each key once. */
  readonly options: readonly OptionDefinition[];
}

/** An entry of the options list of a configuration file. */
export interface OptionDefinition {
  readonly key: string;
  readonly type?: string;
  readonly name?: string;
  readonly description?: string;
  /** The default; absent where the file has none that fits the type. */
  readonly initial?: OptionValue;
  readonly adminOnly?: boolean;
  readonly userCanEdit?: boolean;
  /** The choices of a select; empty where the integration fills them in at run time. */
  readonly choices: readonly Choice[];
  readonly multiple?: boolean;
}

/** Why a file is no definition, and where in it. */
interface DefinitionProblem {
  readonly problem: string;
  readonly path: readonly (string | number)[];
}

/** Decodes an integration's own configuration file. */
export function decodeDefinition(raw: unknown): Definition | DefinitionProblem {
  if (!isRecord(raw)) return { problem: 'it is not a JSON object', path: [] };
  const { name, options: entries = [] } = raw;
  if (typeof name !== 'string' || name === '') return { problem: 'it has no `name`', path: [] };
  if (!Array.isArray(entries)) return { problem: '`options` is not a list', path: ['options'] };
  const options = entries.map(decodeEntry);
  const keyless = options.indexOf(undefined);
  if (keyless >= 0) return { problem: 'an entry of `options` has no `key`', path: ['options', keyless] };
  const keys = new Set<string>();
  const repeated = options.findIndex(
    (option) => option !== undefined && keys.size === keys.add(option.key).size,
  );
  if (repeated >= 0) return { problem: 'it lists an option twice', path: ['options', repeated] };
  return {
    name,
    ...present({ acronym: text(raw['acronym']), description: text(raw['description']) }),
    options: options.filter((option) => option !== undefined),
  };
}

function decodeEntry(raw: unknown): OptionDefinition | undefined {
  if (!isRecord(raw)) return undefined;
  const { key, default: written } = raw;
  if (typeof key !== 'string' || key === '') return undefined;
  const type = text(raw['type']);
  const choices = listOf(raw['options']).flatMap((each) => decodeChoice(each, []) ?? []);
  const initial = decodeDefault(written, type, choices);
  return {
    key,
    choices,
    ...present({
      type,
      name: text(raw['name']),
      description: text(raw['description']),
      initial,
      adminOnly: flag(raw['adminOnly']),
      userCanEdit: flag(raw['userCanEdit']),
      // A list as the default says as much as `multiple`.
      multiple: Array.isArray(written) ? true : flag(raw['multiple']),
    }),
  };
}

/** The default as a value of the type; types that are not known here count as text. */
function decodeDefault(
  raw: unknown,
  type: string | undefined,
  choices: readonly Choice[],
): OptionValue | undefined {
  if (type === 'boolean') return flag(raw);
  if (type === 'number') return decodeNumber(raw);
  if (type !== 'select') return typeof raw === 'string' || isFiniteNumber(raw) ? raw : undefined;
  if (!Array.isArray(raw)) return decodeChoice(raw, choices);
  const chosen = raw.flatMap((each) => decodeChoice(each, choices) ?? []);
  return chosen.length === raw.length ? chosen : undefined;
}

/** JSON can write numbers that overflow to infinity. */
function isFiniteNumber(raw: unknown): raw is number {
  return typeof raw === 'number' && Number.isFinite(raw);
}

function decodeNumber(raw: unknown): number | undefined {
  if (isFiniteNumber(raw)) return raw;
  return typeof raw === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(raw) ? Number(raw) : undefined;
}

/** One choice; a file may write its value alone, which then has the display of the same choice in the list. */
function decodeChoice(raw: unknown, choices: readonly Choice[]): Choice | undefined {
  if (isChoice(raw)) return { display: raw.display, value: raw.value };
  const { value: bare, display } = isRecord(raw) ? raw : { value: raw };
  if (typeof bare !== 'string' && typeof bare !== 'number') return undefined;
  const value = String(bare);
  const known = choices.find((choice) => choice.value === value);
  return known ?? { display: text(display) ?? value, value };
}

function text(raw: unknown): string | undefined {
  return typeof raw === 'string' ? raw : undefined;
}

/** A boolean, or its word. */
function flag(raw: unknown): boolean | undefined {
  if (raw === 'true' || raw === 'false') return raw === 'true';
  return typeof raw === 'boolean' ? raw : undefined;
}

/**
 * A definition as a server would hold it freshly installed: under an id made from `name` (that of the file or folder),
 * every option with its default.
 */
export function freshIntegration(name: string, definition: Definition): LiveIntegration {
  const options = definition.options.map(freshOption);
  return {
    id: freshId(name),
    ...present({
      name: definition.name,
      acronym: definition.acronym,
      description: definition.description,
    }),
    errorCount: 0,
    optionKeys: sortedKeys(options.map(({ key }) => key)),
    options: new Map(options.map((option) => [option.key, option])),
  };
}

function freshOption(option: OptionDefinition): LiveOption {
  const { key, type, name: title, description, initial, choices, multiple } = option;
  const shown = initial !== undefined && isSecretOption(key, type) ? hide(initial) : initial;
  return {
    key,
    value:
      shown === undefined ? { kind: 'unreadable', reason: 'absent' } : { kind: 'readable', value: shown },
    permission: permissionOf(option.adminOnly, option.userCanEdit),
    choices,
    ...present({
      type,
      multiple: multiple ?? (type === 'select' ? false : undefined),
      title,
      description,
      initial,
    }),
  };
}
