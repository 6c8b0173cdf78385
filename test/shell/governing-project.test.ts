import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configuration, option, ownCatalog } from '../support/own-catalog.ts';
import { json, type RunResult, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const codes = (result: RunResult) =>
  json<{ diagnostics: { code: string }[] }>(result).diagnostics.map(({ code }) => code);
const patches = (seen: readonly string[]) => seen.filter((each) => each.startsWith('PATCH')).length;

/** A sandbox beside a project that names another server, so that only --url leads to it. */
async function governed(yaml: string) {
  const made = await ownCatalog({ gamma: configuration(option('key', 'password')) }, yaml);
  const project = (policy: string) =>
    writeFile(
      join(made.cwd, 'setpoint.yaml'),
      `version: 1\nservers: { main: { url: "https://other.example", config: [a.yaml] } }\npolicy: { ${policy} }\n`,
    );
  return { ...made, project };
}

describe('a project governs a server that is named by its address', () => {
  test('its policy goes with the saved plan, also once the file is loosened', async () => {
    const { sandbox, cwd, project } = await governed('gamma: { autosubscribe: true }');
    await project('subscribes-everyone: error');
    const named = ['-f', 'a.yaml', '--url', sandbox.url];
    expect((await run(['plan', ...named, '--report', 'json=plan.json'], { cwd })).code).toBe(0);
    await project('subscribes-everyone: warn');
    const applied = await run(['apply', 'plan.json', ...named, '--yes', '--report', 'json'], { cwd });
    expect([codes(applied), patches(sandbox.seen())]).toEqual([['risk-refused'], 0]);
  });
  test('a saved plan is shown with what the policy here refuses', async () => {
    const { sandbox, cwd, project } = await governed('gamma: { autosubscribe: true }');
    const named = ['-f', 'a.yaml', '--url', sandbox.url];
    expect((await run(['plan', ...named, '--report', 'json=plan.json'], { cwd })).code).toBe(0);
    await project('subscribes-everyone: error');
    const found = async (command: string) =>
      codes(await run([command, 'plan.json', '--report', 'json'], { cwd }));
    expect(await found('apply')).toEqual(['needs-confirmation', 'risk-to-accept']);
    expect(await found('show')).toEqual(['risk-to-accept']);
    // What the plan itself was made under counts as well.
    expect((await run(['plan', ...named, '--report', 'json=plan.json'], { cwd })).code).toBe(0);
    await project('subscribes-everyone: warn');
    expect(await found('show')).toEqual(['risk-to-accept']);
  });
  test('the smallest age of secrets that any project allows counts', async () => {
    const { sandbox, cwd, project } = await governed(
      'gamma: { options: { key: { value: "${env:SETPOINT_A}", rotated: 2020-01-01 } } }',
    );
    await project('secret-max-age: 30d');
    const away = await tempFolder({
      'setpoint.yaml':
        'version: 1\nservers: { a: { url: "https://a.example", config: [a.yaml] } }\npolicy: { secret-max-age: 90000d }\n',
    });
    const args = ['plan', '-f', join(cwd, 'a.yaml'), '--url', sandbox.url, '--report', 'json'];
    const env = { SETPOINT_USERNAME: 'admin', SETPOINT_PASSWORD: 'admin', SETPOINT_A: 'A-secret-1234' };
    for (const from of [cwd, away]) {
      const planned = await run(args, { cwd: from, env });
      expect([planned.code, codes(planned)]).toEqual([0, expect.arrayContaining(['secret-aged'])]);
    }
  });
  test('a link that leads nowhere is an error, not a missing policy', async () => {
    const { sandbox, cwd } = await governed('gamma: { autosubscribe: true }');
    await symlink('gone.yaml', join(cwd, 'setpoint.yaml'));
    const applied = await run(['apply', '-f', 'a.yaml', '--url', sandbox.url, '--yes', '--report', 'json'], {
      cwd,
    });
    expect([applied.code, patches(sandbox.seen())]).toEqual([3, 0]);
    expect(codes(applied)).toEqual(['file-unreadable']);
  });
});
