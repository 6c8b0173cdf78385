import { isRecord, list } from './resource.ts';

/** One entry of a JSON:API error document, as far as the server filled it in. */
export interface ServerError {
  readonly title?: string;
  readonly detail?: string;
  /** The place in the request's body that the error is about. */
  readonly pointer?: string;
  /** The key of the option that it is about, as the checks of an integration name it; it may be a wrong one. */
  readonly key?: string;
}

/** All entries of an error document, nested ones (`meta.errors`) included; empty where the body is none. */
export function decodeErrors(body: unknown): ServerError[] {
  const entries = isRecord(body) ? list(body['errors']) : [];
  return entries.filter(isRecord).flatMap((entry) => {
    const nested = decodeErrors(entry['meta']);
    const source = isRecord(entry['source']) ? entry['source'] : {};
    const own: ServerError = {
      ...text('title', entry['title']),
      ...text('detail', entry['detail'] ?? entry['message']),
      ...text('pointer', source['pointer']),
      ...text('key', source['parameter'] ?? entry['key'] ?? metaOf(entry)['key']),
    };
    return [own, ...nested];
  });
}

function metaOf(entry: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isRecord(entry['meta']) ? entry['meta'] : {};
}

/** The entries as one text: the detail where a pointer says what it is about, else title and detail. */
export function errorText(errors: readonly ServerError[]): string | undefined {
  const texts = errors.map(({ title, detail, pointer }) => {
    const words = pointer === undefined || detail === undefined ? [title, detail] : [detail];
    return words.filter((word) => word !== undefined).join(': ');
  });
  const told = [...new Set(texts.filter((each) => each !== ''))];
  return told.length === 0 ? undefined : told.join('; ');
}

function text<Key extends string>(key: Key, value: unknown): { [K in Key]?: string } | Record<never, never> {
  return typeof value === 'string' && value !== '' ? { [key]: value } : {};
}
