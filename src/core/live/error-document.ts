import { isRecord } from './resource.ts';

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
 * All entries of an error document, nested ones (`meta.errors`) included, also of those that are none by the letter: a list
 * without a document, texts for entries, messages by their keys. Empty where nothing can be made of the body.
 */
export function decodeErrors(body: unknown): ServerError[] {
  if (Array.isArray(body)) return body.flatMap(entryErrors);
  if (!isRecord(body)) return [];
  const { errors } = body;
  if (Array.isArray(errors)) return errors.flatMap(entryErrors);
  if (isRecord(errors)) return keyedErrors(errors);
  const message = isRecord(body['error']) ? body['error']['message'] : (body['message'] ?? body['error']);
  return typeof message === 'string' && message !== '' ? [{ detail: message }] : [];
}

function entryErrors(entry: unknown): ServerError[] {
  if (typeof entry === 'string') return entry === '' ? [] : [{ detail: entry }];
  if (!isRecord(entry)) return [];
  const meta = isRecord(entry['meta']) ? entry['meta'] : {};
  const nested = decodeErrors(Array.isArray(entry['meta']) ? entry['meta'] : { errors: meta['errors'] });
  const source = isRecord(entry['source']) ? entry['source'] : {};
  const own: ServerError = {
    ...text('title', entry['title'] ?? entry['code']),
    ...text('detail', entry['detail'] ?? entry['message']),
    ...text('pointer', source['pointer']),
    ...text('key', source['parameter'] ?? entry['key'] ?? meta['key']),
  };
  return [own, ...nested];
}

/** Messages by the key of what they are about. */
function keyedErrors(errors: Readonly<Record<string, unknown>>): ServerError[] {
  return Object.entries(errors).flatMap(([key, told]) =>
    [told].flat().flatMap((message) => (typeof message === 'string' ? [{ key, detail: message }] : [])),
  );
}

/** The entries as one text: the detail where a pointer says what it is about, else title and detail, else the pointer. */
export function errorText(errors: readonly ServerError[]): string | undefined {
  const texts = errors.map(({ title, detail, pointer }) => {
    const words = pointer === undefined || detail === undefined ? [title, detail] : [detail];
    const told = words.filter((word) => word !== undefined).join(': ');
    return told === '' && pointer !== undefined ? `it points at ${pointer}` : told;
  });
  const told = [...new Set(texts.filter((each) => each !== ''))];
  return told.length === 0 ? undefined : told.join('; ');
}

function text<Key extends string>(key: Key, value: unknown): { [K in Key]?: string } | Record<never, never> {
  return typeof value === 'string' && value !== '' ? { [key]: value } : {};
}
