import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitRepository } from '../support/git-repository.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { ADMIN, run } from '../support/run.ts';
import { commandsOf, issuesOf, resultsOf, suitesOf } from '../support/sinks.ts';
import { tempFolder } from '../support/temp.ts';

const FORMATS = ['github', 'gitlab', 'junit', 'sarif'] as const;

const yaml = (timeout: number) =>
  `version: 1\nintegrations:\n  lookup: { match: threat_lookup_*, options: { timeout: ${timeout} } }\n`;

/** The files that reports of a plan name, for a configuration in folders of a root; one layer is outside of its project. */
async function named(root: string, env: Record<string, string>) {
  const reports = await tempFolder();
  const flags = FORMATS.flatMap((format) => [
    '--report',
    `${format}=${join(reports, format)}`,
  ]);
  const cwd = join(root, 'teams/blue');
  const { code, stderr } = await run(['plan', ...flags], {
    cwd,
    env: { ...ADMIN, ...env },
  });
  expect([code, stderr]).toEqual([0, '']);
  const read = (format: string) => readFile(join(reports, format), 'utf8');
  const files = [
    ...commandsOf(await read('github')).commands.map(
      ({ properties }) => properties['file'],
    ),
    ...issuesOf(await read('gitlab')).map(({ location }) => location.path),
    ...suitesOf(await read('junit')).flatMap(({ cases }) =>
      cases.flatMap((each) => each['@_file'] ?? []),
    ),
    ...resultsOf(await read('sarif')).map(
      ({ locations }) => locations[0]?.physicalLocation.artifactLocation.uri,
    ),
  ];
  expect(files.length).toBe(FORMATS.length);
  return [...new Set(files)];
}

async function files(layer: string) {
  const { url } = await liveSandbox();
  const project = `version: 1\nservers: { production: { url: "${url}", config: [${layer}] } }\n`;
  return {
    'teams/blue/setpoint.yaml': project,
    [join('teams/blue', layer)]: yaml(30),
  };
}

test('reports of pipelines name files from the root of the repository, wherever the run started', async () => {
  const { root } = await gitRepository(await files('base/a.yaml'));
  const here = ['teams/blue/base/a.yaml'];
  expect(await named(root, {})).toEqual(here);
  expect(await named(root, { GITHUB_WORKSPACE: root })).toEqual(here);
  expect(await named(root, { GITHUB_WORKSPACE: join(root, '..') })).toEqual(
    here,
  );
  const shared = await gitRepository(await files('../shared/a.yaml'));
  expect(await named(shared.root, {})).toEqual(['teams/shared/a.yaml']);
});
