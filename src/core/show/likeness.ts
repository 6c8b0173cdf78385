import type { WrittenValue } from '../model/desired.ts';
import { present } from '../model/present.ts';
import type { Secret } from '../model/secret.ts';
import { isSameWritten, type Written } from '../model/written.ts';
import type { Likeness, Likenesses } from './shown.ts';

/** A value, or nothing that could be compared. */
export type Content = Written | 'missing' | 'untold';

/** What can be compared of a field on one server; undefined is what is not known of it. */
export interface Contents {
  readonly declared: Content | undefined;
  readonly live: Content | undefined;
}

/** A value that this run has whole. */
export function contentOf(value: WrittenValue | Secret<WrittenValue>): Written {
  return { value, isFromOutside: false };
}

/** Compares servers with the first one that has anything to compare; nothing where fewer than two can be. */
export function likenessesOf(all: readonly Contents[]): readonly Likenesses[] {
  const declared = compared(all.map((each) => each.declared));
  const live = compared(all.map((each) => each.live));
  return all.map((_, index) => present({ declared: declared[index], live: live[index] }));
}

function compared(contents: readonly (Content | undefined)[]): readonly (Likeness | undefined)[] {
  const known = contents.flatMap((each) => each ?? []);
  const first = known.find((each) => each !== 'missing');
  if (first === undefined || known.length < 2) return [];
  return contents.map((each) => each && likenessOf(each, first));
}

/** Whether one content is the other; of a value that this run lacks only its references can be compared. */
function likenessOf(content: Content, first: Content): Likeness {
  if (content === 'missing') return 'missing';
  if (content === first) return 'same';
  if (typeof content === 'string' || typeof first === 'string') return 'cannot-tell';
  if (isSameWritten(content, first)) return 'same';
  return content.isFromOutside || first.isFromOutside ? 'cannot-tell' : 'differs';
}
