import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Document } from '../../src/core/plan/plan-document.ts';
import { gitRepository } from '../support/git-repository.ts';
import { json, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const ENTRY = (limit: number) => `version: 1
integrations:
  vt: { options: { limit: ${limit} } }
`;

const ENV = { SETPOINT_URL: 'http://127.0.0.1:1' };

/** Git is found by it. */
const PATH = process.env['PATH'] ?? '';

const SECRET = 'glpat-0123456789abcdef';

test('reports name the repository without credentials, and the commit', async () => {
  const { root, git, commit } = await gitRepository({ 'a.yaml': ENTRY(1) });
  const first = git('rev-parse', 'HEAD').trim();
  git('remote', 'add', 'origin', `https://bot:${SECRET}@git.example/soc/r.git`);
  const second = await commit({ 'a.yaml': ENTRY(2) });
  const diffed = (...args: readonly string[]) =>
    run(['diff', ...args, '-f', 'a.yaml', '--report', 'json'], {
      cwd: root,
      env: { PATH },
    });
  const result = await diffed('HEAD~1');
  expect(result.stdout).not.toContain(SECRET);
  const repository = 'https://git.example/soc/r';
  expect(json<Document>(result)).toMatchObject({
    repository,
    commit: second,
    base: { ref: 'HEAD~1', commit: first },
    servers: [{ integrations: [{ source: { file: 'a.yaml', line: 3 } }] }],
  });
  await commit({ 'a.yaml': ENTRY(3) });
  const shown = json<Document>(await diffed(first, 'HEAD~1'));
  expect(shown).toMatchObject({ commit: second, head: { commit: second } });
});

test('git is not started for a report that leads nowhere', async () => {
  const { root } = await gitRepository({ 'a.yaml': 'version: 2\n' });
  const bin = await tempFolder({});
  const script = `#!/bin/sh\n: > '${join(bin, 'started')}'\nexit 1\n`;
  await writeFile(join(bin, 'git'), script, { mode: 0o755 });
  const started = async (...reports: readonly string[]) => {
    const args = ['plan', 'a.yaml', ...reports];
    await run(args, { cwd: root, env: { ...ENV, PATH: `${bin}:${PATH}` } });
    return (await readdir(bin)).includes('started');
  };
  expect(await started()).toBe(false);
  expect(await started('--report', 'sarif')).toBe(false);
  expect(await started('--report', 'json')).toBe(true);
});
