import { isRecord } from './json.ts';

/** One choice of a select: what people see, and what the integration is given. */
export interface Choice {
  readonly display: string;
  readonly value: string;
}

export type Scalar = string | number | boolean;

/** The value of an option as the service stores it: a scalar, a select, or the list of a multi-select. */
export type OptionValue = Scalar | Choice | readonly Choice[];

/** Whether a value is a select. */
export function isChoice(value: unknown): value is Choice {
  return isRecord(value) && typeof value['value'] === 'string' && typeof value['display'] === 'string';
}

/** Whether a value is a multi-select (`Array.isArray` does not narrow a readonly list). */
export function isChoiceList<T>(value: Scalar | Choice | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

/** All texts inside a value. */
export function textsOf(value: OptionValue | readonly (Scalar | Choice)[]): string[] {
  if (isChoiceList(value)) return value.flatMap(textsOf);
  return isChoice(value) ? [value.value, value.display] : [String(value)];
}

/**
 * The text by which two values are compared. Equal texts mean that no change is needed: the number 4 and the text "4"
 * agree, selects agree by their value whatever their display, and the order of a multi-select does not count.
 */
export function canonicalText(value: OptionValue): string {
  if (isChoiceList(value)) return JSON.stringify([...new Set(value.map((choice) => choice.value))].sort());
  return isChoice(value) ? value.value : String(value);
}

/** Whether a server that holds `live` already has what `desired` asks for. */
export function equalValues(live: OptionValue, desired: OptionValue): boolean {
  return isChoiceList(live) === isChoiceList(desired) && canonicalText(live) === canonicalText(desired);
}

/** Whether two values are equal; no value equals the empty text. */
export function sameContent(one: OptionValue | null, other: OptionValue | null): boolean {
  if (isEmpty(one) || isEmpty(other)) return isEmpty(one) && isEmpty(other);
  return equalValues(one, other);
}

/** Whether two values are written over the wire in the same way: type, display and order count. */
export function identical(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, ['display', 'value']) === JSON.stringify(other, ['display', 'value']);
}

/** Whether a value is missing or holds nothing. */
export function isEmpty(value: OptionValue | null | undefined): value is null | undefined | '' {
  return value === null || value === undefined || canonicalText(value) === '';
}

/** Whether two equal values are written in different JSON types, such as the number 4 and the text "4". */
export function differsInForm(live: OptionValue, desired: OptionValue): boolean {
  return typeof live !== typeof desired;
}

/** A text that YAML 1.1 reads as a boolean. */
export interface BooleanWord {
  readonly word: string;
  readonly means: boolean;
}

/** The boolean that a text likely means: YAML 1.1 reads these words as booleans, YAML 1.2 as text. */
export function booleanWord(text: unknown): BooleanWord | undefined {
  if (typeof text !== 'string') return undefined;
  const isWord = /^(?:yes|Yes|YES|on|On|ON|no|No|NO|off|Off|OFF)$/.test(text);
  return isWord ? { word: text, means: /^(?:yes|on)$/i.test(text) } : undefined;
}
