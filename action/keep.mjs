// Keeps one comment in a pull or merge request, or one open issue, as the account of a token. The action uses it on GitHub. In
// GitLab, with SETPOINT_COMMENT_TOKEN and the JSON report beside the Markdown one:
//   node .gitlab/keep.mjs review.md           a comment, unless there is nothing to read in a first report
//   node .gitlab/keep.mjs --issue night.md    an issue, open while there are differences
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const { env } = process;
/** As many items as an API gives at a time. */
const PAGE = 100;
const TIMEOUT = 30_000;

const GITHUB = {
  api: env.GITHUB_API_URL,
  headers: { authorization: `Bearer ${env.GITHUB_TOKEN}` },
  project: `/repos/${env.GITHUB_REPOSITORY}`,
  update: 'PATCH',
  issue: { id: 'number', text: 'body', open: 'open', end: { state: 'closed' } },
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
};
export const FORGE = env.CI_API_V4_URL === undefined ? GITHUB : GITLAB;

/** Reads a report, and the JSON one beside it. Its first line becomes the marker by which a later run finds it. */
export function readReport(path, words) {
  const text = readFileSync(path, 'utf8');
  if (!/^<!-- setpoint [a-z]+ -->/.test(text))
    throw new Error('The report has no marker.');
  const name = words.filter((word) => word !== '').join(' ');
  const marker = `<!-- setpoint ${name} -->`;
  const json = readFileSync(path.replace(/md$/, 'json'), 'utf8');
  const { servers, diagnostics } = JSON.parse(json);
  let changes = 0;
  for (const { summary } of servers) changes += summary.changes;
  const severities = diagnostics.map(({ severity }) => severity);
  return {
    marker,
    body: text.replace(/^.*/, () => marker),
    changes,
    hasErrors: severities.includes('error'),
    hasWarnings: severities.includes('warning'),
  };
}

/** Keeps a report as a comment. `all` is the path of all comments, `one` that of a single one without its id. */
export async function keepComment(report, author, { all, one }) {
  const { body, changes, hasErrors, hasWarnings } = report;
  const own = await findOwn(all, 'body', report, author);
  if (own !== undefined) await call(FORGE.update, `${one}/${own.id}`, { body });
  else if (changes > 0 || hasErrors || hasWarnings)
    await create(all, { body }, author);
}

/** Keeps a report as an issue, which is closed once there are no changes; `of` ends its title. */
export async function keepIssue(report, author, of = '') {
  const { body, changes, hasErrors } = report;
  // It says nothing of servers that it could not plan.
  if (changes === 0 && hasErrors) return;
  const { id, text, open, end } = FORGE.issue;
  const issues = `${FORGE.project}/issues`;
  const own = await findOwn(`${issues}?state=${open}`, text, report, author);
  const sent = { [text]: body };
  if (own !== undefined) {
    if (changes === 0) Object.assign(sent, end);
    await call(FORGE.update, `${issues}/${own[id]}`, sent);
  } else if (changes > 0) {
    const title = `setpoint: servers differ from git${of}`;
    await create(issues, { title, ...sent }, author);
  }
}

/** Finds the text of our own with the marker, over all pages of a list. */
async function findOwn(list, field, { marker }, author) {
  const isOwn = (item) =>
    item.pull_request === undefined &&
    authorOf(item) === author &&
    item[field]?.startsWith(marker);
  const query = list.includes('?') ? '&' : '?';
  for (let page = 1; ; page += 1) {
    const path = `${list}${query}per_page=${PAGE}&page=${page}`;
    const items = await call('GET', path);
    const own = items.find(isOwn);
    if (own !== undefined || items.length < PAGE) return own;
  }
}

/** Fails unless the token writes as the author: else each run would write another text. */
async function create(path, body, author) {
  const item = await call('POST', path, body);
  if (authorOf(item) !== author)
    throw new Error(
      'The input author is not the account that this token writes as.',
    );
}

/** Who wrote an item of GitHub, or of GitLab. */
function authorOf({ user, author }) {
  return user?.login ?? author?.id;
}

async function call(method, path, body) {
  const answer = await fetch(`${FORGE.api}${path}`, {
    method,
    headers: { ...FORGE.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    // The token goes nowhere else.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
  });
  const { ok, status } = answer;
  if (ok) return answer.json();
  throw Object.assign(new Error(`The API answered ${status}.`), { status });
}

/** Keeps the report that GitLab's command line names. */
async function keep(path, isIssue) {
  const { id: author } = await call('GET', '/user');
  const report = readReport(path, [basename(path, '.md')]);
  const notes = `${FORGE.project}/merge_requests/${env.CI_MERGE_REQUEST_IID}/notes`;
  if (isIssue) await keepIssue(report, author);
  else await keepComment(report, author, { all: notes, one: notes });
}

const words = process.argv.slice(2);
if (words.length > 0 && !env.SETPOINT_COMMENT_TOKEN)
  process.stdout.write(
    'Without SETPOINT_COMMENT_TOKEN nothing is written; the reports are artifacts.\n',
  );
else if (words.length > 0)
  await keep(words.at(-1), words.length > 1).catch(({ message, cause }) => {
    const because = cause === undefined ? '' : ` (${cause.message})`;
    process.stderr.write(`Nothing could be written: ${message}${because}\n`);
    process.exitCode = 1;
  });
