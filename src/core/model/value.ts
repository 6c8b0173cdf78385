import { isRecord } from './json.ts';

/**
 * One choice of a select: the text for people, and the value for the
 * integration.
 */
export interface Choice {
  display: string;
  value: string;
}

export type Scalar = string | number | boolean;

/**
 * The value of an option as the service stores it: a scalar, a select, or the
 * list of a multi-select.
 */
export type OptionValue = Scalar | Choice | readonly Choice[];

/** A value as YAML writes it: a select may be its value alone. */
export type WrittenValue = Scalar | Choice | readonly (Scalar | Choice)[];

/** Whether a value is a select. */
export function isChoice(value: unknown): value is Choice {
  return (
    isRecord(value) &&
    typeof value['value'] === 'string' &&
    typeof value['display'] === 'string'
  );
}

/**
 * Whether a value is a multi-select (`Array.isArray` does not narrow a readonly
 * list).
 */
export function isChoiceList<T>(
  value: Scalar | Choice | readonly T[],
): value is readonly T[] {
  return Array.isArray(value);
}

/** A text as YAML writes it, where `${` would begin a reference. */
export function literalText(text: string): string {
  return text.replaceAll('${', () => '$${');
}

/** All texts inside a value. */
export function textsOf(value: WrittenValue): string[] {
  if (isChoiceList(value)) return value.flatMap(textsOf);
  return isChoice(value) ? [value.value, value.display] : [String(value)];
}

/**
 * The text by which two values of one type are compared: the number 4 and the
 * text "4" agree, selects agree by their value whatever their display, and the
 * order of a multi-select does not count.
 */
export function canonicalText(value: WrittenValue, type?: string): string {
  if (isChoiceList(value)) {
    const members = value.map((member) => canonicalText(member));
    return JSON.stringify([...new Set(members)].sort());
  }
  const text = isChoice(value) ? value.value : String(value);
  if (type === 'number') return plainNumber(text);
  return type === 'boolean' ? booleanWord(text) : text;
}

/** The word of a boolean in any of its forms; any other text as it is. */
function booleanWord(text: string): string {
  if (/^(1|true)$/i.test(text)) return 'true';
  return /^(0|false)$/i.test(text) ? 'false' : text;
}

/**
 * A decimal number without the zeros that count for nothing; any other text as
 * it is. Digits are kept: many would be rounded.
 */
function plainNumber(text: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const parts = [
    whole.replace(/^0+(?=\d)/, ''),
    fraction.replace(/(?<!0)0+$/, ''),
  ];
  const plain = parts.filter((part) => part !== '').join('.');
  return text.startsWith('-') && plain !== '0' ? `-${plain}` : plain;
}

/**
 * Whether two values are equal; no value equals the empty text. The type of the
 * option says in which forms a server may store one value: for a boolean 1, "1"
 * and "True" are true, for a number "42.0" is 42.
 */
export function sameContent(
  one: OptionValue | null,
  other: OptionValue | null,
  type?: string,
): boolean {
  if (one === other) return true;
  if (isEmpty(one) || isEmpty(other)) return isEmpty(one) && isEmpty(other);
  return (
    isChoiceList(one) === isChoiceList(other) &&
    canonicalText(one, type) === canonicalText(other, type)
  );
}

/** Whether a value is missing or holds nothing. */
export function isEmpty(
  value: OptionValue | null | undefined,
): value is null | undefined | '' | readonly [] {
  if (value === null || value === undefined) return true;
  return isChoiceList(value) ? value.length === 0 : canonicalText(value) === '';
}
