import { expect, test } from 'vitest';
import { turnstile } from '../support/fault-proxy.ts';
import { fleet, fleetProject, handWritten, KEY_VARIABLE, STATES } from '../support/fleet.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { type Outcomes, outcomeOf } from '../support/outcomes.ts';
import { ADMIN, json, run } from '../support/run.ts';
import { exchange, logIn } from '../support/sandbox.ts';
import { tempFolder } from '../support/temp.ts';

const env = { ...ADMIN, [KEY_VARIABLE]: String(STATES.a.apiKey) };

/** Applies to two servers, of which one lists late; meanwhile somebody writes to the other. */
async function applyAfter(seconds: number) {
  const { files, ids, names } = fleet(2);
  const catalog = await tempFolder(files);
  const [quick, slow] = [await liveSandbox({ catalog, ids }), await liveSandbox({ catalog, ids })];
  const clock = { ahead: 0 };
  const planned: { done: () => void } = { done: () => {} };
  const listed = new Promise<void>((resolve) => {
    planned.done = resolve;
  });
  const isList = ({ method, path }: { method: string; path: string }) =>
    method === 'GET' && path === '/api/integrations';
  const quickWay = await turnstile(quick.url, {
    after: (passing) => {
      if (isList(passing)) planned.done();
      return true;
    },
  });
  const slowWay = await turnstile(slow.url, {
    before: async (passing) => {
      if (!isList(passing) || clock.ahead > 0) return true;
      await listed;
      const token = await logIn(quick.url, 'admin');
      const body = handWritten('unit001', { limit: 4_000 });
      expect((await exchange(quick.url, 'PATCH', '/api/integration-options', { token, body })).status).toBe(
        200,
      );
      clock.ahead = seconds * 1000;
      return true;
    },
  });
  const urls = { quick: quickWay.url, slow: slowWay.url };
  const cwd = await tempFolder(fleetProject(urls, names, STATES.a));
  const now = () => Date.now() + clock.ahead;
  const result = await run(['apply', '--yes', '--report', 'json'], { cwd, env, now });
  const { servers } = json<{ servers: readonly { integrations: readonly Outcomes[] }[] }>(result);
  return {
    code: result.code,
    outcomes: servers.map(({ integrations }) => integrations.map(outcomeOf)),
    reads: quick.exchanges.filter(
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
