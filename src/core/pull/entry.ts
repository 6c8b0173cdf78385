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
import { IN_FLOW, type ValueStyle, valueText } from '../yaml/value-text.ts';

/** An integration as an entry below `integrations:`. */
export interface WrittenEntry {
  readonly name: string;
  /** Set if it stands in the overlay of the server. */
  readonly isOwn?: boolean | undefined;
  /** Absent if an earlier layer says what the entry selects. */
  readonly match?: string | undefined;
  readonly autosubscribe?: boolean | undefined;
  readonly options: readonly WrittenOption[];
  /** Why a null takes back the whole entry. */
  readonly stop?: string | undefined;
  /** Set if the configuration has such an entry already. */
  readonly isOverlay?: true | undefined;
}

/** An option as an entry writes it. */
export interface WrittenOption extends WrittenContent {
  readonly key: string;
  readonly permission?: Permission | null | undefined;
  /** Why nulls take back the value, the permission, or the whole option. */
  readonly remark?: string | undefined;
  /** Set for a null in place of the whole option. */
  readonly isStopped?: true | undefined;
  readonly notes: readonly Note[];
}

/** The value of an option; without any it stays as it is. */
interface WrittenContent {
  readonly value?: WrittenValue | null | undefined;
  /** The reference to its secret, in place of a value. */
  readonly reference?: SecretReference | undefined;
  readonly notes?: readonly Note[] | undefined;
  /** Set for a secret that reads as empty. */
  readonly isUnsetSecret?: true | undefined;
}

/** A variable, or a file whose path is given, that holds a secret. */
interface SecretReference {
  readonly kind: 'env' | 'file';
  readonly name: string;
}

/** Why there can be no reference to a secret. */
interface NoReference {
  readonly reason: string;
}

/** Finds where YAML refers to a secret; its value is undefined if hidden. */
export type Referrer = (value: OptionValue | undefined) => Reference;

export type Reference = SecretReference | NoReference;

/** A comment: a field that is not declared, and why. */
export interface Note {
  readonly field: 'value' | 'permission';
  readonly text: string;
  /** Whether the report lists it. */
  readonly isLeftOut: boolean;
}

/** A line of a file, and what it belongs to. */
interface EntryLine {
  readonly text: string;
  readonly entry?: string | undefined;
  /** The key of its option. */
  readonly key?: string | undefined;
}

/** A file of configuration. */
export interface EntryFile {
  readonly text: string;
  readonly lines: readonly EntryLine[];
}

/** What decides how an option is written. */
export interface OptionWriting {
  readonly option: LiveOption;
  readonly referTo: Referrer;
  /** What earlier layers say of its secrecy. */
  readonly mark?: boolean | undefined;
}

