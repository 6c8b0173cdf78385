import type { ResolvedValue } from '../config/resolve.ts';
import type { WrittenValue } from '../model/desired.ts';
import { present } from '../model/present.ts';
import { isLikelySecret } from '../model/secrecy.ts';
import { HIDDEN, reveal } from '../model/secret.ts';
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

/** Splits a text at its references, which become every second part. */
const REFERENCE = /(\$\{(?:env|file|value):[^}]*\})/;

/** A value unless it is likely to be a secret. References are shown, what is likely to be a secret around them is not. */
export function shownValue(key: string, resolved: ResolvedValue, own: boolean | undefined): DeclaredSide {
  const mark = own ?? resolved.isOfSecret;
  const { value, isFromOutside } = openValue(resolved);
  if (isFromOutside) {
    const texts = (isChoiceList(value) ? value : [value]).map((each) =>
      shownReference(key, textsOf(each)[0] ?? '', mark),
    );
    return { value: null, reference: isChoiceList(value) ? `[${texts.join(', ')}]` : texts.join('') };
  }
  const scalars: readonly Scalar[] = typeof value === 'object' ? textsOf(value) : [value];
  const isSecret = scalars.some((each) => isLikelySecret(key, each, mark));
  return isSecret ? { value: null, isHidden: true } : { value };
}

/** A text with references, without their fallbacks; only these where the rest is likely to be a secret. */
export function shownReference(key: string, text: string, mark: boolean | undefined): string {
  if (mark === false) return text;
  const parts = text.split(REFERENCE);
  const around = parts.filter((_, index) => index % 2 === 0);
  const hidesAround = isLikelySecret(key, around.join(''), mark);
  return parts
    .map((part, index) => {
      if (index % 2 === 1) return part.replace(/:-[^}]*/s, `:-${HIDDEN}`);
      return part === '' || !hidesAround ? part : HIDDEN;
    })
    .join('');
}
