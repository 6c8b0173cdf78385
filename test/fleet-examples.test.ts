import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  commentsApi,
  issuesApi,
  notesApi,
  projectIssuesApi,
} from './support/comments-api.ts';
import {
  EXAMPLE,
  type Fleet,
  fleet,
  onGitHub,
  onGitLab,
  onKubernetes,
  PRODUCTION,
} from './support/fleet-pipelines.ts';
import { sampled } from './support/soak.ts';
import { tempFolder, writePrograms } from './support/temp.ts';
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
    const nightly = EXAMPLE.drifting;
    expect([await problems(nightly), workflowProblems(nightly)]).toEqual([
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
    for (const entry of readdirSync(FOLDER, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const at = `${FOLDER}/${entry.name}`;
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

async function isReviewedOnGitHub() {
  const api = await commentsApi();
  const occasion = { event: 'pull_request', api: api.url };
  const given = await fleet();
  const run = await onGitHub(given, occasion);
  expect(await run('diff')).toEqual([0]);
  expect([await run('plan'), await run('merge'), await run('canary')]).toEqual([
    [0, 0, 0, 0],
    [0],
    [],
  ]);
  expect(api.comments.map(({ body }) => body)).toEqual([
    expect.stringMatching(/^<!-- setpoint diff -->/),
    expect.stringMatching(/^<!-- setpoint merge -->.* on 6 servers/s),
  ]);
  moveMain(given);
  expect(await run('diff')).toEqual([3]);
}

/** Takes back on the main branch what came before the change under review. */
function moveMain({ before, git }: Fleet): void {
  const tree = `${before}~1^{tree}`;
  const head = git('commit-tree', tree, '-p', before, '-m', 'back').trim();
  git('update-ref', 'refs/remotes/origin/main', head);
}

async function isReviewedOnGitLab() {
  const api = await notesApi([]);
  const variables = {
    CI_PIPELINE_SOURCE: 'merge_request_event',
    CI_MERGE_REQUEST_EVENT_TYPE: 'merged_result',
    CI_MERGE_REQUEST_IID: '7',
    CI_MERGE_REQUEST_PROJECT_ID: '5',
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '5',
  };
  const given = await fleet();
  const run = await onGitLab(given, { variables, api: api.url });
  expect(await run('diff')).toEqual([0]);
  expect([await run('plan-review'), await run('merge')]).toEqual([
    [0, 0, 0, 0],
    [0],
  ]);
  expect([await run('comment'), await run('canary')]).toEqual([[0], []]);
  expect(api.notes.map(({ body }) => body)).toEqual([
    expect.stringMatching(/^<!-- setpoint diff -->/),
    expect.stringMatching(/^<!-- setpoint plan -->.* on 6 servers/s),
  ]);
  const forked = { ...variables, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '9' };
  const fork = await onGitLab(given, { variables: forked });
  expect([await fork('diff'), await fork('plan-review')]).toEqual([[0], []]);
  expect([await fork('merge'), await fork('comment')]).toEqual([[], []]);
}

/** Each night there is one issue while servers differ, and none after a rollout. */
async function driftsOnGitHub() {
  const { url, issues } = await issuesApi();
  const given = await fleet();
  const night = await onGitHub(given, { event: 'schedule', api: url });
  const states = () => issues.map(({ state }) => state);
  expect([await night('drift'), states()]).toEqual([[2], ['open']]);
  const run = await onGitHub(given);
  for (const job of ['plan', 'merge', 'canary', 'production']) await run(job);
  expect([await night('drift'), states()]).toEqual([[0], ['closed']]);
}

async function driftsOnGitLab() {
  const { url, issues } = await projectIssuesApi();
  const given = await fleet();
  const variables = { CI_PIPELINE_SOURCE: 'schedule' };
  const night = await onGitLab(given, { variables, api: url });
  const states = () => issues.map(({ state }) => state);
  expect([await night('drift'), await night('drift-issue')]).toEqual([
    [2],
    [0],
  ]);
  expect(states()).toEqual([expect.stringMatching(/^open/)]);
  expect([await night('plan'), await night('merge')]).toEqual([[], []]);
  const run = await onGitLab(given);
  for (const job of ['plan', 'merge', 'canary', 'production']) await run(job);
  expect([await night('drift'), await night('drift-issue')]).toEqual([
    [0],
    [0],
  ]);
  expect(states()).toEqual(['closed']);
}

/** The number that a person allows is that of all servers, of which shards have some each. */
async function letsManyChange() {
  const given = await fleet();
  const refused = (text: string) =>
    JSON.parse(text).servers.map(
      ({ allowedChanges, refusals }: Record<string, readonly object[]>) => [
        allowedChanges,
        refusals?.length ?? 0,
      ],
    );
  for (const [allowed, refusals] of [
    ['5', 1],
    ['6', 0],
  ] as const) {
    const artifacts = await tempFolder();
    const inputs = { base: given.before, 'allow-changes': allowed };
    const event = 'workflow_dispatch';
    const onHub = await onGitHub(given, { event, inputs, artifacts });
    expect([await onHub('plan'), await onHub('merge')]).toEqual([
      [0, 0, 0, 0],
      [0],
    ]);
    const variables = {
      CI_PIPELINE_SOURCE: 'web',
      CI_COMMIT_BRANCH: 'main',
      APPLY_BASE: given.before,
      ALLOW_CHANGES: allowed,
    };
    const onLab = await onGitLab(given, { variables });
    expect([await onLab('plan'), await onLab('merge')]).toEqual([
      [0, 0, 0, 0],
      [0],
    ]);
    for (const folder of [join(artifacts, 'plan'), given.cwd]) {
      const text = await readFile(join(folder, 'plan.json'), 'utf8');
      expect(refused(text)).toEqual(
        Array.from({ length: 6 }, () => [Number(allowed), refusals]),
      );
    }
  }
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
    'a pull request is compared, gets one comment for all shards, and applies nothing',
    isReviewedOnGitHub,
  ],
  [
    'a merge request is compared, gets one comment for all shards, and applies nothing',
    isReviewedOnGitLab,
  ],
  ['a night on GitHub keeps one issue while servers differ', driftsOnGitHub],
  ['a night on GitLab keeps one issue while servers differ', driftsOnGitLab],
  ['a person lets many integrations change on all servers', letsManyChange],
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

test.each(sampled(WALKS, WALKS.length))('%s', (_, walk) => walk());

test('a stage follows only what did not fail, one run at a time', () => {
  expect([jobs['canary']?.needs, jobs['production']?.needs]).toEqual([
    'merge',
    ['merge', 'canary'],
  ]);
  expect(jobs['production']?.if).toContain(
    '!fromJSON(needs.canary.outputs.failed)',
  );
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
  const [diff = '', review = '', plan = '', ...others] =
    row.match(/(?<=`)setpoint-\w+(?=`)|none/g) ?? [];
  const later = ['merge', 'canary', 'production', 'drift'];
  const environments = ['diff', ...later].map(
    (name) => jobs[name]?.environment ?? 'none',
  );
  expect(environments).toEqual([diff, ...others]);
  expect(jobs['plan']?.environment).toContain(`&& '${review}' || '${plan}'`);
  const named = ['diff', 'plan-review', 'plan', ...later].map(
    (name) => gitlab[name].environment?.name ?? 'none',
  );
  expect(named).toEqual([diff, review, plan, ...others]);
  const { namespace } = parse(
    readFileSync(`${FOLDER}/drift/kustomization.yaml`, 'utf8'),
  );
  expect(namespace).toBe(others.at(-1));
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
  test('a stage that is not complete starts no other, and shows its logs', async () => {
    const stages = async (condition: string) => {
      const bin = await tempFolder();
      await writePrograms(bin, {
        kubectl: `#!/bin/sh\ncase "$*" in *jsonpath*) echo ${condition} ;; *) echo "$*" ;; esac\n`,
      });
      const { status, stdout } = spawnSync('sh', [`${FOLDER}/stages.sh`], {
        encoding: 'utf8',
        env: { PATH: `${bin}:${process.env['PATH']}` },
      });
      const applied = stdout.match(/(?<=^apply -k ).*$/gm);
      const shown = stdout.match(/(?:get pods|logs) --selector=\S+/g);
      return [status, applied, shown];
    };
    const both = ['canary', 'production'];
    expect(await stages('SuccessCriteriaMet Complete')).toEqual([
      0,
      both,
      null,
    ]);
    const pods = '--selector=job-name=setpoint-canary';
    expect(await stages('FailureTarget Failed')).toEqual([
      1,
      ['canary'],
      [`get pods ${pods}`, `logs ${pods}`],
    ]);
  });
});
