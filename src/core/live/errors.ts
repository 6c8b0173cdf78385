import { countOf, present, recordOf, textOf } from '../model/json.ts';
import { withoutCredentials } from './credentials.ts';

/** One entry of a JSON:API error document, as far as the server filled it in. */
interface ServerError {
  readonly title?: string;
  readonly detail?: string;
  /** The place in the request's body that the error is about. */
  readonly pointer?: string;
  /** The key of the option that it is about, as the checks of an integration name it; it may be a wrong one. */
  readonly key?: string;
}

/** What is taken of an error document: entries, levels of nested ones, and characters of their text. */
const MOST = { entries: 100, levels: 4, text: 4_096 };

/** The entries of an error document, with those nested in `meta`; of very many only the first. Empty if the body gives none. */
export function decodeErrors(body: unknown, level = 0): readonly ServerError[] {
  const { errors } = recordOf(body);
  if (level > MOST.levels || !Array.isArray(errors)) return [];
  return errors
    .slice(0, MOST.entries)
    .flatMap((entry) => entryErrors(recordOf(entry), level))
    .slice(0, MOST.entries);
}

function entryErrors(
  { title, detail, message, source, key, meta }: ReturnType<typeof recordOf>,
  level: number,
): ServerError[] {
  const own = present({
    title: wordsOf(title),
    detail: wordsOf(detail ?? message),
    pointer: nameOf(recordOf(source)['pointer']),
    key: nameOf(key),
  });
  return [own, ...decodeErrors(meta, level + 1)];
}

/** What a server says to people; undefined if it says nothing. */
function wordsOf(value: unknown): string | undefined {
  return withoutCredentials(textOf(value) ?? '') || undefined;
}

/** A name, which a place in the YAML is found by. */
function nameOf(value: unknown): string | undefined {
  return textOf(value) || undefined;
}

/** The errors in a good answer, of the document or of an item of its data, which refuse all the same. Undefined if it has none. */
export function refusalIn(body: unknown): readonly ServerError[] | undefined {
  const parts = [body, recordOf(body)['data']].flat();
  const refused = parts.filter(
    (part) => Object.keys(recordOf(part)['errors'] ?? {}).length > 0,
  );
  return refused.length === 0
    ? undefined
    : refused.flatMap((part) => decodeErrors(part)).slice(0, MOST.entries);
}

/** The entries as one text: the detail if a pointer says what it is about, else title and detail, else the pointer. */
export function errorText(errors: readonly ServerError[]): string | undefined {
  const texts = errors.map(({ title, detail, pointer }) => {
    const words =
      pointer === undefined || detail === undefined
        ? [title, detail]
        : [detail];
    const text = words.filter((word) => word !== undefined).join(': ');
    return text === '' && pointer !== undefined
      ? `it points at ${withoutCredentials(pointer)}`
      : text;
  });
  const text = [...new Set(texts.filter((each) => each !== ''))].join('; ');
  return (
    (text.length > MOST.text ? `${text.slice(0, MOST.text)}…` : text) ||
    undefined
  );
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
export function decodeIntegrationErrors(
  body: unknown,
): readonly IntegrationError[] | string {
  const { data } = recordOf(body);
  return Array.isArray(data)
    ? data.map(decodeIntegrationError)
    : '`data` is not a list';
}

function decodeIntegrationError(raw: unknown): IntegrationError {
  const resource = recordOf(raw);
  const from = recordOf(resource['attributes']);
  return {
    id: textOf(resource['id']) ?? '',
    integration: textOf(from['integration-id']) ?? '',
    code: wordsOf(from['code']) ?? '',
    title: wordsOf(from['title']) ?? '',
    detail: wordsOf(from['detail']) ?? '',
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
