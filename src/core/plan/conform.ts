import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { ValueSetting, WrittenValue } from '../model/desired.ts';
import { present } from '../model/json.ts';
import { formOf, type LiveOption, type OptionForm, openLive } from '../model/live.ts';
import { hasSecretForm } from '../model/secrecy.ts';
import { isHidden, reveal } from '../model/secret.ts';
import {
  booleanWord,
  type Choice,
  canonicalText,
  inOrderOf,
  isChoice,
  isChoiceList,
  type OptionValue,
  plainText,
  type Scalar,
  textsOf,
} from '../model/value.ts';

/**
 * The written value in the form that the option stores: a number for a number option also where it came as text from the
 * environment, a choice with its display where only its value was written. A value that cannot fit is a problem.
 */
export function conform(
  address: string,
  setting: Pick<ValueSetting, 'want' | 'place' | 'members'>,
  option: LiveOption,
  isSecret = false,
): { readonly value: OptionValue } | { readonly problem: Diagnostic } {
  const form = formOf(option);
  const raw = reveal(setting.want);
  const isShown = !isHidden(setting.want) && !isSecret && !textsOf(raw).some(hasSecretForm);
  const value = FORMS[form](raw, option);
  if (value === undefined) {
    const word = form === 'boolean' && isShown ? booleanWord(raw) : undefined;
    return {
      problem: diagnostic('wrong-value', { address, type: form, ...present({ word }) }, setting.place),
    };
  }
  const unknown = unknownChoices(value, option, form);
  const [first] = unknown;
  if (first === undefined) return { value };
  const choices = option.choices.map((choice) => choice.value);
  const written = isShown ? { written: unknown.map(({ text }) => text) } : {};
  const place = setting.members?.[first.index] ?? setting.place;
  return { problem: diagnostic('wrong-value', { address, choices, ...written }, place) };
}

/** Whether a value whose references were not read can fit: text from outside is no list, and a list or a choice no text. */
export function canFit(setting: Pick<ValueSetting, 'want'>, option: LiveOption): boolean {
  const form = formOf(option);
  const raw = reveal(setting.want);
  if (form === 'any') return true;
  if (isWrittenList(raw)) return form === 'multi-select';
  return isChoice(raw) ? form === 'select' : form !== 'multi-select';
}

/** Whether what an option holds could be written in YAML, whatever the form in which a server stores it. */
function isTaken(held: OptionValue, option: LiveOption): boolean {
  const form = formOf(option);
  const plain = isScalar(held) ? plainText(held, option.type) : held;
  const written = form === 'number' && typeof plain === 'string' ? shortNumber(plain) : plain;
  const value = FORMS[form](written, option);
  return value !== undefined && unknownChoices(value, option, form).length === 0;
}

/** A number where YAML keeps all of its plain text, such as `1e-7`; else the text. */
function shortNumber(plain: string): number | string {
  const number = Number(plain);
  return String(number) === plain && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : plain;
}

const FORMS: Record<OptionForm, (written: WrittenValue, option: LiveOption) => OptionValue | undefined> = {
  text: (written) => (isScalar(written) ? String(written) : undefined),
  number: (written) => (isScalar(written) ? numberOf(written) : undefined),
  boolean: (written) => (isScalar(written) ? booleanOf(String(written)) : undefined),
  select: (written, option) => {
    if (!isWrittenList(written)) return choicesOf([written], option)[0];
    // Nothing tells whether it takes several.
    const isOpen = option.multiple === undefined && option.value.kind !== 'readable';
    return isOpen ? choicesOf(written, option) : undefined;
  },
  'multi-select': (written, option) => (isWrittenList(written) ? choicesOf(written, option) : undefined),
  any: (written, option) => (isWrittenList(written) ? choicesOf(written, option) : written),
};

function booleanOf(written: string): boolean | undefined {
  return written === 'true' || written === 'false' ? written === 'true' : undefined;
}

function numberOf(written: Scalar): number | undefined {
  if (typeof written === 'number') return written;
  const text = typeof written === 'string' ? written.trim() : '';
  // A number that would be written otherwise is an identifier, or a mistake.
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && String(Number(text)) === text ? Number(text) : undefined;
}

function isScalar(written: WrittenValue): written is Scalar {
  return typeof written !== 'object';
}

function isWrittenList(written: WrittenValue): written is readonly (Scalar | Choice)[] {
  return Array.isArray(written);
}

/** Choices by their values, with the display that the option lists, else that of the live value, else the value itself. */
function choicesOf(written: readonly (Scalar | Choice)[], option: LiveOption): readonly Choice[] {
  const live = openLive(option.value) ?? [];
  const held = isChoiceList(live) ? live : isChoice(live) ? [live] : [];
  // Of two with one value the first counts.
  const listed = [...option.choices, ...held].reverse();
  const byValue = new Map(listed.map((choice) => [choice.value, choice]));
  return written.map((each) => {
    if (isChoice(each)) return each;
    const value = String(each);
    return byValue.get(value) ?? { display: value, value };
  });
}

/** The values that are no listed choices; a select without a list is filled at run time and takes any. */
function unknownChoices(
  value: OptionValue,
  option: LiveOption,
  form: OptionForm,
): readonly { readonly text: string; readonly index: number }[] {
  if (option.choices.length === 0 || (form !== 'select' && form !== 'multi-select')) return [];
  const known = new Set(option.choices.map((choice) => choice.value));
  const chosen = isChoiceList(value) ? value.map((choice) => choice.value) : [canonicalText(value)];
  return chosen.flatMap((text, index) => (known.has(text) ? [] : [{ text, index }]));
}

/**
 * The shortest form in which YAML may write what an option holds, whatever the form in which a server stores it; undefined
 * where no form of it is taken back, such as a choice that is none of the option's.
 */
export function writtenForm(held: OptionValue, option: LiveOption): WrittenValue | undefined {
  if (!isTaken(held, option)) return undefined;
  if (isChoiceList(held)) return inOrderOf(option.choices, held).map((choice) => shortChoice(choice, option));
  return isChoice(held) ? shortChoice(held, option) : shortScalar(held, option);
}

/** A choice as its value if the option lists it, or if its display is the same. */
function shortChoice(choice: Choice, { choices }: LiveOption): string | Choice {
  const isListed = choices.some(({ value }) => value === choice.value);
  return isListed || choice.display === choice.value ? choice.value : choice;
}

function shortScalar(held: Scalar, option: LiveOption): Scalar {
  const form = formOf(option);
  const text = plainText(held, option.type);
  if (form === 'boolean') return text === 'true';
  if (form !== 'number') return form === 'any' ? held : String(held);
  return shortNumber(text);
}
