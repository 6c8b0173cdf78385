// Keeps one comment in a pull or merge request, or one open issue, as the account of a token. The action uses it on GitHub. In
// GitLab, with SETPOINT_COMMENT_TOKEN and the JSON report beside each Markdown one:
//   node .gitlab/keep.mjs review.md           a comment, unless there is nothing to read in a first report
//   node .gitlab/keep.mjs --issue night.md    an issue, open while there are differences
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const { env } = process;
/** As many items as an API gives at a time. */
const PAGE = 100;
const TIMEOUT = 30_000;

const GITHUB = {
  api: env.GITHUB_API_URL ?? 'https://api.github.com',
  headers: {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${env.GITHUB_TOKEN}`,
    'user-agent': 'setpoint',
  },
  project: `/repos/${env.GITHUB_REPOSITORY}`,
  update: 'PATCH',
  issue: { id: 'number', text: 'body', open: 'open', end: { state: 'closed' } },
  authorOf: ({ user }) => user?.login,
};
const GITLAB = {
  api: env.CI_API_V4_URL,
  headers: { 'private-token': env.SETPOINT_COMMENT_TOKEN },
  project: `/projects/${env.CI_PROJECT_ID}`,
  update: 'PUT',
  issue: {
    id: 'iid',
    text: 'description',
    open: 'opened',
    end: { state_event: 'close' },
  },
  authorOf: ({ author }) => author?.id,
};
export const FORGE = env.CI_API_V4_URL === undefined ? GITHUB : GITLAB;

/** An answer that refuses the token. */
export class Refused extends Error {}

/** Keeps a text as a comment. `all` is the path of all comments, `one` that of a single one without its id. */
export async function keepComment({ all, one }, { isEmpty, ...text }) {
  const own = await findOwn(all, 'body', text);
  const { body } = text;
  if (own !== undefined) await call(FORGE.update, `${one}/${own.id}`, { body });
  else if (!isEmpty) await create(all, { body }, text);
}

/** Keeps a text as an issue, which is closed once there are no changes; `of` ends its title. */
export async function keepIssue({ changes, of = '', ...text }) {
  const { id, text: field, open, end } = FORGE.issue;
  const issues = `${FORGE.project}/issues`;
  const own = await findOwn(`${issues}?state=${open}`, field, text);
  const sent = { [field]: text.body };
  if (own !== undefined) {
    if (changes === 0) Object.assign(sent, end);
    await call(FORGE.update, `${issues}/${own[id]}`, sent);
  } else if (changes > 0) {
    const title = `setpoint: servers differ from git${of}`;
    await create(issues, { title, ...sent }, text);
  }
}

/** The report under a marker, by which a later run finds it. */
export function marked(report, words) {
  if (!/^<!-- setpoint [a-z]+ -->$/.test(firstLine(report)))
    throw new Error('The report has no marker.');
  const name = words.filter((word) => word !== '').join(' ');
  const marker = `<!-- setpoint ${name} -->`;
  return { marker, body: report.replace(/^.*/, () => marker) };
}

function firstLine(text) {
  return text.split('\n', 1)[0].trim();
}

/** Finds the text of our own with the marker, over all pages of a list. */
async function findOwn(list, field, { marker, author }) {
  const isOwn = (item) =>
    item.pull_request === undefined &&
    FORGE.authorOf(item) === author &&
    firstLine(item[field] ?? '') === marker;
  const query = list.includes('?') ? '&' : '?';
  for (let page = 1; ; page += 1) {
    const path = `${list}${query}per_page=${PAGE}&page=${page}`;
    const items = await call('GET', path);
    const own = items.find(isOwn);
    if (own !== undefined || items.length < PAGE) return own;
  }
}

/** Fails unless the token writes as the author: else each run would write another text. */
async function create(path, body, { author }) {
  const item = await call('POST', path, body);
  if (FORGE.authorOf(item) !== author)
    throw new Error(
      'The input author is not the account that this token writes as.',
    );
}

async function call(method, path, body) {
  const answer = await fetch(`${FORGE.api}${path}`, {
    method,
    headers: { ...FORGE.headers, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
    // The token goes nowhere else.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
  });
  if (answer.status === 403 && !(await isTooMany(answer)))
    throw new Refused('The token may not write.');
  if (!answer.ok) throw new Error(`The API answered ${answer.status}.`);
  return answer.json();
}

/** Whether an answer refuses for a rate limit, which has the status of a missing permission too. */
async function isTooMany(answer) {
  const { headers } = answer;
  if (
    headers.has('retry-after') ||
    headers.get('x-ratelimit-remaining') === '0'
  )
    return true;
  return /rate limit|abuse/i.test(await answer.text());
}

/** What a JSON report says; an error without changes says nothing of its servers. */
function readingOf(path) {
  if (!existsSync(path)) return { isEmpty: false };
  const { servers, diagnostics } = JSON.parse(readFileSync(path, 'utf8'));
  let changes = 0;
  for (const { summary } of servers) changes += summary.changes;
  const severities = diagnostics.map(({ severity }) => severity);
  if (changes === 0 && severities.includes('error')) return { isEmpty: false };
  return { changes, isEmpty: changes === 0 && !severities.includes('warning') };
}

/** Keeps the reports that GitLab's command line names. */
async function keepAll(names) {
  const { id: author } = await call('GET', '/user');
  const all = `${FORGE.project}/merge_requests/${env.CI_MERGE_REQUEST_IID}/notes`;
  for (const path of names.filter(existsSync)) {
    const report = marked(readFileSync(path, 'utf8'), [basename(path, '.md')]);
    const reading = readingOf(path.replace(/md$/, 'json'));
    const text = { ...report, ...reading, author };
    if (names[0] !== '--issue') await keepComment({ all, one: all }, text);
    else if (text.changes !== undefined) await keepIssue(text);
  }
}

const names = process.argv.slice(2);
if (names.length > 0 && !env.SETPOINT_COMMENT_TOKEN)
  process.stdout.write(
    'Without SETPOINT_COMMENT_TOKEN nothing is written; the reports are artifacts.\n',
  );
else if (names.length > 0)
  await keepAll(names).catch(({ message, cause }) => {
    const why = cause?.code ?? cause?.message;
    const because = why === undefined ? '' : ` (${why})`;
    process.stderr.write(`Nothing could be written: ${message}${because}\n`);
    process.exitCode = 1;
  });
