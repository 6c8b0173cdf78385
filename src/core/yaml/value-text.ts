import {
  type Choice,
  isChoice,
  isChoiceList,
  type Scalar,
  type WrittenValue,
} from '../model/value.ts';

/** How a value stands in a file. */
export interface ValueStyle {
  /** The blanks before the further lines of a value in block style; at least one more than its key has. */
  readonly indent: string;
  /** True inside `{…}` or `[…]`, where no value may take several lines. */
  readonly isInFlow?: boolean;
  /** Whether a list has a line for each item; by default a long one has. */
  readonly isBlockList?: boolean;
  /** Quotes to keep where the text allows it. */
  readonly quotes?: 'single' | 'double';
  /** True for a text whose references, such as `${env:NAME}`, stay references. */
  readonly isReference?: true;
  /** `\n` by default. */
  readonly newline?: '\n' | '\r\n';
}

/** In one line, wherever it stands. */
export const IN_FLOW = { indent: '', isInFlow: true } as const;

/**
 * A value as YAML in the shortest form that is read as the same value and type: plain where YAML 1.1 and 1.2 agree that it is
 * text, else quoted; block text for several lines; lists in one line while they are short. It is what follows a key and a
 * blank, without the line end. `${` is doubled to `$${`, unless the style says that it begins a reference.
 */
export function valueText(value: WrittenValue, style: ValueStyle): string {
  if (isChoiceList(value)) return listText(value, style);
  return isChoice(value) ? choiceText(value, style) : scalarText(value, style);
}

/** The longest list in one line, in characters. */
const LONGEST_LINE = 80;

function listText(
  items: readonly (Scalar | Choice)[],
  style: ValueStyle,
): string {
  const texts = items.map((item) =>
    valueText(item, { ...style, isInFlow: true }),
  );
  const flow = `[${texts.join(', ')}]`;
  const {
    indent,
    newline = '\n',
    isInFlow = false,
    isBlockList = flow.length > LONGEST_LINE,
  } = style;
  if (isInFlow || !isBlockList || items.length === 0) return flow;
  return texts.map((text) => `${newline}${indent}- ${text}`).join('');
}

function choiceText({ value, display }: Choice, style: ValueStyle): string {
  const inFlow = { ...style, isInFlow: true };
  return `{ value: ${scalarText(value, inFlow)}, display: ${scalarText(display, inFlow)} }`;
}

function scalarText(value: Scalar, style: ValueStyle): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER)
    return String(value);
  const text = String(value);
  return textOf(
    style.isReference === true ? text : text.replaceAll('${', () => '$${'),
    style,
  );
}

function textOf(text: string, style: ValueStyle): string {
  if (style.isInFlow !== true && isBlockText(text))
    return blockText(text, style);
  if (style.quotes === undefined && isPlain(text, style.isInFlow === true))
    return text;
  const isOpen = !NOT_SHOWN.test(text);
  const isSingle =
    style.quotes === undefined ? /["\\]/.test(text) : style.quotes === 'single';
  return isOpen && isSingle
    ? `'${text.replaceAll("'", "''")}'`
    : doubleQuoted(text);
}

/** Whether a text has several lines that block style keeps as they are. */
function isBlockText(text: string): boolean {
  return (
    /^\S.*\n.*\S\n?$/s.test(text) && !NOT_SHOWN.test(text.replaceAll('\n', ''))
  );
}

function blockText(
  text: string,
  { indent, newline = '\n' }: ValueStyle,
): string {
  const isEnded = text.endsWith('\n');
  const lines = (isEnded ? text.slice(0, -1) : text).split('\n');
  return [
    isEnded ? '|' : '|-',
    ...lines.map((line) => (line === '' ? '' : indent + line)),
  ].join(newline);
}

/** Whether a text without quotes is read as this text, by YAML 1.1 too: other tools read the file as well. */
function isPlain(text: string, isInFlow: boolean): boolean {
  return (
    PLAIN.test(text) &&
    !NOT_SHOWN.test(text) &&
    !(isInFlow && /[,[\]{}]/.test(text))
  );
}

/** A text that begins with a letter, a slash or a dollar sign, is no boolean or null, and holds no comment and no end of a key. */
const PLAIN =
  /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[\p{L}/$](?!.*(?: #|: |[: ]$))/iu;

function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    new RegExp(NOT_SHOWN, 'gu'),
    (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
      return code.length > 4
        ? `\\U${code.padStart(8, '0')}`
        : `\\u${code.padStart(4, '0')}`;
    },
  );
}

/** Characters that no reader sees, or that end a line for some. */
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
