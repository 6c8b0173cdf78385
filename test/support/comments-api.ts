import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A text that somebody wrote under a request. */
interface Written {
  readonly id: number;
  body: string;
}

export interface Comment extends Written {
  readonly user: { readonly login: string };
}

interface CommentsWish {
  /** Comments that are there already, by their authors. */
  readonly given?: readonly (readonly [author: string, body: string])[];
  /** What the token comments as. */
  readonly author?: string;
  /** The status of all answers to writes, where they are refused. */
  readonly refusal?: number;
}

/** The API of a pull request's comments. */
export async function commentsApi(wish: CommentsWish = {}) {
  const { given = [], author = 'github-actions[bot]', refusal } = wish;
  const commentOf = (id: number, login: string, body: string): Comment => ({
    id,
    user: { login },
    body,
  });
  const comments = given.map(([login, body], index) =>
    commentOf(index + 1, login, body),
  );
  const requests: string[] = [];
  const url = await serving(comments, {
    all: '/repos/team/config/issues/7/comments',
    one: '/repos/team/config/issues/comments',
    change: 'PATCH',
    refusal,
    made: (id, { body }) => commentOf(id, author, body),
    onRequest: (asked, { authorization }) =>
      requests.push(`${asked} ${authorization}`),
  });
  return { url, comments, requests };
}

/** The API of a merge request's notes, in which the token is of the user 3. */
export async function notesApi(
  given: readonly (readonly [author: number, body: string])[],
) {
  const noteOf = (id: number, author: number, body: string) => ({
    id,
    author: { id: author },
    body,
  });
  const notes = given.map(([author, body], index) =>
    noteOf(index + 1, author, body),
  );
  const tokens: unknown[] = [];
  const all = '/projects/5/merge_requests/7/notes';
  const url = await serving(notes, {
    ...{ all, one: all, change: 'PUT', user: { id: 3 } },
    made: (id, { body }) => noteOf(id, 3, body),
    onRequest: (_, headers) => tokens.push(headers['private-token']),
  });
  return { url, notes, tokens };
}

/** An issue, as either service has it. */
interface Issue extends Written {
  readonly title: string;
  state: string;
}

/** The API of GitHub's issues, and of the comments of a pull request without any. */
export async function issuesApi() {
  const issues: Issue[] = [];
  const user = { login: 'github-actions[bot]' };
  const all = '/repos/team/config/issues';
  const url = await serving(issues, {
    ...{ all, one: all, change: 'PATCH' },
    lists: ({ state }) => state === 'open',
    made: (id, { title = '', body }) => {
      const of = { id, number: id, user };
      return { ...of, title, body, state: 'open' };
    },
    changed: (issue, { state = issue.state }) => {
      issue.state = state;
    },
    onRequest: () => undefined,
  });
  return { url, issues };
}

/** The API of GitLab's issues, in which the token is of the user 3. */
export async function projectIssuesApi() {
  const issues: Issue[] = [];
  const all = '/projects/5/issues';
  const url = await serving(issues, {
    ...{ all, one: all, change: 'PUT', user: { id: 3 } },
    lists: ({ state }) => state === 'opened',
    made: (id, { title = '', description = '' }) => {
      const of = { id, iid: id, author: { id: 3 } };
      return { ...of, title, description, body: '', state: 'opened' };
    },
    changed: (issue, { description = '', state_event }) => {
      Object.assign(issue, { description, body: description });
      if (state_event === 'close') issue.state = 'closed';
    },
    onRequest: () => undefined,
  });
  return { url, issues };
}

/** What is sent of a text. */
interface Sent {
  readonly title?: string;
  readonly body: string;
  readonly description?: string;
  readonly state?: string;
  readonly state_event?: string;
}

interface Service<Item> {
  /** The paths of all texts, and of one before its id. */
  readonly all: string;
  readonly one: string;
  readonly change: 'PATCH' | 'PUT';
  readonly refusal?: number | undefined;
  /** Who the token is of. */
  readonly user?: object;
  /** Which of the texts a list has; all without it. */
  readonly lists?: (item: Item) => boolean;
  readonly made: (id: number, sent: Sent) => Item;
  /** Changes more of an item than its text. */
  readonly changed?: (item: Item, sent: Sent) => void;
  readonly onRequest: (asked: string, headers: IncomingHttpHeaders) => void;
}

/** Serves texts on loopback, as far as they are asked for; it ends with the test. Returns its address. */
async function serving<Item extends Written>(
  items: Item[],
  service: Service<Item>,
): Promise<string> {
  const { all, one, change, refusal, user, made, onRequest } = service;
  const { lists = () => true, changed } = service;
  const answer = (
    asked: string,
    query: URLSearchParams,
    body: Sent,
  ): readonly [number, unknown] => {
    const [page, size] = [
      Number(query.get('page')),
      Number(query.get('per_page')),
    ];
    if (asked === `GET ${all}`)
      return [200, items.filter(lists).slice((page - 1) * size, page * size)];
    if (asked === 'GET /user' && user !== undefined) return [200, user];
    if (refusal !== undefined) return [refusal, { message: 'no\n::error::no' }];
    if (asked === `POST ${all}`) items.push(made(items.length + 1, body));
    const own =
      asked === `POST ${all}`
        ? items.at(-1)
        : items.find(({ id }) => asked === `${change} ${one}/${id}`);
    if (own === undefined) return [404, {}];
    own.body = body.body;
    changed?.(own, body);
    return [200, own];
  };
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    onRequest(`${method} ${url}`, headers);
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const sent =
      method === 'GET' ? { body: '' } : ((await json(request)) as Sent);
    const [status, answered] = answer(
      `${method} ${pathname}`,
      searchParams,
      sent,
    );
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(answered));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