/** Writes an option as a whole. */
export function writtenOption(writing: OptionWriting): WrittenOption {
  const { key, permission } = writing.option;
  const isOfUsers = permission === 'user-provides';
  const content = isOfUsers ? {} : writtenContent(writing);
  const { notes = [] } = content;
  if (isPermission(permission)) return { key, ...content, permission, notes };
  if (permission !== 'invalid') return { key, ...content, notes };
  const reason = 'the flags contradict each other';
  const contradiction = leftOut('permission', reason);
  return { key, ...content, notes: [...notes, contradiction] };
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

/** The comment on a field that is left out for some reason. */
export function leftOut(field: Note['field'], text: string): Note {
  return { field, text, isLeftOut: true };
}

/** The value of an option, the reference to its secret, or a comment. */
function writtenContent(writing: OptionWriting): WrittenContent {
  const { option, referTo, mark } = writing;
  const { key, type, value: live } = option;
  if (live.kind === 'hidden') return unreadContent(writing);
  const value = contentOf(live) ?? null;
  if (isEmpty(value) && isSecret({ key, type, mark })) {
    const reference = referTo(undefined);
    if ('reason' in reference) return {};
    const text = `${referenceText(reference)}  # not set`;
    const notes = [{ field: 'value', text, isLeftOut: false }] as const;
    return { notes, isUnsetSecret: true };
  }
  if (value === null) return {};
  if (JSON.stringify(value).includes('\ufffd'))
    return { notes: [leftOut('value', GARBLED)] };
  if (isSecret({ key, type, mark, values: [value] }))
    return secretContent(referTo(value));
  const written = isEmpty(value) ? value : writtenForm(value, option);
  if (written !== undefined) return { value: written };
  const reason = 'the option does not take what it holds';
  return { notes: [leftOut('value', reason)] };
}

/** Why a text is not written: somebody read it as what it was not. */
const GARBLED = 'it holds U+FFFD, in place of a lost character';

function secretContent(reference: Reference): WrittenContent {
  if (!('reason' in reference)) return { reference };
  return { notes: [leftOut('value', reference.reason)] };
}

/** A secret that the server does not show is a reference all the same. */
function unreadContent({
  option,
  referTo,
  mark,
}: OptionWriting): WrittenContent {
  const { key, type, value: live } = option;
  const reason = live.kind === 'hidden' ? live.reason : 'absent';
  const isHidden = reason === 'masked' || reason === 'empty';
  if (isHidden || isSecret({ key, type, mark }))
    return secretContent(referTo(undefined));
  if (reason !== 'form') return {};
  return { notes: [leftOut('value', 'a form that YAML cannot have')] };
}

/**
 * Writes entries as a file. Editors find its schema at `schema`, a path from
 * the folder of the file.
 */
export function entryFile(
  entries: readonly WrittenEntry[],
  schema: string,
): EntryFile {
  const lines: EntryLine[] = [
    { text: `# yaml-language-server: $schema=${schema}` },
    { text: 'version: 1' },
    { text: 'integrations:' },
  ];
  for (const entry of entries) lines.push(...entryLines(entry));
  const text = lines.map((line) => `${line.text}\n`).join('');
  return { text, lines };
}

function entryLines(entry: WrittenEntry): EntryLine[] {
  const { name } = entry;
  const lines: EntryLine[] = [];
  for (const text of headLines(entry).join('\n').split('\n'))
    lines.push({ text, entry: name });
  for (const option of entry.options) {
    const { key } = option;
    for (const text of optionLines(option).join('\n').split('\n')) {
      if (text !== '' || isDeclared(option))
        lines.push({ text, entry: name, key });
    }
  }
  return lines;
}

function headLines(entry: WrittenEntry): string[] {
  const { name, match, autosubscribe, options, stop } = entry;
  if (stop !== undefined) return [`  ${keyText(name)}: null  # ${stop}`];
  const lines = [`  ${keyText(name)}:`];
  if (match !== undefined)
    lines.push(`    match: ${valueText(match, { indent: INDENT })}`);
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
  const { key, permission, notes, remark, value } = option;
  const name = `${keyText(key)}:`;
  const end = remark === undefined ? '' : `  # ${remark}`;
  if (option.isStopped) return [`${INDENT}${name} null${end}`];
  if (!isDeclared(option)) {
    const comment = notes.map(({ text }) => text).join('; ');
    return comment === '' ? [] : [`${INDENT}# ${name} ${comment}`];
  }
  if (notes.length > 0) return blockLines(option);
  if (permission === undefined && value !== null)
    return [`${INDENT}${name}${heldText(option)}${end}`];
  const short = `${INDENT}${name} ${flowText(option)}${end}`;
  const isShort = short.length <= WIDTH && !short.includes('\\n');
  return isShort ? [short] : blockLines(option);
}

/** An option as a map in one line. */
function flowText(option: WrittenOption): string {
  const parts: string[] = [];
  const value = contentText(option, IN_FLOW);
  if (value !== undefined) parts.push(`value: ${value}`);
  if (option.permission !== undefined)
    parts.push(`permission: ${option.permission}`);
  return `{ ${parts.join(', ')} }`;
}

/** An option with a line for each of its fields, and for each comment. */
function blockLines(option: WrittenOption): string[] {
  const { key, permission, remark, notes } = option;
  const lines = [`${INDENT}${keyText(key)}:`];
  if (remark !== undefined) lines.push(`${INDENT}  # ${remark}`);
  const held = heldText(option);
  if (held !== '') lines.push(`${INDENT}  value:${held}`);
  for (const { field, text } of notes)
    lines.push(`${INDENT}  # ${field}: ${text}`);
  if (permission !== undefined)
    lines.push(`${INDENT}  permission: ${permission}`);
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
  { value, reference }: WrittenOption,
  style: ValueStyle,
): string | undefined {
  if (reference !== undefined)
    return valueText(referenceText(reference), { ...style, isReference: true });
  if (value === null) return 'null';
  return value === undefined ? undefined : valueText(value, style);
}

function referenceText({ kind, name }: SecretReference): string {
  return `\${${kind}:${name}}`;
}

/** A key in one line, not a reference whatever it looks like. */
function keyText(key: string): string {
  return valueText(key, { ...IN_FLOW, isReference: true });
}
