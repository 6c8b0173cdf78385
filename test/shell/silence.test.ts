import { describe, expect, test } from 'vitest';
import { liveSandbox } from '../support/live-sandbox.ts';
import { codesOf, findingsOf } from '../support/report.ts';
import { type RunWish, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const LOOKUP =
  'lookup: { match: threat_lookup_*, options: { timeout: 5, mode: thorough } }';
const entriesOf = (yaml: string) => `version: 1\nintegrations:\n  ${yaml}\n`;

/** Servers of one sandbox with one configuration, and what runs on them. */
async function scene(
  yaml: string,
  { servers = ['production'], waivers = '' } = {},
) {
  const { url } = await liveSandbox();
  const lines = servers.map(
    (name, at) =>
      `  ${name}: { url: "${url}${'/'.repeat(at)}", config: [a.yaml] }\n`,
  );
  const cwd = await tempFolder({
    'setpoint.yaml': `version: 1\nservers:\n${lines.join('')}${waivers}`,
    'a.yaml': yaml,
  });
  const attempt = (args: readonly string[], wish: RunWish = {}) =>
    run([...args, '--report', 'json'], { cwd, ...wish });
  return { attempt };
}

const PLAINS = ['plan', 'apply --yes'];

describe('a configuration that manages nothing', () => {
  test('is found once, for all servers that have it', async () => {
    const { attempt } = await scene('version: 1\n', { servers: ['a', 'b'] });
    const codes = codesOf(await attempt(['plan']));
    expect(codes.filter((code) => code === 'nothing-managed')).toHaveLength(1);
  });
  test('is a warning beside named values', async () => {
    const { attempt } = await scene('version: 1\nvalues: { a: x }\n');
    const result = await attempt(['plan', '--strict']);
    expect(result.code).toBe(3);
    expect(codesOf(result).sort()).toEqual(['nothing-managed']);
  });
  test.each([
    ['a pull, which is about to fill it', ['pull', '--server', 'a']],
    ['errors', ['errors']],
    ['list', ['list']],
  ])('is no matter for %s', async (_, args) => {
    const { attempt } = await scene('version: 1\n', { servers: ['a'] });
    const result = await attempt(args);
    expect(result.code).toBe(0);
    expect(codesOf(result)).not.toContain('nothing-managed');
  });
});

describe('entries that all match nothing', () => {
  const lost = entriesOf(
    'tl: { match: threta_*, expect: optional, autosubscribe: true }\n  all: { match: "x_*", expect: any, autosubscribe: true }',
  );
  test.each(PLAINS)('are a warning of %s', async (command) => {
    const { attempt } = await scene(lost);
    const result = await attempt(command.split(' '));
    expect(result.code).toBe(0);
    const [warning, ...others] = findingsOf(result).filter(
      ({ severity }) => severity === 'warning',
    );
    expect(warning?.code).toBe('nothing-managed');
    expect(others).toEqual([]);
    expect((await attempt(['plan', '--strict'])).code).toBe(3);
  });
  test('are none under --only, nor beside an error', async () => {
    const { attempt } = await scene(lost);
    const only = await attempt(['plan', '--only', 'tl']);
    expect(codesOf(only)).not.toContain('nothing-managed');
    const failing = await scene(entriesOf('a: { autosubscribe: true }'));
    expect(codesOf(await failing.attempt(['plan']))).toEqual(['no-match']);
  });
});

describe('what names nothing is a warning', () => {
  test.each<[string, object]>([
    ['lokup', { hint: 'Did you mean lookup?' }],
    ['threta_lookup*', { hint: 'Did you mean Threat Lookup?' }],
    ['nothing', { hint: expect.stringContaining('Names: lookup.') }],
  ])('an --only %s of errors', async (only, words) => {
    const { attempt } = await scene(entriesOf(LOOKUP));
    const result = await attempt(['errors', '--only', only]);
    expect(result.code).toBe(0);
    expect(findingsOf(result)).toMatchObject([
      { code: 'unknown-name', severity: 'warning', ...words },
    ]);
  });
  test('an --only of a plan that names defaults alone', async () => {
    const defaults = 'calm: { expect: any, match: "*", autosubscribe: false }';
    const { attempt } = await scene(entriesOf(`${LOOKUP}\n  ${defaults}`));
    const result = await attempt(['plan', '--only', 'calm']);
    expect(codesOf(result)).toEqual(['unknown-name']);
  });
  test.each(['lookup', 'threat_lookup_*', 'ticket_desk*'])(
    'but not an --only %s of errors',
    async (only) => {
      const { attempt } = await scene(entriesOf(LOOKUP));
      expect(codesOf(await attempt(['errors', '--only', only]))).toEqual([]);
    },
  );
});

test('several integrations that are refused for one reason keep their lines in JSON', async () => {
  const { url } = await liveSandbox({
    stopped: ['case_*', 'threat_*', 'log_*'],
  });
  const cases = 'cases: { match: case_vault_*, options: { orgId: "7" } }';
  const logs = 'logs: { match: log_search_*, options: { maxConcurrent: 9 } }';
  const yaml = entriesOf([cases, LOOKUP, logs].join('\n  '));
  const cwd = await tempFolder({ 'a.yaml': yaml });
  const line = `apply --yes -f a.yaml --url ${url}`;
  const result = await run(`${line} --report json`, { cwd });
  expect(result.code).toBe(5);
  const failed = findingsOf(result).filter(
    ({ code }) => code === 'apply-failed',
  );
  const lines = failed.map(({ places = [] }) => places.map(({ line }) => line));
  expect(lines).toEqual([[3], [4, 4], [5]]);
  // For people the first, and how many more.
  const { screen } = await run(line, { cwd });
  expect(screen).toContain('a.yaml:3:');
  expect(screen).toContain('Also in lookup, logs.');
});
