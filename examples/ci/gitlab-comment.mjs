// Says where people read what reports of setpoint say, as the owner of SETPOINT_COMMENT_TOKEN.
//   node .gitlab/comment.mjs review.md           one comment for each report in the merge request, none for one with nothing to read
//   node .gitlab/comment.mjs --issue night.md    one open issue while night.json has changes, closed once it has none
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const { env } = process;
const PROJECT = `/projects/${env.CI_PROJECT_ID}`;
const PAGE = 100;
const TIMEOUT = 30_000;

const [first, ...rest] = process.argv.slice(2);
const isIssue = first === '--issue';
const paths = (isIssue ? rest : [first, ...rest]).filter(existsSync);

if (env.SETPOINT_COMMENT_TOKEN) {
  await keepAll().catch(tell);
} else {
  process.stdout.write(
    'Without SETPOINT_COMMENT_TOKEN nothing is written; the reports are artifacts.\n',
  );
}

async function keepAll() {
  const { id } = await call('GET', '/user');
  for (const path of paths) {
    if (isIssue) await keepIssue(path, id);
    else await keepComment(path, id);
  }
}

function tell({ message, cause }) {
  const why = cause?.code ?? cause?.message;
  const text = `Nothing could be written: ${message}${why === undefined ? '' : ` (${why})`}`;
  process.stderr.write(`${text.replace(/\s+/g, ' ')}\n`);
  process.exitCode = 1;
}

async function keepComment(path, author) {
  const { marker, text: body } = marked(path);
  const notes = `${PROJECT}/merge_requests/${env.CI_MERGE_REQUEST_IID}/notes`;
  const own = await findItem(notes, (note) =>
    isOwn(note.author, note.body, { author, marker }),
  );
  if (own === undefined) {
    if (isEmpty(jsonOf(path))) return;
    await call('POST', notes, { body });
    return;
  }
  await call('PUT', `${notes}/${own.id}`, { body });
}

async function keepIssue(path, author) {
  const changes = changesIn(jsonOf(path));
  // A plan that failed says nothing of its servers.
  if (changes === undefined) return;
  const { marker, text: description } = marked(path);
  const issues = `${PROJECT}/issues`;
  const own = await findItem(`${issues}?state=opened`, (issue) =>
    isOwn(issue.author, issue.description, { author, marker }),
  );
  if (own !== undefined) {
    const end = changes === 0 ? { state_event: 'close' } : {};
    await call('PUT', `${issues}/${own.iid}`, { description, ...end });
  } else if (changes > 0) {
    const title = 'setpoint: servers differ from git';
    await call('POST', issues, { title, description });
  }
}

/** The same report for programs. */
function jsonOf(path) {
  return path.replace(/\.md$/, '.json');
}

/** Whether a report has nothing that a reviewer should read. */
function isEmpty(path) {
  if (changesIn(path) !== 0) return false;
  const { diagnostics } = JSON.parse(readFileSync(path, 'utf8'));
  return diagnostics.every(({ severity }) => severity === 'note');
}

/** How many changes a report has; undefined if it lacks some that there may be. */
function changesIn(path) {
  if (!existsSync(path)) return undefined;
  const { servers, diagnostics } = JSON.parse(readFileSync(path, 'utf8'));
  const changes = servers.reduce(
    (sum, { summary }) => sum + summary.changes,
    0,
  );
  const isWell = diagnostics.every(({ severity }) => severity !== 'error');
  return changes > 0 || isWell ? changes : undefined;
}

/** By the name of the file: a run that failed early has a report of another kind, and takes the place of the one before. */
function marked(path) {
  const marker = `<!-- setpoint ${basename(path, '.md')} -->`;
  return { marker, text: readFileSync(path, 'utf8').replace(/^.*/, marker) };
}

function isOwn({ id }, text, { author, marker }) {
  return id === author && (text ?? '').split('\n', 1)[0].trim() === marker;
}

/** Finds the first item of a list, over all of its pages. */
async function findItem(path, isWanted) {
  const query = path.includes('?') ? '&' : '?';
  for (let page = 1; ; page += 1) {
    const items = await call(
      'GET',
      `${path}${query}per_page=${PAGE}&page=${page}`,
    );
    const wanted = items.find(isWanted);
    if (wanted !== undefined || items.length < PAGE) return wanted;
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
