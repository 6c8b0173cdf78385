import { existsSync, readFileSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { faultyProxy } from './fault-proxy.ts';
import type { Fault } from './faults.ts';
import { type GitRepository, gitRepository } from './git-repository.ts';
import { gitLabFile, type Values } from './gitlab-pipeline.ts';
import {
  type LiveSandbox,
  type LiveWish,
  liveSandbox,
} from './live-sandbox.ts';
import { PROGRAM } from './program.ts';
import { type Contexts, evaluated, runJob, runScript } from './runner.ts';
import { logIn } from './sandbox.ts';
import { tempFolder, writePrograms } from './temp.ts';
import { parseWorkflow } from './workflow.ts';

const WORKFLOWS = ['review', 'apply', 'drift'] as const;

/** The values of an environment: its secrets and its variables. */
type Environment = Readonly<Record<'secrets' | 'vars', Values>>;

/** A clone of the repository of examples/team, with a sandbox for each server. */
export interface Team extends GitRepository {
  readonly staging: LiveSandbox;
  readonly production: LiveSandbox;
  /** What every job has. */
  readonly base: Values;
  /** What only the jobs of an environment have. */
  readonly environments: Readonly<Record<string, Environment>>;
  /** Servers that were written to since the last call. */
  readonly written: () => string[];
  /** Has the PATCHes of staging refused from now on, or no longer. */
  readonly refuse: (isRefused: boolean) => void;
}

/** Commits the files of examples/team, for sandboxes; `wish` is about staging. */
export async function team(wish: LiveWish = {}): Promise<Team> {
  const staging = await liveSandbox(wish);
  const production = await liveSandbox();
  const faults = { isRefused: false };
  const proxy = await faultyProxy(staging.url, ({ method }) => {
    const refusal: Fault = { status: 422, body: '{"errors":[]}' };
    return method === 'PATCH' && faults.isRefused ? refusal : undefined;
  });
  const root = await tempFolder();
  await cp('examples/team', root, { recursive: true });
  const project = await readFile(join(root, 'setpoint.yaml'), 'utf8');
  const repository = await gitRepository(
    {
      'setpoint.yaml': project
        .replace('https://integrations-staging.example.com', proxy.url)
        .replace('https://integrations.example.com', production.url),
    },
    root,
  );
  repository.git('remote', 'add', 'origin', root);
  repository.git('fetch', '--quiet', 'origin');
  const bin = await tempFolder();
  await writePrograms(bin, {
    setpoint: `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`,
  });
  const tokens = async (user: string) => ({
    SETPOINT_SERVER_STAGING_TOKEN: await logIn(staging.url, user),
    SETPOINT_SERVER_PRODUCTION_TOKEN: await logIn(production.url, user),
  });
  const writers = await tokens('admin');
  const keys = {
    SETPOINT_THREATLOOKUP_KEY: 'k-0123456789',
    SETPOINT_DETONATION_KEY: 'd-0123456789',
  };
  const origins = `${proxy.url},${production.url}`;
  const readers = {
    secrets: await tokens('manager'),
    vars: { SETPOINT_ALLOWED_ORIGINS: origins },
  };
  const servers = Object.entries({ staging, production });
  return {
    ...repository,
    staging,
    production,
    base: { PATH: `${bin}:${process.env['PATH']}`, CI: 'true' },
    environments: {
      'setpoint-review': readers,
      'setpoint-plan': readers,
      'setpoint-staging': {
        secrets: {
          SETPOINT_SERVER_STAGING_TOKEN: writers.SETPOINT_SERVER_STAGING_TOKEN,
          ...keys,
        },
        vars: { SETPOINT_ALLOWED_ORIGINS: proxy.url },
      },
      'setpoint-production': {
        secrets: {
          SETPOINT_SERVER_PRODUCTION_TOKEN:
            writers.SETPOINT_SERVER_PRODUCTION_TOKEN,
          ...keys,
          SETPOINT_ASSETS_SECRET: 'a-0123456789',
        },
        vars: { SETPOINT_ALLOWED_ORIGINS: production.url },
      },
    },
    written: () => {
      const names: string[] = [];
      for (const [name, sandbox] of servers) {
        const hasPatch = sandbox.seen().some((line) => /^PATCH /.test(line));
        if (hasPatch) names.push(name);
      }
      return names;
    },
    refuse: (isRefused) => {
      faults.isRefused = isRefused;
    },
  };
}

/** What a pipeline runs for. */
export interface Occasion {
  /** The document of GitHub's event. */
  readonly event?: object;
  /** What expressions name beside secrets: `github`, `inputs`. */
  readonly contexts?: Contexts;
  /** The variables of GitLab's pipeline. */
  readonly variables?: Values;
  /** The address of the service's own API. */
  readonly api?: string;
  /** What a user makes of the file of the example. */
  readonly edited?: ((text: string) => string) | undefined;
}

const unedited = (text: string): string => text;

/** Runs a job, and returns its exit code; undefined if it does not run. */
export type RunJob = (job: string) => Promise<number | undefined>;

/** How a job of GitHub ended, as the next one sees it. */
interface Need {
  readonly result: 'success' | 'failure' | 'skipped';
  readonly outputs: Values;
}

/** Runs jobs of a workflow of GitHub's example, each with its secrets alone. */
export async function onGitHub(
  given: Team,
  name: (typeof WORKFLOWS)[number],
  occasion: Occasion = {},
): Promise<RunJob> {
  const { event = {}, contexts = {}, api = '', edited = unedited } = occasion;
  const { jobs } = parseWorkflow(
    edited(readFileSync(`examples/ci/github/${name}.yml`, 'utf8')),
  );
  const needs: Record<string, Need> = {};
  const runner = {
    cwd: given.root,
    artifacts: await tempFolder(),
    event,
    env: { ...given.base, GITHUB_API_URL: api },
  };
  return async (job) => {
    const wish = jobs[job];
    if (wish === undefined) throw new Error(`there is no job ${job}`);
    const own = given.environments[wish.environment ?? ''];
    const all = { github: {}, inputs: {}, needs, secrets: {}, vars: {} };
    const known = { ...all, ...contexts, ...own };
    const [, condition = wish.if] =
      /^\$\{\{ (.*) \}\}$/.exec(wish.if ?? '') ?? [];
    if (condition !== undefined && evaluated(condition, known) === 'false') {
      needs[job] = { result: 'skipped', outputs: {} };
      return undefined;
    }
    given.git('clean', '-fdxq');
    const { code, outputs } = await runJob(wish, runner, known);
    needs[job] = { result: code === 0 ? 'success' : 'failure', outputs };
    return code;
  };
}

const GITLAB = readFileSync('examples/ci/gitlab-ci.yml', 'utf8');

/** The variables of a job of GitLab's example in a pipeline. */
export const { inPipeline } = gitLabFile(GITLAB);

/** Runs jobs of GitLab's example, each with its variables alone: a script that reads another one fails. */
export function onGitLab(
  given: Team,
  { variables = {}, api = '', edited = unedited }: Occasion = {},
): RunJob {
  const { jobNamed, ruleOf, inPipeline } = gitLabFile(edited(GITLAB));
  const ended = new Map<string, { hasFailed: boolean; folder: string }>();
  return async (name) => {
    const own = inPipeline(name, variables);
    if (own === undefined) return undefined;
    const job = jobNamed(name);
    const { environment, before_script = [], script = [] } = job;
    given.git('clean', '-fdxq');
    for (const need of job.needs ?? []) {
      const before = ended.get(need);
      const isAlways = ruleOf(name, variables)?.when === 'always';
      if (before?.hasFailed !== false && !isAlways) return undefined;
      if (before !== undefined)
        await cp(before.folder, given.root, { recursive: true });
    }
    const values = given.environments[environment?.name ?? ''];
    const lines = [...before_script, ...script].join('\n');
    const comment = `"${process.execPath}" "${resolve('examples/ci/gitlab-comment.mjs')}"`;
    const command = lines.replace('node .gitlab/comment.mjs', comment);
    const code = await runScript(command, given.root, {
      ...given.base,
      CI_PROJECT_DIR: given.root,
      ...own,
      ...values?.vars,
      ...values?.secrets,
      CI_API_V4_URL: api,
      ...(environment?.name === 'setpoint-comment'
        ? { SETPOINT_COMMENT_TOKEN: 't' }
        : {}),
    });
    const folder = await tempFolder();
    for (const path of job.artifacts?.paths ?? [])
      if (existsSync(join(given.root, path)))
        await cp(join(given.root, path), join(folder, path));
    const allowed = [0, ...(job.allow_failure?.exit_codes ?? [])];
    ended.set(name, { hasFailed: !allowed.includes(code), folder });
    return code;
  };
}
