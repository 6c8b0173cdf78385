import { type ValueStyle, valueText } from '../yaml/value-text.ts';
import type { WrittenOption } from './option.ts';

/** An integration as an entry below `integrations:`. */
export interface WrittenEntry {
  readonly name: string;
  readonly match: string;
  readonly autosubscribe?: boolean | undefined;
  readonly options: readonly WrittenOption[];
}

/** The file of an entry, and the key of the option that each of its lines belongs to. */
interface EntryFile {
  readonly text: string;
  readonly keys: readonly (string | undefined)[];
}

/** The most characters of an option in one line. */
const WIDTH = 100;

const INDENT = '      ';

/** Whether an entry declares anything. */
export function isManaging({ autosubscribe, options }: WrittenEntry): boolean {
  return autosubscribe !== undefined || options.some(isDeclared);
}

function isDeclared({ value, variable, permission }: WrittenOption): boolean {
  return value !== undefined || variable !== undefined || permission !== undefined;
}

/** Writes an entry as a file; editors find its schema at `schema`, a path from the folder of the file. */
export function entryFile(entry: WrittenEntry, schema: string): EntryFile {
  const { name, match, autosubscribe, options } = entry;
  const own = [
    `# yaml-language-server: $schema=${schema}`,
    'version: 1',
    'integrations:',
    `  ${keyText(name)}:`,
    `    match: ${valueText(match, { indent: INDENT })}`,
    ...(autosubscribe === undefined ? [] : [`    autosubscribe: ${autosubscribe}`]),
    ...(options.length === 0 ? [] : [options.some(isDeclared) ? '    options:' : '    # options:']),
  ].map((text) => ({ text, key: undefined }));
  const lines = options.flatMap((option) =>
    optionLines(option)
      .flatMap((text) => text.split('\n'))
      .map((text) => ({ text, key: option.key })),
  );
  const all = [...own, ...lines];
  return { text: `${all.map(({ text }) => text).join('\n')}\n`, keys: all.map(({ key }) => key) };
}

/** One option: in one line if it fits; commented out in one line if nothing of it is declared. */
function optionLines(option: WrittenOption): string[] {
  const { permission, notes } = option;
  const key = keyText(option.key);
  if (!isDeclared(option))
    return notes.length === 0 ? [] : [`${INDENT}# ${key}: ${notes.map(({ text }) => text).join('; ')}`];
  const value = writtenValue(option, { indent: `${INDENT}    ` });
  if (notes.length === 0 && permission === undefined) return [`${INDENT}${key}:${value ?? ''}`];
  const short = `${INDENT}${key}: ${flowText(option)}`;
  if (notes.length === 0 && short.length <= WIDTH && !short.includes('\\n')) return [short];
  return [
    `${INDENT}${key}:`,
    ...(value === undefined ? [] : [`${INDENT}  value:${value}`]),
    ...notes.map(({ field, text }) => `${INDENT}  # ${field}: ${text}`),
    ...(permission === undefined ? [] : [`${INDENT}  permission: ${permission}`]),
  ];
}

/** An option in one line: `{ value: 30, permission: lock-and-hide }`. */
function flowText(option: WrittenOption): string {
  const value = writtenValue(option, { indent: '', isInFlow: true });
  const { permission } = option;
  return `{ ${[
    ...(value === undefined ? [] : [`value:${value}`]),
    ...(permission === undefined ? [] : [`permission: ${permission}`]),
  ].join(', ')} }`;
}

/** The text behind the colon of a value. */
function writtenValue({ value, variable }: WrittenOption, style: ValueStyle): string | undefined {
  if (variable !== undefined) return ` ${valueText(`\${env:${variable}}`, { ...style, isReference: true })}`;
  if (value === undefined) return undefined;
  const text = valueText(value, style);
  return text.startsWith('\n') ? text : ` ${text}`;
}

/** A key in one line, not a reference whatever it looks like. */
function keyText(key: string): string {
  return valueText(key, { indent: '', isInFlow: true, isReference: true });
}
