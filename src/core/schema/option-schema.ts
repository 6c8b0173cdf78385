import { present } from '../model/json.ts';
import { formOf, type LiveOption, type OptionForm } from '../model/live.ts';
import { isSecret, isSecretType } from '../model/secrecy.ts';
import {
  type Choice,
  isChoice,
  isChoiceList,
  isEmpty,
  literalText,
  type OptionValue,
} from '../model/value.ts';

/** A JSON Schema, draft-07. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Makes the schema of an option, its short and its long form, in which a
 * reference can replace any value. That of its listed choices is to be defined
 * at `choicesRef`. Alternatives are flat in `anyOf`: editors complete and
 * explain those, but nothing behind `if`.
 */
export function optionSchema(
  option: LiveOption,
  choicesRef: JsonSchema,
): JsonSchema {
  const { key, type, title, description = '', initial, choices } = option;
  const values = initial === undefined ? [] : [initial];
  const isOfSecrets = isSecret({ key, type, values });
  // The first value of an option as YAML writes it.
  const first = isOfSecrets ? undefined : shortForm(initial);
  const parts = [description];
  if (isOfSecrets) parts.push(SECRET_TEXT);
  if (first !== undefined) parts.push(defaultText(first));
  const text = parts.filter((part) => part !== '').join('\n\n');
  const writeOnly = isSecretType(type) || undefined;
  const listed = choices.length > 0 ? choicesRef : undefined;
  return present({
    title,
    default: first,
    writeOnly,
    description: text || (title ?? key),
    anyOf: alternatives(formOf(option), listed),
  });
}

/** A choice by its value alone; undefined for an empty value. */
function shortForm(value: OptionValue | undefined): unknown {
  if (isEmpty(value)) return undefined;
  if (isChoiceList(value)) {
    return value.map((choice) => literalText(choice.value));
  }
  const scalar = isChoice(value) ? value.value : value;
  return typeof scalar === 'string' ? literalText(scalar) : scalar;
}

/** What the description of a secret ends with. */
export const SECRET_TEXT =
  'A secret: write a reference, such as ${env:SETPOINT_NAME}.';

/** What the description of an option with a first value ends with. */
export function defaultText(initial: unknown): string {
  return `Default: ${JSON.stringify(initial)}`;
}

/** The schemas of which an option must meet one. */
function alternatives(
  form: OptionForm,
  choices: JsonSchema | undefined,
): readonly JsonSchema[] {
  switch (form) {
    case 'any':
      return [{ $ref: '#/definitions/option' }];
    case 'text':
      return bothForms(TEXT_VALUES);
    case 'number':
      return bothForms(NUMBER_VALUES);
    case 'boolean':
      return bothForms(BOOLEAN_VALUES);
    case 'select':
      return selectForms(choices);
    case 'multi-select':
      return bothForms([choiceList(choices), WHOLE_VALUE]);
  }
}

// The values allow what a plan takes: for a number also its text.
const TEXT_VALUES: readonly JsonSchema[] = [
  { type: 'string' },
  { type: ['number', 'boolean'] },
];

const NUMBER_VALUES: readonly JsonSchema[] = [
  { type: 'number' },
  { type: 'string', pattern: '^\\s*-?(0|[1-9]\\d*)(\\.\\d+)?\\s*$|\\$\\{' },
];

const BOOLEAN_VALUES: readonly JsonSchema[] = [
  { type: 'boolean' },
  { type: 'string', pattern: '^(true|false)$|\\$\\{' },
];

/** A named value can be a list; text from the environment or a file cannot. */
const WHOLE_VALUE: JsonSchema = {
  type: 'string',
  pattern: '^\\$\\{value:[A-Za-z0-9_-]+\\}$',
};

const UNMANAGED: JsonSchema = {
  const: null,
  description: 'Stops the management of what an earlier layer sets.',
};

/** Values in their short form, and the long form around them. */
function bothForms(values: readonly JsonSchema[]): readonly JsonSchema[] {
  const short = [...values, UNMANAGED];
  return [...short, longForm(short)];
}

function selectForms(choices: JsonSchema | undefined): readonly JsonSchema[] {
  const short = [...choiceByValue(choices), UNMANAGED];
  const display = {
    description: 'What people see of this choice.',
    type: 'string',
  };
  const beside = {
    required: ['value'],
    propertyNames: { enum: ['display', 'value'] },
  };
  // The long form or a choice: of two schemas, editors explain the wrong one.
  const long = {
    ...longForm([...short, choiceWithDisplay(choices)], { display }),
    dependencies: { display: beside },
  };
  return [...short, long];
}

function longForm(
  values: readonly JsonSchema[],
  others: JsonSchema = {},
): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      value: { description: 'The value.', anyOf: values },
      permission: { $ref: '#/definitions/permission' },
      sensitive: { $ref: '#/definitions/sensitive' },
      rotated: { $ref: '#/definitions/rotated' },
      ...others,
    },
  };
}

function choiceList(choices: JsonSchema | undefined): JsonSchema {
  const anyOf = [...choiceByValue(choices), choiceWithDisplay(choices)];
  return { type: 'array', items: { anyOf } };
}

/** A text with a reference: its value may have any type. */
const REFERENCE: JsonSchema = { type: 'string', pattern: '\\$\\{' };

/** One choice by its value; any if the server fills them in at run time. */
function choiceByValue(choices: JsonSchema | undefined): readonly JsonSchema[] {
  if (choices === undefined) return [{ type: ['string', 'number', 'boolean'] }];
  return [choices, REFERENCE];
}

/** One choice with its display. */
function choiceWithDisplay(choices: JsonSchema | undefined): JsonSchema {
  if (choices === undefined) return { $ref: '#/definitions/choice' };
  const display = { description: 'What people see.', type: 'string' };
  const value = {
    description: 'What the integration is given.',
    anyOf: [choices, REFERENCE],
  };
  return {
    type: 'object',
    additionalProperties: false,
    required: ['display', 'value'],
    properties: { display, value },
  };
}

/** The choices that an option lists, each explained by its display. */
export function choicesSchema(choices: readonly Choice[]): JsonSchema {
  const anyOf: JsonSchema[] = [];
  const plain: unknown[] = [];
  for (const { value, display } of choices) {
    anyOf.push({
      type: 'string',
      const: literalText(value),
      description: display,
    });
    if (isPlainWord(value)) plain.push(JSON.parse(value));
  }
  if (plain.length > 0) anyOf.push(unquoted(plain));
  return { description: 'One of the choices.', anyOf };
}

/** Unquoted choices. The double `not` keeps editors from offering both. */
function unquoted(values: readonly unknown[]): JsonSchema {
  return { type: ['number', 'boolean'], not: { not: { enum: values } } };
}

/** True if a text without quotes is a number or boolean whose text it is. */
function isPlainWord(text: string): boolean {
  if (text === 'true' || text === 'false') return true;
  return /\d/.test(text) && JSON.stringify(Number(text)) === text;
}
