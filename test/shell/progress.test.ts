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

const PAGES = /reading, \d+ pages/g;

const countOf = (text: string, pattern: RegExp) =>
  text.match(pattern)?.length ?? 0;

test('progress is lines on stderr where there is no terminal, each after 30 seconds of silence', async () => {
  const { stdout, stderr } = await listed(30, false);
  const lines = /^127\.0\.0\.1:\d+ {2}reading, \d+ pages +\d+ s\n/gm;
  expect(countOf(stderr, lines)).toBeGreaterThan(1);
  expect(countOf((await listed(1, false)).stderr, PAGES)).toBeLessThan(
    countOf(stderr, PAGES),
  );
  expect(countOf(stdout, PAGES)).toBe(0);
});

test('a server that took a while leaves a line', async () => {
  const { stderr } = await listed(1, false);
  expect(stderr).toMatch(/^127\.0\.0\.1:\d+ {2}8 integrations read +\d+ s\n$/m);
  expect((await listed(0, false)).stderr).toBe('');
});

test('it is one line on a terminal, which the report finds cleared', async () => {
  const { stderr } = await listed(1, true);
  expect(countOf(stderr, PAGES)).toBeGreaterThan(1);
  const [, ...shown] = stderr.split('\r\u001b[K');
  expect(shown.at(-1)).not.toMatch(PAGES);
});

test('there is none under --quiet', async () => {
  expect((await listed(30, true, ['--quiet'])).stderr).not.toMatch(PAGES);
});

test('it is lines on a terminal that cannot move its cursor', async () => {
  const { screen } = await listed(30, true, [], { TERM: 'dumb' });
  expect(countOf(screen, PAGES)).toBeGreaterThan(1);
  expect(screen).not.toContain('\r');
  expect(screen).not.toContain('\u001b');
});
