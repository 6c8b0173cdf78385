import { isRecord, present, recordOf } from '../model/json.ts';
import { cutText, isOverlong, proseOf, SERVER_LIMITS } from './limits.ts';

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
 * The entries of an error document, with those nested in `meta`. Reads a bare list, a single error, texts and messages by key
 * as well. Empty if the body says nothing; of very many entries only the first are read.
 */
export function decodeErrors(body: unknown, depth = 0): ServerError[] {
  if (depth > SERVER_LIMITS.errorDepth) return [];
  const { errors, error } = recordOf(body);
  const list = Array.isArray(body) ? body : errors;
  if (Array.isArray(list)) return first(first(list).flatMap((entry) => entryErrors(entry, depth)));
  if (isRecord(errors)) return first(keyedErrors(errors));
  if (!isRecord(body)) return [];
  return entryErrors(error ?? body, depth).filter((entry) => Object.keys(entry).length > 0);
}

/** What a good answer refuses all the same: its errors, or those of its items. Undefined if it holds none; empty if they say nothing. */
export function refusalIn(body: unknown): ServerError[] | undefined {
  const { error, errors, meta, data } = recordOf(body);
  const items = [Array.isArray(body) ? body : data].flat().map(recordOf);
  const ofItems = items.flatMap((item) => {
    const own = [single(item['error']), item['errors']].filter(isFilled);
    return own.length === 0 && Number(item['status']) >= 400 ? [[item]] : own;
  });
  const found = [single(error), errors, recordOf(meta)['errors'], ...ofItems].filter(isFilled);
  if (found.length === 0) return undefined;
  return first(found.flatMap((each) => decodeErrors(typeof each === 'string' ? [each] : { errors: each })));
}

/** One error as a list of them. */
function single(error: unknown): unknown[] {
  return isFilled(error) ? [error] : [];
}

function isFilled(errors: unknown): boolean {
  return (typeof errors === 'string' || typeof errors === 'object') && Object.keys(errors ?? {}).length > 0;
}

/** An error that is text for people; none of a page of HTML, whose text says nothing of the request. */
export function textError(body: string): ServerError[] {
  const words = body.trim();
  const isForPeople = words !== '' && !words.startsWith('<') && words.length <= SERVER_LIMITS.text;
  return isForPeople ? [{ detail: words }] : [];
}

function first<T>(list: readonly T[]): T[] {
  return list.slice(0, SERVER_LIMITS.errors);
}

function entryErrors(entry: unknown, depth: number): ServerError[] {
  if (typeof entry === 'string') return entry === '' ? [] : [{ detail: cutText(entry) }];
  if (!isRecord(entry)) return [];
  const meta = recordOf(entry['meta']);
  const source = recordOf(entry['source']);
  const inside = Array.isArray(entry['meta']) ? entry['meta'] : { errors: meta['errors'] };
  const own = present({
    title: textOf(entry['title'] ?? entry['code']),
    detail: textOf(entry['detail'] ?? entry['message']),
    pointer: nameOf(source['pointer']),
    key: nameOf(source['parameter'] ?? entry['key'] ?? meta['key']),
  });
  return [own, ...decodeErrors(inside, depth + 1)];
}

/** Messages by the key of what they are about. */
function keyedErrors(errors: Readonly<Record<string, unknown>>): ServerError[] {
  return first(Object.entries(errors)).flatMap(([key, messages]) =>
    first([messages].flat()).flatMap((message) => {
      const detail = textOf(message);
      return detail === undefined ? [] : [{ detail, ...present({ key: nameOf(key) }) }];
    }),
  );
}

function textOf(value: unknown): string | undefined {
  return value === '' ? undefined : proseOf(value);
}

/** A pointer or key; none if it is too long to be one. */
function nameOf(value: unknown): string | undefined {
  return isOverlong(value) ? undefined : textOf(value);
}

/** The entries as one text: the detail if a pointer says what it is about, else title and detail, else the pointer. */
export function errorText(errors: readonly ServerError[]): string | undefined {
  const texts = errors.map(({ title, detail, pointer }) => {
    const words = pointer === undefined || detail === undefined ? [title, detail] : [detail];
    const text = words.filter((word) => word !== undefined).join(': ');
    return text === '' && pointer !== undefined ? `it points at ${pointer}` : text;
  });
  return cutText([...new Set(texts.filter((each) => each !== ''))].join('; ')) || undefined;
}
