import { type Fields, flagOf, listOf, present, recordOf, textOf } from '../model/json.ts';
import { decodeChoice, type LiveOption, type LiveValue } from '../model/live.ts';
import { permissionOf } from '../model/permission.ts';
import { isMask, isSecretOption } from '../model/secrecy.ts';
import { hide } from '../model/secret.ts';
import type { Choice, OptionValue } from '../model/value.ts';
import { proseOf } from './limits.ts';

/** Decodes an option; guesses nothing that the server does not send. */
export function decodeOption(key: string, resource: Fields, hidesSecrets: boolean): LiveOption {
  const from = recordOf(resource['attributes']);
  const type = textOf(from['type']);
  const adminOnly = flagOf(from['admin-only'] ?? from['adminOnly']);
  const userCanEdit = flagOf(from['user-can-edit'] ?? from['userCanEdit']);
  return {
    key,
    value: decodeValue(from['value'], isSecretOption(key, type), hidesSecrets),
    permission: permissionOf(adminOnly, userCanEdit),
    choices: decodeChoices(listOf(from['options'])) ?? [],
    ...present({
      type,
      isBare: isBareChoice(from['value'], type) || undefined,
      isSingular: resource['type'] === 'integration-option' || undefined,
      multiple: flagOf(from['multiple']),
      title: textOf(from['name']),
      description: proseOf(from['description']),
      initial: decodeForm(from['default']),
    }),
  };
}

/** Whether a select, or a list of choices, comes without displays. */
function isBareChoice(raw: unknown, type: string | undefined): boolean {
  if (type !== 'select' && !Array.isArray(raw)) return false;
  const first = Array.isArray(raw) ? raw[0] : raw;
  return typeof first === 'string' && first !== '';
}

function decodeValue(raw: unknown, isSecret: boolean, hidesSecrets: boolean): LiveValue {
  if (raw === undefined) return { kind: 'unreadable', reason: 'absent' };
  if (raw === null || (raw === '' && isSecret))
    return isSecret && hidesSecrets ? { kind: 'unreadable', reason: 'empty' } : { kind: 'empty' };
  if (typeof raw === 'string' && isSecret && isMask(raw)) return { kind: 'unreadable', reason: 'masked' };
  const value = decodeForm(raw);
  return value === undefined
    ? { kind: 'unreadable', reason: 'form' }
    : { kind: 'readable', value: isSecret ? hide(value) : value };
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
