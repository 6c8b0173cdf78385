// Keeps the report of a run as one comment in the pull request of the event, and as one issue.
import { existsSync, readFileSync } from 'node:fs';
import { commentKey } from './inputs.mjs';
import { FORGE, keepComment, keepIssue, readReport } from './keep.mjs';

const { env } = process;
const command = env.INPUT_COMMAND;
const isIssue = env.INPUT_ISSUE === 'true';
const event = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8'));
const number = event.pull_request?.number;
const isComment =
  env.INPUT_COMMENT === 'true' &&
  ['plan', 'diff'].includes(command) &&
  Number.isSafeInteger(number);
const path = `${env.REPORTS}/report.md`;
if (existsSync(path)) await keep().catch(tell);

async function keep() {
  const key = commentKey(env);
  const author = env.INPUT_AUTHOR;
  const issues = `${FORGE.project}/issues`;
  const comments = { all: `${issues}/${number}/comments` };
  comments.one = `${issues}/comments`;
  // By the command: a run that failed early has a report of another kind, and takes the place of the one before.
  if (isComment)
    await keepComment(readReport(path, [command, key]), author, comments);
  const of = key === '' ? '' : ` (${decodeURIComponent(key)})`;
  if (isIssue) await keepIssue(readReport(path, ['drift', key]), author, of);
}

/** A token that may not comment, as in the pull request of a fork, is no mistake of its author. */
function tell({ message, status }) {
  const isRefused = status === 403;
  const hint = isRefused && isIssue ? ' (issues: write)' : '';
  const text = `No report could be written. ${message}${hint}`;
  const isNotice = isRefused && !isIssue;
  const kind = isNotice ? 'notice' : 'error';
  process.stdout.write(`::${kind}::${text.replace(/[\r\n%]/g, ' ')}\n`);
  process.exitCode = isNotice ? 0 : 1;
}
