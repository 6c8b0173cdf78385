import { type LiveOption, openLive } from '../model/live.ts';
import { isPermission, type Permission } from '../model/permission.ts';
import { isSecret } from '../model/secrecy.ts';
import { isEmpty } from '../model/value.ts';
import { writtenForm } from '../plan/conform.ts';
import { type ValueStyle, valueText } from '../yaml/value-text.ts';

/** An integration as an entry below `integrations:`. */
interface WrittenEntry {
  readonly name: string;
  readonly match: string;
  readonly autosubscribe?: boolean | undefined;
  readonly options: readonly WrittenOption[];
}

/** An option as an entry writes it. */
interface WrittenOption {
  readonly key: string;
  /** Its YAML; comments alone if nothing of it is declared. */
  readonly lines: readonly string[];
  readonly isDeclared: boolean;
  /** The environment variable of its secret. */
  readonly variable?: string | undefined;
  readonly notes: readonly Note[];
}

/** A comment: a field that is not declared, and why. */
interface Note {
  readonly field: 'value' | 'permission';
  readonly text: string;
  /** Whether the report lists it. */
  readonly isLeftOut: boolean;
}

/** A value: its YAML in a style, a reference to the variable of its secret, or a comment; nothing if none is known. */
interface ValuePart {
  readonly textIn?: (style: ValueStyle) => string;
  readonly variable?: string;
  readonly note?: Note;
}

/** The most characters of an option in one line. */
const WIDTH = 100;

const INDENT = '      ';
const IN_FLOW = { indent: '', isInFlow: true } as const;

/** How an entry writes an option: its permission, and its value or a reference to the variable of its secret. */
export function writtenOption(option: LiveOption, variableOf: () => string): WrittenOption {
  const { key, permission } = option;
  const { textIn, variable, note } = permission === 'user-provides' ? {} : valuePart(option, variableOf);
  const contradiction = leftOut('permission', 'the flags contradict each other');
  const notes = [note, permission === 'invalid' ? contradiction : undefined].flatMap((each) => each ?? []);
  const own = isPermission(permission) ? permission : undefined;
  const isDeclared = textIn !== undefined || own !== undefined;
  return { key, isDeclared, variable, notes, lines: optionLines(key, textIn, own, notes) };
}

/** An option that is left out for some reason, which is its comment. */
export function leftOutOption(key: string, reason: string): WrittenOption {
  const notes = [leftOut('value', reason)];
  return { key, isDeclared: false, notes, lines: optionLines(key, undefined, undefined, notes) };
}

function leftOut(field: Note['field'], text: string): Note {
  return { field, text, isLeftOut: true };
}

function valuePart(option: LiveOption, variableOf: () => string): ValuePart {
  const { key, type, value: live } = option;
  const isSecretType = isSecret({ key, type });
  if (live.kind === 'unreadable') {
    // A secret that the server does not show is a reference all the same.
    if (isSecretType || /^(masked|empty)$/.test(live.reason)) return referenceTo(variableOf());
    return live.reason === 'form' ? { note: leftOut('value', 'a form that YAML cannot have') } : {};
  }
  const value = openLive(live) ?? null;
  if (isEmpty(value) && isSecretType)
    return { note: { field: 'value', text: `\${env:${variableOf()}}  # not set`, isLeftOut: false } };
  if (value === null) return {};
  if (isSecret({ key, type, values: [value] })) return referenceTo(variableOf());
  const written = isEmpty(value) ? value : writtenForm(value, option);
  return written === undefined
    ? { note: leftOut('value', 'the option does not take what it holds') }
    : { textIn: (style) => valueText(written, style) };
}

function referenceTo(variable: string): ValuePart {
  return { variable, textIn: (style) => valueText(`\${env:${variable}}`, { ...style, isReference: true }) };
}

/** One option: in one line if it fits; commented out in one line if nothing of it is declared. */
function optionLines(
  key: string,
  textIn: ValuePart['textIn'],
  permission: Permission | undefined,
  notes: readonly Note[],
): string[] {
  const comment = notes.map(({ text }) => text).join('; ');
  if (textIn === undefined && permission === undefined)
    return notes.length === 0 ? [] : [`${INDENT}# ${keyText(key)}: ${comment}`];
  const name = `${INDENT}${keyText(key)}:`;
  const value = textIn?.({ indent: `${INDENT}    ` }) ?? '';
  const held = value.startsWith('\n') ? value : ` ${value}`;
  if (notes.length === 0 && permission === undefined) return [`${name}${held}`];
  const parts = [
    ...(textIn === undefined ? [] : [`value: ${textIn(IN_FLOW)}`]),
    ...(permission === undefined ? [] : [`permission: ${permission}`]),
  ];
  const short = `${name} { ${parts.join(', ')} }`;
  if (notes.length === 0 && short.length <= WIDTH && !short.includes('\\n')) return [short];
  return [
    name,
    ...(textIn === undefined ? [] : [`${INDENT}  value:${held}`]),
    ...notes.map(({ field, text }) => `${INDENT}  # ${field}: ${text}`),
    ...(permission === undefined ? [] : [`${INDENT}  permission: ${permission}`]),
  ];
}

/** A key in one line, not a reference whatever it looks like. */
function keyText(key: string): string {
  return valueText(key, { ...IN_FLOW, isReference: true });
}

/**
 * The file of an entry, and the key of the option that each of its lines belongs to. Editors find its schema at `schema`, a
 * path from the folder of the file.
 */
export function entryFile({ name, match, autosubscribe, options }: WrittenEntry, schema: string) {
  const isDeclared = options.some((option) => option.isDeclared);
  const head = [
    `# yaml-language-server: $schema=${schema}`,
    'version: 1',
    'integrations:',
    `  ${keyText(name)}:`,
    `    match: ${valueText(match, { indent: INDENT })}`,
    ...(autosubscribe === undefined ? [] : [`    autosubscribe: ${autosubscribe}`]),
    ...(options.length === 0 ? [] : [isDeclared ? '    options:' : '    # options:']),
  ];
  const all = [{ key: undefined, lines: head }, ...options];
  return {
    text: `${all.flatMap(({ lines }) => lines).join('\n')}\n`,
    keys: all.flatMap(({ key, lines }) => lines.flatMap((line) => line.split('\n')).map(() => key)),
  };
}
