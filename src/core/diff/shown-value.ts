import type { ResolvedValue } from '../config/resolve.ts';
import type { WrittenValue } from '../model/desired.ts';
import { present } from '../model/present.ts';
import { isLikelySecret, type Told } from '../model/secrecy.ts';
import { reveal } from '../model/secret.ts';
import { REFERENCE, shownReference } from '../model/shown-reference.ts';
import { isChoiceList, type Scalar, textsOf } from '../model/value.ts';
import { hasOtherFiles } from '../model/written.ts';
import type { DeclaredSide, Unshown } from './revision-diff.ts';

/** A value whose references were not read, with these in their places. */
export function openValue({ value = '', isFromOutside, files }: ResolvedValue) {
  return { value: reveal(value), isFromOutside, ...present({ files }) };
}

/** What differs between two values with references beside what is shown of them. */
export function unshownIn(before: ResolvedValue, after: ResolvedValue, isShown: boolean): readonly Unshown[] {
  const [was, now] = [openValue(before), openValue(after)];
  const file = hasOtherFiles(was, now) ? (['file'] as const) : [];
  if (isShown || !was.isFromOutside || !now.isFromOutside) return file;
  const [wasCut, nowCut] = [was, now].map(({ value }) => cutAtReferences(value));
  const parts = (['fallback', 'text'] as const).filter((each) => wasCut?.[each] !== nowCut?.[each]);
  return [...file, ...parts];
}

/** The fallbacks of the references in a value, and what is around these, each as one text to compare. */
function cutAtReferences(value: WrittenValue): Readonly<Record<'fallback' | 'text', string>> {
  const members = isChoiceList(value) ? value : [value];
  const parts = members.map((each) => String(textsOf(each)[0] ?? '').split(REFERENCE));
  const fallbacks = parts.flat().map((part) => /^\$\{env:[^}]*?:-([^}]*)\}$/s.exec(part)?.[1]);
  const around = parts.map((each) => each.filter((_, index) => index % 2 === 0));
  return { fallback: JSON.stringify(fallbacks), text: JSON.stringify(around) };
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
