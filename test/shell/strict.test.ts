import { expect, test } from 'vitest';
import { FORMATS } from '../../src/core/report/formats.ts';
import { liveSandbox, scene } from '../support/live-sandbox.ts';
import { serversOf } from '../support/report.ts';
import { ADMIN, type RunResult, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const REFUSED = 'all: { match: "*", expect: any, options: { apiKey: { permission: lock-and-show } } }';
const WARNED = 'all: { match: "threat*", options: { mode: { value: thorough, permission: user-provides } } }';

/** The exit codes of plans of one configuration with these flags, and what the last one says an apply would refuse. */
async function planned(yaml: string, ...runs: readonly (readonly string[])[]) {
  const { attempt } = await scene(`version: 1\nintegrations:\n  ${yaml}\n`);
  const results: RunResult[] = [];
  for (const flags of runs) results.push(await attempt(['plan', ...flags]));
  const refused = results
    .slice(-1)
    .flatMap(serversOf)
    .flatMap(({ refusals }) => refusals.map(({ code }) => code));
  return { codes: results.map(({ code }) => code), refused };
}

test('what an apply would refuse is in the JSON of a plan, and only --strict makes it count', async () => {
  expect(await planned(REFUSED, [], ['--exit-code'], ['--strict'], ['--strict', '--exit-code'])).toEqual({
    codes: [0, 2, 6, 6],
    refused: ['risk-refused'],
  });
});

test('another warning counts with 3, and is no refusal', async () => {
  expect(await planned(WARNED, [], ['--strict'])).toEqual({ codes: [0, 3], refused: [] });
});

test('no report changes what --strict says, whatever it warns of itself', async () => {
  const { url } = await liveSandbox();
  const yaml = 'all: { match: "threat*", options: { apiKey: "${env:SETPOINT_KEY}" } }';
  const cwd = await tempFolder({ 'a.yaml': `version: 1\nintegrations:\n  ${yaml}\n` });
  // A summary that cannot be written.
  const env = { ...ADMIN, SETPOINT_KEY: 'k-12345678', GITHUB_STEP_SUMMARY: cwd };
  const warned: string[] = [];
  const flags = ['a.yaml', '--url', url, '--write-hidden', 'all', '--strict', '--exit-code'];
  for (const format of FORMATS) {
    const { code, stderr } = await run(['plan', ...flags, '--report', format], { cwd, env });
    expect([format, code]).toEqual([format, 2]);
    warned.push(...(stderr.match(/(?<=warning\S* )[a-z-]+/g) ?? []));
  }
  expect(warned.toSorted()).toEqual(['file-unwritable']);
});
