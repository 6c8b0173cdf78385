import type { ResolvedValue } from '../config/resolve.ts';
import type { WrittenValue } from '../model/desired.ts';
import type { Permission } from '../model/permission.ts';
import { present } from '../model/present.ts';
import { type Clues, isSecret } from '../model/secrecy.ts';
import { reveal } from '../model/secret.ts';
import { shownReference } from '../model/shown-reference.ts';
import { isChoiceList, textsOf } from '../model/value.ts';

/** What one side declares, as far as it may be shown. */
interface DeclaredSide {
  /** Null where it is hidden, or a reference. */
  readonly value: WrittenValue | Permission | null;
  /** The text with references, without what may be a secret in it. */
  readonly reference?: string;
  /** True if it is a secret. */
  readonly isHidden?: true;
}

/** A value whose references were not read, with these in their places. */
export function openValue({ value = '', isFromOutside, files }: ResolvedValue) {
  return { value: reveal(value), isFromOutside, ...present({ files }) };
}

/** A value unless it is a secret; of one with references what may be shown of these. */
export function shownValue(resolved: ResolvedValue, clues: Omit<Clues, 'values'>): DeclaredSide {
  const { value, isFromOutside } = openValue(resolved);
  if (isFromOutside) {
    const texts = (isChoiceList(value) ? value : [value]).map((each) =>
      shownReference(textsOf(each)[0] ?? '', clues),
    );
    return { value: null, reference: isChoiceList(value) ? `[${texts.join(', ')}]` : texts.join('') };
  }
  return isSecret({ ...clues, values: [value] }) ? { value: null, isHidden: true } : { value };
}
