import { isRecord, recordOf } from '../model/json.ts';
import { present } from '../model/present.ts';

/** One entry of a JSON:API error document, as far as the server filled it in. */
export interface ServerError {
  readonly title?: string;
  readonly detail?: string;
  /** The place in the request's body that the error is about. */
  readonly pointer?: string;
  /** The key of the option that it is about, as the checks of an integration name it; it may be a wrong one. */
  readonly key?: string;
}

/**
 * All entries of an error document with those nested in `meta.errors`. Also reads a list without a document, texts as
 * entries, and messages by key. Empty where the body says nothing.
 */
export function decodeErrors(body: unknown): ServerError[] {
  if (Array.isArray(body)) return body.flatMap(entryErrors);
  const { errors, error, message } = recordOf(body);
  if (Array.isArray(errors)) return errors.flatMap(entryErrors);
  if (isRecord(errors)) return keyedErrors(errors);
  const detail = text(isRecord(error) ? error['message'] : (message ?? error));
  return detail === undefined ? [] : [{ detail }];
}

function entryErrors(entry: unknown): ServerError[] {
  if (typeof entry === 'string') return entry === '' ? [] : [{ detail: entry }];
  if (!isRecord(entry)) return [];
  const meta = recordOf(entry['meta']);
  const source = recordOf(entry['source']);
  const nested = decodeErrors(Array.isArray(entry['meta']) ? entry['meta'] : { errors: meta['errors'] });
  const own = present({
    title: text(entry['title'] ?? entry['code']),
    detail: text(entry['detail'] ?? entry['message']),
    pointer: text(source['pointer']),
    key: text(source['parameter'] ?? entry['key'] ?? meta['key']),
  });
  return [own, ...nested];
}

/** Messages by the key of what they are about. */
function keyedErrors(errors: Readonly<Record<string, unknown>>): ServerError[] {
  return Object.entries(errors).flatMap(([key, messages]) =>
    [messages].flat().flatMap((detail) => (typeof detail === 'string' ? [{ key, detail }] : [])),
  );
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The entries as one text: the detail where a pointer says what it is about, else title and detail, else the pointer. */
export function errorText(errors: readonly ServerError[]): string | undefined {
  const texts = errors.map(({ title, detail, pointer }) => {
    const words = pointer === undefined || detail === undefined ? [title, detail] : [detail];
    const said = words.filter((word) => word !== undefined).join(': ');
    return said === '' && pointer !== undefined ? `it points at ${pointer}` : said;
  });
  return [...new Set(texts.filter((each) => each !== ''))].join('; ') || undefined;
}
