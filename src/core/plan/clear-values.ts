import type { DesiredOption, DesiredValue } from '../model/desired.ts';
import { type LiveIntegration, type LiveOption, openLive } from '../model/live.ts';
import { type Clues, isMask } from '../model/secrecy.ts';
import { isHidden } from '../model/secret.ts';
import { shownReference } from '../model/shown-reference.ts';

/** A secret whose type is not served may still be masked: then nothing is known of its value. */
export function unmasked(option: LiveOption): LiveOption {
  const value = openLive(option.value);
  const isMasked = typeof value === 'string' && isMask(value);
  return isMasked ? { ...option, value: { kind: 'unreadable', reason: 'masked' } } : option;
}

/** What a configuration writes in clear. */
function plainValue(value: DesiredValue | undefined) {
  return value === undefined || isHidden(value.value) ? [] : [value.value];
}

/** What is said of the secrecy of an option, with what its values show; a snapshot leaves secrets out. */
export function withValues(told: Clues, value: DesiredValue | undefined, live: LiveOption): Clues {
  const isLeftOut = live.value.kind === 'unreadable' && live.value.reason === 'snapshot';
  const isFromOutside = told.isFromOutside === true || isLeftOut;
  const held = openLive(live.value);
  return { ...told, isFromOutside, values: [...plainValue(value), ...(held === undefined ? [] : [held])] };
}

/** An option that the server lists by its key alone: it shows nothing of it. */
export function unshownOption(
  { key }: DesiredOption,
  { optionKeys }: LiveIntegration,
): LiveOption | undefined {
  if (!optionKeys.has(key)) return undefined;
  return { key, value: { kind: 'unreadable', reason: 'absent' }, permission: 'unknown', choices: [] };
}

/** A value whose text with references is only what may be shown of it. */
export function withShown(value: DesiredValue | undefined, clues: Clues): DesiredValue | undefined {
  if (value?.reference === undefined) return value;
  return { ...value, reference: shownReference(value.reference, clues) };
}
