import { countOf, listOf, recordOf, textOf } from '../model/json.ts';
import { withoutCredentials } from './credentials.ts';

/** An entry of a JSON:API error document, as far as it is filled in. */
export interface ServerError {
  title?: string | undefined;
  detail?: string | undefined;
  /** The place in the request's body that the error is about. */
  pointer?: string | undefined;
  /** The key of the option as the integration names it; it may be wrong. */
  key?: string | undefined;
}

/** Limits of an error document: its entries and characters. */
const MOST = { entries: 100, text: 4_096 };

/** The first entries of an error document, each with those in its `meta`. */
export function decodeErrors(body: unknown): readonly ServerError[] {
  const { errors } = recordOf(body);
  if (errors === undefined) return gatewayErrors(body);
  const entries: unknown[] = [];
  for (const entry of listOf(errors).slice(0, MOST.entries)) {
    const { errors: causes } = recordOf(recordOf(entry)['meta']);
    entries.push(entry, ...listOf(causes).slice(0, MOST.entries));
  }
  return entries.slice(0, MOST.entries).map(decodeError);
}

/** The message of a gateway that answers in JSON of its own. */
function gatewayErrors(body: unknown): readonly ServerError[] {
  const { message, error, detail, title } = recordOf(body);
  const words = [message, detail, recordOf(error)['message'], error, title];
  const said = words.map(wordsOf).find((text) => text !== undefined);
  return said === undefined ? [] : [{ detail: said }];
}

function decodeError(entry: unknown): ServerError {
  const { title, detail, message, source, key } = recordOf(entry);
  return {
    title: wordsOf(title),
    detail: wordsOf(detail ?? message),
    // By these a place in the YAML is found: they are no words for people.
    pointer: textOf(recordOf(source)['pointer']) || undefined,
    key: textOf(key) || undefined,
  };
}

/** Words of a server for people; undefined if it has none. */
function wordsOf(value: unknown): string | undefined {
  return withoutCredentials(textOf(value) ?? '') || undefined;
}

/** The errors in a good answer, which refuse all the same; else undefined. */
export function refusalIn(body: unknown): readonly ServerError[] | undefined {
  const parts = [body, recordOf(body)['data']].flat();
  const refused = parts.filter((part) => {
    return Object.keys(recordOf(part)['errors'] ?? {}).length > 0;
  });
  if (refused.length === 0) return undefined;
  const errors = refused.flatMap((part) => decodeErrors(part));
  return errors.slice(0, MOST.entries);
}

/** The entries as one text; undefined if they have no words. */
export function errorText(errors: readonly ServerError[]): string | undefined {
  const texts = new Set<string>();
  for (const error of errors) {
    const text = entryText(error);
    if (text !== '') texts.add(text);
  }
  const text = [...texts].join('; ');
  if (text === '') return undefined;
  return text.length > MOST.text ? `${text.slice(0, MOST.text)}…` : text;
}

/** The words of an entry; the pointer stands for its title, or for all. */
function entryText({ title, detail, pointer }: ServerError): string {
  if (pointer !== undefined && detail !== undefined) return detail;
  const words = [title, detail].filter((word) => word !== undefined);
  if (words.length > 0) return words.join(': ');
  if (pointer === undefined) return '';
  return `it points at ${withoutCredentials(pointer)}`;
}

/** An integration error without `meta`: that can hold foreign requests. */
export interface IntegrationError {
  id: string;
  /** The id of the integration; empty if the server does not send it. */
  integration: string;
  code: string;
  title: string;
  detail: string;
  /** How often it has occurred. */
  count: number;
  /** The last occurrence, ISO 8601, as the server writes it. */
  occurredOn: string;
  status: number | null;
}

/** Decodes a list of integration errors; missing parts become empty. */
export function decodeIntegrationErrors(
  body: unknown,
): readonly IntegrationError[] | string {
  const { data } = recordOf(body);
  if (!Array.isArray(data)) return '`data` is not a list';
  return data.map(decodeIntegrationError);
}

function decodeIntegrationError(raw: unknown): IntegrationError {
  const resource = recordOf(raw);
  const attributes = recordOf(resource['attributes']);
  return {
    id: textOf(resource['id']) ?? '',
    integration: textOf(attributes['integration-id']) ?? '',
    code: wordsOf(attributes['code']) ?? '',
    title: wordsOf(attributes['title']) ?? '',
    detail: wordsOf(attributes['detail']) ?? '',
    count: countOf(attributes['error-count']) ?? 1,
    occurredOn: textOf(attributes['occurred-on']) ?? '',
    status: countOf(attributes['status']) ?? null,
  };
}

/** The errors of these integrations that are new, or occurred more often. */
export function risenErrors(
  before: readonly IntegrationError[],
  after: readonly IntegrationError[],
  integrations: ReadonlySet<string>,
): readonly IntegrationError[] {
  const counts = new Map(before.map(({ id, count }) => [id, count]));
  const risen: IntegrationError[] = [];
  for (const error of after) {
    const { id, count, integration } = error;
    // An error that does not name its integration may be of these.
    const isTheirs = integration === '' || integrations.has(integration);
    const isMore = count > (counts.get(id) ?? Number.NEGATIVE_INFINITY);
    if (isTheirs && isMore) risen.push(error);
  }
  return risen;
}
