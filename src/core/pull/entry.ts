import type { LiveOption } from '../model/live.ts';
import { isPermission, type Permission } from '../model/permission.ts';
import { isSecret } from '../model/secrecy.ts';
import { contentOf } from '../model/side.ts';
import {
  isEmpty,
  type OptionValue,
  type WrittenValue,
} from '../model/value.ts';
import { writtenForm } from '../plan/conform.ts';
import { IN_FLOW, type ValueStyle, yamlText } from '../yaml/yaml-text.ts';
import { flawOf, UNSET } from './secrets.ts';

/** An integration as an entry below `integrations:`. */
export interface WrittenEntry {
  name: string;
  /** Set if it stands in the server's own folder. */
  isOwn?: boolean | undefined;
  /** Set if the configuration has such an entry already. */
  isOverlay?: true | undefined;
  /** Absent if an earlier layer says what the entry selects. */
  match?: string | undefined;
  autosubscribe?: boolean | undefined;
  options: readonly WrittenOption[];
  /** Why a null takes back the whole entry. */
  stop?: string | undefined;
  /** Why nothing of it is declared. */
  flaw?: string | undefined;
}

/** An option as an entry writes it; without a value that stays as it is. */
export interface WrittenOption {
  key: string;
  value?: WrittenValue | null | undefined;
  /** The reference to its secret, in place of a value. */
  reference?: string | undefined;
  permission?: Permission | null | undefined;
  /** Set for a null in place of the whole option. */
  isStopped?: true | undefined;
  /** Why nulls stand here, if not for what is left out. */
  remark?: string | undefined;
  /** What is left out. */
  notes: readonly Note[];
}

/** A field that is left out, and why. */
interface Note {
  field: 'value' | 'permission';
  text: string;
  /** What would stand there if it were set. */
  reference?: string | undefined;
}

/** Some fields of an option. */
export type OptionPart = Omit<Partial<WrittenOption>, 'key'>;

/** A line of a file, and the entry and the key of the option that it is of. */
interface EntryLine {
  text: string;
  entry?: string | undefined;
  key?: string | undefined;
}

/** A file of configuration. */
export interface EntryFile {
  text: string;
  lines: readonly EntryLine[];
}

/**
 * Writes an option as a whole, its secret as a new reference; `mark` is what
 * earlier layers say of its secrecy.
 */
export function writtenOption(
  option: LiveOption,
  referTo: () => string,
  mark?: boolean,
): WrittenOption {
  const { key, permission } = option;
  const isOfUsers = permission === 'user-provides';
  const value = isOfUsers ? {} : writtenValue(option, referTo, mark);
  const { notes = [] } = value;
  if (isPermission(permission)) return { key, ...value, permission, notes };
  if (permission !== 'invalid') return { key, ...value, notes };
  const text = 'the flags contradict each other';
  return { key, ...value, notes: [...notes, { field: 'permission', text }] };
}

/** Whether an entry declares anything. */
export function isManaging(entry: WrittenEntry): boolean {
  const { match, autosubscribe, options, stop, isOverlay } = entry;
  if (stop !== undefined || autosubscribe !== undefined) return true;
  // Another match applies what earlier layers declare to what it selects.
  if (isOverlay && match !== undefined) return true;
  return options.some(isDeclared);
}

/** Whether an entry declares anything of an option, be it a null. */
export function isDeclared(option: WrittenOption): boolean {
  const { value, reference, permission, isStopped } = option;
  if (isStopped === true || reference !== undefined) return true;
  return value !== undefined || permission !== undefined;
}

/** The value of an option, the reference to its secret, or a comment. */
function writtenValue(
  option: LiveOption,
  referTo: () => string,
  mark: boolean | undefined,
): OptionPart {
  const { key, type, value: live } = option;
  const mayBeSecret = isSecret({ key, type, mark });
  const value = contentOf(live) ?? null;
  const reason = live.kind === 'hidden' ? live.reason : undefined;
  const isMasked = reason === 'masked' || reason === 'empty';
  if (isMasked || (reason !== undefined && mayBeSecret))
    return { reference: referTo() };
  if (reason === 'form') return leftOut('a form that YAML cannot have');
  if (reason !== undefined) return {};
  if (isEmpty(value) && mayBeSecret) {
    return { notes: [{ field: 'value', text: UNSET, reference: referTo() }] };
  }
  if (value === null) return {};
  if (isSecret({ key, type, mark, values: [value] }))
    return secretValue(value, referTo);
  const written = isEmpty(value) ? value : writtenForm(value, option);
  if (written !== undefined) return { value: written };
  return leftOut('the option does not take what it holds');
}

