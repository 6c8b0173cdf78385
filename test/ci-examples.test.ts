import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  commentsApi,
  issuesApi,
  notesApi,
  projectIssuesApi,
} from './support/comments-api.ts';
import { type LiveSandbox, liveSandbox } from './support/live-sandbox.ts';
import { evaluated } from './support/runner.ts';
import { exchange, logIn, setOption } from './support/sandbox.ts';
import { IS_SOAK, sampled } from './support/soak.ts';
import {
  inPipeline,
  type Occasion,
  onGitHub,
  onGitLab,
  type RunJob,
  type Team,
  team,
} from './support/team-pipelines.ts';

const ZEROS = '0'.repeat(40);

/** A service of pipelines: how it pushes to the main branch, and looks at night. */
interface Service {
  readonly push: (
    given: Team,
    before: string,
    edited?: Occasion['edited'],
  ) => Promise<RunJob>;
  readonly night: (given: Team) => Promise<Night>;
}

/** One night: looks for drift and keeps the issue; returns the exit code of the plan. */
interface Night {
  readonly look: () => Promise<number | undefined>;
  readonly issues: readonly { readonly state: string; readonly body: string }[];
}

const GITHUB: Service = {
  push: (given, before, edited) => {
    const event = { before, created: before === ZEROS };
    const contexts = { github: { event } };
    return onGitHub(given, 'apply', { contexts, edited });
  },
  night: async (given) => {
    const { url, issues } = await issuesApi();
    const run = await onGitHub(given, 'drift', { api: url });
    return { issues, look: () => run('drift') };
  },
};

const GITLAB: Service = {
  push: async (given, before, edited) =>
    onGitLab(given, { variables: pushed(before), edited }),
  night: async (given) => {
    const { url, issues } = await projectIssuesApi();
    const variables = { CI_PIPELINE_SOURCE: 'schedule' };
    const run = onGitLab(given, { variables, api: url });
    const look = async () => {
      const code = await run('drift');
      expect(await run('drift-issue')).toBe(0);
      return code;
    };
    return { issues, look };
  },
};

function pushed(before: string, source = 'push') {
  return {
    CI_PIPELINE_SOURCE: source,
    CI_COMMIT_BRANCH: 'main',
    CI_COMMIT_BEFORE_SHA: before,
    // Defaults of a person's pipeline.
    APPLY_BASE: before === ZEROS ? '' : before,
    ALLOW_CHANGES: '',
  };
}

const SERVICES: readonly (readonly [string, Service])[] = [
  ['GitHub', GITHUB],
  ['GitLab', GITLAB],
];

/** An entry of staging that matches nothing. */
const NOWHERE = '\n  nowhere: { match: nothing_*, options: { a: 1 } }\n';

