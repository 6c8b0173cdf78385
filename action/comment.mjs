// Keeps one comment in the pull request of the event: the author's own that begins with the marker of the report, or a new one.
import { readFileSync } from 'node:fs';
import { commentKey } from './inputs.mjs';

const { env } = process;
const API = env.GITHUB_API_URL ?? 'https://api.github.com';
/** As many comments as the API gives at a time. */
const PAGE = 100;
const TIMEOUT = 30_000;

/** An answer that refuses the token. */
class Refused extends Error {}

const { pull_request: pull } = JSON.parse(
  readFileSync(env.GITHUB_EVENT_PATH, 'utf8'),
);
if (
  env.INPUT_COMMENT === 'true' &&
  env.COMMENT_FILE !== '' &&
  Number.isSafeInteger(pull?.number)
)
  await keepComment(pull.number, readFileSync(env.COMMENT_FILE, 'utf8')).catch(
    tell,
  );

async function keepComment(number, report) {
  if (!/^<!-- setpoint [a-z]+ -->$/.test(markerOf(report)))
    throw new Error('The report has no marker.');
  // By the command: a run that failed early has a report of another kind, and takes the place of the one before.
  const words = ['setpoint', env.INPUT_COMMAND, commentKey(env)].filter(
    (word) => word !== '',
  );
  const marker = `<!-- ${words.join(' ')} -->`;
  const body = report.replace(/^.*/, () => marker);
  const comments = `/repos/${env.GITHUB_REPOSITORY}/issues/${number}/comments`;
  const own = await findOwn(comments, marker);
  if (own !== undefined) {
    await call(
      'PATCH',
      `/repos/${env.GITHUB_REPOSITORY}/issues/comments/${own.id}`,
      { body },
    );
    return;
  }
  const { user } = await call('POST', comments, { body });
  // With another name it would not be found again, and each run would add one.
  if (user?.login !== env.INPUT_AUTHOR)
    throw new Error(
      'The input author is not the account that this token comments as.',
    );
}

function markerOf(body) {
  return body.split('\n', 1)[0].trim();
}

async function findOwn(comments, marker) {
  for (let page = 1; ; page += 1) {
    const found = await call(
      'GET',
      `${comments}?per_page=${PAGE}&page=${page}`,
    );
    const own = found.find(
      ({ user, body }) =>
        user?.login === env.INPUT_AUTHOR && markerOf(body ?? '') === marker,
    );
    if (own !== undefined || found.length < PAGE) return own;
  }
}

async function call(method, path, body) {
  const answer = await fetch(`${API}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${env.GITHUB_TOKEN}`,
      'content-type': 'application/json',
      'user-agent': 'setpoint',
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    // The token goes nowhere else.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
  });
  if (answer.status === 403 && !(await isTooMany(answer))) throw new Refused();
  if (!answer.ok)
    throw new Error(`The API of comments answered ${answer.status}.`);
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

/** A token that may not comment, as in the pull request of a fork, is no mistake of its author. */
function tell(thrown) {
  if (thrown instanceof Refused) {
    process.stdout.write(
      '::notice::This token may not comment: see the summary of the run.\n',
    );
    return;
  }
  process.stdout.write(
    `::error::No comment could be written. ${oneLine(thrown.message)}\n`,
  );
  process.exitCode = 1;
}

function oneLine(text) {
  return text.replace(/[\r\n%]/g, ' ');
}
