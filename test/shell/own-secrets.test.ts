import { describe, expect, test } from 'vitest';
import { codesOf } from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

describe("setpoint's own credentials", () => {
  const PASSWORD = 'correct-horse-battery';

  test('are not read as a layer that YAML names', async () => {
    const cwd = await tempFolder({
      pw: `${PASSWORD}\n`,
      'x/y': '',
      'setpoint.yaml': `version: 1\nservers: { a: { url: "http://localhost:9", config: [./x/../pw] } }\n`,
    });
    const env = { SETPOINT_USERNAME: 'admin', SETPOINT_PASSWORD_FILE: 'pw' };
    for (const command of ['plan', 'validate']) {
      const result = await run([command, '--report', 'json'], { cwd, env });
      expect(result.screen).not.toContain(PASSWORD);
      expect(codesOf(result)).toEqual(['file-unreadable']);
    }
  });
  test('are known before the first file is read, also by a command that needs none', async () => {
    const cwd = await tempFolder({
      'a.yaml': `version: 1\nintegrations: { ${PASSWORD}: 1 }\n`,
    });
    const env = { ...ADMIN, SETPOINT_PASSWORD: PASSWORD };
    for (const args of [
      ['validate', 'a.yaml'],
      ['plan', '-f', 'a.yaml', '--url', 'http://localhost:9'],
    ]) {
      const { code, screen } = await run(args, { cwd, env });
      expect([code, screen.includes(PASSWORD)]).toEqual([3, false]);
    }
  });
});

test('a runner of GitHub is told to mask a credential, and each of its lines', async () => {
  const cwd = await tempFolder({ 'a.yaml': 'version: 1\nintegrations: {}\n' });
  const password = 'first-line-of-it\nsecond-line-of-it';
  const masks = async (env: object) => {
    const own = { ...ADMIN, SETPOINT_PASSWORD: password, ...env };
    const { stderr } = await run(['validate', 'a.yaml'], { cwd, env: own });
    return stderr.match(/^::add-mask::.*$/gm) ?? [];
  };
  expect(await masks({})).toEqual([]);
  expect(await masks({ GITHUB_ACTIONS: 'true' })).toEqual([
    '::add-mask::first-line-of-it%0Asecond-line-of-it',
    '::add-mask::first-line-of-it',
    '::add-mask::second-line-of-it',
  ]);
});
