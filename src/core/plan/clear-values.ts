import type { DesiredOption, DesiredValue } from '../model/desired.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { type Clues, isBareMask, isMask } from '../model/secrecy.ts';
import { isHidden, reveal } from '../model/secret.ts';
import { shownReference } from '../model/shown-reference.ts';
import type { OptionValue } from '../model/value.ts';

/** A secret whose type is not served may still be masked: then nothing is known of its value. */
export function unmasked(option: LiveOption): LiveOption {
  const value = option.value.kind === 'readable' ? reveal(option.value.value) : undefined;
  const isMasked = typeof value === 'string' && isMask(value);
  return isMasked ? { ...option, value: { kind: 'unreadable', reason: 'masked' } } : option;
}

/** What a configuration writes in clear. */
function plainValue(value: DesiredValue | undefined) {
  return value === undefined || isHidden(value.value) ? [] : [value.value];
}

function plainLive({ value }: LiveOption): OptionValue[] {
  return value.kind === 'readable' ? [reveal(value.value)] : [];
}

/** Whether a snapshot keeps a value out because it is a secret, not because it may be one. */
function isKeptSecret({ value }: LiveOption): boolean {
  return value.kind === 'unreadable' && value.reason === 'snapshot' && value.isLikely !== true;
}

/** What is said of the secrecy of an option, with what its values show. */
export function withValues(told: Clues, value: DesiredValue | undefined, live: LiveOption): Clues {
  const held = plainLive(live);
  const isMasked = isKeptSecret(live) || held.some((each) => typeof each === 'string' && isBareMask(each));
  return { ...told, values: [...plainValue(value), ...held], isMasked };
}

/** An option that the server lists by its key alone: it shows nothing of it. */
export function unshownOption(
  { key }: DesiredOption,
  { optionKeys }: LiveIntegration,
): LiveOption | undefined {
  if (!optionKeys.has(key)) return undefined;
  return { key, value: { kind: 'unreadable', reason: 'absent' }, permission: 'unknown', choices: [] };
}

/** A value whose text with references is only what may be shown of it: what the server does not show is a secret. */
export function withShown(
  value: DesiredValue | undefined,
  clues: Clues,
  live: LiveOption,
): DesiredValue | undefined {
  if (value?.reference === undefined) return value;
  const isUnshown = live.value.kind === 'unreadable' && live.value.reason !== 'snapshot';
  const isMasked = clues.isMasked === true || isUnshown;
  return { ...value, reference: shownReference(value.reference, { ...clues, isMasked }) };
}
