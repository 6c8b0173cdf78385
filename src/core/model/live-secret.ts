import type { LiveOption } from './live.ts';
import { isLikelySecret, isSecret, type Told } from './secrecy.ts';
import { isChoice, isChoiceList, type OptionValue, textsOf } from './value.ts';

/** Whether a live value is, or is likely to be, a secret that no file may hold. A listed choice is public. */
export function isLiveSecret(
  { key, type, choices }: Pick<LiveOption, 'key' | 'type' | 'choices'>,
  value: OptionValue,
  told: Told = {},
  isKnown: (text: string) => boolean = () => false,
): boolean {
  if (isSecret({ key, type, ...told, values: [value] })) return true;
  if (choices.length > 0 && (isChoice(value) || isChoiceList(value))) return false;
  if (typeof value === 'boolean') return false;
  return textsOf(value).some((text) => isKnown(text) || isLikelySecret(key, text, told.mark));
}
