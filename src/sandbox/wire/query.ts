import { Refusal, refusal } from './refusal.ts';

/** The query parameters of a request, decoded. */
export type Query = ReadonlyMap<string, string>;

/** Decodes a query; refuses parameters that the address does not know: 400. */
export function decodeQuery(search: string, known: readonly string[]): Query {
  const query = new Map(new URLSearchParams(search));
  const unknown = [...query.keys()].filter((name) => !known.includes(name)).slice(0, 10);
  if (unknown.length === 0) return query;
  throw new Refusal(
    400,
    unknown.map((parameter) => ({ detail: 'This parameter is not known here.', source: { parameter } })),
  );
}

/** A whole number of at least 1; the fallback if the parameter is absent. */
export function numberParameter(query: Query, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === undefined) return fallback;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw refusal(400, `${name} must be a whole number of at least 1.`, { parameter: name });
}

/** `true` or `false`; undefined if the parameter is absent. */
export function booleanParameter(query: Query, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === undefined) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  throw refusal(400, `${name} must be true or false.`, { parameter: name });
}

/** The value of a required parameter. */
export function requiredParameter(query: Query, name: string): string {
  const text = query.get(name);
  if (text === undefined || text === '') throw refusal(400, `${name} is required.`, { parameter: name });
  return text;
}
