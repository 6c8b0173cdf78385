// Keeps one comment in the pull request of the event: the author's own that begins with the marker of the report, or a new one.
// A report without anything to read is no new comment, and hides the one that there is as resolved.
import { readFileSync } from 'node:fs';
import {
  ask,
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
/** Below the marker of a comment that is hidden. */
const RESOLVED = '\n<!-- resolved -->\n';
const MINIMIZE =
  'mutation($id: ID!) { minimizeComment(input: { subjectId: $id, classifier: RESOLVED }) { clientMutationId } }';
const UNMINIMIZE =
  'mutation($id: ID!) { unminimizeComment(input: { subjectId: $id }) { clientMutationId } }';
const REPOSITORY = `/repos/${env.GITHUB_REPOSITORY}`;

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
  // By the command: a run that failed early has a report of another kind, and takes the place of the one before.
  const { marker, body: text } = marked(report, [
    env.INPUT_COMMAND,
    commentKey(env),
  ]);
  const isEmpty = env.EMPTY === 'true';
  const body = isEmpty ? text.replace('\n', () => RESOLVED) : text;
  const comments = `${REPOSITORY}/issues/${number}/comments`;
  const own = await findItem(comments, (comment) => isOwn(comment, marker));
  if (own === undefined) {
    if (isEmpty) return;
    checkAuthor(await call('POST', comments, { body }));
    return;
  }
  await call('PATCH', `${REPOSITORY}/issues/comments/${own.id}`, { body });
  if (isEmpty) await ask(MINIMIZE, { id: own.node_id });
  else if (own.body.includes(RESOLVED)) {
    await ask(UNMINIMIZE, { id: own.node_id });
  }
}

/** A token that may not comment, as in the pull request of a fork, is no mistake of its author. */
function tell(thrown) {
  if (thrown instanceof Refused) {
    process.stdout.write(
      '::notice::This token may not comment: see the summary of the run.\n',
    );
    return;
  }
  failStep(`No comment could be written. ${thrown.message}`);
}
