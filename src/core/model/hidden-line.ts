import type { Span } from './place.ts';
import { mayBeSecret } from './secrecy.ts';

/** What takes the place of a part of a line that is not shown. */
export const HIDDEN_PART = '•••';

/** The hidden spans of a file by their columns in one of its lines, and a comment there that may hold a secret. */
export function hiddenInLine(line: string, start: number, hidden: readonly Span[]): Span[] {
  const spans = hidden
    .map(([from, to]): Span => [from - start, to - start])
    .filter(([from, to]) => from < line.length && to > 0);
  const comment = /(?:^|\s)#\s*(\S.*)$/.exec(line)?.[1];
  if (comment === undefined || !mayBeSecret('', comment)) return spans;
  const at = line.length - comment.length;
  const isText = spans.some(([from, to]) => from < at && to >= at);
  return isText ? spans : [...spans, [at, line.length]];
}
