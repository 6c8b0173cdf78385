import type { Definition, OptionDefinition } from '../../core/model/definition.ts';
import { isRecord, listOf } from '../../core/model/json.ts';
import type { PermissionFlags } from '../../core/model/permission.ts';
import { type Choice, isChoice, type OptionValue } from '../../core/model/value.ts';

/** An option as the sandbox hosts it. */
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

/** An integration as the sandbox hosts it. */
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

/** A definition with all that it leaves out filled in; `raw` is its file, with the attributes that only the sandbox serves. */
export function configurationOf(
  { name, acronym = '', description = '', options }: Definition,
  raw: Readonly<Record<string, unknown>>,
): Configuration {
  const { defaultColor, onDemandOnly, entityTypes, customTypes } = raw;
  return {
    name,
    acronym: acronym || name.slice(0, 5).toUpperCase(),
    description,
    entityTypes: texts(listOf(entityTypes)),
    customTypes: texts(listOf(customTypes).map((type) => (isRecord(type) ? type['key'] : type))),
    defaultColor: typeof defaultColor === 'string' ? defaultColor : '',
    onDemandOnly: onDemandOnly === true,
    options: options.map(specOf),
  };
}

function specOf(option: OptionDefinition): OptionSpec {
  const { key, name = '', description = '', type = 'text', choices, multiple = false } = option;
  return {
    key,
    name: name || key,
    description,
    type,
    default: startOf(type, multiple, option.initial),
    flags: flagsOf(option),
    choices,
    multiple,
  };
}

/** The flags as written, the invalid pair included; a missing flag never makes that pair. */
function flagsOf({ adminOnly, userCanEdit = false }: OptionDefinition): PermissionFlags {
  return { adminOnly: adminOnly ?? !userCanEdit, userCanEdit };
}

/** The value of a fresh installation: the default, in a list where the option takes several, or the empty value of the type. */
function startOf(type: string, multiple: boolean, initial: OptionValue | undefined): OptionValue {
  if (initial !== undefined) return multiple && isChoice(initial) ? [initial] : initial;
  if (type === 'number') return 0;
  if (type === 'boolean') return false;
  if (type !== 'select') return '';
  return multiple ? [] : { display: '', value: '' };
}

function texts(raw: readonly unknown[]): readonly string[] {
  return raw.filter((item) => typeof item === 'string');
}
