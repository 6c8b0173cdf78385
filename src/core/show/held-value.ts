import type { LiveOption } from '../model/live.ts';
import { isSecret } from '../model/secrecy.ts';
import { isHidden } from '../model/secret.ts';
import { isEmpty, type OptionValue } from '../model/value.ts';
import type { ShownValue } from './shown.ts';

/** What a person or the configuration says of the value of an option. */
export interface Said {
  /** `sensitive:` in the YAML. */
  readonly mark?: boolean | undefined;
  /** Whether the desired value comes from the environment or a file. */
  readonly isFromOutside?: boolean | undefined;
}

/** What a server holds, unless it is a secret. */
export function heldValue(option: LiveOption, said: Said): ShownValue {
  const { value: held } = option;
  if (held.kind === 'unreadable') return held;
  if (held.kind === 'empty') return { kind: 'empty' };
  if (isHidden(held.value)) return { kind: 'hidden' };
  return plainValue(option, held.value, said);
}

/** The value of a fresh installation; undefined where it is not known. */
export function initialValue(option: LiveOption): ShownValue | undefined {
  const { initial } = option;
  if (initial === undefined) return undefined;
  return isEmpty(initial) ? { kind: 'empty' } : plainValue(option, initial, {});
}

function plainValue({ key, type }: LiveOption, value: OptionValue, said: Said): ShownValue {
  return isSecret({ key, type, ...said, values: [value] }) ? { kind: 'hidden' } : { kind: 'shown', value };
}
