import { once } from 'node:events';
import { expect, test } from 'vitest';
import { turnstile } from '../support/fault-proxy.ts';
import { startFleets, writeByHand } from '../support/fleet.ts';
import { outcomesOf } from '../support/report.ts';
import { run } from '../support/run.ts';

const isList = ({ method, path }: { method: string; path: string }) =>
  method === 'GET' && /^\/api\/integrations(\?|$)/.test(path);

test.each([
  [
    'long for another server is read again before it is written',
    61,
    5,
    'stale',
    3,
  ],
  ['a little is not', 30, 0, 'verified', 2],
] as const)(
  'a plan that waited %s',
  async (_, seconds, code, outcome, reads) => {
    const clock = { ahead: 0 };
    const lists = new EventTarget();
    const listed = once(lists, 'quick');
    // The second server lists late; meanwhile somebody writes to the first.
    const fleets = await startFleets(2, {
      servers: ['quick', 'slow'],
      way: ({ url }, server) =>
        turnstile(url, {
          before: async (passing) => {
            if (server === 0 || !isList(passing) || clock.ahead > 0)
              return true;
            await listed;
            await writeByHand(fleets.sandbox.url, 'unit001', { limit: 4_000 });
            clock.ahead = seconds * 1000;
            return true;
          },
          after: (passing) => {
            if (server === 0 && isList(passing))
              lists.dispatchEvent(new Event('quick'));
            return true;
          },
        }),
    });
    const { cwd, env, sandbox } = fleets;
    const now = () => Date.now() + clock.ahead;
    const result = await run(['apply', '--yes', '--report', 'json'], {
      cwd,
      env,
      now,
    });
    expect([result.code, outcomesOf(result)]).toEqual([
      code,
      ['verified', outcome, 'verified', 'verified'],
    ]);
    expect(sandbox.exchanges.filter(isList).length).toBe(reads);
  },
);
