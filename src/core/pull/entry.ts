import { type LiveOption, openLive } from '../model/live.ts';
import { isPermission, type Permission } from '../model/permission.ts';
import { isSecret } from '../model/secrecy.ts';
import { reveal, type Secret } from '../model/secret.ts';
import { canonicalText, isChoiceList, isEmpty, type OptionValue, type WrittenValue } from '../model/value.ts';
import { writtenForm } from '../plan/conform.ts';
import { type ValueStyle, valueText } from '../yaml/value-text.ts';

/** An integration as an entry below `integrations:`. */
export interface WrittenEntry {
  readonly name: string;
  readonly match: string;
  readonly autosubscribe?: boolean | undefined;
  readonly options: readonly WrittenOption[];
}

/** An option as an entry writes it; what it does not write is a note. */
interface WrittenOption {
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

/** The most characters of an option in one line. */
const WIDTH = 100;

/** The most characters that an environment variable holds on all systems. */
const LONGEST_TEXT = 30_000;

const INDENT = '      ';
const IN_FLOW = { indent: '', isInFlow: true } as const;

/** How an entry writes an option: its permission, and its value or a reference to the variable of its secret. */
export function writtenOption(option: LiveOption, variableOf: () => string): WrittenOption {
  const { key, permission } = option;
  const own = isPermission(permission) ? { permission } : {};
  const notes =
    permission === 'invalid' ? [leftOut('permission', 'the flags contradict each other').note] : [];
  if (permission === 'user-provides') return { key, ...own, notes };
  const { note, ...value } = writtenValue(option, variableOf);
  return { key, ...own, ...value, notes: note === undefined ? notes : [note, ...notes] };
}

type ValuePart = Pick<WrittenOption, 'value' | 'variable'> & { readonly note?: Note };

function writtenValue(option: LiveOption, variableOf: () => string): ValuePart {
  const { key, type, value: live } = option;
  const isSecretType = isSecret({ key, type });
  if (live.kind === 'unreadable') {
    // A secret that the server does not show is a reference all the same.
    if (isSecretType || /^(masked|empty)$/.test(live.reason)) return { variable: variableOf() };
    return live.reason === 'form' ? leftOut('value', 'a form that YAML cannot have') : {};
  }
  const value = openLive(live) ?? null;
  if (isEmpty(value)) {
    if (!isSecretType) return value === null ? {} : { value };
    return { note: { field: 'value', text: `\${env:${variableOf()}}  # not set`, isLeftOut: false } };
  }
  return isSecret({ key, type, values: [value] })
    ? referenceTo(value, variableOf)
    : plainValue(option, value);
}

function referenceTo(secret: OptionValue, variableOf: () => string): ValuePart {
  if (variableText(secret) === undefined) return leftOut('value', 'no variable can hold this secret');
  return { variable: variableOf() };
}

function plainValue(option: LiveOption, live: OptionValue): ValuePart {
  const value = writtenForm(live, option);
  return value === undefined ? leftOut('value', 'the option does not take what it holds') : { value };
}

function leftOut(field: Note['field'], text: string): { readonly note: Note } {
  return { note: { field, text, isLeftOut: true } };
}

/** The text of a value in an environment variable; undefined if it cannot have one. */
export function variableText(value: OptionValue | Secret<OptionValue>): string | undefined {
  const held = reveal(value);
  const text = isChoiceList(held) ? '' : canonicalText(held);
  return text === '' || text.length > LONGEST_TEXT || /[\0\p{Surrogate}]/u.test(text) ? undefined : text;
}

/** Whether an entry declares anything. */
export function isManaging({ autosubscribe, options }: WrittenEntry): boolean {
  return autosubscribe !== undefined || options.some(isDeclared);
}

function isDeclared({ value, variable, permission }: WrittenOption): boolean {
  return value !== undefined || variable !== undefined || permission !== undefined;
}

/**
 * The file of an entry, and the key of the option that each of its lines belongs to. Editors find its schema at `schema`, a
 * path from the folder of the file.
 */
export function entryFile({ name, match, autosubscribe, options }: WrittenEntry, schema: string) {
  const head = [
    `# yaml-language-server: $schema=${schema}`,
    'version: 1',
    'integrations:',
    `  ${keyText(name)}:`,
    `    match: ${valueText(match, { indent: INDENT })}`,
    ...(autosubscribe === undefined ? [] : [`    autosubscribe: ${autosubscribe}`]),
    ...(options.length === 0 ? [] : [options.some(isDeclared) ? '    options:' : '    # options:']),
  ];
  const own = options.map((option) => ({ key: option.key, lines: optionLines(option) }));
  const all = [{ key: undefined, lines: head }, ...own];
  return {
    text: `${all.flatMap(({ lines }) => lines).join('\n')}\n`,
    keys: all.flatMap(({ key, lines }) => lines.flatMap((line) => line.split('\n')).map(() => key)),
  };
}

/** One option: in one line if it fits; commented out in one line if nothing of it is declared. */
function optionLines(option: WrittenOption): string[] {
  const { permission, notes } = option;
  const key = keyText(option.key);
  if (!isDeclared(option))
    return notes.length === 0 ? [] : [`${INDENT}# ${key}: ${notes.map(({ text }) => text).join('; ')}`];
  const value = valuePart(option, { indent: `${INDENT}    ` });
  if (notes.length === 0 && permission === undefined) return [`${INDENT}${key}:${value}`];
  const parts = [
    ...(value === '' ? [] : [`value:${valuePart(option, IN_FLOW)}`]),
    ...(permission === undefined ? [] : [`permission: ${permission}`]),
  ];
  const short = `${INDENT}${key}: { ${parts.join(', ')} }`;
  if (notes.length === 0 && short.length <= WIDTH && !short.includes('\\n')) return [short];
  return [
    `${INDENT}${key}:`,
    ...(value === '' ? [] : [`${INDENT}  value:${value}`]),
    ...notes.map(({ field, text }) => `${INDENT}  # ${field}: ${text}`),
    ...(permission === undefined ? [] : [`${INDENT}  permission: ${permission}`]),
  ];
}

/** What follows the colon of a value; nothing if none is declared. */
function valuePart({ value, variable }: WrittenOption, style: ValueStyle): string {
  if (variable !== undefined) return ` ${valueText(`\${env:${variable}}`, { ...style, isReference: true })}`;
  const text = value === undefined ? '' : valueText(value, style);
  return text === '' || text.startsWith('\n') ? text : ` ${text}`;
}

/** A key in one line, not a reference whatever it looks like. */
function keyText(key: string): string {
  return valueText(key, { ...IN_FLOW, isReference: true });
}
