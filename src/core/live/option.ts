import { isOptionId, optionKey } from '../model/ids.ts';
import { isRecord, listOf } from '../model/json.ts';
import type { LiveOption, LiveValue } from '../model/live.ts';
import { permissionOf } from '../model/permission.ts';
import { present } from '../model/present.ts';
import { isMask, isSecretOption } from '../model/secrecy.ts';
import { hide } from '../model/secret.ts';
import { type Choice, isChoice, type OptionValue } from '../model/value.ts';
import {
  type AttributeName,
  attribute,
  booleanAttribute,
  proseAttribute,
  type Resource,
  textAttribute,
} from './resource.ts';
import { isBareChoice } from './traits.ts';

/**
 * The key of an option of a known integration; undefined where the resource belongs to another one. A served `key`
 * decides, as two integrations with dashes can compose one id; without it the integration's id is taken off the front.
 */
export function keyOfOption(integrationId: string, option: Resource): string | undefined {
  const served = textAttribute(option, 'key');
  if (served === undefined) return optionKey(integrationId, option.id);
  return isOptionId(option.id, integrationId, served) ? served : undefined;
}

/** Whether a resource carries what an option is, not only its identity. */
export function hasOptionAttributes(option: Resource): boolean {
  if (option.attributes === undefined) return false;
  return OPTION_ATTRIBUTES.some((name) => attribute(option, name) !== undefined);
}

const OPTION_ATTRIBUTES = ['value', 'admin-only', 'user-can-edit', 'type'] as const;

/** Decodes an option; guesses nothing that the server does not send. */
export function decodeOption(key: string, option: Resource): LiveOption {
  const type = textAttribute(option, 'type');
  const flag = (name: AttributeName) => booleanAttribute(option, name);
  return {
    key,
    value: decodeValue(option, isSecretOption(key, type)),
    permission: permissionOf(flag('admin-only'), flag('user-can-edit')),
    choices: decodeChoices(listOf(attribute(option, 'options'))) ?? [],
    ...present({
      type,
      bareChoice: isBareChoice(attribute(option, 'value'), type) || undefined,
      multiple: flag('multiple'),
      title: textAttribute(option, 'name'),
      description: proseAttribute(option, 'description'),
      initial: decodeForm(attribute(option, 'default')),
    }),
  };
}

function decodeValue(option: Resource, secret: boolean): LiveValue {
  const raw = attribute(option, 'value');
  if (raw === undefined) return { kind: 'unreadable', reason: 'absent' };
  if (raw === null || (raw === '' && secret)) return { kind: 'empty' };
  if (typeof raw === 'string' && secret && isMask(raw)) return { kind: 'unreadable', reason: 'masked' };
  const value = decodeForm(raw);
  return value === undefined
    ? { kind: 'unreadable', reason: 'form' }
    : { kind: 'readable', value: secret ? hide(value) : value };
}

/** A value in any form that options have; undefined for anything else. */
function decodeForm(raw: unknown): OptionValue | undefined {
  if (typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean') return raw;
  return Array.isArray(raw) ? decodeChoices(raw) : decodeChoice(raw);
}

/** A list of choices, whole or not at all: a part would look like a difference. */
function decodeChoices(raw: readonly unknown[]): readonly Choice[] | undefined {
  const choices = raw.flatMap((choice) => decodeChoice(choice) ?? []);
  return choices.length === raw.length ? choices : undefined;
}

/** One choice; a server may send its value alone, or a number as its value. */
function decodeChoice(raw: unknown): Choice | undefined {
  if (isChoice(raw)) return raw;
  const { value: bare, display } = isRecord(raw) ? raw : { value: raw };
  if (typeof bare !== 'string' && typeof bare !== 'number') return undefined;
  const value = String(bare);
  return { display: typeof display === 'string' ? display : value, value };
}
