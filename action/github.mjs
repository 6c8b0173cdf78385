// Calls to the API of GitHub, for the comment and the issue of a report.
const { env } = process;
const API = env.GITHUB_API_URL ?? 'https://api.github.com';
/** As many items as the API gives at a time. */
const PAGE = 100;
const TIMEOUT = 30_000;

/** An answer that refuses the token. */
export class Refused extends Error {}

/** Finds the first item of a list, over all of its pages. */
export async function findItem(path, isWanted) {
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

/** Whether the author of the token wrote a text that begins with the marker. */
export function isOwn({ user, body }, marker) {
  return user?.login === env.INPUT_AUTHOR && markerOf(body ?? '') === marker;
}

/** Fails unless the author is the account that the token writes as: else each run would write another text. */
export function checkAuthor({ user }) {
  if (user?.login !== env.INPUT_AUTHOR)
    throw new Error(
      'The input author is not the account that this token writes as.',
    );
}

/** The report under a marker, by which a later run finds it. */
export function marked(report, words) {
  if (!/^<!-- setpoint [a-z]+ -->$/.test(markerOf(report)))
    throw new Error('The report has no marker.');
  const parts = ['setpoint', ...words].filter((word) => word !== '');
  const marker = `<!-- ${parts.join(' ')} -->`;
  return { marker, body: report.replace(/^.*/, () => marker) };
}

function markerOf(body) {
  return body.split('\n', 1)[0].trim();
}

/** Asks for a mutation of GraphQL. Nothing depends on it: a comment that stays in view says the same. */
export async function ask(query, variables) {
  const url = env.GITHUB_GRAPHQL_URL ?? `${API}/graphql`;
  await send('POST', url, { query, variables });
}

export function call(method, path, body) {
  return send(method, `${API}${path}`, body);
}

async function send(method, url, body) {
  const answer = await fetch(url, {
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
  if (!answer.ok) throw new Error(`GitHub answered ${answer.status}.`);
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

/** Ends the step with an error, in one line. */
export function failStep(text) {
  process.stdout.write(`::error::${text.replace(/[\r\n%]/g, ' ')}\n`);
  process.exitCode = 1;
}