function secretValue(value: OptionValue, referTo: () => string): OptionPart {
  const flaw = flawOf(value);
  return flaw === undefined ? { reference: referTo() } : leftOut(flaw);
}

/** A value that is not written for some reason. */
export function leftOut(text: string): OptionPart {
  return { notes: [{ field: 'value', text }] };
}

/**
 * Writes entries as a file. Editors find its schema at `schema`, a path from
 * the folder of the file.
 */
export function entryFile(
  entries: readonly WrittenEntry[],
  schema?: string,
): EntryFile {
  const lines: EntryLine[] = [];
  if (schema !== undefined)
    lines.push({ text: `# yaml-language-server: $schema=${schema}` });
  lines.push({ text: 'version: 1' }, { text: 'integrations:' });
  for (const entry of entries) {
    const { name, options } = entry;
    const add = (text: string, key?: string): void => {
      // Blocks of text have several lines.
      for (const line of text.split('\n'))
        lines.push({ text: line, entry: name, key });
    };
    for (const line of headLines(entry)) add(line);
    for (const option of options)
      for (const line of optionLines(option)) add(line, option.key);
  }
  const text = lines.map((line) => `${line.text}\n`).join('');
  return { text, lines };
}

function headLines(entry: WrittenEntry): string[] {
  const { name, match, autosubscribe, options, stop } = entry;
  if (stop !== undefined) return [`  ${keyText(name)}: null  # ${stop}`];
  const lines = [`  ${keyText(name)}:`];
  if (match !== undefined)
    lines.push(`    match: ${yamlText(match, { indent: INDENT })}`);
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
  const { key, value, permission, remark, notes } = option;
  const name = `${INDENT}${keyText(key)}:`;
  const end = remark === undefined ? '' : `  # ${remark}`;
  if (option.isStopped) return [`${name} null${end}`];
  if (!isDeclared(option)) {
    const comment = notes.map(noteText).join('; ');
    return comment === '' ? [] : [`${INDENT}# ${keyText(key)}: ${comment}`];
  }
  if (notes.length > 0) return blockLines(option);
  if (permission === undefined && value !== null)
    return [`${name}${heldText(option)}${end}`];
  const short = `${name} { ${flowFields(option)} }${end}`;
  const isShort = short.length <= WIDTH && !short.includes('\\n');
  return isShort ? [short] : blockLines(option);
}

function noteText({ text, reference }: Note): string {
  return reference === undefined ? text : `${reference}  # ${text}`;
}

/** An option with a line for each of its fields, and for each comment. */
function blockLines(option: WrittenOption): string[] {
  const { key, permission, remark, notes } = option;
  const lines = [`${INDENT}${keyText(key)}:`];
  if (remark !== undefined) lines.push(`${INDENT}  # ${remark}`);
  const held = heldText(option);
  if (held !== '') lines.push(`${INDENT}  value:${held}`);
  for (const note of notes)
    lines.push(`${INDENT}  # ${note.field}: ${noteText(note)}`);
  if (permission !== undefined)
    lines.push(`${INDENT}  permission: ${permission}`);
  return lines;
}

/** The fields of an option in one line. */
function flowFields(option: WrittenOption): string {
  const fields: string[] = [];
  const value = contentText(option, IN_FLOW);
  if (value !== undefined) fields.push(`value: ${value}`);
  if (option.permission !== undefined)
    fields.push(`permission: ${option.permission}`);
  return fields.join(', ');
}

/** A value as it follows the colon of its key; empty if there is none. */
function heldText(option: WrittenOption): string {
  const text = contentText(option, { indent: `${INDENT}    ` });
  if (text === undefined) return '';
  return text.startsWith('\n') ? text : ` ${text}`;
}

/** The value of an option, or its reference, in a style. */
function contentText(
  { value, reference }: WrittenOption,
  style: ValueStyle,
): string | undefined {
  if (reference !== undefined)
    return yamlText(reference, { ...style, isReference: true });
  if (value === null) return 'null';
  return value === undefined ? undefined : yamlText(value, style);
}

/** A key in one line, not a reference whatever it looks like. */
function keyText(key: string): string {
  return yamlText(key, { ...IN_FLOW, isReference: true });
}
