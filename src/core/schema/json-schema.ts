/** A JSON Schema, draft-07. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A text that holds a reference: it may stand for a value of any type. */
export const REFERENCE: JsonSchema = { type: 'string', pattern: '\\$\\{' };