describe.each(sampled(SERVICES, 2))('%s', (_, { push, night }) => {
  test('plans without secrets, applies server by server, and keeps one issue while there is drift', async () => {
    const given = await team();
    const first = await push(given, ZEROS);
    expect([await first('plan'), given.written()]).toEqual([0, []]);
    expect([await first('staging'), given.written()]).toEqual([0, ['staging']]);
    expect([await first('production'), given.written()]).toEqual([
      0,
      ['production'],
    ]);
    const { look, issues } = await night(given);
    expect([await look(), issues]).toEqual([0, []]);

    const { url } = given.production;
    await drift(url, 31);
    expect([await look(), await look()]).toEqual([2, 2]);
    expect(issues.map(({ state }) => state)).toEqual([
      expect.stringMatching(/^open/),
    ]);
    expect(issues[0]?.body).toMatch(/^<!-- setpoint drift -->[\s\S]*timeout/);
    await drift(url, 20);
    expect(await look()).toBe(0);
    expect(issues.map(({ state }) => state)).toEqual(['closed']);
    expect(issues[0]?.body).toContain('nothing to change');
    await drift(url, 31);
    expect([await look(), issues.length]).toEqual([2, 2]);
  });

  test('leaves out one entry that matches nothing, and applies the rest everywhere', async () => {
    const given = await team();
    const before = given.git('rev-parse', 'HEAD').trim();
    const path = 'staging.yaml';
    const text = await readFile(join(given.root, path), 'utf8');
    await given.commit({ [path]: text.trimEnd() + NOWHERE });
    const run = await push(given, before);
    expect(await run('plan')).toBe(3);
    expect([await run('staging'), given.written()]).toEqual([5, ['staging']]);
    expect([await run('production'), given.written()]).toEqual([
      0,
      ['production'],
    ]);
  });

  test('writes to no server after one that failed', async () => {
    const given = await team();
    const run = await push(given, ZEROS);
    expect(await run('plan')).toBe(0);
    given.refuse(true);
    expect(await run('staging')).toBe(5);
    given.written();
    expect(await run('production')).not.toBe(0);
    expect(given.written()).toEqual([]);
  });

  test.runIf(IS_SOAK)(
    'goes on after a server whose integrations are blocked, as they are not running',
    async () => {
      const given = await team({ stopped: ['*'] });
      const run = await push(given, ZEROS);
      expect(await run('plan')).toBe(0);
      given.refuse(true);
      expect(await run('staging')).toBe(5);
      given.written();
      expect([await run('production'), given.written()]).toEqual([
        0,
        ['production'],
      ]);
    },
  );

  test.runIf(IS_SOAK)(
    'applies to a third server by a copy of the last job, and not if that job says nothing',
    async () => {
      const { given, third } = await withThirdServer(await team());
      const hasWritten = () =>
        third.seen().some((line) => line.startsWith('PATCH '));
      const mute = (text: string) => withoutOutcome(withThirdJob(text));
      const silent = await push(given, ZEROS, mute);
      for (const job of ['plan', 'staging', 'production'])
        expect([job, await silent(job)]).toEqual([job, 0]);
      const ended = await silent('third').catch(() => 'refused');
      expect([ended === 0, ended === undefined]).toEqual([false, false]);
      expect(hasWritten()).toBe(false);

      const run = await push(given, ZEROS, withThirdJob);
      for (const job of ['plan', 'staging', 'production', 'third'])
        expect([job, await run(job)]).toEqual([job, 0]);
      expect(hasWritten()).toBe(true);
    },
  );
});

/** Adds a server with the configuration of production, and its environment. */
async function withThirdServer(
  given: Team,
): Promise<{ given: Team; third: LiveSandbox }> {
  const third = await liveSandbox();
  const path = 'setpoint.yaml';
  const project = await readFile(join(given.root, path), 'utf8');
  const server = `  third: { url: "${third.url}", config: [base/, production.yaml] }\n`;
  await given.commit({
    [path]: project.replace('policy:', `${server}policy:`),
  });
  const token = async (user: string) => ({
    SETPOINT_SERVER_THIRD_TOKEN: await logIn(third.url, user),
  });
  const { 'setpoint-plan': plan, 'setpoint-production': production } =
    given.environments;
  const origins = `${plan?.vars['SETPOINT_ALLOWED_ORIGINS']},${third.url}`;
  const environments = {
    ...given.environments,
    'setpoint-plan': {
      secrets: { ...plan?.secrets, ...(await token('manager')) },
      vars: { SETPOINT_ALLOWED_ORIGINS: origins },
    },
    'setpoint-third': {
      secrets: { ...production?.secrets, ...(await token('admin')) },
      vars: { SETPOINT_ALLOWED_ORIGINS: third.url },
    },
  };
  return { given: { ...given, environments }, third };
}

/** The text of the job of production. */
function productionIn(text: string): string {
  const [job = ''] = /^( *)production:\n(?:\1 .*\n|\n)*/m.exec(text) ?? [];
  return job;
}

/** Takes from the job of production how it says whether something failed. */
function withoutOutcome(text: string): string {
  const job = productionIn(text);
  const silent = job
    .replace('failed: $', 'other: $')
    .replace(' --report json=production.json', '');
  return text.replace(job, () => silent);
}

/** Copies the job of production for a third server, as examples/ci/README.md says. */
function withThirdJob(text: string): string {
  const job = productionIn(text);
  const copy = job
    .replaceAll('production', 'third')
    .replaceAll('PRODUCTION', 'THIRD')
    .replaceAll('staging', 'production');
  const [before = '', after = ''] = text.split(job);
  const planned = before.replace(/^.*_PRODUCTION_TOKEN.*\n/m, (line) =>
    line.concat(line.replaceAll('PRODUCTION', 'THIRD')),
  );
  return `${planned}${job.trimEnd()}\n\n${copy}${after}`;
}

