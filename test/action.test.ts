import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Comment,
  commentsApi,
  issuesApi,
} from './support/comments-api.ts';
import { runAction } from './support/composite-action.ts';
import { gitRepository } from './support/git-repository.ts';
import { liveSandbox } from './support/live-sandbox.ts';
import { ADMIN } from './support/run.ts';
import { tempFolder } from './support/temp.ts';

const BOT = 'github-actions[bot]';
const PULL = { pull_request: { number: 7 } };
const MARKER = '<!-- setpoint plan -->';
const WITHOUT_GITHUB = { summary: 'false', comment: 'false' };

const YAML = (timeout: number) =>
  `version: 1\nintegrations:\n  lookup: { match: threat_lookup_*, autosubscribe: true, options: { timeout: ${timeout} } }\n`;

/** A repository with a branch that changes an option of a sandbox, and the environment of a step in it. */
async function checkout(file = 'a.yaml') {
  const { url } = await liveSandbox();
  const project = `version: 1\nservers: { production: { url: "${url}", config: [${JSON.stringify(`./${file}`)}] } }\n`;
  const repository = await gitRepository({
    'setpoint.yaml': project,
    [file]: YAML(10),
  });
  await repository.write({ [file]: YAML(30) });
  return { ...repository, url, env: ADMIN, cwd: repository.root };
}

describe('the outputs', () => {
  test('are what the command found, and the step ends as it did', async () => {
    const { cwd, env, write } = await checkout();
    const logs: string[] = [];
    /** The exit code, and how many changes, drift and risks there are. */
    const ran = async (inputs: Record<string, string>, own: object = env) => {
      const given = { ...WITHOUT_GITHUB, ...inputs };
      const wish = { cwd, env: { ...own }, inputs: given, only: ['Run'] };
      const { code, outputs, log } = await runAction(wish);
      const { changes, drift, risks } = outputs;
      logs.push(log);
      expect(outputs['exit-code']).toBe(String(code));
      return [code, changes, drift, risks];
    };
    const saved = '--exit-code\n\n--report=json=plan.json';
    const plan = await ran({ base: 'main', arguments: saved });
    expect(plan).toEqual([2, '2', '1', '1']);
    expect(logs[0]).toContain('\nPlan   2 changes');
    const nightly = { base: 'HEAD', strict: 'true', arguments: '--exit-code' };
    expect((await ran(nightly)).slice(1, 3)).toEqual(['2', '1']);
    const review = { command: 'diff', base: 'main' };
    const nothing = {};
    expect(await ran(review, nothing)).toEqual([0, '1', '0', '0']);
    const project = await readFile(join(cwd, 'setpoint.yaml'), 'utf8');
    const waiver =
      '{ address: lookup.options.timeout, until: 2099-12-31, reason: slow }';
    await write({
      'setpoint.yaml': `${project.replace('http:', 'https:')}waivers: [${waiver}]\n`,
    });
    expect((await ran(review, nothing)).slice(1)).toEqual(['1', '0', '2']);
    await write({ 'setpoint.yaml': project });
    const apply = { command: 'apply', plan: 'plan.json', server: 'production' };
    expect(await ran(apply)).toEqual([0, '2', '1', '1']);
    const [valid] = await ran({ command: 'validate', config: 'a.yaml' });
    expect(valid).toBe(0);
  });
  test('name the servers that an apply would write to, and a branch that is behind', async () => {
    const { cwd, env, git, write } = await checkout();
    const ran = async (inputs: Record<string, string>) => {
      const given = { ...WITHOUT_GITHUB, ...inputs };
      const wish = { cwd, env, inputs: given, only: ['Run'] };
      const { outputs } = await runAction(wish);
      return ['servers', 'unchanged', 'outdated'].map((name) => outputs[name]);
    };
    const one = ['["production"]', '', 'false'];
    expect(await ran({ base: 'main' })).toEqual(one);
    await write({ 'a.yaml': YAML(10).replace('true', 'false') });
    expect(await ran({})).toEqual(['[]', 'production', 'false']);
    const project = await readFile(join(cwd, 'setpoint.yaml'), 'utf8');
    const policy = 'policy: { subscribes-everyone: error }\n';
    await write({ 'a.yaml': YAML(30), 'setpoint.yaml': project + policy });
    expect(await ran({})).toEqual(['[]', '', 'false']);

    git('checkout', '--quiet', '-b', 'branch');
    git('commit', '--quiet', '--all', '--message', 'branch');
    git('checkout', '--quiet', 'main');
    await write({ 'a.yaml': YAML(20) });
    git('commit', '--quiet', '--all', '--message', 'main');
    git('checkout', '--quiet', 'branch');
    expect(await ran({ base: 'main' })).toEqual(['[]', '', 'true']);
    const diff = { command: 'diff', base: 'main' };
    expect((await ran(diff)).at(-1)).toBe('true');
  });
  test('of a command that fails are its exit code, and nothing is counted', async () => {
    const { cwd, env } = await checkout();
    const inputs = { ...WITHOUT_GITHUB, config: 'none.yaml' };
    const { code, outputs } = await runAction({ cwd, env, inputs });
    expect([code, outputs['exit-code']]).toEqual([3, '3']);
    expect(Object.keys(outputs).filter((name) => outputs[name] !== '')).toEqual(
      ['exit-code'],
    );
  });
  test.each([
    [{ command: 'constructor' }, 'constructor'],
    [{ command: 'diff' }, 'argument BASE'],
    [{ command: 'snapshot', base: 'main' }, '--base'],
    [{ command: 'apply', strict: 'true' }, '--strict'],
    [{ command: 'merge', 'allow-changes': '3' }, '--allow-changes'],
  ])(
    'are an exit code if the inputs %j make no command',
    async (inputs, message) => {
      const { code, log, stepOutputs } = await runAction({
        cwd: await tempFolder(),
        inputs,
        only: ['Run'],
      });
      expect([code, stepOutputs['run.exit-code']]).toEqual([3, '3']);
      expect(log).toContain(message);
    },
  );
});

