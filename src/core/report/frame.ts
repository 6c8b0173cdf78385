import type { Place } from '../model/place.ts';
import { tokenAt, type YamlToken, yamlTokens } from '../yaml/tokens.ts';
import { forTerminal } from './escape.ts';
import { openKeys } from './open-keys.ts';

/** A line of a configuration file with every value blanked, and the span that a finding means. */
export interface Frame {
  readonly text: string;
  /** Column of the first marked character in `text`, from 0, and how many are marked. */
  readonly start: number;
  readonly width: number;
}

export interface FrameOptions {
  /** How much of a line is shown at most. */
  readonly columns?: number;
  /** Whether the text is valid YAML. */
  readonly isSound?: boolean;
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
export function framer(
  source: string,
  { columns = WIDTH, isSound = true }: FrameOptions = {},
): (place: Place) => Frame | undefined {
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  const tokens = yamlTokens(text);
  const keys = openKeys(tokens, isSound);
  const width = Math.min(columns, WIDTH);
  const lines = text.split('\n');
  const starts = lineStarts(lines);
  return (place) => {
    const line = lines[place.line - 1];
    const lineStart = starts[place.line - 1];
    if (line === undefined || lineStart === undefined) return undefined;
    const pieces = piecesOf(text, tokens, keys, lineStart, lineStart + line.replace(/\r$/, '').length);
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
function piecesOf(
  text: string,
  tokens: readonly YamlToken[],
  keys: ReadonlySet<number>,
  from: number,
  to: number,
): Piece[] {
  const first = tokenAt(tokens, from);
  const pieces: Piece[] = [];
  for (const [step, token] of tokens.slice(first, first + LONGEST_LINE).entries()) {
    if (token.from >= to) break;
    const overlap = { from: Math.max(from, token.from), to: Math.min(to, token.to) };
    const source = text.slice(overlap.from, overlap.to);
    pieces.push(
      ...(keys.has(first + step) || isPunctuation(token)
        ? [{ ...overlap, shown: lookAlikesEscaped(forTerminal(source)) }]
        : blanked(overlap, source)),
    );
  }
  return pieces;
}

/** Tokens of one line that are looked at: a longer line is cut anyway. */
const LONGEST_LINE = 1_000;

/** Tokens that say nothing of a value. Comments, tags, anchors and aliases can. */
const PUNCTUATION = /^[-?:{}[\],]$|^\s*$|^---$|^\.\.\.$|^[|>][-+\d]*$/;

/** Letters of other alphabets in a Latin key are shown by their numbers: some look like Latin ones. */
function lookAlikesEscaped(key: string): string {
  if (!/[A-Za-z]/.test(key)) return key;
  return key.replace(/[\u0370-\u052f\u2010-\u2015\uff01-\uff5e]/g, (letter) => {
    return `\\u{${letter.charCodeAt(0).toString(16)}}`;
  });
}

function isPunctuation({ source, isScalar }: YamlToken): boolean {
  return !isScalar && PUNCTUATION.test(source);
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
