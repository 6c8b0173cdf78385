// Keeps one open issue while there are differences, and closes it once a plan finds none.
import { readFileSync } from 'node:fs';
import {
  call,
  checkAuthor,
  failStep,
  findItem,
  isOwn,
  marked,
  Refused,
} from './github.mjs';
import { commentKey } from './inputs.mjs';

const { env } = process;
const ISSUES = `/repos/${env.GITHUB_REPOSITORY}/issues`;

if (env.INPUT_ISSUE === 'true' && env.COMMENT_FILE !== '')
  await keepIssue(readFileSync(env.COMMENT_FILE, 'utf8')).catch(tell);

async function keepIssue(report) {
  const hasDrifted = Number(env.CHANGES) > 0;
  // A run that failed before it found any difference shows nothing of any server.
  if (!hasDrifted && env.EXIT_CODE !== '0') return;
  const key = commentKey(env);
  const { marker, body } = marked(report, ['drift', key]);
  const own = await findItem(
    `${ISSUES}?state=open`,
    (issue) => issue.pull_request === undefined && isOwn(issue, marker),
  );
  if (own !== undefined) {
    const state = hasDrifted ? 'open' : 'closed';
    await call('PATCH', `${ISSUES}/${own.number}`, { body, state });
    return;
  }
  if (!hasDrifted) return;
  const of = key === '' ? '' : ` (${decodeURIComponent(key)})`;
  const title = `setpoint: servers differ from git${of}`;
  checkAuthor(await call('POST', ISSUES, { title, body }));
}

function tell(thrown) {
  const reason =
    thrown instanceof Refused
      ? 'The job needs the permission issues: write.'
      : thrown.message;
  failStep(`No issue could be written. ${reason}`);
}
