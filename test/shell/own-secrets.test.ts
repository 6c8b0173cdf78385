import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configuration, option, ownCatalog } from '../support/live-sandbox.ts';
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
    const cwd = await tempFolder({ 'a.yaml': `version: 1\nintegrations: { ${PASSWORD}: 1 }\n` });
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

test('a saved plan is applied in which secrets are part of an id and of another value', async () => {
  const catalog = {
    prod_node: configuration(option('host', 'text'), option('key', 'password'), option('more', 'password')),
  };
  const { attempt, cwd } = await ownCatalog(
    catalog,
    'prod_node:\n  options: { key: "${env:SETPOINT_K}", more: "${env:SETPOINT_L}", host: prod.example.com }',
  );
  const env = { SETPOINT_K: 'node', SETPOINT_L: 'prod' };
  const planned = await attempt(['plan'], env);
  expect(planned.code).toBe(0);
  await writeFile(join(cwd, 'plan.json'), planned.stdout);
  const applied = await attempt(['apply', 'plan.json', '--yes'], env);
  expect([applied.code, codesOf(applied)]).toEqual([0, []]);
});
