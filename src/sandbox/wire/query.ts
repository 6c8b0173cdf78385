import { Refusal, refusal } from './refusal.ts';

/** The query parameters of a request, decoded, each at most once. */
export type Query = ReadonlyMap<string, string>;

/** Decodes a query; refuses parameters that are not allowed or occur twice: 400. */
export function decodeQuery(search: string, allowed: readonly string[]): Query {
  const query = new Map<string, string>();
  const problems = [...new URLSearchParams(search)].flatMap(([name, value]) => {
    const problem = problemOf(name, allowed, query);
    query.set(name, value);
    return problem === undefined ? [] : [{ detail: problem, source: { parameter: name } }];
  });
  if (problems.length > 0) throw new Refusal(400, problems.slice(0, 10));
  return query;
}

/** A whole number of at least `least`; the fallback where the parameter is absent. */
export function integerParameter(query: Query, name: string, fallback: number, least: number): number {
  const text = query.get(name);
  if (text === undefined) return fallback;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (number >= least) return number;
  throw refusal(400, `${name} must be a whole number of at least ${least}.`, { parameter: name });
}

/** `true` or `false`; undefined where the parameter is absent. */
export function booleanParameter(query: Query, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === undefined || text === 'true' || text === 'false')
    return text === undefined ? undefined : text === 'true';
  throw refusal(400, `${name} must be true or false.`, { parameter: name });
}

/** The value of a required parameter; 400 where it is missing. */
export function requiredParameter(query: Query, name: string): string {
  const text = query.get(name);
  if (text === undefined || text === '') throw refusal(400, `${name} is required.`, { parameter: name });
  return text;
}

function problemOf(name: string, allowed: readonly string[], seen: Query): string | undefined {
  if (!allowed.includes(name)) return 'This address does not accept this parameter.';
  return seen.has(name) ? 'The parameter occurs twice.' : undefined;
}
