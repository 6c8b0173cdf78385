import { expect, test } from 'vitest';
import { turnstile } from '../support/fault-proxy.ts';
import { startFleets, writeByHand } from '../support/fleet.ts';
import { outcomeOf, serversOf } from '../support/report.ts';
import { run } from '../support/run.ts';

/** Applies to two servers, of which one lists late; meanwhile somebody writes to the other. */
async function applyAfter(seconds: number) {
  const clock = { ahead: 0 };
  const planned: { done: () => void } = { done: () => {} };
  const listed = new Promise<void>((resolve) => {
    planned.done = resolve;
  });
  const isList = ({ method, path }: { method: string; path: string }) =>
    method === 'GET' && path === '/api/integrations';
  const fleets = await startFleets(2, {
    servers: ['quick', 'slow'],
    way: ({ url }, server) =>
      turnstile(url, {
        before: async (passing) => {
          if (server === 0 || !isList(passing) || clock.ahead > 0) return true;
          await listed;
          await writeByHand(fleets.sandbox.url, 'unit001', { limit: 4_000 });
          clock.ahead = seconds * 1000;
          return true;
        },
        after: (passing) => {
          if (server === 0 && isList(passing)) planned.done();
          return true;
        },
      }),
  });
  const { cwd, env, sandbox } = fleets;
  const now = () => Date.now() + clock.ahead;
  const result = await run(['apply', '--yes', '--report', 'json'], { cwd, env, now });
  return {
    code: result.code,
    outcomes: serversOf(result).map(({ integrations }) => integrations.map(outcomeOf)),
    reads: sandbox.exchanges.filter(
      ({ method, path }) => method === 'GET' && path.startsWith('/api/integrations?'),
    ).length,
  };
}

test('a plan that waited long for another server is read again before it is written', async () => {
  expect(await applyAfter(61)).toEqual({
    code: 5,
    outcomes: [
      ['verified', 'stale'],
      ['verified', 'verified'],
    ],
    reads: 3,
  });
});
test('a plan that waited a little is not', async () => {
  expect((await applyAfter(30)).reads).toBe(2);
});