const HOSTILE = [
  '$(touch ran)`touch ran`"; touch ran; "\'; touch ran; \'\nchanges=99\n::error::forged',
  '--url=http://x',
];

/** Each input gets one of the texts, by turns. */
const WORDS = ['command', 'base', 'plan', 'config', 'server', 'allow-changes'];
const SWITCHES = ['strict', 'summary', 'comment', 'issue'];

test('a hostile text as any input runs nothing and forges no output', async () => {
  const { cwd, env } = await checkout();
  for (const [at, name] of [...WORDS, ...SWITCHES].entries()) {
    const command = { plan: 'apply' }[name] ?? 'plan';
    const inputs = {
      ...WITHOUT_GITHUB,
      command,
      [name]: HOSTILE[at % HOSTILE.length] ?? '',
    };
    const wish = { cwd, env, inputs, only: ['Run'] };
    const { code, log, stepOutputs } = await runAction(wish);
    const isSwitch = SWITCHES.includes(name);
    expect([name, code]).toEqual([name, isSwitch ? 0 : 3]);
    const files = ['.git', 'a.yaml', 'setpoint.yaml'];
    expect((await readdir(cwd)).sort()).toEqual(files);
    const counted = { 'run.changes': '2', 'run.drift': '0' };
    expect(stepOutputs).toMatchObject(
      isSwitch ? counted : { 'run.exit-code': '3' },
    );
    expect(log).not.toMatch(/^::error::forged/m);
  }
});

/** The JSON report of a plan with so many changes. */
function planOf(changes: number, severities: readonly string[] = []): string {
  return JSON.stringify({
    servers: [{ summary: { changes } }],
    diagnostics: severities.map((severity) => ({ severity })),
  });
}

/** Runs the step that comments, with a report of this text. */
async function comment(
  api: { readonly url: string },
  text: string,
  event: object = PULL,
  inputs = {},
) {
  const cwd = await tempFolder({
    'report.md': text,
    'report.json': planOf(text.includes('nothing') ? 0 : 2),
  });
  return report(cwd, api.url, event, inputs);
}

