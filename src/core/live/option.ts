import { optionId, optionKey } from '../model/ids.ts';
import type { LiveOption, LiveValue } from '../model/live.ts';
import { permissionOf } from '../model/permission.ts';
import { present } from '../model/present.ts';
import { isMask, isSecretOption } from '../model/secrecy.ts';
import { type Choice, isChoice, type OptionValue } from '../model/value.ts';
import { attribute, booleanAttribute, isRecord, list, type Resource, textAttribute } from './resource.ts';

/**
 * The key of an option of a known integration; undefined where the resource belongs to another one. A served `key`
 * decides, as two integrations with dashes can compose one id; without it the integration's id is taken off the front.
 */
export function keyOfOption(integrationId: string, option: Resource): string | undefined {
  const served = textAttribute(option, 'key');
  if (served === undefined) return optionKey(integrationId, option.id);
  return option.id === optionId(integrationId, served) ? served : undefined;
}

/** Whether a resource carries what an option is, not only its identity. */
export function hasOptionAttributes(option: Resource): boolean {
  return (
    ['value', 'admin-only', 'user-can-edit'].some((name) => attribute(option, name) !== undefined) ||
    hasNull(option)
  );
}

/** Decodes an option; what the server does not serve stays unknown, nothing is guessed. */
export function decodeOption(key: string, option: Resource): LiveOption {
  const type = textAttribute(option, 'type');
  return {
    key,
    value: decodeValue(option, isSecretOption(key, type)),
    permission: permissionOf(
      booleanAttribute(option, 'admin-only'),
      booleanAttribute(option, 'user-can-edit'),
    ),
    choices: decodeChoices(list(attribute(option, 'options'))) ?? [],
    ...present({
      type,
      multiple: booleanAttribute(option, 'multiple'),
      title: textAttribute(option, 'name'),
      description: textAttribute(option, 'description'),
      initial: decodeForm(attribute(option, 'default')),
    }),
  };
}

function hasNull(option: Resource): boolean {
  return option.attributes !== undefined && Object.hasOwn(option.attributes, 'value');
}

function decodeValue(option: Resource, secret: boolean): LiveValue {
  const raw = attribute(option, 'value');
  if (raw === undefined) return { kind: 'unreadable', reason: 'absent' };
  if (raw === null) return secret ? { kind: 'unreadable', reason: 'null' } : { kind: 'empty' };
  if (typeof raw === 'string' && secret && isMask(raw)) return { kind: 'unreadable', reason: 'masked' };
  const value = decodeForm(raw);
  return value === undefined ? { kind: 'unreadable', reason: 'form' } : { kind: 'readable', value };
}

/** A value in any of the forms that options have; undefined for what is none of them. */
function decodeForm(raw: unknown): OptionValue | undefined {
  if (typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean') return raw;
  return Array.isArray(raw) ? decodeChoices(raw) : decodeChoice(raw);
}

/** A list of choices whole or not at all: what is left of a part would look like a difference. */
function decodeChoices(raw: readonly unknown[]): readonly Choice[] | undefined {
  const choices = raw.flatMap((choice) => decodeChoice(choice) ?? []);
  return choices.length === raw.length ? choices : undefined;
}

/** One choice; a server may send its value alone, or a number as its value. */
function decodeChoice(raw: unknown): Choice | undefined {
  if (isChoice(raw)) return raw;
  if (typeof raw === 'string' || typeof raw === 'number') return { display: String(raw), value: String(raw) };
  if (!isRecord(raw) || (typeof raw['value'] !== 'string' && typeof raw['value'] !== 'number'))
    return undefined;
  const value = String(raw['value']);
  return { display: typeof raw['display'] === 'string' ? raw['display'] : value, value };
}
