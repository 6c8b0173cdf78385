import { isRecord, recordOf } from '../model/json.ts';
import { present } from '../model/present.ts';
import { cutText, isOverlong, SERVER_LIMITS } from './limits.ts';

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
 * entries, messages by key, and a single error in one of the usual forms; of any other object its JSON. Empty where the body
 * says nothing; of very many entries only the first are read.
 */
export function decodeErrors(body: unknown, depth = 0): ServerError[] {
  if (depth > SERVER_LIMITS.errorDepth) return [];
  const { errors, error } = recordOf(body);
  const list = Array.isArray(body) ? body : errors;
  if (Array.isArray(list)) return first(first(list).flatMap((entry) => entryErrors(entry, depth)));
  if (isRecord(errors)) return first(keyedErrors(errors));
  const detail = singleError(isRecord(error) ? error : recordOf(body));
  if (detail !== undefined) return [{ detail }];
  const json = depth === 0 && isRecord(body) ? JSON.stringify(body) : '';
  // Numbers and brackets alone say nothing to people.
  return /[:[,]"[^"]+"(?!:)/.test(json) ? [{ detail: cutText(json) }] : [];
}

/**
 * What a good answer refuses all the same: its `error` or `errors`, those in its `meta`, and those of its items; where
 * `isMulti`, also of items whose own status or `meta` says so. Undefined where it holds none; empty where they say nothing.
 */
export function refusalIn(body: unknown, isMulti: boolean): ServerError[] | undefined {
  const { error, errors, meta, data } = recordOf(body);
  const items = [Array.isArray(body) ? body : data].flat().map(recordOf);
  const held = [
    single(error),
    errors,
    recordOf(meta)['errors'],
    ...items.flatMap((item) => heldBy(item, isMulti)),
  ];
  const said = held.filter(isSaid);
  if (said.length === 0) return undefined;
  return first(said.flatMap((each) => decodeErrors(typeof each === 'string' ? [each] : { errors: each })));
}

/** What an item of an answer refuses. What an integration says in its `meta` is about its own errors, unless each item has a status. */
function heldBy(item: Readonly<Record<string, unknown>>, isMulti: boolean): unknown[] {
  const { errors, meta, status } = item;
  if (!isMulti) return [errors];
  const held = [single(item['error']), errors, recordOf(meta)['errors']];
  return Number(status) >= 400 && !held.some(isSaid) ? [...held, [item]] : held;
}

/** One error as a list of them. */
function single(error: unknown): unknown[] {
  return isSaid(error) ? [error] : [];
}

function isSaid(errors: unknown): boolean {
  return (
    (typeof errors === 'string' || isRecord(errors) || Array.isArray(errors)) &&
    Object.keys(errors).length > 0
  );
}

/** A single error: `{message}`, `{error}`, `{title, detail}` of problem+json, and their likes. */
function singleError(error: Readonly<Record<string, unknown>>): string | undefined {
  const found = SINGLE.map((name) => text(error[name])).filter((each) => each !== undefined);
  return found.length === 0 ? undefined : cutText([...new Set(found)].join(': '));
}

const SINGLE = ['error', 'title', 'message', 'detail', 'error_description', 'reason'] as const;

/** An error that is text for people; none of a page of HTML, whose text says nothing of the request. */
export function textError(body: string): ServerError[] {
  const words = body.trim();
  return words === '' || words.startsWith('<') || words.length > SERVER_LIMITS.text
    ? []
    : [{ detail: words }];
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
  const nested = decodeErrors(inside, depth + 1);
  const own = present({
    title: text(entry['title'] ?? entry['code']),
    detail: text(entry['detail'] ?? entry['message']),
    pointer: nameIn(source['pointer']),
    key: nameIn(source['parameter'] ?? entry['key'] ?? meta['key']),
  });
  return [own, ...nested];
}

/** Messages by the key of what they are about. */
function keyedErrors(errors: Readonly<Record<string, unknown>>): ServerError[] {
  return first(Object.entries(errors)).flatMap(([key, messages]) =>
    first([messages].flat()).flatMap((message) => {
      const detail = text(message);
      return detail === undefined ? [] : [{ detail, ...present({ key: nameIn(key) }) }];
    }),
  );
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? cutText(value) : undefined;
}

/** A pointer or key; none where it is too long to be one. */
function nameIn(value: unknown): string | undefined {
  return isOverlong(value) ? undefined : text(value);
}

/** The entries as one text: the detail where a pointer says what it is about, else title and detail, else the pointer. */
export function errorText(errors: readonly ServerError[]): string | undefined {
  const texts = errors.map(({ title, detail, pointer }) => {
    const words = pointer === undefined || detail === undefined ? [title, detail] : [detail];
    const said = words.filter((word) => word !== undefined).join(': ');
    return said === '' && pointer !== undefined ? `it points at ${pointer}` : said;
  });
  return cutText([...new Set(texts.filter((each) => each !== ''))].join('; ')) || undefined;
}
