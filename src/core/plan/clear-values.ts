import type { DesiredOption, DesiredValue } from '../model/desired.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { isMask } from '../model/secrecy.ts';
import { isHidden, reveal } from '../model/secret.ts';
import type { OptionValue } from '../model/value.ts';

/** A secret whose type is not served may still be masked: then nothing is known of its value. */
export function unmasked(option: LiveOption): LiveOption {
  const value = option.value.kind === 'readable' ? reveal(option.value.value) : undefined;
  const isMasked = typeof value === 'string' && isMask(value);
  return isMasked ? { ...option, value: { kind: 'unreadable', reason: 'masked' } } : option;
}

/** What a configuration writes in clear. */
export function plainValue(value: DesiredValue | undefined) {
  return value === undefined || isHidden(value.value) ? [] : [value.value];
}

export function plainLive({ value }: LiveOption): OptionValue[] {
  return value.kind === 'readable' ? [reveal(value.value)] : [];
}

/** Whether a snapshot keeps a value out because it is a secret, not because it may be one. */
export function isKeptSecret({ value }: LiveOption): boolean {
  return value.kind === 'unreadable' && value.reason === 'snapshot' && value.isLikely !== true;
}

/** An option that the server lists by its key alone: it shows nothing of it. */
export function unshownOption(
  { key }: DesiredOption,
  { optionKeys }: LiveIntegration,
): LiveOption | undefined {
  if (!optionKeys.has(key)) return undefined;
  return { key, value: { kind: 'unreadable', reason: 'absent' }, permission: 'unknown', choices: [] };
}
