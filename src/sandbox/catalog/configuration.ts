import { isRecord } from '../../core/model/json.ts';
import type { PermissionFlags } from '../../core/model/permission.ts';
import { type Choice, isChoice, type OptionValue } from '../../core/model/value.ts';

/** An entry of the options list of a configuration file. */
export interface OptionSpec {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  /** `text`, `password`, `number`, `boolean`, `select`; other types count as text. */
  readonly type: string;
  readonly default: OptionValue;
  readonly flags: PermissionFlags;
  /** The choices of a select; empty where the integration fills them in at run time. */
  readonly choices: readonly Choice[];
  readonly multiple: boolean;
}

/** The parts of an integration's configuration file that the sandbox uses. */
export interface Configuration {
  readonly name: string;
  readonly acronym: string;
  readonly description: string;
  readonly entityTypes: readonly string[];
  readonly customTypes: readonly string[];
  readonly defaultColor: string;
  readonly onDemandOnly: boolean;
  readonly options: readonly OptionSpec[];
}

/** Decodes a configuration file; returns a text about the first problem where it is invalid. */
export function decodeConfiguration(raw: unknown): Configuration | string {
  if (!isRecord(raw)) return 'it is not a JSON object';
  const { name, options = [] } = raw;
  if (typeof name !== 'string' || name === '') return '`name` is missing or not a string';
  if (!Array.isArray(options)) return '`options` is not a list';
  const specs = options.map(decodeOption);
  const problem = specs.find((spec) => typeof spec === 'string');
  if (problem !== undefined) return problem;
  const decoded = specs.filter((spec) => typeof spec !== 'string');
  const repeated = decoded.find(
    ({ key }, index) => decoded.findIndex((other) => other.key === key) !== index,
  );
  if (repeated !== undefined) return `it lists the option \`${repeated.key}\` twice`;
  return { name, ...describe(raw, name), options: decoded };
}

function describe(
  raw: Readonly<Record<string, unknown>>,
  name: string,
): Omit<Configuration, 'name' | 'options'> {
  return {
    acronym: text(raw['acronym']) || name.slice(0, 5).toUpperCase(),
    description: text(raw['description']),
    entityTypes: texts(raw['entityTypes']),
    customTypes: texts(list(raw['customTypes']).map((type) => (isRecord(type) ? type['key'] : type))),
    defaultColor: text(raw['defaultColor']),
    onDemandOnly: raw['onDemandOnly'] === true,
  };
}

/** The flags as written, the invalid pair included; a missing flag never makes that pair. */
function flagsOf(raw: Readonly<Record<string, unknown>>): PermissionFlags {
  const userCanEdit = raw['userCanEdit'] === true;
  const adminOnly = raw['adminOnly'] === undefined ? !userCanEdit : raw['adminOnly'] === true;
  return { adminOnly, userCanEdit };
}

function decodeOption(raw: unknown): OptionSpec | string {
  if (!isRecord(raw)) return 'an entry of `options` is not an object';
  const { key, type } = raw;
  if (typeof key !== 'string' || key === '') return 'an entry of `options` has no key';
  if (typeof type !== 'string') return `the option \`${key}\` has no type`;
  const value = decodeDefault(raw['default'], type, raw['multiple'] === true);
  if (value === undefined) return `the default of the option \`${key}\` does not fit its type`;
  return {
    key,
    name: text(raw['name']) || key,
    description: text(raw['description']),
    type,
    default: value,
    flags: flagsOf(raw),
    choices: list(raw['options']).filter(isChoice),
    multiple: raw['multiple'] === true || Array.isArray(value),
  };
}

/** The default as a value; where the file has none, the empty value of the type. */
function decodeDefault(raw: unknown, type: string, multiple: boolean): OptionValue | undefined {
  const value = raw ?? emptyValue(type, multiple);
  if (type === 'number') return typeof value === 'number' ? value : undefined;
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (type !== 'select') return typeof value === 'string' ? value : undefined;
  if (Array.isArray(value)) return value.every(isChoice) ? value : undefined;
  return isChoice(value) ? value : undefined;
}

function emptyValue(type: string, multiple: boolean): unknown {
  if (type === 'number') return 0;
  if (type === 'boolean') return false;
  if (type !== 'select') return '';
  return multiple ? [] : { display: '', value: '' };
}

function list(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : [];
}

function texts(raw: unknown): readonly string[] {
  return list(raw).filter((item) => typeof item === 'string');
}

function text(raw: unknown): string {
  return typeof raw === 'string' ? raw : '';
}
