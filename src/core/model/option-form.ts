import { recordOf, textOf } from './json.ts';
import { type LiveOption, openLive } from './live.ts';
import { type Choice, isChoice, isChoiceList } from './value.ts';

/** How an option stores its value; `any` if it is unknown. */
export type OptionForm = 'text' | 'number' | 'boolean' | 'select' | 'multi-select' | 'any';

/** The form of an option: by its type, or by the value it holds if no type is served. */
export function formOf({ type, multiple, value, choices }: LiveOption): OptionForm {
  const live = openLive(value);
  const isList = live !== undefined && isChoiceList(live);
  if (type === 'text' || type === 'password') return 'text';
  if (type === 'number' || type === 'boolean') return type;
  if (type === 'select' || choices.length > 0) return (multiple ?? isList) ? 'multi-select' : 'select';
  if (isList) return 'multi-select';
  return isChoice(live) ? 'select' : 'any';
}

/** Decodes a choice. A bare value or a number takes the display of the known choice with that value. */
export function decodeChoice(raw: unknown, known: readonly Choice[] = []): Choice | undefined {
  if (isChoice(raw)) return raw;
  const bare = typeof raw === 'object' ? recordOf(raw)['value'] : raw;
  if (typeof bare !== 'string' && typeof bare !== 'number') return undefined;
  const value = String(bare);
  const display = textOf(recordOf(raw)['display']) ?? value;
  return known.find((choice) => choice.value === value) ?? { display, value };
}
