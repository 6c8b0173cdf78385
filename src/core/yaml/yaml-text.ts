import {
  type Choice,
  isChoice,
  isChoiceList,
  literalText,
  type Scalar,
  type WrittenValue,
} from '../model/value.ts';

/** How a value stands in a file. */
export interface ValueStyle {
  /** The blanks before further lines; at least one more than its key has. */
  indent: string;
  /** True inside `{…}` or `[…]`, where no value may take several lines. */
  isInFlow?: boolean | undefined;
  /** Whether a list has a line for each item; by default a long one has. */
  isBlockList?: boolean | undefined;
  /** Quotes to keep if the text allows it. */
  quotes?: 'single' | 'double' | undefined;
  /** Set for a text whose references stay references. */
  isReference?: true | undefined;
  /** `\n` by default. */
  newline?: '\n' | '\r\n' | undefined;
}

/** In one line, wherever it stands. */
export const IN_FLOW = { indent: '', isInFlow: true } as const;

/**
 * A value as YAML in the shortest form that is read as the same value: plain
 * if YAML 1.1 and 1.2 agree that it is text, block text for several lines, a
 * short list in one line. It follows a key and a blank, and has no line end.
 * `${` is doubled to `$${`, unless the style says that it begins a reference.
 */
export function yamlText(value: WrittenValue, style: ValueStyle): string {
  if (isChoiceList(value)) return listText(value, style);
  return isChoice(value) ? choiceText(value, style) : scalarText(value, style);
}

/** The longest list in one line, in characters. */
const LONGEST_LINE = 80;

function listText(
  items: readonly (Scalar | Choice)[],
  style: ValueStyle,
): string {
  const inFlow = { ...style, isInFlow: true };
  const texts = items.map((item) => yamlText(item, inFlow));
  const flow = `[${texts.join(', ')}]`;
  if (style.isInFlow || items.length === 0) return flow;
  const isLong = flow.length > LONGEST_LINE;
  const { indent, newline = '\n', isBlockList = isLong } = style;
  if (!isBlockList) return flow;
  return texts.map((text) => `${newline}${indent}- ${text}`).join('');
}

function choiceText({ value, display }: Choice, style: ValueStyle): string {
  const inFlow = { ...style, isInFlow: true };
  const texts = [
    `value: ${scalarText(value, inFlow)}`,
    `display: ${scalarText(display, inFlow)}`,
  ];
  return `{ ${texts.join(', ')} }`;
}

function scalarText(value: Scalar, style: ValueStyle): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    const isSafe = Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    return isSafe ? String(value) : JSON.stringify(String(value));
  }
  return textOf(style.isReference ? value : literalText(value), style);
}

function textOf(text: string, style: ValueStyle): string {
  const { isInFlow = false, quotes } = style;
  if (!isInFlow && isBlockText(text)) return blockText(text, style);
  if (quotes === undefined && isPlain(text, isInFlow)) return text;
  const isOpen = !NOT_SHOWN.test(text);
  const hasEscapes = /["\\]/.test(text);
  const isSingle = quotes === undefined ? hasEscapes : quotes === 'single';
  if (isOpen && isSingle) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text).replace(new RegExp(NOT_SHOWN, 'gu'), escaped);
}

/** Whether a text has several lines that block style keeps as they are. */
function isBlockText(text: string): boolean {
  if (!/^\S.*\n.*\S\n?$/s.test(text)) return false;
  return !NOT_SHOWN.test(text.replaceAll('\n', ''));
}

function blockText(text: string, style: ValueStyle): string {
  const { indent, newline = '\n' } = style;
  const isEnded = text.endsWith('\n');
  const body = isEnded ? text.slice(0, -1) : text;
  const lines = [isEnded ? '|' : '|-'];
  for (const line of body.split('\n'))
    lines.push(line === '' ? '' : indent + line);
  return lines.join(newline);
}

/** Whether a text needs no quotes, for tools that read YAML 1.1 too. */
function isPlain(text: string, isInFlow: boolean): boolean {
  if (!PLAIN.test(text) || NOT_SHOWN.test(text)) return false;
  return !isInFlow || !/[,[\]{}]/.test(text);
}

/** Begins harmlessly, is no boolean or null, and holds no comment or key. */
const PLAIN =
  /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[\p{L}/$](?!.*(?: #|: |[: ]$))/iu;

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  if (code.length > 4) return `\\U${code.padStart(8, '0')}`;
  return `\\u${code.padStart(4, '0')}`;
}

/**
 * Characters that no reader sees, that end a line for some, or that YAML takes
 * only as escapes.
 */
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{NChar}]/u;