/** Runs the step that reports what is in a folder. */
function report(cwd: string, url: string, event: object, inputs: object) {
  const given = { 'run.reports': cwd };
  const env = { GITHUB_API_URL: url };
  const all = { token: 't-1', ...inputs };
  return runAction({ cwd, env, given, event, only: ['Report'], inputs: all });
}

const bodies = (comments: readonly Comment[]) =>
  comments.map(({ user, body }) => [user.login, body]);

describe('the comment', () => {
  test('is one for each job of a matrix, by its servers, its folder, or the key that it is given', async () => {
    const api = await commentsApi();
    const jobs = [
      {},
      { server: 'staging' },
      { server: 'production\n\ntier=prod' },
      { server: 'staging', 'working-directory': 'teams/blue' },
      { server: 'staging', 'comment-key': 'mine' },
      { 'comment-key': "a --> b $& $' <script>" },
    ];
    const write = async (job: number, word: string) => {
      const text = `${MARKER}\n${job} ${word}`;
      expect((await comment(api, text, PULL, jobs[job])).code).toBe(0);
    };
    for (const job of jobs.keys()) await write(job, 'first');
    await write(1, 'again');
    const keys = [
      ...['plan', 'plan staging', 'plan production,tier%3Dprod'],
      ...['plan staging,teams%2Fblue', 'plan mine'],
      "plan a%20--%3E%20b%20%24%26%20%24'%20%3Cscript%3E",
    ];
    const written = keys.map(
      (key, job) =>
        `<!-- setpoint ${key} -->\n${job} ${job === 1 ? 'again' : 'first'}`,
    );
    expect(api.comments.map(({ body }) => body)).toEqual(written);
  });
  test('of somebody else is left alone, and so is any other of our own', async () => {
    const given = [
      ['stranger', `${MARKER}\nmine`],
      ['github-actions', `${MARKER}\nmine`],
      [BOT, `see ${MARKER}`],
      [BOT, `\n${MARKER}`],
      [BOT, '<!-- setpoint diff -->\nanother'],
    ] as const;
    const api = await commentsApi({ given });
    for (const run of [1, 2]) await comment(api, `${MARKER}\nrun ${run}`);
    expect(bodies(api.comments)).toEqual([...given, [BOT, `${MARKER}\nrun 2`]]);
    expect(
      api.requests.every((request) => request.endsWith(' Bearer t-1')),
    ).toBe(true);
  });
  test('is not written outside of a pull request, nor where nobody wants it, nor without a marker', async () => {
    const api = await commentsApi();
    const codeOf = async (text: string, event: object, inputs = {}) =>
      (await comment(api, text, event, inputs)).code;
    const marked = `${MARKER}\n`;
    expect(await codeOf(marked, {})).toBe(0);
    const elsewhere = { pull_request: { number: '7/../8' } };
    expect(await codeOf(marked, elsewhere)).toBe(0);
    expect(await codeOf(marked, PULL, { comment: 'false' })).toBe(0);
    expect(await codeOf('text', PULL)).toBe(1);
    expect(api.requests).toEqual([]);
  });
  test('without anything to read is not made, and updates the one that there is', async () => {
    const api = await commentsApi();
    const texts: (string | undefined)[] = [];
    for (const report of ['nothing', '2 changes', 'nothing']) {
      await comment(api, `${MARKER}\n${report}`);
      texts.push(api.comments[0]?.body);
    }
    expect(texts).toEqual([
      undefined,
      `${MARKER}\n2 changes`,
      `${MARKER}\nnothing`,
    ]);
  });
  test('that a token may not write is a notice, any other failure an error', async () => {
    const refused = await comment(
      await commentsApi({ refusal: 403 }),
      `${MARKER}\n`,
    );
    expect(refused.code).toBe(0);
    expect(refused.log).toMatch(/^::notice::.*\n$/);
    const broken = await comment(
      await commentsApi({ refusal: 500 }),
      `${MARKER}\n`,
    );
    expect(broken.code).toBe(1);
    expect(broken.log).toMatch(/^::error::.* 500\.\n$/);
  });
  test('of an account that the input does not name is an error', async () => {
    const api = await commentsApi({ author: 'our-app[bot]' });
    expect((await comment(api, `${MARKER}\n`)).code).toBe(1);
    const named = { author: 'our-app[bot]' };
    expect((await comment(api, `${MARKER}\n`, PULL, named)).code).toBe(0);
    expect(api.comments.length).toBe(1);
  });
});

