import { refusal } from './refusal.ts';

/** A whole number of at least 1; the fallback if the parameter is absent. */
export function numberParameter(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name) ?? String(fallback);
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw refusal(400, `${name} must be a whole number of at least 1.`, { parameter: name });
}

/** Section 2.2: the id in the links of relationships. */
export function integrationParameter(query: URLSearchParams): string {
  const id = query.get('filter[integration.id]') ?? '';
  if (id !== '') return id;
  throw refusal(400, 'The id of an integration is required.', { parameter: 'filter[integration.id]' });
}
