import { expect, test } from 'vitest';
import { liveSandbox } from '../support/live-sandbox.ts';
import { changesOf } from '../support/report.ts';
import { json, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const YAML = 'version: 1\nintegrations:\n  l: { match: threat_lookup_*, options: { timeout: 20 } }\n';

test('plan takes files as validate does, before those of -f', async () => {
  const { url } = await liveSandbox();
  const cwd = await tempFolder({ 'a.yaml': YAML, 'b.yaml': YAML.replace('20', '30') });
  const planned = async (...args: readonly string[]) => {
    const result = await run(['plan', ...args, '--url', url, '--report', 'json'], { cwd });
    return changesOf(result).map(({ after }) => after);
  };
  expect(await planned('a.yaml')).toEqual([20]);
  expect(await planned('a.yaml', 'b.yaml')).toEqual([30]);
  expect(await planned('b.yaml', '-f', 'a.yaml')).toEqual([20]);
});

test.each([
  [['validate', 'a.yaml', '--report', 'json=-'], 0],
  [['paln', '--report', 'json=-'], 3],
])('a report to - goes to stdout: %j', async (args, code) => {
  const result = await run(args, { cwd: await tempFolder({ 'a.yaml': YAML }) });
  expect(result.code).toBe(code);
  expect(json(result)).toHaveProperty('diagnostics');
});
