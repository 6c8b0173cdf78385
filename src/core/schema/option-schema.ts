import { formOf, type LiveOption, type OptionForm } from '../model/live.ts';
import { isSecret } from '../model/secrecy.ts';
import { type Choice, literalText } from '../model/value.ts';

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
  const { key, type, title = key, description = '', choices } = option;
  const parts = [description || title];
  if (isSecret({ key, type })) parts.push(SECRET_TEXT);
  const listed = choices.length > 0 ? choicesRef : undefined;
  return {
    title,
    description: parts.join('\n\n'),
    anyOf: alternatives(formOf(option), listed),
  };
}

const SECRET_TEXT =
  'A secret: write a reference, such as ${env:SETPOINT_NAME}.';

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
      return bothForms(choiceForms(choices));
    case 'multi-select':
      return bothForms([
        { type: 'array', items: { anyOf: choiceForms(choices) } },
        WHOLE_VALUE,
      ]);
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

function longForm(values: readonly JsonSchema[]): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      value: { description: 'The value.', anyOf: values },
      permission: { $ref: '#/definitions/permission' },
      sensitive: { $ref: '#/definitions/sensitive' },
      rotated: { $ref: '#/definitions/rotated' },
    },
  };
}

/** A text with a reference: its value may have any type. */
const REFERENCE: JsonSchema = { type: 'string', pattern: '\\$\\{' };

/**
 * One choice, by its value or with its display; any if the server fills them in
 * at run time.
 */
function choiceForms(choices: JsonSchema | undefined): readonly JsonSchema[] {
  if (choices === undefined) {
    const byValue = { type: ['string', 'number', 'boolean'] };
    return [byValue, { $ref: '#/definitions/choice' }];
  }
  const display = { description: 'What people see.', type: 'string' };
  const value = {
    description: 'What the integration is given.',
    anyOf: [choices, REFERENCE],
  };
  const withDisplay = {
    type: 'object',
    additionalProperties: false,
    required: ['display', 'value'],
    properties: { display, value },
  };
  return [choices, REFERENCE, withDisplay];
}

/** The choices that an option lists, each explained by its display. */
export function choicesSchema(choices: readonly Choice[]): JsonSchema {
  const anyOf: JsonSchema[] = choices.map(({ value, display }) => {
    return { type: 'string', const: literalText(value), description: display };
  });
  // Such choices need no quotes; which of them is given, `validate` checks.
  const isPlain = choices.some(({ value }) => PLAIN_WORD.test(value));
  if (isPlain) anyOf.push({ type: ['number', 'boolean'] });
  return { description: 'One of the choices.', anyOf };
}

/** A text that YAML reads as a number or a boolean. */
const PLAIN_WORD = /^(true|false|-?\d+(\.\d+)?)$/;
