import type { WrittenValue } from '../model/desired.ts';
import { formOf, type LiveOption } from '../model/live.ts';
import {
  type Choice,
  inOrderOf,
  isChoice,
  isChoiceList,
  type OptionValue,
  plainText,
  type Scalar,
} from '../model/value.ts';
import { isTaken, shortNumber } from './conform.ts';

/**
 * The shortest form in which YAML may write what an option holds, whatever the form in which a server stores it; undefined
 * where no form of it is taken back, such as a choice that is none of the option's.
 */
export function writtenForm(held: OptionValue, option: LiveOption): WrittenValue | undefined {
  if (!isTaken(held, option)) return undefined;
  if (isChoiceList(held)) return inOrderOf(option.choices, held).map((choice) => shortChoice(choice, option));
  return isChoice(held) ? shortChoice(held, option) : shortScalar(held, option);
}

/** A choice as its value if the option lists it, or if its display is the same. */
function shortChoice(choice: Choice, { choices }: LiveOption): string | Choice {
  const isListed = choices.some(({ value }) => value === choice.value);
  return isListed || choice.display === choice.value ? choice.value : choice;
}

function shortScalar(held: Scalar, option: LiveOption): Scalar {
  const form = formOf(option);
  const text = plainText(held, option.type);
  if (form === 'boolean') return text === 'true';
  if (form !== 'number') return form === 'any' ? held : String(held);
  return shortNumber(text);
}
