import type { LiveOption } from '../model/live.ts';
import { isPermission, type Permission } from '../model/permission.ts';
import { isSecret } from '../model/secrecy.ts';
import { contentOf } from '../model/side.ts';
import { isEmpty, type WrittenValue } from '../model/value.ts';
import { writtenForm } from '../plan/conform.ts';
import { IN_FLOW, valueText } from '../yaml/value-text.ts';

/** An integration as an entry below `integrations:`. */
interface WrittenEntry {
  readonly name: string;
  readonly match: string;
  readonly autosubscribe?: boolean | undefined;
  readonly options: readonly WrittenOption[];
}

/** An option as an entry writes it; nothing of it is declared if it has neither value, variable nor permission. */
interface WrittenOption {
  readonly key: string;
  readonly value?: WrittenValue;
  /** The environment variable of its secret, in place of a value. */
  readonly variable?: string;
  readonly permission?: Permission;
  readonly notes: readonly Note[];
}

/** A comment: a field that is not declared, and why. */
interface Note {
  readonly field: 'value' | 'permission';
  readonly text: string;
  /** Whether the report lists it. */
  readonly isLeftOut: boolean;
}

/** The most characters of an option in one line. */
const WIDTH = 100;

const INDENT = '      ';

/** How an entry writes an option: its permission, and its value or a reference to the variable of its secret. */
export function writtenOption(
  option: LiveOption,
  variableOf: () => string,
): WrittenOption {
  const { key, permission } = option;
  const { notes = [], ...value } =
    permission === 'user-provides' ? {} : valuePart(option, variableOf);
  if (isPermission(permission)) return { key, ...value, permission, notes };
  const contradiction = leftOut(
    'permission',
    'the flags contradict each other',
  );
  return {
    key,
    ...value,
    notes: permission === 'invalid' ? [...notes, contradiction] : notes,
  };
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

/** The value of an option, the variable of its secret, or a comment; nothing if none is known. */
function valuePart(
  option: LiveOption,
  variableOf: () => string,
): Partial<WrittenOption> {
  const { key, type, value: live } = option;
  const isSecretType = isSecret({ key, type });
  if (live.kind === 'hidden') {
    // A secret that the server does not show is a reference all the same.
    if (isSecretType || /^(masked|empty)$/.test(live.reason))
      return { variable: variableOf() };
    return live.reason === 'form'
      ? { notes: [leftOut('value', 'a form that YAML cannot have')] }
      : {};
  }
  const value = contentOf(live) ?? null;
  if (isEmpty(value) && isSecretType)
    return {
      notes: [
        {
          field: 'value',
          text: `\${env:${variableOf()}}  # not set`,
          isLeftOut: false,
        },
      ],
    };
  if (value === null) return {};
  if (isSecret({ key, type, values: [value] }))
    return { variable: variableOf() };
  const written = isEmpty(value) ? value : writtenForm(value, option);
  return written === undefined
    ? { notes: [leftOut('value', 'the option does not take what it holds')] }
    : { value: written };
}

/** One option: in one line if it fits; commented out in one line if nothing of it is declared. */
function optionLines(option: WrittenOption): string[] {
  const { key, permission, notes } = option;
  const comment = notes.map(({ text }) => text).join('; ');
  if (!isDeclared(option))
    return notes.length === 0 ? [] : [`${INDENT}# ${keyText(key)}: ${comment}`];
  const name = `${INDENT}${keyText(key)}:`;
  const value = valueIn(option, { indent: `${INDENT}    ` });
  const held = value.map((text) => (text.startsWith('\n') ? text : ` ${text}`));
  if (notes.length === 0 && permission === undefined) return [`${name}${held}`];
  const flags = permission === undefined ? [] : [`permission: ${permission}`];
  const parts = [
    ...valueIn(option, IN_FLOW).map((text) => `value: ${text}`),
    ...flags,
  ];
  const short = `${name} { ${parts.join(', ')} }`;
  if (notes.length === 0 && short.length <= WIDTH && !short.includes('\\n'))
    return [short];
  return [
    name,
    ...held.map((text) => `${INDENT}  value:${text}`),
    ...notes.map(({ field, text }) => `${INDENT}  # ${field}: ${text}`),
    ...flags.map((flag) => `${INDENT}  ${flag}`),
  ];
}

/** What stands for the value of an option in a style, if anything does. */
function valueIn(
  { value, variable }: WrittenOption,
  style: Parameters<typeof valueText>[1],
): string[] {
  if (variable !== undefined)
    return [valueText(`\${env:${variable}}`, { ...style, isReference: true })];
  return value === undefined ? [] : [valueText(value, style)];
}

/** A key in one line, not a reference whatever it looks like. */
function keyText(key: string): string {
  return valueText(key, { ...IN_FLOW, isReference: true });
}

/**
 * The file of an entry, and the key of the option that each of its lines belongs to. Editors find its schema at `schema`, a
 * path from the folder of the file.
 */
export function entryFile(
  { name, match, autosubscribe, options }: WrittenEntry,
  schema: string,
) {
  const head = [
    `# yaml-language-server: $schema=${schema}`,
    'version: 1',
    'integrations:',
    `  ${keyText(name)}:`,
    `    match: ${valueText(match, { indent: INDENT })}`,
    ...(autosubscribe === undefined
      ? []
      : [`    autosubscribe: ${autosubscribe}`]),
    ...(options.length === 0
      ? []
      : [options.some(isDeclared) ? '    options:' : '    # options:']),
  ];
  const written = options.map((option) => ({
    key: option.key,
    lines: optionLines(option),
  }));
  const all = [{ key: undefined, lines: head }, ...written];
  return {
    text: `${all.flatMap(({ lines }) => lines).join('\n')}\n`,
    keys: all.flatMap(({ key, lines }) =>
      lines.flatMap((line) => line.split('\n')).map(() => key),
    ),
  };
}
