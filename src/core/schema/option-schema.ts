import { present } from '../model/json.ts';
import { formOf, type LiveOption } from '../model/live.ts';
import { isSecret } from '../model/secrecy.ts';
import {
  type Choice,
  isChoice,
  isChoiceList,
  type OptionValue,
} from '../model/value.ts';

type OptionForm = ReturnType<typeof formOf>;

/** A JSON Schema, draft-07. */
type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The schema of one option of an integration, in its short and its long form, and that of its listed choices, if it has any,
 * which is to be defined at `ref`. Alternatives are flat in `anyOf`: editors complete and explain those, but not what is
 * behind `if`. A reference can replace any value.
 */
export function optionSchema(option: LiveOption, ref: JsonSchema) {
  const { key, type, title, description, initial, choices } = option;
  const isHeld = isSecret({
    key,
    type,
    values: initial === undefined ? [] : [initial],
  });
  const start = isHeld ? undefined : shortForm(initial);
  const parts = [
    description,
    isHeld
      ? 'A secret: write a reference, such as ${env:SETPOINT_NAME}.'
      : undefined,
    start === undefined ? undefined : `Default: ${JSON.stringify(start)}`,
  ];
  const isListed = choices.length > 0;
  const schema: JsonSchema = {
    ...present({ title, default: start }),
    description: parts.filter((part) => part).join('\n\n') || (title ?? key),
    anyOf: alternatives(formOf(option), isListed ? ref : undefined),
  };
  return {
    key,
    schema,
    choices: isListed ? choicesSchema(choices) : undefined,
  };
}

/** A value as people write it: a choice by its value alone; undefined for an empty one. */
function shortForm(value: OptionValue | undefined): unknown {
  if (value === undefined || value === '') return undefined;
  if (isChoiceList(value))
    return value.length === 0 ? undefined : value.map((choice) => choice.value);
  return isChoice(value) ? value.value || undefined : value;
}

const UNMANAGED: JsonSchema = {
  const: null,
  description: 'Stops the management of what an earlier layer sets.',
};

/** A named value can be a list; text from the environment or a file cannot. */
const WHOLE_VALUE: JsonSchema = {
  type: 'string',
  pattern: '^\\$\\{value:[A-Za-z0-9_-]+\\}$',
};

function alternatives(
  form: OptionForm,
  choices: JsonSchema | undefined,
): readonly JsonSchema[] {
  if (form === 'any') return [{ $ref: '#/definitions/option' }];
  const values = [...VALUES[form](choices), UNMANAGED];
  const long = longForm(
    form === 'select' ? [...values, choiceWithDisplay(choices)] : values,
  );
  return [...values, form === 'select' ? orWithDisplay(long) : long];
}

function longForm(values: readonly JsonSchema[]) {
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

/** The long form or a choice with its display, in one: an editor that chooses between two explains the wrong one. */
function orWithDisplay(long: ReturnType<typeof longForm>): JsonSchema {
  const display = {
    description: 'What people see of this choice.',
    type: 'string',
  };
  return {
    ...long,
    properties: { ...long.properties, display },
    dependencies: {
      display: {
        required: ['value'],
        propertyNames: { enum: ['display', 'value'] },
      },
    },
  };
}

/** The schemas of which a value must meet one. They allow what a plan takes: a number option also takes a number as text. */
const VALUES: Record<
  Exclude<OptionForm, 'any'>,
  (choices: JsonSchema | undefined) => readonly JsonSchema[]
> = {
  text: () => [{ type: 'string' }, { type: ['number', 'boolean'] }],
  number: () => [
    { type: 'number' },
    { type: 'string', pattern: '^\\s*-?(0|[1-9]\\d*)(\\.\\d+)?\\s*$|\\$\\{' },
  ],
  boolean: () => [
    { type: 'boolean' },
    { type: 'string', pattern: '^(true|false)$|\\$\\{' },
  ],
  select: choiceByValue,
  'multi-select': (choices) => {
    const items = {
      anyOf: [...choiceByValue(choices), choiceWithDisplay(choices)],
    };
    return [{ type: 'array', items }, WHOLE_VALUE];
  },
};

/** The choices that an option lists, each by its value and explained by its display. */
function choicesSchema(choices: readonly Choice[]): JsonSchema {
  const byValue = choices.map(({ value, display }) => ({
    type: 'string',
    const: value,
    description: display,
  }));
  return {
    description: 'One of the choices.',
    anyOf: [...byValue, ...unquoted(choices)],
  };
}

/** A text with a reference: its value may have any type. */
const REFERENCE: JsonSchema = { type: 'string', pattern: '\\$\\{' };

/** One choice by its value. Selects without a list are filled at run time and take all. */
function choiceByValue(listed: JsonSchema | undefined): readonly JsonSchema[] {
  return listed === undefined
    ? [{ type: ['string', 'number', 'boolean'] }]
    : [listed, REFERENCE];
}

/** One choice with its display. */
function choiceWithDisplay(listed: JsonSchema | undefined): JsonSchema {
  if (listed === undefined) return { $ref: '#/definitions/choice' };
  return {
    type: 'object',
    additionalProperties: false,
    required: ['display', 'value'],
    properties: {
      display: { description: 'What people see.', type: 'string' },
      value: {
        description: 'What the integration is given.',
        anyOf: [listed, REFERENCE],
      },
    },
  };
}

/** Choices such as "2" and "true" may be written without quotes. The double `not` keeps editors from offering both. */
function unquoted(choices: readonly Choice[]): readonly JsonSchema[] {
  const values = choices.flatMap(({ value }) =>
    isPlainWord(value) ? [JSON.parse(value) as unknown] : [],
  );
  return values.length === 0
    ? []
    : [{ type: ['number', 'boolean'], not: { not: { enum: values } } }];
}

/** Whether a text without quotes is a number or boolean whose text it is. */
function isPlainWord(text: string): boolean {
  return (
    text === 'true' ||
    text === 'false' ||
    (/\d/.test(text) && JSON.stringify(Number(text)) === text)
  );
}
