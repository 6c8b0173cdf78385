import type { ResolvedValue } from '../config/resolve.ts';
import type { WrittenValue } from '../model/desired.ts';
import { present } from '../model/present.ts';
import { type Clues, isSecret } from '../model/secrecy.ts';
import { reveal } from '../model/secret.ts';
import { shownReference } from '../model/shown-reference.ts';
import { isChoiceList, textsOf } from '../model/value.ts';

/** A declared value, as far as it may be shown. */
interface ShownValue {
  /** Null if it is hidden, or a reference. */
  readonly value: WrittenValue | null;
  /** The text with references, without the secrets in it. */
  readonly reference?: string;
  readonly isHidden?: true;
}

/** A value whose references were not read, with these in their places. */
export function openValue({ value = '', isFromOutside, files }: ResolvedValue) {
  return { value: reveal(value), isFromOutside, ...present({ files }) };
}

/** Shows a value that is no secret; of a value with references only these. */
export function shownValue(resolved: ResolvedValue, clues: Omit<Clues, 'values'>): ShownValue {
  const { value, isFromOutside } = openValue(resolved);
  if (!isFromOutside)
    return isSecret({ ...clues, values: [value] }) ? { value: null, isHidden: true } : { value };
  const shown = (each: WrittenValue) => shownReference(textsOf(each)[0] ?? '', clues);
  const reference = isChoiceList(value) ? `[${value.map((each) => shown(each)).join(', ')}]` : shown(value);
  return { value: null, reference };
}
