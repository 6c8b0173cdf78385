import type { ValueSetting, Want } from '../model/desired.ts';
import { formOf, type LiveOption, type OptionForm } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import { reveal } from '../model/secret.ts';
import { contentOf } from '../model/side.ts';
import {
  type Choice,
  isChoice,
  isChoiceList,
  isEmpty,
  type OptionValue,
  type Scalar,
  sameContent,
  type WrittenValue,
} from '../model/value.ts';

/**
 * Why a value does not fit its option: by the form that it has, or as it is
 * none of the choices.
 */
export interface Misfit {
  misfit: true;
  type?: string | undefined;
  choices?: readonly string[] | undefined;
  /** The text that is no choice, or no list of them. */
  written?: string | undefined;
  place: Place;
}

/** The parts of a setting that decide in which form its value is written. */
export type Conformable = Pick<ValueSetting, 'want' | 'place' | 'members'>;

/**
 * The wanted value in the form that the option stores: a number for a number
 * option even if it came as text from the environment, a choice with its
 * display if only its value was written.
 */
export function conform(
  setting: Conformable,
  option: LiveOption,
): { value: OptionValue } | Misfit {
  const { want, members, place } = setting;
  const isUnread = want.kind === 'unread';
  const form = formOf(option);
  // Of a reference that was not read, only whether it stands in a list is
  // known.
  const isText = isUnread && (form === 'number' || form === 'boolean');
  const wanted = wantedValue(want);
  const value = stored(wanted, option, isText ? 'text' : form);
  if (value === undefined) {
    const text = typeof wanted === 'string' ? wanted : undefined;
    return { misfit: true, type: form, written: text, place };
  }
  const at = isUnread ? -1 : unlistedAt(value, option, form);
  if (at < 0) return { value };
  const choices = option.choices.map((choice) => choice.value);
  const written = choicesIn(value)[at]?.value;
  return { misfit: true, choices, written, place: members?.[at] ?? place };
}

/** The value that is wanted, with references as written if one was not read. */
function wantedValue(want: Want): OptionValue {
  if (want.kind === 'literal') return want.value;
  return want.kind === 'resolved' ? reveal(want.value) : want.written;
}

/**
 * The shortest form in which YAML may write what an option holds, whatever the
 * form in which a server stores it; undefined if no form of it is taken back,
 * such as a choice that is none of the option's.
 */
export function writtenForm(
  held: OptionValue,
  option: LiveOption,
): WrittenValue | undefined {
  const form = formOf(option);
  const written = typeof held === 'object' ? held : shortScalar(held, form);
  const value = stored(written, option, form);
  if (value === undefined || unlistedAt(value, option, form) >= 0)
    return undefined;
  if (isChoiceList(held))
    return held.map((choice) => shortChoice(choice, option));
  return isChoice(held) ? shortChoice(held, option) : written;
}

/**
 * What an option held, in a form in which it may be written back; nothing as
 * the empty value. It need not fit by now.
 */
export function formerForm(
  held: OptionValue | null,
  option: LiveOption,
): OptionValue {
  const form = formOf(option);
  if (isEmpty(held)) return form === 'multi-select' ? [] : '';
  return typeof held === 'object' ? held : shortScalar(held, form);
}

/**
 * A choice as its value if the option lists it, or if its display is the same.
 */
function shortChoice(
  { value, display }: Choice,
  { choices }: LiveOption,
): string | Choice {
  const isListed = choices.some((choice) => choice.value === value);
  return isListed || display === value ? value : { value, display };
}

/**
 * A number is written as one if YAML keeps all of its plain text, such as
 * `1e-7`.
 */
function shortScalar(held: Scalar, form: OptionForm): Scalar {
  if (form === 'boolean')
    return [true, false].find((word) => sameContent(held, word, form)) ?? held;
  if (form !== 'number') return form === 'any' ? held : String(held);
  const number = Number(held);
  return sameContent(held, number, form) &&
    Math.abs(number) <= Number.MAX_SAFE_INTEGER
    ? number
    : held;
}

/**
 * A written value as an option of this form stores it; undefined if it cannot.
 */
function stored(
  written: OptionValue,
  option: LiveOption,
  form: OptionForm,
): OptionValue | undefined {
  if (isChoiceList(written)) {
    // Nothing tells whether it takes several.
    const isOpen =
      form === 'select' &&
      option.multiple === undefined &&
      contentOf(option.value) === undefined;
    const takesSeveral = form === 'multi-select' || form === 'any' || isOpen;
    return takesSeveral
      ? written.map((each) => choiceOf(each, option))
      : undefined;
  }
  if (form === 'any') return written;
  if (form === 'select') return choiceOf(written, option);
  if (form === 'multi-select' || isChoice(written)) return undefined;
  if (form === 'text') return String(written);
  return form === 'number' ? numberOf(written) : booleanOf(String(written));
}

function booleanOf(written: string): boolean | undefined {
  return written === 'true' || written === 'false'
    ? written === 'true'
    : undefined;
}

function numberOf(written: Scalar): number | undefined {
  if (typeof written === 'number') return written;
  const text = typeof written === 'string' ? written.trim() : '';
  // A number that would be written otherwise is an identifier, or a mistake.
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && String(Number(text)) === text
    ? Number(text)
    : undefined;
}

/**
 * A choice by its value, with the display that the option lists, else that of
 * the live value, else the value itself.
 */
function choiceOf(
  written: Scalar | Choice,
  { choices, value: live }: LiveOption,
): Choice {
  if (isChoice(written) && written.display !== written.value) return written;
  const value = isChoice(written) ? written.value : String(written);
  const isMeant = (choice: Choice): boolean => choice.value === value;
  const known =
    choices.find(isMeant) ?? choicesIn(contentOf(live)).find(isMeant);
  return known ?? { display: value, value };
}

/** The choices in a value; none in another one. */
function choicesIn(value: OptionValue | undefined): readonly Choice[] {
  if (value === undefined) return [];
  if (isChoiceList(value)) return value;
  return isChoice(value) ? [value] : [];
}

/**
 * Where the first member is that is no listed choice, or -1; a select without a
 * list is filled at run time and takes any.
 */
function unlistedAt(
  value: OptionValue,
  { choices }: LiveOption,
  form: OptionForm,
): number {
  if (choices.length === 0) return -1;
  if (form !== 'select' && form !== 'multi-select') return -1;
  const isListed = ({ value: meant }: Choice): boolean =>
    choices.some((choice) => choice.value === meant);
  return choicesIn(value).findIndex((choice) => !isListed(choice));
}
