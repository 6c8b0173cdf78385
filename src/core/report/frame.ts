import type { Place } from '../model.ts';
import { tokenAt, type YamlToken, yamlTokens } from '../yaml-tokens.ts';
import { forTerminal } from './escape.ts';

/** A line of a configuration file with every value blanked, and the span that a finding means. */
export interface Frame {
  readonly text: string;
  /** Column of the first marked character in `text`, from 0, and how many are marked. */
  readonly start: number;
  readonly width: number;
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly shown: string;
}

const BLANK = '•••';

/** How much of a line is shown at most. */
const WIDTH = 100;

const CUT = '…';

/**
 * Makes frames of one file: the line of a place, safe to show. Keys and punctuation stay, every value and comment becomes
 * `•••`, whatever its length. Works on files that are not valid YAML as well. Undefined where there is no such line.
 */
export function framer(source: string, columns = WIDTH): (place: Place) => Frame | undefined {
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  const tokens = yamlTokens(text);
  const width = Math.min(columns, WIDTH);
  const lines = text.split('\n');
  const starts = lineStarts(lines);
  return (place) => {
    const line = lines[place.line - 1];
    const lineStart = starts[place.line - 1];
    if (line === undefined || lineStart === undefined) return undefined;
    const pieces = piecesOf(text, tokens, lineStart, lineStart + line.replace(/\r$/, '').length);
    const frame = frameOf(
      pieces,
      lineStart + place.column - 1,
      lineStart + (place.endColumn ?? place.column + 1) - 1,
    );
    return frame === undefined ? undefined : windowOf(frame, width);
  };
}

function lineStarts(lines: readonly string[]): number[] {
  const ends = lines.map((line) => line.length + 1);
  const starts = [0];
  for (const [index, length] of ends.entries()) starts.push((starts[index] ?? 0) + length);
  return starts;
}

function frameOf(pieces: readonly Piece[], from: number, to: number): Frame | undefined {
  const shown = pieces
    .map((piece) => piece.shown)
    .join('')
    .trimEnd();
  if (shown.trim() === '') return undefined;
  const start = Math.min(widthBefore(pieces, from), shown.length);
  const width = Math.max(1, Math.min(widthBefore(pieces, to), shown.length) - start);
  return { text: shown, start, width };
}

/** The part of a long line that holds the mark, with some of what stands before it. */
function windowOf({ text, start, width }: Frame, columns: number): Frame {
  if (text.length <= columns) return { text, start, width };
  const from =
    start + width < columns
      ? 0
      : Math.max(0, Math.min(start - Math.floor(columns / 3), text.length - columns));
  const [before, after] = [from > 0 ? CUT : '', from + columns < text.length ? CUT : ''];
  const marked = Math.min(width, from + columns - start);
  return {
    text: `${before}${text.slice(from, from + columns)}${after}`,
    start: start - from + before.length,
    width: Math.max(1, marked),
  };
}

/** The tokens between two offsets, each as it may be shown. */
function piecesOf(text: string, tokens: readonly YamlToken[], from: number, to: number): Piece[] {
  const first = tokenAt(tokens, from);
  const pieces: Piece[] = [];
  for (const [step, token] of tokens.slice(first, first + LONGEST_LINE).entries()) {
    if (token.from >= to) break;
    const overlap = { from: Math.max(from, token.from), to: Math.min(to, token.to) };
    const source = text.slice(overlap.from, overlap.to);
    pieces.push(
      ...(isOpen(tokens, first + step)
        ? [{ ...overlap, shown: forTerminal(source) }]
        : blanked(overlap, source)),
    );
  }
  return pieces;
}

/** Tokens of one line that are looked at: a longer line is cut anyway. */
const LONGEST_LINE = 1_000;

/** Tokens that say nothing of a value. Comments, tags, anchors and aliases can. */
const PUNCTUATION = /^[-?:{}[\],]$|^\s*$|^---$|^\.\.\.$|^[|>][-+\d]*$/;

/** The only keys that stand in lists; any other text behind a dash may be a value with a stray colon. */
const LIST_KEYS = new Set(['display', 'value']);

/** What a key looks like, in quotes or without. Anything with blanks or brackets may be a value with a stray colon. */
const KEY = /^(["']?)[\p{L}\p{M}\p{N}\p{Cf}_.$~/-]{1,128}\1$/u;

/** Punctuation is open, and so is a scalar that looks like a key, stands where a key can stand, and that a colon follows. */
function isOpen(tokens: readonly YamlToken[], index: number): boolean {
  const token = tokens[index];
  if (token === undefined) return false;
  if (!token.isScalar) return PUNCTUATION.test(token.source);
  if (!KEY.test(token.source)) return false;
  const next = tokens.slice(index + 1, index + 3).find(({ source }) => !/^[ \t]+$/.test(source));
  const before = tokens
    .slice(Math.max(0, index - 2), index)
    .findLast(({ source }) => !/^[ \t]+$/.test(source));
  if (next?.source !== ':') return false;
  if (before === undefined || /^[?{,]$|^\r?\n$/.test(before.source)) return true;
  return /^[-[]$/.test(before.source) && LIST_KEYS.has(token.source);
}

/** What a hidden token shows: leading blanks of its line, then a mark of fixed width. */
function blanked({ from, to }: Pick<Piece, 'from' | 'to'>, source: string): Piece[] {
  const indent = /^\s*/.exec(source)?.[0] ?? '';
  const start = from + indent.length;
  return [
    { from, to: start, shown: indent },
    { from: start, to, shown: start === to ? '' : BLANK },
  ];
}

/** How wide the shown text is before an offset; inside a blanked piece it is the piece's start or end. */
function widthBefore(pieces: readonly Piece[], offset: number): number {
  return pieces.reduce((sum, piece) => {
    if (piece.from >= offset) return sum;
    const whole = piece.to <= offset || piece.shown.length !== piece.to - piece.from;
    return sum + (whole ? piece.shown.length : offset - piece.from);
  }, 0);
}
