import type { DesiredOption, DesiredState } from '../model/desired.ts';
import type { LiveOption } from '../model/live.ts';
import { isLikelySecret, isSecret } from '../model/secrecy.ts';
import { isChoice, isChoiceList, type OptionValue, textsOf } from '../model/value.ts';
import type { Scrubber } from '../scrub/scrubber.ts';

/** What a configuration says of each option, by the id of its integration and by key. */
export type Declared = ReadonlyMap<string, ReadonlyMap<string, DesiredOption>>;

/** What a configuration says of the options of each integration. */
export function declaredIn({ integrations }: DesiredState): Declared {
  return new Map(
    integrations.map(({ id, options }) => [id, new Map(options.map((each) => [each.key, each]))]),
  );
}

/**
 * Whether a value is a secret, or may be one, so that no file holds it: by its type, by what the configuration says, by its form
 * or because it holds a known secret; likely by the key of a text. A choice is one of a public list.
 */
export function secrecyOf(
  value: OptionValue,
  { key, type, choices }: LiveOption,
  declared: DesiredOption | undefined,
  scrubber: Scrubber,
): true | 'likely' | undefined {
  const mark = declared?.sensitive;
  const isFromOutside = declared?.value?.isFromOutside === true;
  if (isSecret({ key, type, mark, isFromOutside, values: [value] })) return true;
  const isPublic = choices.length > 0 && (isChoice(value) || isChoiceList(value));
  const hides = isPublic ? scrubber.name : scrubber.clean;
  const texts = textsOf(value);
  if (texts.some((text) => hides(text) !== text)) return true;
  const isLikely = !isPublic && texts.some((text) => isLikelySecret(key, text, mark));
  return isLikely ? 'likely' : undefined;
}
