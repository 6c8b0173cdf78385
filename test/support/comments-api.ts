import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Comment {
  readonly id: number;
  readonly user: { readonly login: string };
  body: string;
}

interface CommentsWish {
  /** Comments that are there already, by their authors. */
  readonly given?: readonly (readonly [author: string, body: string])[];
  /** What the token comments as. */
  readonly author?: string;
  /** The status of all answers to writes, where they are refused. */
  readonly refusal?: number;
}

/** The API of a pull request's comments on loopback, as far as the action asks for it; it ends with the test. */
export async function commentsApi({
  given = [],
  author = 'github-actions[bot]',
  refusal,
}: CommentsWish = {}) {
  const comments: Comment[] = given.map(([login, body], index) => ({ id: index + 1, user: { login }, body }));
  const requests: string[] = [];
  const answer = (method: string, url: URL, sent: string): readonly [status: number, body: unknown] => {
    if (url.pathname === '/repos/team/config/issues/7/comments' && method === 'GET') {
      const page = Number(url.searchParams.get('page'));
      const size = Number(url.searchParams.get('per_page'));
      return [200, comments.slice((page - 1) * size, page * size)];
    }
    if (refusal !== undefined) return [refusal, { message: 'no\n::error::no' }];
    if (url.pathname === '/repos/team/config/issues/7/comments' && method === 'POST') {
      const added = { id: comments.length + 1, user: { login: author }, body: sent };
      comments.push(added);
      return [201, added];
    }
    const id = /^\/repos\/team\/config\/issues\/comments\/(\d+)$/.exec(url.pathname)?.[1];
    const found = comments.find((each) => each.id === Number(id));
    if (method !== 'PATCH' || found === undefined) return [404, {}];
    found.body = sent;
    return [200, found];
  };
  const url = await serving(async (request, response) => {
    const { method = '', url: path = '' } = request;
    requests.push(`${method} ${path} ${request.headers.authorization}`);
    const [status, answered] = answer(method, new URL(path, 'http://localhost'), await sentIn(request));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answered));
  });
  return { url, comments, requests };
}

/** A note of GitLab. */
interface Note {
  readonly id: number;
  readonly author: { readonly id: number };
  body: string;
}

/** The user that the token of a test is of. */
const BOT = 3;

/** The API of a merge request's notes on loopback, as far as the example asks for it; it ends with the test. */
export async function notesApi(given: readonly (readonly [author: number, body: string])[]) {
  const notes: Note[] = given.map(([id, body], index) => ({ id: index + 1, author: { id }, body }));
  const tokens: unknown[] = [];
  const all = '/projects/5/merge_requests/7/notes';
  const url = await serving(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    tokens.push(headers['private-token']);
    const body = await sentIn(request);
    const answer = (status: number, answered: unknown) =>
      response.writeHead(status).end(JSON.stringify(answered));
    if (`${method} ${pathname}` === 'GET /user') return answer(200, { id: BOT });
    if (`${method} ${pathname}` === `GET ${all}`)
      return answer(200, Number(searchParams.get('page')) === 1 ? notes : []);
    const own = notes.find(({ id }) => pathname === `${all}/${id}`);
    if (method === 'PUT' && own !== undefined) own.body = body;
    else if (`${method} ${pathname}` === `POST ${all}`)
      notes.push({ id: notes.length + 1, author: { id: BOT }, body });
    else return answer(404, {});
    return answer(200, {});
  });
  return { url, notes, tokens };
}

/** The text of a comment that is sent. */
async function sentIn(request: IncomingMessage): Promise<string> {
  return request.method === 'GET' ? '' : ((await json(request)) as { readonly body: string }).body;
}

/** A server on loopback; it ends with the test. Returns its address. */
async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
