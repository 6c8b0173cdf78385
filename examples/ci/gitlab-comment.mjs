// Keeps one comment in the merge request for each report of setpoint: the token's own that begins with the marker, or a new one.
// node .gitlab/comment.mjs diff.md plan.md
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const { env } = process;
const MERGE_REQUEST = `/projects/${env.CI_PROJECT_ID}/merge_requests/${env.CI_MERGE_REQUEST_IID}`;
const PAGE = 100;
const TIMEOUT = 30_000;

if (env.SETPOINT_COMMENT_TOKEN) {
  await keepComments(process.argv.slice(2)).catch(tell);
} else {
  process.stdout.write(
    'Without SETPOINT_COMMENT_TOKEN there is no comment; the reports are artifacts.\n',
  );
}

async function keepComments(paths) {
  const { id } = await call('GET', '/user');
  for (const path of paths) if (existsSync(path)) await keepComment(path, id);
}

function tell({ message, cause }) {
  const why = cause?.code ?? cause?.message;
  const text = `No comment could be written: ${message}${why === undefined ? '' : ` (${why})`}`;
  process.stderr.write(`${text.replace(/\s+/g, ' ')}\n`);
  process.exitCode = 1;
}

/** By the name of the file: a run that failed early has a report of another kind, and takes the place of the one before. */
async function keepComment(path, author) {
  const marker = `<!-- setpoint ${basename(path, '.md')} -->`;
  const body = readFileSync(path, 'utf8').replace(/^.*/, marker);
  const own = await findOwn(marker, author);
  if (own === undefined) await call('POST', `${MERGE_REQUEST}/notes`, { body });
  else await call('PUT', `${MERGE_REQUEST}/notes/${own.id}`, { body });
}

async function findOwn(marker, user) {
  for (let page = 1; ; page += 1) {
    const found = await call(
      'GET',
      `${MERGE_REQUEST}/notes?per_page=${PAGE}&page=${page}`,
    );
    const own = found.find(
      ({ author, body }) =>
        author.id === user && body.split('\n', 1)[0].trim() === marker,
    );
    if (own !== undefined || found.length < PAGE) return own;
  }
}

async function call(method, path, body) {
  const answer = await fetch(`${env.CI_API_V4_URL}${path}`, {
    method,
    headers: {
      'private-token': env.SETPOINT_COMMENT_TOKEN,
      'content-type': 'application/json',
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    // The token goes nowhere else.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
  });
  if (!answer.ok)
    throw new Error(`GitLab answered ${answer.status} to ${method} ${path}.`);
  return answer.json();
}
