import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { EnvVar } from 'kubernetes-types/core/v1.js';
import { parse } from 'yaml';
import { gitRepository } from './git-repository.ts';
import { liveSandbox } from './live-sandbox.ts';
import { program } from './program.ts';
import { tempFolder, writeFiles } from './temp.ts';

const read = (path: string) =>
  readFileSync(`examples/fleet/kubernetes/${path}`, 'utf8');

/** The files of the example. */
export const EXAMPLE = {
  rollout: parse(read('rollout/job.yaml')),
  drift: parse(read('drift/cronjob.yaml')),
  network: parse(read('network/policy.yaml')),
};

/** The servers of production. */
export const PRODUCTION = ['p1', 'p2', 'p3', 'p4', 'p5'];

/** A fleet whose files ask for the one integration of each server. */
interface Fleet {
  readonly cwd: string;
  readonly origins: string;
  /** The servers that were written to since the last call. */
  readonly written: () => string[];
}

/** A canary and servers of production, each with an integration that lacks its key. */
export async function fleet(): Promise<Fleet> {
  const names = ['canary', ...PRODUCTION];
  const sandboxes = await Promise.all(names.map(() => liveSandbox()));
  const urls = sandboxes.map(({ url }) => url);
  const servers = names.map((name, at) => {
    const tier = name === 'canary' ? 'canary' : 'production';
    return `  ${name}: { url: "${urls[at]}", config: [base/], labels: { tier: ${tier} } }\n`;
  });
  const key = '${env:SETPOINT_THREATLOOKUP_KEY}-${file:keys/lookup}';
  const { root } = await gitRepository({
    'setpoint.yaml': `version: 1\nservers:\n${servers.join('')}`,
    'base/a.yaml': `version: 1\nintegrations: { lookup: { match: threat_lookup_*, options: { apiKey: "${key}" } } }`,
  });
  const written = () =>
    names.filter((_, at) =>
      sandboxes[at]?.seen().some((line) => line.startsWith('PATCH ')),
    );
  return { cwd: root, origins: urls.join(' '), written };
}

/** Runs the pods of a job, or some of them, and returns their exit codes. */
type RunPods = (job: string, pods?: readonly number[]) => Promise<number[]>;

/** What only the jobs have that write. */
const KEYS = { SETPOINT_THREATLOOKUP_KEY: 'k-0123456789' };

/** Kubernetes': a pod for each index, with its secrets laid out as a kubelet does. */
export async function onKubernetes({ cwd, origins }: Fleet): Promise<RunPods> {
  await writeFiles(cwd, { 'keys/..1/lookup': 'of-a-file\n' });
  await symlink('..1', join(cwd, 'keys/..data'));
  await symlink('..data/lookup', join(cwd, 'keys/lookup'));
  const login = await tempFolder({ password: 'admin' });
  const referred: Record<string, string> = { username: 'admin', origins };
  return async (name, numbers) => {
    const isDrift = name === 'drift';
    const { rollout, drift } = EXAMPLE;
    const job = isDrift ? drift.spec.jobTemplate.spec : rollout.spec;
    const stage = isDrift ? {} : parse(read(`${name}/kustomization.yaml`));
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
    const more = patches.map(({ value }: { value: string }) => value);
    const keys = envFrom.length > 0 ? KEYS : {};
    const all = Array.from({ length: job.completions }, (_, at) => at + 1);
    const pods = (numbers ?? all).map((number) => {
      const index = { JOB_COMPLETION_INDEX: `${number - 1}` };
      const own = { ...Object.fromEntries(variables), ...keys, ...index };
      return program([...args, ...more], { cwd, env: own });
    });
    return Promise.all(pods.map(({ ended }) => ended.then(Number)));
  };
}
