import { firstPast } from '../model/bisect.ts';
import type { Span } from '../model/place.ts';

/** The least characters of a text that an index can hold. */
export const SHORTEST = 4;

/** Finds any of many texts inside of another text. */
export interface TextIndex {
  /** Where the texts are, the longest accepted one at each position; they may overlap. */
  readonly find: (text: string, accepts: (from: number, to: number) => boolean) => Span[];
}

/** Makes an index of texts of at least `SHORTEST` characters. Its cost grows with their number, not with what they share. */
export function textIndex(texts: Iterable<string>): TextIndex {
  const sorted = [...new Set(texts)].sort();
  const longest = sorted.reduce((most, { length }) => Math.max(most, length), 0);
  const starts = startsOf(sorted);
  return {
    find: (text, accepts) => {
      const spans: Span[] = [];
      if (sorted.length === 0) return spans;
      for (let at = 0, hash = 0; at < text.length; at += 1) {
        hash = shifted(hash, text, at);
        const from = at + 1 - SHORTEST;
        if (from < 0 || starts[hash] === 0) continue;
        const key = text.slice(from, from + longest);
        const length = lengthAt(sorted, key, (to) => accepts(from, from + to));
        if (length > 0) spans.push([from, from + length]);
      }
      return spans;
    },
  };
}

/** A hash of the last four characters of a text up to a position: 16 bits, each character pushing an older one out. */
function shifted(hash: number, text: string, at: number): number {
  return ((hash << 4) ^ text.charCodeAt(at)) & 0xffff;
}

/** Marks the hashes of how the texts begin. */
function startsOf(texts: readonly string[]): Uint8Array {
  const starts = new Uint8Array(0x1_0000);
  for (const text of texts) {
    let hash = 0;
    for (let at = 0; at < SHORTEST; at += 1) hash = shifted(hash, text, at);
    starts[hash] = 1;
  }
  return starts;
}

/** The length of the longest sorted text that a key begins with and that is accepted; 0 where there is none. */
function lengthAt(sorted: readonly string[], whole: string, accepts: (length: number) => boolean): number {
  let key = whole;
  while (key.length >= SHORTEST) {
    const limit = key;
    const near = sorted[firstPast(sorted.length, (index) => (sorted[index] ?? '') > limit) - 1] ?? '';
    const common = commonLength(near, key);
    if (common === near.length && common > 0 && accepts(common)) return common;
    // Any other text that it begins with is no longer than what the nearest one has in common with it.
    key = key.slice(0, common === near.length ? common - 1 : common);
  }
  return 0;
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}
