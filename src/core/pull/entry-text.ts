import type { LiveOption } from '../model/live.ts';
import type { Permission } from '../model/permission.ts';
import { referenceText, type ValueStyle, valueText } from '../yaml/value-text.ts';
import type { Way } from './ways.ts';

/** One option as it is to be written. */
export interface OptionText {
  readonly option: LiveOption;
  readonly way: Way;
  /** The variable of a reference, or of one that a comment offers. */
  readonly variable?: string | undefined;
  readonly permission?: Permission | undefined;
  /** Why its value, its permission or, without a field, all of it is not written. */
  readonly leftOut: readonly { readonly field?: 'value' | 'permission'; readonly reason: string }[];
}

/** One integration as it is to be written. */
export interface EntryText {
  readonly name: string;
  /** What selects it. */
  readonly match: string;
  readonly autosubscribe?: boolean | undefined;
  readonly options: readonly OptionText[];
  /** What stands above an option; no comments where it is absent. */
  readonly commentOf?: ((option: LiveOption) => readonly string[]) | undefined;
}

/** The lines of an entry, and the option that each of them belongs to. */
export interface EntryLines {
  readonly lines: readonly { readonly text: string; readonly key?: string }[];
  /** Whether it declares anything. */
  readonly isManaging: boolean;
}

/** The most characters of a line of comment, and of an option in one line. */
const WIDTH = 100;

/** What stands before an option. */
const INDENT = '      ';

/** An entry below `integrations:`. */
export function entryLines({ name, match, autosubscribe, options, commentOf }: EntryText): EntryLines {
  const isWritten = options.some(isDeclared);
  const own = [
    `  ${keyText(name)}:`,
    `    match: ${valueText(match, { indent: '      ' })}`,
    ...(autosubscribe === undefined ? [] : [`    autosubscribe: ${autosubscribe}`]),
  ];
  const lines = options.flatMap((each) => {
    const { key } = each.option;
    const comment = isDeclared(each) ? (commentOf?.(each.option) ?? []) : [];
    const texts = [...commentLines(comment), ...optionLines(each)];
    return texts.flatMap((text) => text.split('\n')).map((text) => ({ text, key }));
  });
  // What a person may write stands as deep as it is to be.
  const above = lines.length === 0 ? [] : [isWritten ? '    options:' : '    # options:'];
  return {
    lines: [...[...own, ...above].map((text) => ({ text })), ...lines],
    isManaging: isWritten || autosubscribe !== undefined,
  };
}

function isDeclared({ way, permission }: OptionText): boolean {
  return way.kind !== 'none' || permission !== undefined;
}

function optionLines(each: OptionText): string[] {
  const { option, permission, leftOut } = each;
  const key = keyText(option.key);
  if (!isDeclared(each)) {
    const shown = each.variable === undefined ? commentText(option.key) : key;
    return leftOut.map(({ reason }) => `${INDENT}# ${shown}:${offered(each, reason)}`);
  }
  const isBare = leftOut.length === 0 && permission === undefined;
  if (isBare) return [`${INDENT}${key}:${writtenValue(each, { indent: `${INDENT}    ` }) ?? ''}`];
  const line = `${INDENT}${key}: ${flowText(each)}`;
  if (leftOut.length === 0 && !isLong(each) && line.length <= WIDTH) return [line];
  const value = writtenValue(each, { indent: `${INDENT}    ` });
  return [
    `${INDENT}${key}:`,
    ...(value === undefined ? [] : [`${INDENT}  value:${value}`]),
    ...leftOut.map((part) => `${INDENT}  # ${part.field ?? 'value'}:${offered(each, part.reason)}`),
    ...(permission === undefined ? [] : [`${INDENT}  permission: ${permission}`]),
  ];
}

/** All of an option in one line: `{ value: 30, permission: lock-and-hide }`. */
function flowText(each: OptionText): string {
  const value = writtenValue(each, { indent: '', isInFlow: true });
  const fields = [
    ...(value === undefined ? [] : [`value:${value}`]),
    ...(each.permission === undefined ? [] : [`permission: ${each.permission}`]),
  ];
  return `{ ${fields.join(', ')} }`;
}

/** Whether a value has several lines. */
function isLong({ way }: OptionText): boolean {
  return way.kind === 'value' && typeof way.value === 'string' && way.value.includes('\n');
}

/** What a comment says of what is left out: why, behind what a person may write there. */
function offered({ way, variable }: OptionText, reason: string): string {
  return way.kind === 'none' && variable !== undefined
    ? ` ${referenceTo(variable)}  # ${reason}`
    : ` ${reason}`;
}

/** What follows the colon. */
function writtenValue({ way, variable }: OptionText, style: ValueStyle): string | undefined {
  if (way.kind === 'none') return undefined;
  if (way.kind === 'reference') return ` ${referenceText(referenceTo(variable ?? ''), style)}`;
  const text = valueText(way.value, style);
  return text.startsWith('\n') ? text : ` ${text}`;
}

/** The reference to a variable. */
function referenceTo(variable: string): string {
  return `\${env:${variable}}`;
}

/** A key in one line; what looks like a reference in it is none. */
function keyText(key: string): string {
  return referenceText(key, { indent: '', isInFlow: true });
}

/** What people call an option, what it is for, and what it may be. */
export function aboutOption({ key, title = '', description = '', choices }: LiveOption): readonly string[] {
  const head = [title === key ? '' : title, description].filter((text) => commentText(text) !== '');
  const listed = choices.slice(0, MOST_CHOICES).map(({ value, display }) => {
    return display === value ? value : `${value} (${display})`;
  });
  const more = choices.length > MOST_CHOICES ? `, and ${choices.length - MOST_CHOICES} more` : '';
  return [
    ...(head.length === 0 ? [] : [head.join(': ')]),
    ...(listed.length > 0 ? [`Choices: ${listed.join(', ')}${more}`] : []),
  ];
}

const MOST_CHOICES = 20;

/** The most characters of foreign text in a comment. */
const LONGEST_COMMENT = 1_000;

/** Foreign text as a part of one line: without what ends a line or is not seen. */
export function commentText(text: string): string {
  const shown = text
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return shown.length > LONGEST_COMMENT ? `${shown.slice(0, LONGEST_COMMENT)}…` : shown;
}

/** Texts as lines of comment, each at most so wide. */
function commentLines(texts: readonly string[]): string[] {
  const start = `${INDENT}# `;
  return texts.flatMap((text) => {
    const lines: string[] = [];
    for (const word of commentText(text).split(' ')) {
      const longer = `${lines.at(-1)} ${word}`;
      if (lines.length > 0 && longer.length <= WIDTH) lines.splice(-1, 1, longer);
      else lines.push(`${start}${word}`);
    }
    return lines;
  });
}