/** Changes an option behind the back of the configuration. */
async function drift(url: string, value: number): Promise<void> {
  const token = await logIn(url, 'admin');
  const { body } = await exchange(url, 'GET', '/api/integrations', { token });
  const { data } = body as { data: readonly { readonly id: string }[] };
  const lookup = data.find(({ id }) => id.startsWith('threat_lookup_'));
  await setOption(url, `${lookup?.id}-timeout`, value);
}

/** Leaves the main branch by a branch with a change, and merges it as a service does for its review. */
async function branchOf(given: Team): Promise<Occasion> {
  given.git('checkout', '--quiet', '-b', 'branch');
  await given.commit({ 'base/values.yaml': values(40) });
  given.git('checkout', '--quiet', '--detach', 'main');
  given.git('merge', '--quiet', '--no-ff', 'branch', '-m', 'merge');
  return {
    event: { pull_request: { number: 7 } },
    contexts: {
      github: {
        base_ref: 'main',
        repository: 'team/config',
        event: {
          pull_request: { head: { repo: { full_name: 'team/config' } } },
        },
      },
    },
  };
}

const values = (results: number) =>
  `version: 1\nvalues:\n  domain: example.com\n  results: ${results}\n  categories: [ip, domain, hash]\n`;

/** Moves the main branch on while a merge waits for its review. */
async function moveMain(given: Team): Promise<void> {
  const head = given.git('rev-parse', 'HEAD').trim();
  given.git('checkout', '--quiet', 'main');
  await given.commit({ 'base/values.yaml': values(50) });
  given.git('checkout', '--quiet', head);
  given.git('fetch', '--quiet', 'origin');
}

