import { describe, expect, test } from 'vitest';
import {
  type FaultProxy,
  faultyProxy,
  type Seen,
} from '../support/fault-proxy.ts';
import { type Fault, JSON_API, refusal, withBody } from '../support/faults.ts';
import { startFleets } from '../support/fleet.ts';
import {
  configuration,
  type LiveWish,
  option,
  ownCatalog,
  scene,
} from '../support/live-sandbox.ts';
import { findingsOf, outcomesOf } from '../support/report.ts';
import { type RunWish, run } from '../support/run.ts';
import { exchange, logIn } from '../support/sandbox.ts';

/** A fleet on the way to which something goes wrong in what is read back; `read` is what the proxy saw of that. */
async function setUp(
  count: number,
  settings: NonNullable<LiveWish['settings']>,
  fault: (seen: Seen, waited: number) => Fault | undefined,
) {
  const waits: number[] = [];
  const proxies: FaultProxy[] = [];
  const { sandbox, cwd, env } = await startFleets(count, {
    settings,
    way: async ({ url }) => {
      const proxy = await faultyProxy(url, (seen) =>
        seen.kind === 'read back' ? fault(seen, sum(waits)) : undefined,
      );
      proxies.push(proxy);
      return proxy;
    },
  });
  const args = `apply --yes --report json --allow-changes ${count}`.split(' ');
  return {
    sandbox,
    waits,
    apply: async (more: readonly string[] = [], wish: RunWish = {}) => {
      const onSleep = (milliseconds: number) => void waits.push(milliseconds);
      const own = { cwd, env, onSleep, ...wish };
      const result = await run([...args, ...more], own);
      return {
        code: result.code,
        outcomes: outcomesOf(result),
        found: findingsOf(result).map(
          ({ code, message }) => `${code}: ${message}`,
        ),
      };
    },
    /** What was read back, in order. */
    read: () =>
      proxies.flatMap(({ seen, kinds }) =>
        seen.filter((_, index) => kinds[index] === 'read back'),
      ),
  };
}

const sum = (all: readonly number[]) =>
  all.reduce((total, each) => total + each, 0);
const times = <T>(value: T, count: number) =>
  Array.from({ length: count }, () => value);
const BROKEN = refusal(500);

/** An integration, or a list of options, without any. */
function withoutOptions(body: string): string {
  const { data } = JSON.parse(body) as { data: { relationships: object } };
  const all = Array.isArray(data) ? [] : { ...data, relationships: {} };
  return JSON.stringify({ data: all });
}

describe('a server that shows late what it has accepted', () => {
  const PATH = '/api/integrations/unit001';
  /** Three integrations, of which one shows its old values for some milliseconds. */
  async function late(milliseconds: number) {
    const old: { answer?: Fault } = {};
    const set = await setUp(3, { dialect: 'detail' }, ({ path }, waited) =>
      waited < milliseconds && path === PATH ? old.answer : undefined,
    );
    const token = await logIn(set.sandbox.url, 'admin');
    const { text } = await exchange(set.sandbox.url, 'GET', PATH, { token });
    old.answer = { status: 200, headers: JSON_API, body: text };
    return set;
  }
  const others = [
    'GET /api/integrations/unit000',
    'GET /api/integrations/unit002',
  ];
  const LATE = `GET ${PATH}`;

  test('is read again until it does, and only where it does not yet', async () => {
    const { apply, waits, read } = await late(2_000);
    const outcomes = times('verified', 3);
    expect(await apply()).toEqual({ code: 0, outcomes, found: [] });
    expect(waits).toEqual([250, 500, 1_000, 2_000]);
    expect(read().sort()).toEqual([...others, ...times(LATE, 5)].sort());
  });
  test.each([
    [[], 5_000, 6],
    [['--verify', '1'], 1_000, 4],
    [['--verify', '0'], 0, 1],
  ])('with %j no longer than that', async (flags, most, readings) => {
    const { apply, waits, read } = await late(60_000);
    const result = await apply(flags);
    expect(result.code).toBe(5);
    expect(result.outcomes).toEqual(['verified', 'not-converged', 'verified']);
    expect(result.found).toEqual([expect.stringMatching(/^not-converged:/)]);
    expect(sum(waits)).toBe(most);
    expect(read().filter((each) => each === LATE)).toHaveLength(readings);
  });
  test('is not waited for once the run stops', async () => {
    const { apply, read } = await late(60_000);
    let stop = (): void => {};
    const result = await apply([], {
      onStart: (signal) => {
        stop = () => signal('SIGINT');
      },
      onSleep: () => stop(),
    });
    expect(result.code).toBe(130);
    expect(result.outcomes).toEqual(['verified', 'not-converged', 'verified']);
    expect(read().filter((each) => each === LATE).length).toBe(1);
  });
});