describe('the issue', () => {
  /** Runs the step that keeps it, after a plan with this many changes. */
  const keep = async (
    url: string,
    changes: number,
    severities: readonly string[] = [],
    inputs = {},
  ) => {
    const cwd = await tempFolder({
      'report.md': `${MARKER}\n${changes}`,
      'report.json': planOf(changes, severities),
    });
    return report(cwd, url, {}, { issue: 'true', ...inputs });
  };
  test('stays as it is after a plan that failed, and is closed after one without differences', async () => {
    const { url, issues } = await issuesApi();
    await keep(url, 0, ['error']);
    await keep(url, 0);
    expect(issues).toEqual([]);
    // Also if an entry has an error too.
    await keep(url, 1, ['error']);
    await keep(url, 2);
    await keep(url, 0, ['error']);
    expect(issues).toMatchObject([
      { state: 'open', body: '<!-- setpoint drift -->\n2' },
    ]);
    await keep(url, 0, ['warning']);
    expect(issues.map(({ state }) => state)).toEqual(['closed']);
  });
  test('of other servers, of somebody else, or nobody asked for, is left alone', async () => {
    const { url, issues } = await issuesApi();
    await keep(url, 2, [], { server: 'staging' });
    await keep(url, 2, [], { author: 'our-app[bot]' });
    await keep(url, 0);
    await keep(url, 2, [], { issue: 'false' });
    expect(issues.map(({ title, state }) => [title, state])).toEqual([
      ['setpoint: servers differ from git (staging)', 'open'],
      ['setpoint: servers differ from git', 'closed'],
    ]);
  });
  test('that a token may not write is an error that names the permission', async () => {
    const { url } = await commentsApi({ refusal: 403 });
    const { code, log } = await keep(url, 2);
    expect(code).toBe(1);
    expect(log).toMatch(/^::error::.*issues: write/);
  });
});

test('a report is no new comment if it has no change, and no error or warning', async () => {
  const { cwd, env, write } = await checkout();
  const isCommented = async (inputs: Record<string, string>) => {
    const api = await commentsApi();
    const given = { ...env, GITHUB_API_URL: api.url };
    const all = { summary: 'false', token: 't-1', ...inputs };
    await runAction({ cwd, env: given, inputs: all, event: PULL });
    return api.comments.length === 1;
  };
  const diff = { command: 'diff', base: 'main' };
  expect(await isCommented(diff)).toBe(true);
  expect(await isCommented({ config: 'none.yaml' })).toBe(true);
  await write({ 'a.yaml': YAML(10) });
  expect(await isCommented(diff)).toBe(false);
  await write({ 'a.yaml': YAML(10).replace('timeout: 10', 'timeout: {}') });
  expect(await isCommented(diff)).toBe(true);
});

test('a pull request gets a comment, a summary and annotations', async () => {
  const { cwd, env } = await checkout();
  const api = await commentsApi();
  const given = { ...env, GITHUB_API_URL: api.url };
  const inputs = { base: 'main', token: 't-1' };
  expect(
    await runAction({ cwd, env: given, inputs, event: PULL }),
  ).toMatchObject({
    code: 0,
    summary: expect.stringContaining(MARKER),
    log: expect.stringMatching(/^::\w+ file=a\.yaml/m),
  });
  expect(bodies(api.comments)).toEqual([
    [BOT, expect.stringMatching(/^<!-- setpoint plan -->\n[\s\S]*timeout/)],
  ]);
});
