import type { LiveIntegration } from '../model/live.ts';
import { hide, isHidden, reveal } from '../model/secret.ts';
import { isChoice, isChoiceList, type OptionValue } from '../model/value.ts';
import type { ValueChange } from './plan.ts';

/** In which of the forms that the document leaves open a server takes what is written. */
export interface WireForm {
  /** The resource type of an option. */
  readonly optionType: 'integration-options' | 'integration-option';
  /** Whether a select is its value alone, without its display. */
  readonly hasBareSelects: boolean;
}

/** The form in which a server shows the managed options; the documented one if it shows none. */
export function wireFormOf(live: readonly LiveIntegration[]): WireForm {
  const options = live.flatMap((each) => [...each.options.values()]);
  const isSingular = options.length > 0 && options.every((each) => each.isSingular);
  return {
    optionType: isSingular ? 'integration-option' : 'integration-options',
    hasBareSelects: options.some((each) => each.isBare),
  };
}

/** The value of a change as it is sent. */
export function encodeValue({ after }: ValueChange, { hasBareSelects }: WireForm): unknown {
  if (!hasBareSelects) return after;
  const bare = bareValue(reveal(after));
  return isHidden(after) ? hide(bare) : bare;
}

function bareValue(value: OptionValue): unknown {
  if (isChoiceList(value)) return value.map((choice) => choice.value);
  return isChoice(value) ? value.value : value;
}
