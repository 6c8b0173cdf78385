import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { commentsApi } from './support/comments-api.ts';
import {
  EXAMPLE,
  fleet,
  onGitHub,
  onGitLab,
  onKubernetes,
  PRODUCTION,
} from './support/fleet-pipelines.ts';
import { sampled } from './support/soak.ts';
import { tempFolder } from './support/temp.ts';
import { workflowProblems } from './support/workflow.ts';
import { workflowParser } from './support/workflow-parser.ts';

const FOLDER = 'examples/fleet/kubernetes';
const { workflow, jobs, gitlab, rollout, drift, network } = EXAMPLE;

describe('the files have the form that is published', () => {
  test('for GitHub, by its own parser', async () => {
    const problems = await workflowParser();
    expect([await problems(workflow), workflowProblems(workflow)]).toEqual([
      [],
      [],
    ]);
    const wrong = workflow.replace('needs: [merge,', 'needs: [merges,');
    expect(await problems(wrong)).toEqual([expect.stringContaining('merges')]);
  });
  test('for GitLab', () => {
    const schema = parse(
      readFileSync('test/fixtures/gitlab-ci.schema.yaml', 'utf8'),
    );
    const isValid = new Ajv({ allowUnionTypes: true }).compile(schema);
    expect([isValid(gitlab), isValid.errors]).toEqual([true, null]);
    expect(isValid({ ...gitlab, plan: { ...gitlab.plan, paralel: 4 } })).toBe(
      false,
    );
  });
  test('for Kubernetes, by its types', async () => {
    const types = resolve('node_modules/kubernetes-types/batch/v1');
    const typed = (kind: string, value: object) =>
      `import type { ${kind} } from '${types}';\nexport const it: ${kind} = ${JSON.stringify(value)};\n`;
    const wrong = JSON.parse(
      JSON.stringify(rollout).replace(
        '"readOnlyRootFilesystem"',
        '"readOnlyRoot"',
      ),
    );
    const all = {
      'a.ts': typed('Job', rollout),
      'b.ts': typed('CronJob', drift),
      'c.ts': typed('Job', wrong),
      'd.ts': typed('NetworkPolicy', network).replace('batch', 'networking'),
    };
    const args = ['--noEmit', ...Object.keys(all)];
    const cwd = await tempFolder(all);
    const compiling = promisify(execFile)(
      resolve('node_modules/.bin/tsc'),
      args,
      { cwd },
    );
    const { stdout: found } = await compiling.catch(
      (thrown: { stdout: string }) => thrown,
    );
    expect(found.trim().split('\n')).toEqual([
      expect.stringMatching(/^c\.ts.*readOnlyRoot/),
    ]);
  });
  test('for kustomize: what they name is there, with images by their digests; it renders them, if it is installed', () => {
    for (const name of readdirSync(FOLDER)) {
      const at = `${FOLDER}/${name}`;
      const {
        kind,
        resources,
        images = [],
      } = parse(readFileSync(`${at}/kustomization.yaml`, 'utf8'));
      expect(kind).toBe('Kustomization');
      expect(
        resources.filter((path: string) => !existsSync(join(at, path))),
      ).toEqual([]);
      expect(
        images.every(({ digest }: { digest: string }) =>
          digest.startsWith('sha256:'),
        ),
      ).toBe(true);
    }
    if (rendered('drift') === undefined) return;
    const image = 'registry.example.com/setpoint-fleet';
    const apply = 'apply --shard auto --yes --fail-on-errors';
    expect(renderedWorkloads()).toEqual([
      `Job setpoint-apply setpoint-canary ${image} ${apply} --server=tier=canary`,
      `Job setpoint-apply setpoint-production ${image} ${apply} --server=tier=production`,
      `CronJob setpoint-plan setpoint-drift ${image} plan --shard auto --exit-code`,
    ]);
    expect(parse(rendered('network') ?? '')).toEqual(network);
  });
});

