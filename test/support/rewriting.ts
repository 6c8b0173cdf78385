import { globMatcher } from '../../src/core/model/glob.ts';
import { isRecord } from '../../src/core/model/json.ts';
import { isChoice } from '../../src/core/model/value.ts';
import { at, listAt, recordAt } from './at.ts';
import type { Asked, Given, Memory, Rewrite } from './rewriter.ts';

/** What rewrites are made of. */

export type Attributes = Readonly<Record<string, unknown>>;

export const isPatch = ({ method }: Asked) => method === 'PATCH';
export const isList = ({ url }: Asked) => url.pathname === '/api/integrations';
export const isOptions = ({ url }: Asked) => url.pathname === '/api/integration-options';
export const items = ({ body }: Asked) => [at(body, 'data')].flat().filter(isRecord);
export const matches = (globs: readonly string[], id: unknown) =>
  globs.some((glob) => globMatcher(glob)(String(id)));
export const without = (attributes: Attributes, ...names: readonly string[]): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.includes(name)));
export const texts = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(texts) : isChoice(value) ? value.value : value;

/** Rewrites the attributes of every option in an answer. */
export function options(
  change: (attributes: Attributes, id: string, asked: Asked, memory: Memory) => Attributes,
): Rewrite {
  const deep = (value: unknown, asked: Asked, memory: Memory): unknown => {
    if (Array.isArray(value)) return value.map((each) => deep(each, asked, memory));
    if (!isRecord(value)) return value;
    const { type, id, attributes } = value;
    if (type === 'integration-options' && isRecord(attributes))
      return { ...value, attributes: change(attributes, String(id), asked, memory) };
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, deep(each, asked, memory)]));
  };
  return { answer: (given, asked, memory) => ({ ...given, body: deep(given.body, asked, memory) }) };
}

export const value = (change: (value: unknown) => unknown) =>
  options((attributes) =>
    'value' in attributes ? { ...attributes, value: change(attributes['value']) } : attributes,
  );
export const password = (change: (attributes: Attributes) => Attributes) =>
  options((attributes) => (attributes['type'] === 'password' ? change(attributes) : attributes));
/** Rewrites an answer with this status, or to these requests. */
export const given = (
  when: (asked: Asked, given: Given) => boolean,
  change: (given: Given, asked: Asked) => Given,
): Rewrite => ({
  answer: (answer, asked) => (when(asked, answer) ? change(answer, asked) : answer),
});
export const body = (
  when: (asked: Asked, given: Given) => boolean,
  change: (body: Attributes, asked: Asked) => unknown,
) =>
  given(when, (answer, asked) => ({
    ...answer,
    body: isRecord(answer.body) ? change(answer.body, asked) : answer.body,
  }));
export const status = (from: number, to: number, when: (asked: Asked) => boolean) =>
  given(
    (asked, { status }) => status === from && when(asked),
    (answer) => ({ ...answer, status: to }),
  );
export const failed = (change: (message: string) => unknown) =>
  body(
    (_, answer) => answer.status >= 400,
    (document) => change(messageOf(document)),
  );
export const errors = (change: (error: Attributes, asked: Asked) => unknown) =>
  body(
    (asked, answer) => answer.status === 422 && isOptions(asked),
    (document, asked) => ({
      errors: listAt(document, 'errors').map((error) => change(recordAt(error), asked)),
    }),
  );
export const types = (suffix: string): Rewrite => ({
  refuse: (asked) => {
    const wrong = items(asked).some(
      ({ type }) => type !== undefined && String(type).endsWith('s') !== (suffix === 's'),
    );
    return isPatch(asked) && wrong
      ? [isOptions(asked) ? 400 : 409, 'This is another type.', '/data']
      : undefined;
  },
});
export const tokenWith = (place: (expiration: unknown) => object) =>
  body(
    ({ url }) => /\/(login|refresh)$/.test(url.pathname),
    ({ data, ...rest }) => {
      const { expiration_time: expiration, ...others } = recordAt(data);
      return expiration === undefined ? { data, ...rest } : { data: others, ...place(expiration) };
    },
  );
export const type = (mediaType: string | undefined) =>
  given(
    () => true,
    (answer) => ({ ...answer, mediaType }),
  );
export const page = (change: (page: Attributes) => Attributes) =>
  body(isRead, (document) => ({
    ...document,
    ...('meta' in document ? { meta: { page: change(recordAt(document, 'meta', 'page')) } } : {}),
  }));
export function isRead(asked: Asked) {
  return asked.method === 'GET' && (isList(asked) || isOptions(asked));
}
export const numbered = (asked: Asked, name: string, fallback: number) =>
  Number(asked.url.searchParams.get(name) ?? fallback);

export function withQuery(asked: Asked, name: string, change: (text: string | null) => string | null): Asked {
  const url = new URL(asked.url);
  const text = change(url.searchParams.get(name));
  if (text === null) url.searchParams.delete(name);
  else url.searchParams.set(name, text);
  return { ...asked, url };
}

export function pageOf(all: readonly unknown[], size: number, number: number): object {
  const data = all.slice((number - 1) * size, number * size);
  return { data, meta: { page: { number, size, total: all.length } } };
}

export function messageOf(document: unknown): string {
  return listAt(document, 'errors')
    .map((error) => String(at(error, 'detail')))
    .join('\n');
}

/** The item of a request that an error points at. */
export function itemAt(error: Attributes, asked: Asked): unknown {
  return items(asked)[Number(/^\/data\/(\d+)/.exec(String(at(error, 'source', 'pointer')))?.[1])];
}

/** The key of the option that an error names first. */
export function keyAt(error: Attributes): string {
  return String(error['detail']).split(' ')[0] ?? '';
}