describe('what cannot be read back', () => {
  test('is unknown alone, with its own reason', async () => {
    const { apply } = await setUp(12, { dialect: 'detail' }, ({ path }) =>
      path.endsWith('unit003') ? BROKEN : undefined,
    );
    const result = await apply();
    expect(result.code).toBe(5);
    expect(result.outcomes).toEqual(
      times('verified', 12).with(3, 'unknown' as 'verified'),
    );
    const reason = / 500 .*GET \/api\/integrations\/unit003/s;
    expect(result.found).toEqual([expect.stringMatching(reason)]);
  });
  test('by pages is read one by one', async () => {
    const { apply, read } = await setUp(12, { maxPageSize: 3 }, ({ path }) =>
      path === '/api/integrations' ? BROKEN : undefined,
    );
    expect((await apply(['--verify', '0'])).outcomes).toEqual(
      times('verified', 12),
    );
    expect(new Set(read()).size).toBe(1 + 12);
  });
  test('alone, nor by pages, is unknown alone', async () => {
    const { apply, read } = await setUp(12, { maxPageSize: 3 }, ({ path }) => {
      if (path === '/api/integrations') return BROKEN;
      return /unit010|-options/.test(path)
        ? withBody(withoutOptions)
        : undefined;
    });
    const result = await apply(['--only', 'unit01*', '--verify', '0']);
    expect(result.code).toBe(5);
    expect(result.outcomes).toEqual(['unknown', 'verified']);
    const reason = /unit010\b.* 500 \(GET \/api\/integrations\)/;
    expect(result.found).toEqual([expect.stringMatching(reason)]);
    expect(read()).toContain('GET /api/integrations');
  });
  test('on a server that is gone is not tried for each', async () => {
    const { apply, read } = await setUp(
      30,
      { dialect: 'detail' },
      () => 'reset',
    );
    const result = await apply();
    expect([result.code, result.outcomes]).toEqual([5, times('unknown', 30)]);
    // Each round tries as many as run side by side at most, and few of them more than once.
    expect(read().length).toBeLessThan(6 * 16 + 20);
  });
});

/** Applies one change with a bare token, through a proxy. */
async function appliedWithToken(fault: (seen: Seen) => Fault | undefined) {
  const { sandbox, cwd } = await ownCatalog(
    { a: configuration(option('url', 'text', 'x')) },
    'a: { options: { url: y } }',
  );
  const { url } = await faultyProxy(sandbox.url, fault);
  const env = { SETPOINT_TOKEN: await logIn(sandbox.url, 'admin') };
  const waits: number[] = [];
  const onSleep = (milliseconds: number) => void waits.push(milliseconds);
  const line = `apply --yes -f a.yaml --url ${url} --report json`;
  const result = await run(line, { cwd, env, onSleep });
  return { code: result.code, outcomes: outcomesOf(result), waits };
}

test('a token that dies after the writing is not waited for', async () => {
  let isDead = false;
  const ended = await appliedWithToken(({ method }) => {
    if (isDead) return { status: 401 };
    isDead = method === 'PATCH';
    return undefined;
  });
  expect(ended).toEqual({ code: 5, outcomes: ['unknown'], waits: [] });
});

test('a change that got no answer is unknown if the token dies before it is sent again', async () => {
  let patches = 0;
  const { code, outcomes } = await appliedWithToken(({ method }) => {
    if (method === 'PATCH') patches += 1;
    if (patches > 1) return { status: 401 };
    return method === 'PATCH' ? 'reset' : undefined;
  });
  expect([code, outcomes, patches]).toEqual([5, ['unknown'], 2]);
});

test('an integration that cannot be read again is not attempted, and stops no other', async () => {
  const yaml = `version: 1
integrations:
  desk: { match: ticket_desk_*, options: { allowCreate: false } }
  lookup: { match: threat_lookup_*, options: { timeout: 30 } }
`;
  const { sandbox, cwd } = await scene(yaml, {
    settings: { dialect: 'detail' },
  });
  let isAsked = false;
  const proxy = await faultyProxy(sandbox.url, ({ method, path }) => {
    const isDesk = method === 'GET' && path.includes('ticket_desk');
    return isAsked && isDesk ? { status: 400, body: '{}' } : undefined;
  });
  const args = `apply -f a.yaml --url ${proxy.url} --report json`;
  const answer = async (): Promise<string> => {
    isAsked = true;
    return 'yes';
  };
  const result = await run(args, { cwd, answer });
  expect(result.code).toBe(5);
  expect(outcomesOf(result)).toEqual(['not-attempted', 'verified']);
});
