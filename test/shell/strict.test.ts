import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMATS } from '../../src/core/report/formats.ts';
import { liveSandbox, scene } from '../support/live-sandbox.ts';
import { serversOf } from '../support/report.ts';
import { ADMIN, type RunResult, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const REFUSED =
  'all: { match: "*", expect: any, options: { apiKey: { permission: lock-and-show } } }';

test('what an apply would refuse is in the JSON of a plan, which ends with 6 unless a flag allows it', async () => {
  const { attempt } = await scene(`version: 1\nintegrations:\n  ${REFUSED}\n`);
  const runs = [[], ['--exit-code'], ['--strict'], ['--strict', '--exit-code']];
  const allowed = await attempt(['plan', '--allow', 'exposes-secret']);
  expect([allowed.code, serversOf(allowed)[0]?.refusals]).toEqual([0, []]);
  const results: RunResult[] = [];
  for (const flags of runs) results.push(await attempt(['plan', ...flags]));
  expect(results.map(({ code }) => code)).toEqual([6, 6, 6, 6]);
  const refused = results.map(
    (result) => serversOf(result)[0]?.refusals[0]?.code,
  );
  expect(refused).toEqual(runs.map(() => 'risk-refused'));
});

test('a saved plan carries the risks that its plan allowed, and shows them', async () => {
  const { attempt, cwd } = await scene(
    `version: 1\nintegrations:\n  ${REFUSED}\n`,
  );
  const json = ['--report', 'json=plan.json'];
  const planned = await attempt(['plan', ...json, '--allow', 'exposes-secret']);
  expect(planned.code).toBe(0);
  const text = await readFile(join(cwd, 'plan.json'), 'utf8');
  expect(JSON.parse(text).servers[0].allowedRisks).toEqual(['exposes-secret']);
  const shown = await run(['show', 'plan.json'], { cwd });
  expect(shown.stdout).toContain('exposes-secret allowed');
  const applied = await attempt(['apply', 'plan.json', '--yes']);
  expect(applied.code).toBe(0);
});

test('no report changes what --strict says', async () => {
  const { url } = await liveSandbox();
  const yaml =
    'all: { match: "threat*", options: { apiKey: "${env:SETPOINT_KEY}" } }';
  const cwd = await tempFolder({
    'a.yaml': `version: 1\nintegrations:\n  ${yaml}\n`,
  });
  const env = { ...ADMIN, SETPOINT_KEY: 'k-12345678' };
  const flags = '--write-hidden all --strict --exit-code';
  for (const format of FORMATS) {
    const line = `plan a.yaml --url ${url} ${flags} --report ${format}`;
    expect((await run(line, { cwd, env })).code, format).toBe(2);
  }
});
