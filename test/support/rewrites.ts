import { isChoice } from '../../src/core/model/value.ts';
import { at, listAt, recordAt } from './at.ts';
import type { Dialect, OPEN_POINTS } from './dialects.ts';
import type { Asked, Memory, Rewrite } from './rewriter.ts';
import {
  body,
  errors,
  failed,
  given,
  isList,
  isOptions,
  isPatch,
  isRead,
  itemAt,
  items,
  keyAt,
  matches,
  messageOf,
  numbered,
  options,
  page,
  pageOf,
  password,
  status,
  texts,
  tokenWith,
  type,
  types,
  value,
  without,
  withQuery,
} from './rewriting.ts';

type OpenPoints = typeof OPEN_POINTS;

/** One line for each answer, in the order in which they are made. */
const REWRITES: { readonly [Name in keyof OpenPoints]: Readonly<Record<string, Rewrite>> } = {
  dialect: {},
  passwords: {
    null: password((attributes) => ({ ...attributes, value: null })),
    absent: password((attributes) => without(attributes, 'value')),
  },
  values: {
    detail: options((attributes, _, { url }) =>
      /^\/api\/integrations\/./.test(url.pathname) ? attributes : without(attributes, 'value'),
    ),
  },
  unsetValues: {
    absent: options((attributes, id, _, { written }) =>
      written.has(id) ? attributes : without(attributes, 'value'),
    ),
  },
  store: { strings: value((each) => (typeof each === 'object' ? each : String(each))) },
  selects: {
    strings: { ...value(texts), request: withChoices },
    'strings-only': { ...value(texts), request: withChoices, refuse: refuseChoices },
  },
  flags: { absent: options((attributes) => without(attributes, 'admin-only', 'user-can-edit')) },
  acceptType: { plural: types('s'), singular: types('') },
  expiration: {
    top: tokenWith((expiration_time) => ({ expiration_time })),
    meta: tokenWith((expiration_time) => ({ meta: { expiration_time } })),
  },
  refresh: {
    replaces: {
      answer: (answer, { url, token }, { revoked }) =>
        url.pathname.endsWith('/refresh') && revoked.add(token) ? answer : answer,
      refuse: ({ token }, { revoked }) => (revoked.has(token) ? [401, 'The token was replaced.'] : undefined),
    },
  },
  logoutAnswer: {
    empty: given(
      ({ url }) => url.pathname.endsWith('/logout'),
      (answer) => ({ ...answer, body: undefined }),
    ),
  },
  patchAnswer: {
    empty: given(
      (asked, answer) => isPatch(asked) && answer.status === 200,
      (answer) => ({ ...answer, status: 204, body: undefined }),
    ),
  },
  pointer: {
    key: errors((error) => ({ ...error, source: { pointer: `/data/attributes/${keyAt(error)}` } })),
    none: errors(({ source: _, ...error }) => error),
  },
  echo: {
    value: errors((error, asked) => ({
      ...error,
      detail: `${error['detail']}, not ${JSON.stringify(at(itemAt(error, asked), 'attributes', 'value'))}`,
    })),
  },
  refusalStatus: { '400': status(422, 400, isPatch), '409': status(422, 409, isPatch) },
  missingTokenStatus: Object.fromEntries(
    [403, 400, 404].map((to) => [
      to,
      status(401, to, ({ token, url }) => token === '' && !url.pathname.endsWith('/login')),
    ]),
  ),
  readers: {
    managers: {
      refuse: ({ method, token, url }, { users }) =>
        method === 'GET' && users.get(token) === 'user' && !url.pathname.startsWith('/api/users')
          ? [403, 'This needs the role integration manager.']
          : undefined,
    },
  },
  firstPage: {
    '0': {
      request: (asked) =>
        withQuery(asked, 'page[number]', (text) => (text === null ? null : String(Number(text) + 1))),
      ...page((each) => ({ ...each, number: Number(each['number']) - 1 })),
    },
  },
  optionPages: {
    numbered: {
      request: (asked) =>
        isOptions(asked)
          ? withQuery(
              withQuery(asked, 'page[size]', () => null),
              'page[number]',
              () => null,
            )
          : asked,
      ...body(
        (asked) => isOptions(asked) && !isPatch(asked),
        (document, asked) =>
          pageOf(
            listAt(document, 'data'),
            numbered(asked, 'page[size]', 100),
            numbered(asked, 'page[number]', 1),
          ),
      ),
    },
  },
  accept: {
    json: {
      refuse: ({ accept }) =>
        /application\/(json|\*)|\*\/\*/.test(accept)
          ? undefined
          : [406, 'Answers are application/json alone.'],
    },
  },
  errorBody: {
    error: failed((message) => ({ error: { message } })),
    message: failed((message) => ({ message })),
    text: given(
      (_, answer) => answer.status >= 400,
      (answer) => ({ ...answer, body: messageOf(answer.body), mediaType: 'text/plain' }),
    ),
    empty: failed(() => undefined),
  },
  answerType: { json: type('application/json'), text: type('text/plain'), none: type(undefined) },
};