describe('a review', () => {
  test.runIf(IS_SOAK)(
    'on GitHub compares what the branch did, and fails once the main branch has moved',
    async () => {
      const given = await team();
      const occasion = await branchOf(given);
      const api = await commentsApi();
      const run = await onGitHub(given, 'review', {
        ...occasion,
        api: api.url,
      });
      expect([await run('diff'), await run('plan')]).toEqual([0, 0]);
      expect(api.comments.map(({ body }) => body.split('\n')[0])).toEqual([
        '<!-- setpoint diff -->',
        '<!-- setpoint plan -->',
      ]);
      await moveMain(given);
      expect(await run('diff')).toBe(3);
      expect(given.written()).toEqual([]);
    },
  );

  const MERGE_REQUEST = {
    CI_PIPELINE_SOURCE: 'merge_request_event',
    CI_MERGE_REQUEST_IID: '7',
    CI_MERGE_REQUEST_PROJECT_ID: '5',
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '5',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
  };
  const EVENT = 'CI_MERGE_REQUEST_EVENT_TYPE';

  test.runIf(IS_SOAK)(
    'on GitLab does the same for a branch, and for its merge',
    async () => {
      const given = await team();
      await branchOf(given);
      const api = await notesApi([]);
      const merged = { ...MERGE_REQUEST, [EVENT]: 'merged_result' };
      const run = onGitLab(given, { variables: merged, api: api.url });
      expect([await run('diff'), await run('plan-review')]).toEqual([0, 0]);
      expect(await run('comment')).toBe(0);
      expect(api.notes.map(({ body }) => body.split('\n')[0])).toEqual([
        '<!-- setpoint diff -->',
        '<!-- setpoint plan -->',
      ]);
      await moveMain(given);
      given.git('checkout', '--quiet', 'branch');
      const variables = { ...MERGE_REQUEST, [EVENT]: 'detached' };
      const detached = onGitLab(given, { variables });
      expect(await detached('diff')).toBe(3);
      expect(await detached('plan-review')).toBe(0);
      expect(given.written()).toEqual([]);
    },
  );

  test('on GitLab has a base in each kind of pipeline, and a fork gets no plan', () => {
    const base = 'CI_MERGE_REQUEST_DIFF_BASE_SHA';
    const bases = (more: object) =>
      ['diff', 'plan-review', 'comment'].map((job) => {
        const variables = { ...MERGE_REQUEST, [base]: 'abc', ...more };
        const own = inPipeline(job, variables);
        return own && (own['BASE'] ?? 'none');
      });
    expect(bases({ [EVENT]: 'detached' })).toEqual([
      'origin/main',
      'origin/main',
      'none',
    ]);
    for (const kind of ['merged_result', 'merge_train'])
      expect(bases({ [EVENT]: kind })).toEqual(['HEAD^1', 'HEAD^1', 'none']);
    // In the project of the fork, or started by a member in that of the target.
    for (const project of ['9', '5']) {
      const fork = {
        CI_PROJECT_ID: project,
        CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '9',
        [EVENT]: 'detached',
      };
      expect(bases(fork)).toEqual(['abc', undefined, undefined]);
    }
    expect(bases({ CI_PIPELINE_SOURCE: 'push' })).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a plan before an apply', () => {
  const baseOf = (pipeline: Readonly<Record<string, string>>) =>
    inPipeline('plan', { CI_COMMIT_BRANCH: 'main', ...pipeline })?.[
      'APPLY_BASE'
    ];
  test('compares with the commit before the push, if there is one', () => {
    const push = { CI_PIPELINE_SOURCE: 'push' };
    expect(baseOf({ ...push, CI_COMMIT_BEFORE_SHA: 'abc' })).toBe('abc');
    expect(baseOf({ ...push, CI_COMMIT_BEFORE_SHA: ZEROS })).toBeUndefined();
    const web = { CI_PIPELINE_SOURCE: 'web', CI_COMMIT_BEFORE_SHA: ZEROS };
    expect(baseOf(web)).toBeUndefined();
    expect(baseOf({ ...web, APPLY_BASE: 'abc' })).toBe('abc');
    const [, base = ''] =
      /base: \$\{\{ (inputs.*) \}\}/.exec(
        readFileSync('examples/ci/github/apply.yml', 'utf8'),
      ) ?? [];
    const event = { before: 'abc', created: false };
    const created = { before: ZEROS, created: true };
    const on = (github: object, inputs = {}) =>
      evaluated(base, { github: { event: github }, inputs });
    expect([on(event), on(created), on({}, { base: 'def' })]).toEqual([
      'abc',
      '',
      'def',
    ]);
  });
  test.runIf(IS_SOAK)(
    'lets as many integrations change as a person allows, and the saved plan carries it',
    async () => {
      const given = await team();
      const contexts = {
        github: { event: { created: true } },
        inputs: { 'allow-changes': '20' },
      };
      const variables = { ...pushed(ZEROS, 'web'), ALLOW_CHANGES: '20' };
      const services = [
        await onGitHub(given, 'apply', { contexts }),
        onGitLab(given, { variables }),
      ];
      for (const run of services) {
        expect(await run('plan')).toBe(0);
        const path = join(given.root, 'plan.json');
        const plan = JSON.parse(await readFile(path, 'utf8'));
        await rm(path);
        expect(plan.servers).toEqual([
          expect.objectContaining({ allowedChanges: 20 }),
          expect.objectContaining({ allowedChanges: 20 }),
        ]);
      }
    },
  );
});

test.runIf(IS_SOAK)(
  'a job that reads a secret that it was not given is noticed',
  async () => {
    const given = await team();
    const { 'setpoint-staging': staging, ...environments } = given.environments;
    const push = (all: Team) => GITHUB.push(all, ZEROS);
    const without = await push({ ...given, environments });
    expect(await without('plan')).toBe(0);
    await expect(without('staging')).rejects.toThrow('not given');
    const { SETPOINT_DETONATION_KEY: _, ...secrets } = staging?.secrets ?? {};
    const own = { vars: staging?.vars ?? {}, secrets };
    const poor = {
      ...given,
      environments: { ...environments, 'setpoint-staging': own },
    };
    const onLab = await GITLAB.push(poor, ZEROS);
    expect([await onLab('plan'), await onLab('staging')]).toEqual([0, 3]);
  },
);

test('the file of GitLab has the form that is published', () => {
  const schema = parse(
    readFileSync('test/fixtures/gitlab-ci.schema.yaml', 'utf8'),
  );
  const isValid = new Ajv({ allowUnionTypes: true }).compile(schema);
  const file = parse(readFileSync('examples/ci/gitlab-ci.yml', 'utf8'));
  expect([isValid(file), isValid.errors]).toEqual([true, null]);
});
