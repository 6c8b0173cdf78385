import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RENDERERS } from '../../src/core/report/formats.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { ADMIN, json, run } from '../support/run.ts';
import { THREAT } from '../support/sandbox-requests.ts';
import { tempFolder } from '../support/temp.ts';

const YAML = `version: 1
integrations:
  threat:
    match: ${THREAT}
    autosubscribe: true
    options:
      apiKey: { value: changeme-please, permission: lock-and-show }
      timeout: null
`;

/** Findings as a report has them. */
const found = (result: Parameters<typeof json>[0]) => json<{ diagnostics: object[] }>(result).diagnostics;

test('a saved plan is shown with all that was found when it was made', async () => {
  const sandbox = await liveSandbox({ settings: { flags: 'absent' } });
  const cwd = await tempFolder({ 'a.yaml': YAML });
  const wish = { cwd, env: { ...ADMIN, SETPOINT_FINGERPRINT_KEY: '0123456789abcdef' } };
  const flags = ['a.yaml', '--url', sandbox.url, '--write-hidden', 'all', '--verbose'];
  const planned = await run(['plan', ...flags, '--report', 'json', '--report', 'json=plan.json'], wish);
  const codes = found(planned).map((each) => ('code' in each ? each.code : ''));
  expect(codes).toEqual(expect.arrayContaining(['idle-null', 'risk-refused', 'likely-secret']));

  const again = await run(['show', 'plan.json', '--report', 'json'], { cwd });
  expect(again.code).toBe(0);
  expect(json(again)).toEqual(json(planned));
  // Nobody can be asked: an apply shows the plan as well as it can.
  const unasked = await run(
    ['apply', 'plan.json', '-f', 'a.yaml', '--url', sandbox.url, '--report', 'json'],
    wish,
  );
  expect(found(unasked)).toEqual(expect.arrayContaining(found(planned)));
});

test('the report of an apply is shown again in every format, and never applied', async () => {
  // One integration does not run, and refuses.
  const { url, seen } = await liveSandbox({ stopped: ['case_*'] });
  const wish = { env: { ...ADMIN, SETPOINT_THREATLOOKUP_KEY: 'k-12345678' } };
  const folder = await tempFolder();
  const formats = Object.keys(RENDERERS);
  const written = async (name: string, args: readonly string[]) => {
    const file = (format: string) => join(folder, `${name}.${format}`);
    const reports = formats.flatMap((format) => ['--report', `${format}=${file(format)}`]);
    const { code, stdout } = await run([...args, ...reports], wish);
    return {
      code,
      stdout,
      texts: await Promise.all(formats.map((format) => readFile(file(format), 'utf8'))),
    };
  };
  const target = ['-f', 'test/fixtures/three', '--url', url, '--yes'];
  const applied = await written('applied', ['apply', ...target]);
  expect([applied.code, applied.stdout]).toEqual([
    5,
    expect.stringMatching(/\[verified\][\s\S]*\[blocked\]/),
  ]);
  const report = join(folder, 'applied.json');
  expect(await written('shown', ['show', report])).toEqual(applied);

  seen();
  const again = await run(['apply', report, ...target, '--report', 'json'], wish);
  expect([again.code, found(again), seen()]).toEqual([
    3,
    [
      expect.objectContaining({
        code: 'plan-malformed',
        message: expect.stringContaining('report of an apply'),
      }),
    ],
    [],
  ]);
});

test('an apply that was refused, and one with nothing to do, are shown again in every format', async () => {
  const { url } = await liveSandbox();
  const cwd = await tempFolder({ 'a.yaml': YAML });
  const formats = Object.keys(RENDERERS);
  const written = async (name: string, args: readonly string[]) => {
    const reports = formats.flatMap((format) => ['--report', `${format}=${name}.${format}`]);
    const { code, stdout } = await run([...args, ...reports], { cwd, env: ADMIN });
    const texts = formats.map((format) => readFile(join(cwd, `${name}.${format}`), 'utf8'));
    return { code, stdout, texts: await Promise.all(texts) };
  };
  const target = ['apply', '-f', 'a.yaml', '--url', url, '--yes'];
  const refused = await written('refused', target);
  expect([refused.code, refused.stdout]).toEqual([6, expect.stringContaining('Nothing was written.')]);
  expect(await written('again', ['show', 'refused.json'])).toEqual(refused);
  const consent = ['--allow', 'exposes-secret', '--allow', 'subscribes-everyone'];
  await written('done', [...target, ...consent]);
  const idle = await written('idle', [...target, ...consent]);
  expect([idle.code, idle.stdout]).toEqual([0, expect.stringContaining('No changes')]);
  expect(idle.texts.some((text) => text.includes('## setpoint apply'))).toBe(true);
  expect(await written('again', ['show', 'idle.json'])).toEqual(idle);
});

test('the plans of a run that missed a server are shown as such', async () => {
  const { url } = await liveSandbox();
  const servers = `{ here: { url: "${url}", config: [a.yaml] }, gone: { url: "http://127.0.0.1:1", config: [a.yaml] } }`;
  const cwd = await tempFolder({ 'a.yaml': YAML, 'setpoint.yaml': `version: 1\nservers: ${servers}\n` });
  const planned = await run(['plan', '--report', 'json', '--report', 'json=plan.json'], { cwd });
  const again = await run(['show', 'plan.json', '--report', 'json'], { cwd });
  expect([again.code, json(again)]).toEqual([planned.code, json(planned)]);
  expect(planned.code).toBe(1);
});
