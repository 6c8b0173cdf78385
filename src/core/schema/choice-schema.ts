import type { Choice } from '../model/value.ts';

/** A JSON Schema, draft-07. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The choices that an option lists, each by its value and explained by its display. */
export function choicesSchema(choices: readonly Choice[]): JsonSchema {
  const byValue = choices.map(({ value, display: description }) => {
    return { type: 'string', const: value, description };
  });
  return { description: 'One of the choices.', anyOf: [...byValue, ...unquoted(choices)] };
}

/** A text with a reference: its value may have any type. */
const REFERENCE: JsonSchema = { type: 'string', pattern: '\\$\\{' };

/** One choice by its value. Selects without a list are filled at run time and take all. */
export function choiceByValue(listed: JsonSchema | undefined): readonly JsonSchema[] {
  return listed === undefined ? [{ type: ['string', 'number', 'boolean'] }] : [listed, REFERENCE];
}

/** One choice with its display. */
export function choiceWithDisplay(listed: JsonSchema | undefined): JsonSchema {
  if (listed === undefined) return { $ref: '#/definitions/choice' };
  return {
    type: 'object',
    additionalProperties: false,
    required: ['display', 'value'],
    properties: {
      display: { description: 'What people see.', type: 'string' },
      value: { description: 'What the integration is given.', anyOf: [listed, REFERENCE] },
    },
  };
}

/** Choices such as "2" and "true" may be written without quotes. The double `not` keeps editors from offering both. */
function unquoted(choices: readonly Choice[]): readonly JsonSchema[] {
  const values = choices.flatMap(({ value }) => (isPlainWord(value) ? [JSON.parse(value) as unknown] : []));
  return values.length === 0 ? [] : [{ type: ['number', 'boolean'], not: { not: { enum: values } } }];
}

/** Whether a text without quotes is a number or boolean whose text it is. */
export function isPlainWord(text: string): boolean {
  return text === 'true' || text === 'false' || (/\d/.test(text) && JSON.stringify(Number(text)) === text);
}
