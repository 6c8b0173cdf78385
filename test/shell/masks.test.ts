import { describe, expect, test } from 'vitest';
import { envOf, STATES, startFleets, writeByHand } from '../support/fleet.ts';
import type { LiveWish } from '../support/live-sandbox.ts';
import { changesOf, serversOf } from '../support/report.ts';
import { run } from '../support/run.ts';

/** Each way to show passwords in a dialect of its own; an empty text looks like a password that was never set. */
const SHOWN = [
  ['clear', 'included', 'typed'],
  ['masked', 'options', 'strings'],
  ['absent', 'detail', 'typed'],
] as const;

const FIRST = String(STATES.a.apiKey);
const SECOND = 'second-key-zyxwvutsrq';
const ADDRESS = 'unit000.options.apiKey.value';

/** One integration, and what runs commands with one key or another. */
async function setUp(wish: LiveWish = {}) {
  const { sandbox, cwd } = await startFleets(1, wish);
  const outputs: string[] = [];
  const attempt = async (
    command: 'plan' | 'apply',
    key: string,
    ...more: readonly string[]
  ) => {
    const yes = command === 'apply' ? ['--yes'] : ['--exit-code'];
    const env = envOf({ ...STATES.a, apiKey: key });
    const result = await run([command, ...yes, '--report', 'json', ...more], {
      cwd,
      env,
    });
    outputs.push(result.stdout, result.stderr);
    return result;
  };
  /** How often a text was sent in a PATCH. */
  const sent = (text: string) =>
    sandbox.exchanges.filter(
      ({ method, body }) =>
        method === 'PATCH' &&
        JSON.stringify(body)?.includes(JSON.stringify(text)),
    ).length;
  return { sandbox, attempt, sent, output: () => outputs.join('\n') };
}

describe.each(SHOWN)(
  'passwords %s, dialect %s, store %s',
  (shown, dialect, store) => {
    test('the second plan is empty, the secret is never guessed, and written once when that is asked for', async () => {
      const { attempt, sent, output } = await setUp({
        settings: { passwords: shown, dialect, store },
      });
      const isShown = shown === 'clear';
      const first = await attempt('apply', FIRST);
      expect([first.code, sent(FIRST)]).toEqual([0, isShown ? 1 : 0]);
      const second = await attempt('plan', FIRST);
      expect([second.code, changesOf(second)]).toEqual([0, []]);
      expect(serversOf(second)[0]?.summary.left.hidden).toBe(isShown ? 0 : 1);

      const other = await attempt('plan', SECOND);
      expect(other.code).toBe(isShown ? 2 : 0);
      expect((await attempt('apply', SECOND)).code).toBe(0);
      expect(sent(SECOND)).toBe(isShown ? 1 : 0);
      const asked = await attempt('apply', SECOND, '--write-hidden', ADDRESS);
      expect([asked.code, sent(SECOND)]).toEqual([0, 1]);
      expect((await attempt('plan', SECOND)).code).toBe(0);

      // What cannot be read is never said to be as desired, not even right after it was written.
      const again = await attempt('plan', SECOND, '--write-hidden', 'all');
      const [change, ...others] = changesOf(again);
      expect(change?.address).toEqual(isShown ? undefined : ADDRESS);
      expect(others).toEqual([]);
      if (!isShown)
        expect(change).toMatchObject({
          hidden: true,
          before: null,
          after: null,
        });
      expect(output()).not.toMatch(
        new RegExp([FIRST, SECOND, STATES.old.apiKey].join('|')),
      );
    });
  },
);

test('a mask of another shape is neither compared nor written', async () => {
  const { sandbox, attempt, sent } = await setUp();
  const mask = 'a-****ij';
  await writeByHand(sandbox.url, 'unit000', { apiKey: mask });
  expect(sent(mask)).toBe(1);
  expect((await attempt('apply', FIRST)).code).toBe(0);
  const again = await attempt('plan', FIRST);
  expect([again.code, serversOf(again)[0]?.summary.left.hidden]).toEqual([
    0, 1,
  ]);
  expect([sent(FIRST), sent(mask)]).toEqual([0, 1]);
});
