// Keeps the report of a run as one comment in the pull request of the event, and as one issue.
import { readFileSync } from 'node:fs';
import { commentKey } from './inputs.mjs';
import { FORGE, keepComment, keepIssue, marked, Refused } from './keep.mjs';

const { env } = process;
const author = env.INPUT_AUTHOR;
const key = commentKey(env);
const event = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8'));
const number = event.pull_request?.number;
const changes = Number(env.CHANGES);

if (env.COMMENT_FILE !== '') {
  const report = readFileSync(env.COMMENT_FILE, 'utf8');
  if (env.INPUT_COMMENT === 'true' && Number.isSafeInteger(number))
    await comment(report).catch(tell);
  // A run that failed before it found any difference shows nothing of any server.
  if (env.INPUT_ISSUE === 'true' && (changes > 0 || env.EXIT_CODE === '0'))
    await issue(report).catch(tell);
}

async function comment(report) {
  // By the command: a run that failed early has a report of another kind, and takes the place of the one before.
  const text = marked(report, [env.INPUT_COMMAND, key]);
  const issues = `${FORGE.project}/issues`;
  const paths = {
    all: `${issues}/${number}/comments`,
    one: `${issues}/comments`,
  };
  await keepComment(paths, { ...text, author, isEmpty: env.EMPTY === 'true' });
}

async function issue(report) {
  const of = key === '' ? '' : ` (${decodeURIComponent(key)})`;
  await keepIssue({ ...marked(report, ['drift', key]), author, changes, of });
}

/** A token that may not comment, as in the pull request of a fork, is no mistake of its author. */
function tell(thrown) {
  if (thrown instanceof Refused && env.INPUT_ISSUE !== 'true') {
    process.stdout.write(
      '::notice::This token may not comment: see the summary of the run.\n',
    );
    return;
  }
  const hint = thrown instanceof Refused ? ' (issues: write)' : '';
  const text = `No report could be written. ${thrown.message}${hint}`;
  process.stdout.write(`::error::${text.replace(/[\r\n%]/g, ' ')}\n`);
  process.exitCode = 1;
}
