import { describe, expect, test } from 'vitest';
import { DESIRED, expectTruth } from '../support/desired.ts';
import { faultyProxy, type Seen, turnstile } from '../support/fault-proxy.ts';
import type { Fault } from '../support/faults.ts';
import { faultyServer } from '../support/faulty-apply.ts';
import {
  readFleet,
  STATES,
  startFleets,
  writeByHand,
  yamlOf,
} from '../support/fleet.ts';
import { codesOf } from '../support/report.ts';
import { run } from '../support/run.ts';

const one = DESIRED.slice(2, 3);
const TOO_MANY: Fault = { status: 429 };
const BROKEN: Fault = { status: 500 };
const EXPIRED: Fault = { status: 401 };

describe('a PATCH is sent three times at most, whatever stands in its way', () => {
  test.each<[string, Fault[], number, number]>([
    [
      '429 and failures by turns',
      [TOO_MANY, BROKEN, TOO_MANY, BROKEN, TOO_MANY],
      3,
      5,
    ],
    ['a token that ended, then a failure', [EXPIRED, BROKEN], 3, 0],
  ])('%s', async (_, faults, sent, code) => {
    const faultOf = ({ kind, ofKind }: { kind: string; ofKind: number }) =>
      kind === 'patch options' ? faults[ofKind] : undefined;
    const { proxy, exchanges, apply } = await faultyServer(
      yamlOf(one),
      faultOf,
    );
    const result = await apply();
    expectTruth(one, result, exchanges);
    expect(proxy.kinds.filter((kind) => kind === 'patch options').length).toBe(
      sent,
    );
    expect(result.code).toBe(code);
    expect(codesOf(result)).toEqual(code === 0 ? [] : ['apply-failed']);
  });
});

test('what another wrote while a PATCH got no answer is left alone', async () => {
  const patches: string[] = [];
  const { sandbox, cwd, env } = await startFleets(1, {
    way: ({ url }) =>
      turnstile(url, {
        before: async ({ method, path }) => {
          if (method !== 'PATCH') return true;
          patches.push(path);
          await writeByHand(url, 'unit000', { url: 'https://by-hand.example' });
          throw new Error(
            'the connection breaks before the service sees the request',
          );
        },
      }),
  });
  const result = await run(['apply', '--yes', '--report', 'json'], {
    cwd,
    env,
  });
  expect([result.code, patches]).toEqual([5, ['/api/integration-options']]);
  expect((await readFleet(sandbox.url)).get('unit000')).toEqual({
    ...STATES.old,
    url: 'https://by-hand.example',
  });
});

test('a bad server leaves the others all their retries', async () => {
  const count = 12;
  const state = { spent: () => {}, sent: 0, lost: 0 };
  const spent = new Promise<void>((resolve) => {
    state.spent = resolve;
  });
  const bad = ({ method }: Seen): Fault | undefined => {
    if (method !== 'PATCH') return undefined;
    state.sent += 1;
    if (state.sent === count + 20) state.spent();
    return BROKEN;
  };
  // The first change of the good server is lost, once the bad one has used up what it may.
  const before = async ({ method }: Seen) => {
    if (method !== 'PATCH') return true;
    await spent;
    state.lost += 1;
    if (state.lost === 1) throw new Error('the connection breaks');
    return true;
  };
  const { sandboxes, names, cwd, env } = await startFleets(count, {
    servers: ['bad', 'good'],
    way: ({ url }, server) =>
      server === 0 ? faultyProxy(url, bad) : turnstile(url, { before }),
  });
  const result = await run(
    'apply --yes --allow-changes 24 --keep-going --report json',
    {
      cwd,
      env,
    },
  );
  expect([result.code, state.sent]).toEqual([5, count + 20]);
  expect([...(await readFleet(sandboxes[1]?.url ?? '')).values()]).toEqual(
    names.map(() => STATES.a),
  );
});
