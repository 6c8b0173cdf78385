// The bare machine: the least that reads the same pages, finds what differs, sends the same PATCHes and reads back.
// `node bare-loop.mjs bytes|plan|apply [VALUE]`; `bytes` does not even look at what it reads.
import { Agent } from 'undici';
import { MANAGED, PAGE } from './world.mjs';

const CONCURRENCY = 8;
const { SETPOINT_URL: url, SETPOINT_TOKEN: token } = process.env;
const dispatcher = new Agent({ connections: CONCURRENCY });
const headers = {
  'content-type': 'application/vnd.api+json',
  authorization: `Bearer ${token}`,
};

const [mode, desired = MANAGED.desired] = process.argv.slice(2);
const value = Number(desired);

main();

/** Not awaited: it is bundled as CommonJS, like the program. */
async function main() {
  const found = await readPages(mode === 'bytes');
  if (mode === 'apply' && found.length > 0) {
    await eachOf(found, async (id) => {
      const attributes = { value };
      const body = JSON.stringify({
        data: [{ id, type: 'integration-options', attributes }],
      });
      await send('/api/integration-options', 'PATCH', body);
    });
    const left = await readPages(false);
    if (left.length > 0) throw new Error(`${left.length} still differ`);
  }
  await dispatcher.close();
}

/** The ids of the options that differ, on all pages. */
async function readPages(isBytes) {
  const first = await send(`/api/integrations?page[size]=${PAGE}`);
  const document = JSON.parse(first);
  const ids = differing(document);
  const last = Math.ceil(document.meta.page.total / PAGE);
  const rest = Array.from(
    { length: Math.max(0, last - 1) },
    (_, index) => index + 2,
  );
  await eachOf(rest, async (number) => {
    const text = await send(
      `/api/integrations?page[size]=${PAGE}&page[number]=${number}`,
    );
    if (!isBytes) ids.push(...differing(JSON.parse(text)));
  });
  return ids;
}

function differing({ included }) {
  return included
    .filter(
      ({ attributes }) =>
        attributes.key === MANAGED.key && attributes.value !== value,
    )
    .map(({ id }) => id);
}

async function send(path, method = 'GET', body = undefined) {
  const answer = await dispatcher.request({
    origin: url,
    path,
    method,
    headers,
    body,
  });
  if (answer.statusCode !== 200)
    throw new Error(`${method} ${path}: ${answer.statusCode}`);
  return answer.body.text();
}

async function eachOf(items, work) {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
