import type { ResolvedValue } from '../config/resolve.ts';
import type { WrittenValue } from '../model/desired.ts';
import type { Permission } from '../model/permission.ts';
import { present } from '../model/present.ts';
import { isLikelySecret, type Told } from '../model/secrecy.ts';
import { reveal } from '../model/secret.ts';
import { shownReference } from '../model/shown-reference.ts';
import { isChoiceList, type Scalar, textsOf } from '../model/value.ts';

/** What one side declares, as far as it may be shown. */
export interface DeclaredSide {
  /** Null where it is hidden, or a reference. */
  readonly value: WrittenValue | Permission | null;
  /** The text with references, without what may be a secret in it. */
  readonly reference?: string;
  /** True where it is likely to be a secret. */
  readonly isHidden?: true;
}

/** A value whose references were not read, with these in their places. */
export function openValue({ value = '', isFromOutside, files }: ResolvedValue) {
  return { value: reveal(value), isFromOutside, ...present({ files }) };
}

/** A value unless it is or is likely to be a secret; of one with references what may be shown of these. */
export function shownValue(key: string, resolved: ResolvedValue, told: Told): DeclaredSide {
  const mark = told.mark ?? resolved.isOfSecret;
  const { value, isFromOutside } = openValue(resolved);
  if (isFromOutside) {
    const texts = (isChoiceList(value) ? value : [value]).map((each) =>
      shownReference(textsOf(each)[0] ?? '', { key, mark }),
    );
    return { value: null, reference: isChoiceList(value) ? `[${texts.join(', ')}]` : texts.join('') };
  }
  const scalars: readonly Scalar[] = typeof value === 'object' ? textsOf(value) : [value];
  const isSecret = told.isFromOutside === true || scalars.some((each) => isLikelySecret(key, each, mark));
  return isSecret ? { value: null, isHidden: true } : { value };
}