/** What kustomize makes of a folder; undefined on a machine without it. */
function rendered(name: string): string | undefined {
  const args = ['kustomize', `${FOLDER}/${name}`];
  const { status, stdout } = spawnSync('kubectl', args, { encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
}

/** What kustomize makes of the workloads: kind, namespace, name, image and arguments. */
function renderedWorkloads(): readonly string[] {
  const shown: string[] = [];
  for (const name of ['canary', 'production', 'drift']) {
    const { kind, metadata, spec } = parse(rendered(name) ?? '');
    const { template } = spec.jobTemplate?.spec ?? spec;
    const [{ image, args }] = template.spec.containers;
    const [repository] = image.split('@sha256:');
    const { namespace, name: own } = metadata;
    shown.push([kind, namespace, own, repository, ...args].join(' '));
  }
  return shown;
}

/** Walks a push: shards plan, one job merges, and the canary is applied before all others. */
const rollsOut = (pipeline: typeof onGitHub | typeof onGitLab) => async () => {
  const given = await fleet();
  const run = await pipeline(given);
  expect([await run('plan', [1, 2, 4]), await run('merge')]).toEqual([
    [0, 0, 0],
    [3],
  ]);
  expect(await run('canary')).not.toContain(0);
  // A shard that was lost is repeated alone.
  expect([await run('plan', [3]), await run('merge'), given.written()]).toEqual(
    [[0], [0], []],
  );
  expect([await run('canary'), given.written()]).toEqual([[0], ['canary']]);
  expect([await run('production', [1]), given.written()]).toEqual([
    [0],
    ['p1', 'p5'],
  ]);
  expect(await run('production', [2, 3, 4])).toEqual([0, 0, 0]);
  expect(given.written()).toEqual(['p2', 'p3', 'p4']);
  // A shard that is repeated finds its part done.
  expect([await run('production', [2]), given.written()]).toEqual([[0], []]);
};

async function getsOneComment() {
  const api = await commentsApi();
  const run = await onGitHub(await fleet(), 'pull_request', api.url);
  expect([await run('plan'), await run('merge'), await run('canary')]).toEqual([
    [0, 0, 0, 0],
    [0],
    [],
  ]);
  const [comment, ...others] = api.comments.map(({ body }) => body);
  expect([comment, others]).toEqual([
    expect.stringMatching(/^<!-- setpoint merge -->.* on 6 servers/s),
    [],
  ]);
}

/** Pods drift until all stages are applied, and write no file. */
async function appliesInPods() {
  const given = await fleet();
  const run = await onKubernetes(given);
  const files = await readdir(given.cwd);
  expect(await run('drift', [1])).toEqual([2]);
  expect([await run('canary'), given.written()]).toEqual([
    [0, 0, 0, 0],
    ['canary'],
  ]);
  expect([await run('production'), given.written()]).toEqual([
    [0, 0, 0, 0],
    PRODUCTION,
  ]);
  expect(await run('drift', [1, 2])).toEqual([0, 0]);
  expect(await readdir(given.cwd)).toEqual(files);
}

const WALKS: readonly (readonly [name: string, walk: () => Promise<void>])[] = [
  [
    'a pull request gets one comment for all shards, and applies nothing',
    getsOneComment,
  ],
  [
    'a push on GitHub plans in shards, and is applied by stages',
    rollsOut(onGitHub),
  ],
  [
    'a push on GitLab plans in shards, and is applied by stages',
    rollsOut(onGitLab),
  ],
  [
    'on Kubernetes pods drift until all stages are applied, and write no file',
    appliesInPods,
  ],
];

test.each(sampled(WALKS, 4))('%s', (_, walk) => walk());

test('a stage follows only what did not fail, one run at a time', () => {
  expect([jobs['canary']?.needs, jobs['production']?.needs]).toEqual([
    'merge',
    ['merge', 'canary'],
  ]);
  expect(jobs['production']?.if).toContain("canary.outputs.failed == 'false'");
  expect([gitlab.canary.needs, gitlab.production.needs]).toEqual([
    ['merge'],
    ['merge', 'canary'],
  ]);
  expect(gitlab['.stage'].rules).toEqual([
    expect.objectContaining({ when: 'manual' }),
  ]);
  const groups = [
    gitlab.canary.resource_group,
    gitlab.production.resource_group,
  ];
  expect(groups).toEqual([
    'setpoint-canary',
    'setpoint-production-$CI_NODE_INDEX',
  ]);
});

test('each job has the environment that the table of secrets says', () => {
  const [row = ''] =
    /they belong to the environment.*/.exec(EXAMPLE.readme) ?? [];
  const [review = '', plan = '', ...others] =
    row.match(/(?<=`)setpoint-\w+(?=`)|none/g) ?? [];
  const later = ['merge', 'canary', 'production'];
  const { namespace } = parse(
    readFileSync(`${FOLDER}/drift/kustomization.yaml`, 'utf8'),
  );
  expect(later.map((name) => jobs[name]?.environment ?? 'none')).toEqual(
    others.slice(0, 3),
  );
  expect(jobs['plan']?.environment).toContain(`&& '${review}' || '${plan}'`);
  const named = ['plan-review', 'plan', ...later].map(
    (name) => gitlab[name].environment?.name ?? 'none',
  );
  expect([...named, namespace]).toEqual([review, plan, ...others]);
});

describe('on Kubernetes', () => {
  test('pods are called by nobody, and only those that write have secrets of integrations', () => {
    expect(network.spec).toMatchObject({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    expect(network.spec).not.toHaveProperty('ingress');
    expect(network.spec.egress.every(({ to }: { to?: object }) => to)).toBe(
      true,
    );
    const secrets = (text: object) =>
      [...JSON.stringify(text).matchAll(/setpoint-(?:keys|variables)/g)].map(
        String,
      );
    expect(secrets(rollout)).toEqual(['setpoint-variables', 'setpoint-keys']);
    expect(secrets(drift)).toEqual([]);
  });
  test.each([rollout.spec, drift.spec.jobTemplate.spec])(
    'pods of %# get no more than they need',
    (job) => {
      const { completions, template } = job;
      const [container] = template.spec.containers;
      expect(job).toMatchObject({
        completionMode: 'Indexed',
        parallelism: completions,
      });
      expect(container.env).toContainEqual({
        name: 'JOB_COMPLETIONS',
        value: `${completions}`,
      });
      expect(container.args.join(' ')).toContain('--shard auto');
      expect(job.ttlSecondsAfterFinished).toBeGreaterThan(0);
      expect(template.spec).toMatchObject({
        restartPolicy: 'Never',
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      expect(container.securityContext).toEqual({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
      expect(Object.keys(container.resources)).toEqual(['requests', 'limits']);
      expect(
        container.volumeMounts.every(
          ({ readOnly }: { readOnly?: true }) => readOnly,
        ),
      ).toBe(true);
    },
  );
});
