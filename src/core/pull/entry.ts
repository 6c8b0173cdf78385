import type { LiveOption } from '../model/live.ts';
import { isPermission, type Permission } from '../model/permission.ts';
import { isSecret } from '../model/secrecy.ts';
import { contentOf } from '../model/side.ts';
import { isEmpty, type WrittenValue } from '../model/value.ts';
import { writtenForm } from '../plan/conform.ts';
import { IN_FLOW, type ValueStyle, valueText } from '../yaml/value-text.ts';

/** An integration as an entry below `integrations:`. */
export interface WrittenEntry {
  readonly name: string;
  readonly match: string;
  readonly autosubscribe?: boolean | undefined;
  readonly options: readonly WrittenOption[];
}

/** An option as an entry writes it. */
interface WrittenOption extends WrittenContent {
  readonly key: string;
  readonly permission?: Permission | undefined;
  readonly notes: readonly Note[];
}

/** The value of an option; without any it stays as it is. */
interface WrittenContent {
  readonly value?: WrittenValue | undefined;
  /** The environment variable of its secret, in place of a value. */
  readonly variable?: string | undefined;
  readonly notes?: readonly Note[] | undefined;
}

/** A comment: a field that is not declared, and why. */
interface Note {
  readonly field: 'value' | 'permission';
  readonly text: string;
  /** Whether the report lists it. */
  readonly isLeftOut: boolean;
}

/** A file of configuration. */
interface EntryFile {
  readonly text: string;
  /** The key of the option that each line belongs to. */
  readonly keys: readonly (string | undefined)[];
}

/** Writes an option; `variableOf` names the variable of its secret. */
export function writtenOption(
  option: LiveOption,
  variableOf: () => string,
): WrittenOption {
  const { key, permission } = option;
  const isOfUsers = permission === 'user-provides';
  const content = isOfUsers ? {} : writtenContent(option, variableOf);
  const { value, variable, notes = [] } = content;
  if (isPermission(permission))
    return { key, value, variable, permission, notes };
  if (permission !== 'invalid') return { key, value, variable, notes };
  const reason = 'the flags contradict each other';
  const contradiction = leftOut('permission', reason);
  return { key, value, variable, notes: [...notes, contradiction] };
}

/** Whether an entry declares anything. */
export function isManaging({ autosubscribe, options }: WrittenEntry): boolean {
  return autosubscribe !== undefined || options.some(isDeclared);
}

/** Whether an entry declares anything of an option. */
export function isDeclared({
  value,
  variable,
  permission,
}: WrittenOption): boolean {
  return (value ?? variable ?? permission) !== undefined;
}

/** The comment on a field that is left out for some reason. */
export function leftOut(field: Note['field'], text: string): Note {
  return { field, text, isLeftOut: true };
}

/** The value of an option, the variable of its secret, or a comment. */
function writtenContent(
  option: LiveOption,
  variableOf: () => string,
): WrittenContent {
  const { key, type, value: live } = option;
  if (live.kind === 'hidden') return unreadContent(option, variableOf);
  const value = contentOf(live) ?? null;
  if (isEmpty(value) && isSecret({ key, type })) {
    const text = `\${env:${variableOf()}}  # not set`;
    return { notes: [{ field: 'value', text, isLeftOut: false }] };
  }
  if (value === null) return {};
  if (isSecret({ key, type, values: [value] }))
    return { variable: variableOf() };
  const written = isEmpty(value) ? value : writtenForm(value, option);
  if (written !== undefined) return { value: written };
  const reason = 'the option does not take what it holds';
  return { notes: [leftOut('value', reason)] };
}

/** A secret that the server does not show is a reference all the same. */
function unreadContent(
  { key, type, value: live }: LiveOption,
  variableOf: () => string,
): WrittenContent {
  const reason = live.kind === 'hidden' ? live.reason : 'absent';
  const isHidden = reason === 'masked' || reason === 'empty';
  if (isHidden || isSecret({ key, type })) return { variable: variableOf() };
  if (reason !== 'form') return {};
  return { notes: [leftOut('value', 'a form that YAML cannot have')] };
}

/**
 * The file of an entry. Editors find its schema at `schema`, a path from the
 * folder of the file.
 */
export function entryFile(entry: WrittenEntry, schema: string): EntryFile {
  const lines = headLines(entry, schema);
  const keys: (string | undefined)[] = lines.map(() => undefined);
  for (const option of entry.options)
    for (const text of optionLines(option))
      for (const line of text.split('\n')) {
        lines.push(line);
        keys.push(option.key);
      }
  return { text: `${lines.join('\n')}\n`, keys };
}

function headLines(entry: WrittenEntry, schema: string): string[] {
  const { name, match, autosubscribe, options } = entry;
  const lines = [
    `# yaml-language-server: $schema=${schema}`,
    'version: 1',
    'integrations:',
    `  ${keyText(name)}:`,
    `    match: ${valueText(match, { indent: INDENT })}`,
  ];
  if (autosubscribe !== undefined)
    lines.push(`    autosubscribe: ${autosubscribe}`);
  if (options.some(isDeclared)) lines.push('    options:');
  else if (options.length > 0) lines.push('    # options:');
  return lines;
}

/** The most characters of an option in one line. */
const WIDTH = 100;

const INDENT = '      ';

/** The lines of an option: one if it fits; a comment if none is declared. */
function optionLines(option: WrittenOption): string[] {
  const { key, permission, notes } = option;
  const name = `${keyText(key)}:`;
  if (!isDeclared(option)) {
    const comment = notes.map(({ text }) => text).join('; ');
    return comment === '' ? [] : [`${INDENT}# ${name} ${comment}`];
  }
  if (notes.length > 0) return blockLines(option);
  if (permission === undefined) return [`${INDENT}${name}${heldText(option)}`];
  const short = `${INDENT}${name} ${flowText(option)}`;
  const isShort = short.length <= WIDTH && !short.includes('\\n');
  return isShort ? [short] : blockLines(option);
}

/** An option as a map in one line. */
function flowText(option: WrittenOption): string {
  const parts: string[] = [];
  const value = contentText(option, IN_FLOW);
  if (value !== undefined) parts.push(`value: ${value}`);
  if (option.permission) parts.push(`permission: ${option.permission}`);
  return `{ ${parts.join(', ')} }`;
}

/** An option with a line for each of its fields, and for each comment. */
function blockLines(option: WrittenOption): string[] {
  const lines = [`${INDENT}${keyText(option.key)}:`];
  const held = heldText(option);
  if (held !== '') lines.push(`${INDENT}  value:${held}`);
  for (const { field, text } of option.notes)
    lines.push(`${INDENT}  # ${field}: ${text}`);
  if (option.permission)
    lines.push(`${INDENT}  permission: ${option.permission}`);
  return lines;
}

/** A value as it follows the colon of its key; empty if there is none. */
function heldText(option: WrittenOption): string {
  const text = contentText(option, { indent: `${INDENT}    ` });
  if (text === undefined) return '';
  return text.startsWith('\n') ? text : ` ${text}`;
}

/** The value of an option, or its reference, in a style. */
function contentText(
  { value, variable }: WrittenOption,
  style: ValueStyle,
): string | undefined {
  if (variable !== undefined)
    return valueText(`\${env:${variable}}`, { ...style, isReference: true });
  return value === undefined ? undefined : valueText(value, style);
}

/** A key in one line, not a reference whatever it looks like. */
function keyText(key: string): string {
  return valueText(key, { ...IN_FLOW, isReference: true });
}
