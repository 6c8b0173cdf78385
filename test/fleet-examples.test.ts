import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  EXAMPLE,
  fleet,
  onKubernetes,
  PRODUCTION,
} from './support/kubernetes.ts';
import { tempFolder, writePrograms } from './support/temp.ts';

const FOLDER = 'examples/fleet/kubernetes';
const { rollout, drift, network } = EXAMPLE;

describe('the files have the form that is published', () => {
  test('for Kubernetes, by its types', async () => {
    const types = resolve('node_modules/kubernetes-types/batch/v1');
    const typed = (kind: string, value: object) =>
      `import type { ${kind} } from '${types}';\nexport const it: ${kind} = ${JSON.stringify(value)};\n`;
    const text = JSON.stringify(rollout);
    const wrong = JSON.parse(
      text.replace('"readOnlyRootFilesystem"', '"readOnlyRoot"'),
    );
    const all = {
      'a.ts': typed('Job', rollout),
      'b.ts': typed('CronJob', drift),
      'c.ts': typed('Job', wrong),
      'd.ts': typed('NetworkPolicy', network).replace('batch', 'networking'),
    };
    const tsc = resolve('node_modules/.bin/tsc');
    const { stdout } = spawnSync(tsc, ['--noEmit', ...Object.keys(all)], {
      cwd: await tempFolder(all),
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/^c\.ts.*readOnlyRoot.*\n$/);
  });
  test('for kustomize: what they name is there, with images by their digests; it renders them, if it is installed', () => {
    for (const entry of readdirSync(FOLDER, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const at = `${FOLDER}/${entry.name}`;
      const text = readFileSync(`${at}/kustomization.yaml`, 'utf8');
      const { kind, resources, images = [] } = parse(text);
      expect(kind).toBe('Kustomization');
      for (const path of resources)
        expect(existsSync(join(at, path))).toBe(true);
      for (const { digest } of images) expect(digest).toMatch(/^sha256:/);
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

test('pods drift until all stages are applied, and write no file', async () => {
  const given = await fleet();
  const run = await onKubernetes(given);
  const files = await readdir(given.cwd);
  expect(await run('drift', [1])).toEqual([2]);
  expect(await run('canary')).toEqual([0, 0, 0, 0]);
  expect(given.written()).toEqual(['canary']);
  expect(await run('production')).toEqual([0, 0, 0, 0]);
  expect(given.written()).toEqual(PRODUCTION);
  expect(await run('drift', [1, 2])).toEqual([0, 0]);
  expect(await readdir(given.cwd)).toEqual(files);
});

describe('on Kubernetes', () => {
  test('pods are called by nobody, and only those that write have secrets of integrations', () => {
    expect(network.spec).toMatchObject({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    expect(network.spec).not.toHaveProperty('ingress');
    for (const { to } of network.spec.egress) expect(to).toBeDefined();
    const secrets = /setpoint-(?:keys|variables)/g;
    const ofRollout = JSON.stringify(rollout).match(secrets);
    expect(ofRollout).toEqual(['setpoint-variables', 'setpoint-keys']);
    expect(JSON.stringify(drift)).not.toMatch(secrets);
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
      for (const { readOnly } of container.volumeMounts)
        expect(readOnly).toBe(true);
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
    const complete = await stages('SuccessCriteriaMet Complete');
    expect(complete).toEqual([0, both, null]);
    const pods = '--selector=job-name=setpoint-canary';
    const shown = [`get pods ${pods}`, `logs ${pods}`];
    const failed = await stages('FailureTarget Failed');
    expect(failed).toEqual([1, ['canary'], shown]);
  });
});