/** The settings that are numbers or globs. */
function freeRewrites({ maxPageSize, refuseEvery, managerScope, refuses, errorsOf }: Dialect): Rewrite[] {
  const count = { requests: 0 };
  return [
    maxPageSize === undefined
      ? {}
      : {
          request: (asked) =>
            isRead(asked) && isList(asked)
              ? withQuery(asked, 'page[size]', (text) => String(Math.min(Number(text ?? 100), maxPageSize)))
              : asked,
        },
    refuseEvery === undefined
      ? {}
      : {
          refuse: () =>
            ++count.requests % refuseEvery === 0 ? [429, 'These are too many requests.'] : undefined,
        },
    managerScope === undefined
      ? {}
      : {
          refuse: (asked, { users }) =>
            isPatch(asked) &&
            users.get(asked.token) === 'manager' &&
            items(asked).some(({ id }) => !matches(managerScope, id))
              ? [403, 'You do not manage this integration.']
              : undefined,
        },
    refuses === undefined
      ? {}
      : {
          refuse: (asked) =>
            isPatch(asked) && items(asked).some(({ id }) => matches(refuses, id))
              ? [422, 'This option refuses every change.', '/data/0/attributes/value']
              : undefined,
        },
    errorsOf === undefined
      ? {}
      : body(
          ({ url }) => url.pathname === '/api/integrations/errors',
          (document) => ({
            ...document,
            data: listAt(document, 'data').filter((error) =>
              matches(errorsOf, at(error, 'attributes', 'integration-id')),
            ),
          }),
        ),
  ];
}

/** Selects as the sandbox takes them, with the display of the choice as it was last served. */
function withChoices(asked: Asked, { choices }: Memory): Asked {
  const choice = (each: unknown, known: readonly unknown[]): unknown =>
    typeof each !== 'string'
      ? each
      : (known.find((one) => at(one, 'value') === each) ?? { display: each, value: each });
  const data = items(asked).map((item) => {
    const known = choices.get(String(item['id']));
    const sent = at(item, 'attributes', 'value');
    if (known === undefined || sent === undefined) return item;
    const value = Array.isArray(sent) ? sent.map((each) => choice(each, known)) : choice(sent, known);
    return { ...item, attributes: { ...recordAt(item, 'attributes'), value } };
  });
  return isPatch(asked) && isOptions(asked) ? { ...asked, body: { data } } : asked;
}

function refuseChoices(asked: Asked): readonly [number, string, string] | undefined {
  const index = items(asked).findIndex((item) => [at(item, 'attributes', 'value')].flat().some(isChoice));
  return index < 0 ? undefined : [422, 'must be a string, not an object', `/data/${index}/attributes/value`];
}

/** The rewrites of a dialect, in their order. */
export function rewritesOf(dialect: Dialect): Rewrite[] {
  const chosen = Object.entries(REWRITES).flatMap(
    ([name, answers]) => answers[String(dialect[name as keyof Dialect])] ?? [],
  );
  return [...freeRewrites(dialect), ...chosen].filter((each) => Object.keys(each).length > 0);
}
