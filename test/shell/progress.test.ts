import { expect, test } from 'vitest';
import { liveSandbox } from '../support/live-sandbox.ts';
import { ADMIN, run } from '../support/run.ts';

/** Lists the integrations of a server in pages of one, by a clock that goes on `seconds` with each look at it. */
async function listed(
  seconds: number,
  isTTY: boolean,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const { url } = await liveSandbox({ settings: { maxPageSize: 1 } });
  const clock = { now: Date.now() };
  const now = () => {
    clock.now += seconds * 1000;
    return clock.now;
  };
  return run(['list', '--url', url, '--deadline', '86400', ...flags], {
    now,
    isTTY,
    env: { ...ADMIN, ...env },
  });
}

const PAGES = /Reading integrations: \d+ pages/g;

test('progress is lines on stderr where there is no terminal, each 10 seconds after the one before', async () => {
  const { stdout, stderr } = await listed(10, false);
  expect(
    stderr.match(/^Reading integrations: \d+ pages\n/gm)?.length,
  ).toBeGreaterThan(1);
  expect([
    stdout.match(PAGES),
    (await listed(0, false)).stderr.match(PAGES),
  ]).toEqual([null, null]);
});

test('it is one line on a terminal, which the report finds cleared', async () => {
  const { stderr } = await listed(1, true);
  expect(stderr.match(PAGES)?.length).toBeGreaterThan(1);
  expect(stderr.replace(/.*\r/s, '')).toBe('\u001b[K');
});

test('there is none under --quiet', async () => {
  expect((await listed(10, true, ['--quiet'])).stderr).not.toMatch(PAGES);
});

test('it is lines on a terminal that cannot move its cursor', async () => {
  const { screen } = await listed(10, true, [], { TERM: 'dumb' });
  expect(screen.match(PAGES)?.length).toBeGreaterThan(1);
  expect(screen).not.toContain('\r');
  expect(screen).not.toContain('\u001b');
});
