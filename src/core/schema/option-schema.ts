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

/** The schemas of one option. */
export interface OptionSchema {
  /** Its short and its long form. */
  readonly schema: JsonSchema;
  /** Its listed choices; undefined if it takes any. */
  readonly choices: JsonSchema | undefined;
}

/**
 * Makes the schema of an option, in which a reference can replace any value.
 * That of its listed choices is to be defined at `choicesRef`. Alternatives are
 * flat in `anyOf`: editors complete and explain those, but nothing behind `if`.
 */
export function optionSchema(
  option: LiveOption,
  choicesRef: JsonSchema,
): OptionSchema {
  const { key, type, title, description = '', initial } = option;
  const values = initial === undefined ? [] : [initial];
  const isOfSecret = isSecret({ key, type, values });
  const shown = isOfSecret ? undefined : shortForm(initial);
  const parts: string[] = [];
  if (description !== '') parts.push(description);
  if (isOfSecret) {
    parts.push('A secret: write a reference, such as ${env:SETPOINT_NAME}.');
  }
  if (shown !== undefined) parts.push(`Default: ${JSON.stringify(shown)}`);
  const isListed = option.choices.length > 0;
  const writeOnly = isSecretType(type) || undefined;
  const schema = {
    ...present({ title, default: shown, writeOnly }),
    description: parts.join('\n\n') || (title ?? key),
    anyOf: alternatives(formOf(option), isListed ? choicesRef : undefined),
  };
  return {
    schema,
    choices: isListed ? choicesSchema(option.choices) : undefined,
  };
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

/** The schemas of which an option must meet one: its short forms, and the long form around them. */
function alternatives(
  form: OptionForm,
  choices: JsonSchema | undefined,
): readonly JsonSchema[] {
  const byValue = choices === undefined ? [ANY_CHOICE] : [choices, REFERENCE];
  const withDisplay = choices === undefined ? CHOICE : displayed(choices);
  switch (form) {
    case 'any':
      return [{ $ref: '#/definitions/option' }];
    case 'text':
      return bothForms(TEXT_VALUES);
    case 'number':
      return bothForms(NUMBER_VALUES);
    case 'boolean':
      return bothForms(BOOLEAN_VALUES);
    case 'select': {
      const short = [...byValue, UNMANAGED];
      return [...short, longFormOrDisplay([...short, withDisplay])];
    }
    case 'multi-select': {
      const items = { anyOf: [...byValue, withDisplay] };
      return bothForms([{ type: 'array', items }, WHOLE_VALUE]);
    }
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

/** The long form or a choice: of two schemas, editors explain the wrong one. */
function longFormOrDisplay(values: readonly JsonSchema[]): JsonSchema {
  const display = {
    description: 'What people see of this choice.',
    type: 'string',
  };
  const beside = {
    required: ['value'],
    propertyNames: { enum: ['display', 'value'] },
  };
  return {
    ...longForm(values, { display }),
    dependencies: { display: beside },
  };
}

/** A text with a reference: its value may have any type. */
const REFERENCE: JsonSchema = { type: 'string', pattern: '\\$\\{' };

/** Any choice by its value, if the server fills them in at run time. */
const ANY_CHOICE: JsonSchema = { type: ['string', 'number', 'boolean'] };

/** Any choice with its display. */
const CHOICE: JsonSchema = { $ref: '#/definitions/choice' };

/** One of these choices with its display. */
function displayed(choices: JsonSchema): JsonSchema {
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
function choicesSchema(choices: readonly Choice[]): JsonSchema {
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
  // Unquoted choices. The double `not` keeps editors from offering both.
  const unquoted = { not: { not: { enum: plain } } };
  if (plain.length > 0) {
    anyOf.push({ type: ['number', 'boolean'], ...unquoted });
  }
  return { description: 'One of the choices.', anyOf };
}

/** True if a text without quotes is a number or boolean whose text it is. */
function isPlainWord(text: string): boolean {
  if (text === 'true' || text === 'false') return true;
  return /\d/.test(text) && JSON.stringify(Number(text)) === text;
}
