// Servers in a process of their own that answer from prepared bytes: `node static-server.mjs COUNT [SERVERS]`, started with fork.
// A message `{ every }` makes every n-th integration differ (0: none) and is answered with the requests since the one before; the
// first PATCH makes all of them as desired. `delay` holds back each answer of the first server; `last` is when any other answered.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { MANAGED, PAGE, pageDocument } from './world.mjs';

const HEADERS = { 'content-type': 'application/vnd.api+json' };
const ACCEPTED = Buffer.from('{"data":[]}');
const NO_ERRORS = Buffer.from('{"data":[],"jsonapi":{"version":"1.0"}}');
const NOT_FOUND = Buffer.from('{"errors":[{"title":"Not found"}]}');
const [DESIRED, OTHER] = [MANAGED.desired, MANAGED.other].map((value) =>
  String(value).charCodeAt(0),
);

const count = Number(process.argv[2]);
const pages = Array.from({ length: Math.ceil(count / PAGE) }, (_, index) =>
  prepared(index + 1),
);
const state = {
  reads: 0,
  writes: 0,
  others: 0,
  last: 0,
  delay: 0,
  differs: false,
};

/** The bytes of a page, and where in them each managed value is. */
function prepared(page) {
  const text = JSON.stringify(pageDocument(count, page));
  const mark = new RegExp(`"key":"${MANAGED.key}".*?"value":`, 'g');
  const places = [...text.matchAll(mark)].map(
    ({ index, 0: { length } }) => index + length,
  );
  return { bytes: Buffer.from(text), places };
}

function set(every) {
  for (const [page, { bytes, places }] of pages.entries())
    for (const [index, place] of places.entries()) {
      const differs = every > 0 && (page * PAGE + index) % every === 0;
      bytes[place] = differs ? OTHER : DESIRED;
    }
  state.differs = every > 0;
}

function answer({ method, url }) {
  if (method === 'PATCH') {
    state.writes += 1;
    if (state.differs) set(0);
    return ACCEPTED;
  }
  if (url.startsWith('/api/integrations?')) {
    state.reads += 1;
    return (
      pages[Number(/page\[number\]=(\d+)/.exec(decodeURI(url))?.[1] ?? 1) - 1]
        ?.bytes ?? NOT_FOUND
    );
  }
  state.others += 1;
  return url === '/api/integrations/errors' ? NO_ERRORS : NOT_FOUND;
}

const servers = Array.from({ length: Number(process.argv[3] ?? 1) }, (_, at) =>
  createServer((request, response) => {
    request.resume().on('end', () => {
      const body = answer(request);
      const status = body === NOT_FOUND ? 404 : 200;
      const send = () =>
        response
          .writeHead(status, { ...HEADERS, 'content-length': body.length })
          .end(body);
      if (at === 0 && state.delay > 0) return setTimeout(send, state.delay);
      state.last = Date.now();
      return send();
    });
  }).listen(0, '127.0.0.1'),
);
await Promise.all(servers.map((server) => once(server, 'listening')));
const urls = servers.map(
  (server) => `http://127.0.0.1:${server.address().port}`,
);
process.send({ url: urls[0], urls });

process.on('message', ({ every, delay = 0 }) => {
  const { reads, writes, others, last } = state;
  Object.assign(state, { reads: 0, writes: 0, others: 0, delay });
  set(every);
  process.send({ reads, writes, others, last });
});
process.on('disconnect', () => process.exit());
