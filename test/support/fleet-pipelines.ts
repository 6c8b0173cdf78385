import { readFileSync } from 'node:fs';
import { chmod, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { EnvVar } from 'kubernetes-types/core/v1.js';
import { parse } from 'yaml';
import { gitRepository } from './git-repository.ts';
import { gitLabFile, type Values } from './gitlab-pipeline.ts';
import { liveSandbox } from './live-sandbox.ts';
import { PROGRAM, program } from './program.ts';
import {
  type EndedJob,
  evaluated,
  inTurn,
  runJob,
  runScript,
} from './runner.ts';
import { tempFolder, writeFiles } from './temp.ts';
import { type Job, parseWorkflow } from './workflow.ts';

const read = (path: string) => readFileSync(`examples/fleet/${path}`, 'utf8');

/** The files of the example. */
export const EXAMPLE = {
  workflow: read('github/fleet.yml'),
  drifting: read('github/drift.yml'),
  jobs: {
    ...parseWorkflow(read('github/fleet.yml')).jobs,
    ...parseWorkflow(read('github/drift.yml')).jobs,
  } as Readonly<Record<string, Job>>,
  gitlab: parse(read('gitlab-ci.yml')),
  rollout: parse(read('kubernetes/rollout/job.yaml')),
  drift: parse(read('kubernetes/drift/cronjob.yaml')),
  network: parse(read('kubernetes/network/policy.yaml')),
  readme: read('README.md'),
};

/** The servers of production. */
export const PRODUCTION = ['p1', 'p2', 'p3', 'p4', 'p5'];

/** A canary and servers of production, and a commit that changes the one integration of each. */
export async function fleet() {
  const names = ['canary', ...PRODUCTION];
  const sandboxes = await Promise.all(names.map(() => liveSandbox()));
  const urls = sandboxes.map(({ url }) => url);
  const servers = names.map((name, at) => {
    const tier = name === 'canary' ? 'canary' : 'production';
    return `  ${name}: { url: "${urls[at]}", config: [base/], labels: { tier: ${tier} } }\n`;
  });
  const { root, commit, git } = await gitRepository({
    'setpoint.yaml': `version: 1\nservers:\n${servers.join('')}`,
  });
  const declare = (key: string) =>
    commit({
      'base/a.yaml': `version: 1\nintegrations: { lookup: { match: threat_lookup_*, options: { apiKey: "${key}" } } }`,
    });
  await declare('${env:SETPOINT_OLD_KEY}');
  const before = await declare('${env:SETPOINT_OTHER_KEY}');
  git('update-ref', 'refs/remotes/origin/main', before);
  await declare('${env:SETPOINT_THREATLOOKUP_KEY}');
  const bin = await tempFolder({
    setpoint: `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`,
  });
  await chmod(join(bin, 'setpoint'), 0o755);
  return {
    ...{ cwd: root, before, declare, git, origins: urls.join(' ') },
    env: { PATH: `${bin}:${process.env['PATH']}`, CI: 'true' },
    /** The servers that were written to since the last call. */
    written: () =>
      names.filter((_, at) =>
        sandboxes[at]?.seen().some((line) => line.startsWith('PATCH ')),
      ),
  };
}

export type Fleet = Awaited<ReturnType<typeof fleet>>;

/** What runs a job of a pipeline, or some of its shards, and returns the exit codes. */
type Pipeline = (job: string, shards?: readonly number[]) => Promise<number[]>;

/** What only the jobs have that write. */
const KEYS = { SETPOINT_THREATLOOKUP_KEY: 'k-0123456789' };

function isStage(environment: string | undefined): boolean {
  return /^setpoint-(canary|production)$/.test(environment ?? '');
}

/** What a pipeline runs for; a push without more. */
export interface FleetOccasion {
  /** The name of GitHub's event. */
  readonly event?: string;
  /** What a person types for a run of GitHub. */
  readonly inputs?: Values;
  /** Where GitHub keeps artifacts. */
  readonly artifacts?: string;
  /** The variables of GitLab's pipeline. */
  readonly variables?: Values;
  /** The address of the service's own API. */
  readonly api?: string;
}

/** GitHub's; only a job with an environment gets its secrets. */
export async function onGitHub(
  { cwd, before, origins, env }: Fleet,
  occasion: FleetOccasion = {},
): Promise<Pipeline> {
  const { event: event_name = 'push', inputs = {}, api = '' } = occasion;
  const artifacts = occasion.artifacts ?? (await tempFolder());
  const vars = {
    SETPOINT_USERNAME: 'admin',
    SETPOINT_ALLOWED_ORIGINS: origins,
  };
  const needs: Record<string, EndedJob & { result: string }> = {};
  const number = event_name === 'pull_request' ? 7 : undefined;
  const runner = {
    cwd,
    artifacts,
    event: { pull_request: { number } },
    env: { ...env, GITHUB_API_URL: api },
  };
  return async (
    name,
    shards = EXAMPLE.jobs[name]?.strategy?.matrix.shard ?? [0],
  ) => {
    const { environment, strategy, ...job } = EXAMPLE.jobs[name] ?? {};
    const keys = isStage(environment) ? KEYS : {};
    const secrets = { SETPOINT_PASSWORD: 'admin', ...keys };
    const own = environment === undefined ? {} : { secrets, vars };
    const contexts = {
      ...{
        github: { event_name, event: { before }, base_ref: 'main' },
        inputs,
        needs,
        ...own,
      },
      strategy: { 'job-total': strategy?.matrix.shard.length },
    };
    const [, condition = job.if] =
      /^\$\{\{ (.*) \}\}$/.exec(job.if ?? '') ?? [];
    if (condition !== undefined && evaluated(condition, contexts) === 'false') {
      needs[name] = { result: 'skipped', code: 0, outputs: {} };
      return [];
    }
    return inTurn(shards, async (shard) => {
      const matrix = { shard };
      const ended = await runJob(job, runner, { ...contexts, matrix });
      const result = ended.code === 0 ? 'success' : 'failure';
      needs[name] = { ...ended, result };
      return ended.code;
    });
  };
}

const { jobNamed, inPipeline } = gitLabFile(read('gitlab-ci.yml'));

/** GitLab's; a job that is not in the pipeline has no exit codes. */
export async function onGitLab(
  { cwd, before, origins, env }: Fleet,
  { variables, api = '' }: FleetOccasion = {},
): Promise<Pipeline> {
  const login = {
    ...{
      SETPOINT_USERNAME: 'admin',
      SETPOINT_PASSWORD_FILE: join(await tempFolder({ p: 'admin\n' }), 'p'),
    },
    SETPOINT_ALLOWED_ORIGINS: origins,
  };
  const push = {
    CI_PIPELINE_SOURCE: 'push',
    CI_COMMIT_BRANCH: 'main',
    CI_COMMIT_BEFORE_SHA: before,
  };
  const comment = `"${process.execPath}" "${resolve('examples/ci/gitlab-comment.mjs')}"`;
  return async (name, given) => {
    const own = inPipeline(name, variables ?? push);
    if (own === undefined) return [];
    const job = jobNamed(name);
    const { parallel = 1, before_script = [], script = [] } = job;
    const environment = job.environment?.name;
    const isComment = environment === 'setpoint-comment';
    const lines = [...before_script, ...script].join('\n');
    const command = lines.replace('node .gitlab/comment.mjs', comment);
    const values = {
      ...{ ...env, ...own, CI_NODE_TOTAL: `${parallel}`, CI_API_V4_URL: api },
      ...(environment === undefined || isComment ? {} : login),
      ...(isComment ? { SETPOINT_COMMENT_TOKEN: 't' } : {}),
      ...(isStage(environment) ? KEYS : {}),
    };
    return inTurn(given ?? numbersTo(parallel), (shard) =>
      runScript(command, cwd, { ...values, CI_NODE_INDEX: `${shard}` }),
    );
  };
}

/** Kubernetes': a pod for each index, with its secrets laid out as a kubelet does. */
export async function onKubernetes({
  cwd,
  declare,
  origins,
}: Fleet): Promise<Pipeline> {
  await declare('${env:SETPOINT_THREATLOOKUP_KEY}-${file:keys/lookup}');
  await writeFiles(cwd, { 'keys/..1/lookup': 'of-a-file\n' });
  await symlink('..1', join(cwd, 'keys/..data'));
  await symlink('..data/lookup', join(cwd, 'keys/lookup'));
  const login = await tempFolder({ password: 'admin' });
  const referred: Record<string, string> = { username: 'admin', origins };
  return async (name, shards) => {
    const job =
      name === 'drift'
        ? EXAMPLE.drift.spec.jobTemplate.spec
        : EXAMPLE.rollout.spec;
    const stage =
      name === 'drift'
        ? {}
        : parse(read(`kubernetes/${name}/kustomization.yaml`));
    const patches = (stage.patches ?? []).flatMap(
      ({ patch }: { patch: string }) => parse(patch),
    );
    const { args, env, envFrom = [] } = job.template.spec.containers[0];
    const variables = env.map(
      ({ name, value = '', valueFrom = {} }: EnvVar) => {
        const { key = '' } =
          valueFrom.secretKeyRef ?? valueFrom.configMapKeyRef ?? {};
        return [name, referred[key] ?? value.replace('/run/setpoint', login)];
      },
    );
    const words = [
      ...args,
      ...patches.map(({ value }: { value: string }) => value),
    ];
    const pods = (shards ?? numbersTo(job.completions)).map((number) =>
      program(words, {
        cwd,
        env: {
          ...Object.fromEntries(variables),
          ...(envFrom.length > 0 ? KEYS : {}),
          JOB_COMPLETION_INDEX: `${number - 1}`,
        },
      }),
    );
    return Promise.all(pods.map(({ ended }) => ended.then(Number)));
  };
}

function numbersTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
