import type { WrittenValue } from '../model/desired.ts';
import { type LiveOption, openLive } from '../model/live.ts';
import { isPermission, type Permission } from '../model/permission.ts';
import { isSecret, isSecretOption } from '../model/secrecy.ts';
import { reveal, type Secret } from '../model/secret.ts';
import { canonicalText, isChoiceList, isEmpty, type OptionValue } from '../model/value.ts';
import { writtenForm } from '../plan/conform.ts';

/** An option as an entry writes it; what it does not write is a note. */
export interface WrittenOption {
  readonly key: string;
  readonly value?: WrittenValue;
  readonly variable?: string;
  readonly permission?: Permission;
  /** Comments: a field that is not written, and why. */
  readonly notes: readonly Note[];
}

interface Note {
  readonly field: 'value' | 'permission';
  readonly text: string;
  /** Whether the report lists it. */
  readonly isLeftOut: boolean;
}

/** How an entry writes an option: its permission, and its value or a reference to the variable of its secret. */
export function writtenOption(option: LiveOption, variableOf: () => string): WrittenOption {
  const { key, permission } = option;
  const said = isPermission(permission) ? { permission } : {};
  const contradiction = leftOut('permission', 'the flags contradict each other');
  const notes = permission === 'invalid' ? [contradiction] : [];
  if (permission === 'user-provides') return { key, ...said, notes };
  const { note, ...value } = writtenValue(option, variableOf);
  return { key, ...said, ...value, notes: note === undefined ? notes : [note, ...notes] };
}

type ValueText = Pick<WrittenOption, 'value' | 'variable'> & { readonly note?: Note };

function writtenValue(option: LiveOption, variableOf: () => string): ValueText {
  const { key, type, value: live } = option;
  const isSecretType = isSecretOption(key, type);
  if (live.kind === 'unreadable') {
    // A secret that the server does not show is a reference all the same.
    if (isSecretType || live.reason === 'masked' || live.reason === 'empty')
      return { variable: variableOf() };
    return live.reason === 'form' ? { note: leftOut('value', 'a form that YAML cannot have') } : {};
  }
  const value = openLive(live) ?? null;
  if (isEmpty(value)) {
    if (!isSecretType) return value === null ? {} : { value };
    return { note: { field: 'value', text: `\${env:${variableOf()}}  # not set`, isLeftOut: false } };
  }
  return shownValue(option, value, variableOf);
}

function shownValue(option: LiveOption, value: OptionValue, variableOf: () => string): ValueText {
  const { key, type } = option;
  const isOne = isSecret({ key, type, values: [value] });
  if (isOne && variableText(value) === undefined)
    return { note: leftOut('value', 'no variable can hold this secret') };
  if (isOne) return { variable: variableOf() };
  const written = writtenForm(value, option);
  const unfit = { note: leftOut('value', 'the option does not take what it holds') };
  return written === undefined ? unfit : { value: written };
}

/** A note that the report lists. */
export function leftOut(field: Note['field'], text: string): Note {
  return { field, text, isLeftOut: true };
}

/** The most characters that an environment variable holds on all systems. */
const LONGEST_TEXT = 30_000;

/** The text of a value in an environment variable; undefined if it cannot have one. */
export function variableText(value: OptionValue | Secret<OptionValue>): string | undefined {
  const held = reveal(value);
  const text = isChoiceList(held) ? '' : canonicalText(held);
  return text === '' || text.length > LONGEST_TEXT || /[\0\p{Surrogate}]/u.test(text) ? undefined : text;
}
