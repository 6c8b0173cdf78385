/** One choice of a select: what people see, and what the integration is given. */
export interface Choice {
  readonly display: string;
  readonly value: string;
}

export type Scalar = string | number | boolean;

/** The value of an option as the service stores it: a scalar, a select, or the list of a multi-select. */
export type OptionValue = Scalar | Choice | readonly Choice[];

/** Tells a select from the other forms. */
export function isChoice(value: unknown): value is Choice {
  return (
    typeof value === 'object' &&
    value !== null &&
    'value' in value &&
    'display' in value &&
    typeof value.value === 'string' &&
    typeof value.display === 'string'
  );
}

/** Tells a multi-select from the other forms (`Array.isArray` does not narrow a readonly list). */
export function isChoiceList(value: OptionValue): value is readonly Choice[] {
  return Array.isArray(value);
}

/** All texts inside a value. */
export function textsOf(value: OptionValue | readonly (Scalar | Choice)[]): string[] {
  if (isList(value)) return value.flatMap(textsOf);
  return isChoice(value) ? [value.value, value.display] : [String(value)];
}

function isList(value: OptionValue | readonly (Scalar | Choice)[]): value is readonly (Scalar | Choice)[] {
  return Array.isArray(value);
}

/**
 * The text by which two values are compared. Equal texts mean that no change is needed: the number 4 and the text "4"
 * agree, selects agree by their value whatever their display, and the order of a multi-select does not count.
 */
export function canonicalText(value: OptionValue): string {
  if (isChoiceList(value)) {
    const members = new Set(value.map((choice) => choice.value));
    return JSON.stringify([...members].sort());
  }
  return isChoice(value) ? value.value : String(value);
}

/** Whether a server that holds `live` already has what `desired` asks for. */
export function equalValues(live: OptionValue, desired: OptionValue): boolean {
  return isChoiceList(live) === isChoiceList(desired) && canonicalText(live) === canonicalText(desired);
}

/** Whether two values are the same as the differ sees it, where nothing at all equals the empty text. */
export function sameContent(one: OptionValue | null, other: OptionValue | null): boolean {
  if (isEmpty(one) || isEmpty(other)) return isEmpty(one) && isEmpty(other);
  return equalValues(one, other);
}

/** Whether two values are written over the wire in the same way: type, display and order count. */
export function identical(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, ['display', 'value']) === JSON.stringify(other, ['display', 'value']);
}

/** Whether there is nothing in a value. */
export function isEmpty(value: OptionValue | null | undefined): value is null | undefined | '' {
  return value === null || value === undefined || canonicalText(value) === '';
}

/** Whether two equal values are written in different JSON types, such as the number 4 and the text "4". */
export function differsInForm(live: OptionValue, desired: OptionValue): boolean {
  return typeof live !== typeof desired;
}

/** Words that are a boolean in YAML 1.1, and text in YAML 1.2. */
const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map(
  (['yes', 'on', 'no', 'off'] as const).flatMap((word) =>
    [word, `${word.charAt(0).toUpperCase()}${word.slice(1)}`, word.toUpperCase()].map(
      (spelled) => [spelled, word === 'yes' || word === 'on'] as const,
    ),
  ),
);

/** A word that looks like a boolean. */
export interface BooleanWord {
  readonly word: string;
  readonly means: boolean;
}

/** The boolean that a text looks like. */
export function booleanWord(text: unknown): BooleanWord | undefined {
  const means = typeof text === 'string' ? BOOLEAN_WORDS.get(text) : undefined;
  return means === undefined ? undefined : { word: String(text), means };
}
