import { countOf, isRecord, present, recordOf, textOf } from '../model/json.ts';

/** One entry of a JSON:API error document, as far as the server filled it in. */
interface ServerError {
  readonly title?: string;
  readonly detail?: string;
  /** The place in the request's body that the error is about. */
  readonly pointer?: string;
  /** The key of the option that it is about, as the checks of an integration name it; it may be a wrong one. */
  readonly key?: string;
}

/** What is taken of an error document: entries, levels of nested ones, and characters of the text for people. */
const MOST = { entries: 100, levels: 4, text: 4_096 };

/**
 * The entries of an error document, with those nested in `meta`. Reads a bare list, a single error and texts as
 * well, and a text for people. Empty if the body says nothing; of very many entries only the first are read.
 */
export function decodeErrors(body: unknown, level = 0): readonly ServerError[] {
  if (level > MOST.levels) return [];
  if (typeof body === 'string') return isForPeople(body) ? [{ detail: body.trim() }] : [];
  const { errors, error } = recordOf(body);
  const list = Array.isArray(body) ? body : errors;
  if (Array.isArray(list))
    return list
      .slice(0, MOST.entries)
      .flatMap((entry) => entryErrors(entry, level))
      .slice(0, MOST.entries);
  if (!isRecord(body)) return [];
  return entryErrors(error ?? body, level).filter((entry) => Object.keys(entry).length > 0);
}

/** Whether a text is for people: a page of HTML says nothing of the request. */
function isForPeople(text: string): boolean {
  return text.length <= MOST.text && /^\s*[^\s<]/.test(text);
}

function entryErrors(entry: unknown, level: number): ServerError[] {
  if (typeof entry === 'string') return entry === '' ? [] : [{ detail: entry }];
  if (!isRecord(entry)) return [];
  const { meta } = entry;
  const source = recordOf(entry['source']);
  const own = present({
    title: wordsOf(entry['title'] ?? entry['code']),
    detail: wordsOf(entry['detail'] ?? entry['message']),
    pointer: wordsOf(source['pointer']),
    key: wordsOf(source['parameter'] ?? entry['key'] ?? recordOf(meta)['key']),
  });
  return [own, ...decodeErrors(Array.isArray(meta) ? meta : { errors: recordOf(meta)['errors'] }, level + 1)];
}

function wordsOf(value: unknown): string | undefined {
  return textOf(value) || undefined;
}

/** What a good answer refuses all the same: its errors, or those of its items. Undefined if it holds none; empty if they say nothing. */
export function refusalIn(body: unknown): ServerError[] | undefined {
  const { meta, data } = recordOf(body);
  const items = [Array.isArray(body) ? body : data].flat().map(recordOf);
  const found = [recordOf(body), { errors: recordOf(meta)['errors'] }, ...items].flatMap((part) => {
    const own = [isFilled(part['error']) ? [part['error']] : [], part['errors']].filter(isFilled);
    return own.length === 0 && Number(part['status']) >= 400 ? [[part]] : own;
  });
  if (found.length === 0) return undefined;
  return found
    .flatMap((errors) => decodeErrors(typeof errors === 'string' ? [errors] : { errors }))
    .slice(0, MOST.entries);
}

function isFilled(errors: unknown): boolean {
  return (typeof errors === 'string' || typeof errors === 'object') && Object.keys(errors ?? {}).length > 0;
}

/** The entries as one text: the detail if a pointer says what it is about, else title and detail, else the pointer. */
export function errorText(errors: readonly ServerError[]): string | undefined {
  const texts = errors.map(({ title, detail, pointer }) => {
    const words = pointer === undefined || detail === undefined ? [title, detail] : [detail];
    const text = words.filter((word) => word !== undefined).join(': ');
    return text === '' && pointer !== undefined ? `it points at ${pointer}` : text;
  });
  const text = [...new Set(texts.filter((each) => each !== ''))].join('; ');
  return (text.length > MOST.text ? `${text.slice(0, MOST.text)}…` : text) || undefined;
}

/** An integration error as it may be shown: without `meta`, which can hold requests to third parties. */
export interface IntegrationError {
  readonly id: string;
  /** The id of the integration; empty if the server does not send it. */
  readonly integration: string;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  /** How often it has occurred. */
  readonly count: number;
  /** The last occurrence, ISO 8601, as the server writes it. */
  readonly occurredOn: string;
  readonly status: number | null;
}

/** Decodes a list of integration errors; what is missing becomes empty. */
export function decodeIntegrationErrors(body: unknown): readonly IntegrationError[] | string {
  const { data } = recordOf(body);
  return Array.isArray(data) ? data.map(decodeIntegrationError) : '`data` is not a list';
}

function decodeIntegrationError(raw: unknown): IntegrationError {
  const resource = recordOf(raw);
  const from = recordOf(resource['attributes']);
  const { data } = recordOf(recordOf(resource['relationships'])['integration']);
  return {
    id: textOf(resource['id']) ?? '',
    integration: textOf(recordOf([data].flat()[0])['id']) ?? textOf(from['integration-id']) ?? '',
    code: textOf(from['code']) ?? '',
    title: textOf(from['title']) ?? '',
    detail: textOf(from['detail']) ?? '',
    count: countOf(from['error-count']) ?? 1,
    occurredOn: textOf(from['occurred-on']) ?? '',
    status: countOf(from['status']) ?? null,
  };
}

/**
 * The errors of these integrations that are new since an earlier reading, or occurred more often. An error that does not name
 * its integration may be theirs.
 */
export function risenErrors(
  before: readonly IntegrationError[],
  after: readonly IntegrationError[],
  integrations: ReadonlySet<string>,
): readonly IntegrationError[] {
  const counts = new Map(before.map(({ id, count }) => [id, count]));
  return after.filter(({ id, count, integration: of }) => {
    const isMore = count > (counts.get(id) ?? Number.NEGATIVE_INFINITY);
    return isMore && (of === '' || integrations.has(of));
  });
}
