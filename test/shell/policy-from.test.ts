import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configuration, option, ownCatalog } from '../support/own-catalog.ts';
import { json, run } from '../support/run.ts';

/** A repository whose main branch forbids what its working tree, which has no policy, asks for. */
async function repository() {
  const { sandbox, cwd } = await ownCatalog(
    { foo: configuration(option('url', 'text')) },
    'foo: { autosubscribe: true }',
  );
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd,
      stdio: 'pipe',
    });
  const project = (policy: string) =>
    writeFile(
      join(cwd, 'setpoint.yaml'),
      `version: 1\nservers: { main: { url: "${sandbox.url}", config: [a.yaml] } }\n${policy}`,
    );
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'nothing yet');
  git('tag', 'before');
  await project('policy: { subscribes-everyone: error }\n');
  git('add', '.');
  git('commit', '-q', '-m', 'with a policy');
  await project('');
  const apply = async (ref: string, folder = cwd) => {
    const result = await run(['apply', '--yes', '--policy-from', ref, '--report', 'json'], { cwd: folder });
    const { diagnostics } = json<{ diagnostics: { code: string }[] }>(result);
    return [result.code, ...diagnostics.map(({ code }) => code)];
  };
  return { sandbox, cwd, git, project, apply };
}

describe('--policy-from', () => {
  test('holds to the policy of the ref, which the working tree cannot loosen', async () => {
    const { sandbox, git, apply } = await repository();
    expect(await apply('main')).toEqual([6, 'risk-refused']);
    git('switch', '-q', '-c', 'branch');
    git('commit', '-q', '-a', '-m', 'without it');
    expect(await apply('main')).toEqual([6, 'risk-refused']);
    expect(sandbox.seen().filter((each) => each.startsWith('PATCH'))).toEqual([]);
    expect(await apply('HEAD')).toEqual([0]);
  });
  test('and the stricter policy of the working tree holds as well', async () => {
    const { project, git, apply } = await repository();
    git('commit', '-q', '-a', '-m', 'without it');
    await project('policy: { subscribes-everyone: error }\n');
    expect(await apply('HEAD')).toEqual([6, 'risk-refused']);
  });
  test.each(['before', 'no-such-branch', '--all', 'HEAD:setpoint.yaml'])(
    'a ref without a policy is refused before anything is sent: %s',
    async (ref) => {
      const { sandbox, apply } = await repository();
      expect([await apply(ref), sandbox.seen()]).toEqual([[3, 'usage'], []]);
    },
  );
});

test('the policy of the project holds for a server that is named by its address as well', async () => {
  const { sandbox, cwd, project } = await repository();
  await project('policy: { subscribes-everyone: error }\n');
  const args = ['apply', '--yes', '-f', 'a.yaml', '--url', sandbox.url, '--accept', 'subscribes-everyone'];
  expect((await run(args, { cwd })).code).toBe(6);
  await project('');
  expect((await run(args, { cwd })).code).toBe(0);
});
