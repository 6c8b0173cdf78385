import { describe, expect, test } from 'vitest';
import {
  type FaultProxy,
  faultyProxy,
  type Seen,
} from '../support/fault-proxy.ts';
import { type Fault, JSON_API, PAGE } from '../support/faults.ts';
import { startFleets } from '../support/fleet.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { findingsOf } from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';
import { logIn } from '../support/sandbox.ts';
import { tempFolder } from '../support/temp.ts';
import { newTransport } from '../support/transport.ts';

const LOGIN = 'POST /api/users/login';
const LOGOUT = 'POST /api/users/logout';
const LIST = 'GET /api/integrations';

describe('a session', () => {
  test('one login, with a password from a file without its newline, and one logout', async () => {
    const sandbox = await liveSandbox({ settings: { maxPageSize: 3 } });
    const cwd = await tempFolder({ pw: 'admin\n' });
    const env = { SETPOINT_USERNAME: 'admin', SETPOINT_PASSWORD_FILE: 'pw' };
    const { code } = await run(`list --url ${sandbox.url}`, { cwd, env });
    expect(code).toBe(0);
    expect(sandbox.seen()).toEqual([LOGIN, LIST, LIST, LIST, LOGOUT]);
  });
  test('a 401 in the middle leads to one new login, also for requests side by side', async () => {
    const sandbox = await liveSandbox({ settings: { maxPageSize: 2 } });
    const proxy = await faultyProxy(sandbox.url, ({ path, before }) =>
      path === '/api/integrations' && before >= 1 && before <= 3
        ? { status: 401 }
        : undefined,
    );
    expect((await run(['list', '--url', proxy.url])).code).toBe(0);
    expect(proxy.seen.filter((request) => request === LOGIN).length).toBe(2);
  });
  test('a 401 that comes late takes the login that others have renewed', async () => {
    const sandbox = await liveSandbox({ settings: { maxPageSize: 3 } });
    let release = (): void => {};
    const renewed = new Promise<void>((resolve) => {
      release = resolve;
    });
    const refusal = { status: 401, headers: {}, body: '' };
    const late: Fault = { through: () => renewed.then(() => refusal) };
    let logins = 0;
    const counted: Fault = {
      through: async (asked, send) => {
        const passed = await send(asked);
        logins += 1;
        return passed;
      },
    };
    const proxy = await faultyProxy(sandbox.url, ({ path, before }) => {
      if (path === '/api/users/login') return counted;
      if (path !== '/api/integrations') return undefined;
      // Of three pages, the second one is refused at once, the third one late.
      if (before === 1) return refusal;
      if (before === 2) return late;
      if (logins === 2) release();
      return undefined;
    });
    expect((await run(['list', '--url', proxy.url])).code).toBe(0);
    expect(logins).toBe(2);
  });
});

test('a run longer than several lifetimes of its tokens goes on', async () => {
  const clock = { ahead: 0 };
  const now = () => Date.now() + clock.ahead;
  const sandbox = await liveSandbox({
    settings: { maxPageSize: 2 },
    tokenLifetime: 100,
    now,
  });
  const proxy = await faultyProxy(sandbox.url, ({ path, before }) => {
    // The token of every page has ended; that of its repetition is new.
    const isEnd = path === '/api/integrations' && before % 2 === 0;
    if (isEnd) clock.ahead += 110_000;
    return undefined;
  });
  const args = ['list', '--url', proxy.url, '--concurrency', '1'];
  const result = await run(args, { now });
  expect(result.code).toBe(0);
  const pages = proxy.seen.filter((request) => request === LIST).length / 2;
  const logins = proxy.seen.filter((request) => request === LOGIN).length;
  expect([pages > 2, logins]).toEqual([true, 1 + pages]);
});

/** Fleets of 40, an apply on them, and what their servers saw of it; all that comes after the reading may meet a fault. */
async function fleetsOf40(
  servers: readonly string[],
  fault: (seen: Seen) => Fault | undefined,
) {
  const proxies: FaultProxy[] = [];
  const { cwd, env } = await startFleets(40, {
    servers,
    way: async ({ url }) => {
      const proxy = await faultyProxy(url, fault);
      proxies.push(proxy);
      return proxy;
    },
  });
  const apply = (own: object = {}) =>
    run('apply --yes --keep-going --allow-changes 80 --report json', {
      cwd,
      env: { ...env, ...own },
    });
  return { apply, proxies };
}

const countOf = (seen: readonly string[], start: string) =>
  seen.filter((request) => request.startsWith(start)).length;

describe('a login that is refused', () => {
  test.each<[string, Fault & { status: number }, number]>([
    ['401', { status: 401 }, 1],
    ['no token', { status: 200, headers: JSON_API, body: '{"data":{}}' }, 1],
    // Another machine may have answered: a login is tried three times.
    ['a page', PAGE, 3],
  ])(
    'is never sent again in a run: %s, over 40 integrations on each of 2 servers',
    async (_, refusal, sent) => {
      const servers = ['east', 'west'];
      const fleets = await fleetsOf40(servers, ({ method, path, before }) => {
        if (path === '/api/users/login' && before > 0) return refusal;
        return method === 'PATCH' ? { status: 401 } : undefined;
      });
      const result = await fleets.apply();
      // Nothing was written, and a login was refused.
      expect(result.code).toBe(refusal.status === 401 ? 4 : 5);
      for (const { seen } of fleets.proxies) {
        expect(countOf(seen, LOGIN)).toBe(1 + sent);
        // Those that were under way side by side; nothing is sent with a token that is dead.
        expect(countOf(seen, 'PATCH')).toBeLessThan(10);
        expect(seen).not.toContain(LOGOUT);
      }
      // One cause for each server, and what was left for it.
      const found = findingsOf(result);
      const left = found.filter(({ code }) => code === 'not-attempted');
      expect([found.length, left.length]).toEqual([4, 2]);
      if (refusal.status !== 401) return;
      for (const { code, hint } of found)
        if (code === 'login-refused')
          expect(hint).toContain('SETPOINT_PASSWORD');
    },
  );
});

describe('a token that was given', () => {
  test('is used as it is: no login, no logout', async () => {
    const sandbox = await liveSandbox({ tokenLifetime: 30 });
    const token = await logIn(sandbox.url, 'admin');
    sandbox.seen();
    const result = await run(['list', '--url', sandbox.url], {
      env: { ...ADMIN, SETPOINT_TOKEN: token },
    });
    expect([result.code, sandbox.seen()]).toEqual([0, [LIST]]);
  });
  test('that is refused ends the run with the causes that it may have', async () => {
    const sandbox = await liveSandbox();
    const result = await run(['list', '--url', sandbox.url], {
      env: { SETPOINT_TOKEN: 'hunter2hunter2' },
    });
    expect(result.code).toBe(4);
    expect(result.stderr).toContain('SETPOINT_TOKEN');
    expect(result.stderr).not.toContain('hunter2');
    expect(sandbox.seen()).toEqual([LIST]);
  });
  test.each([
    [0, 4],
    [2, 5],
  ])(
    'that dies once %i of 40 PATCHes are answered stops the writing at once',
    async (answered, code) => {
      let patches = 0;
      const fleet = await fleetsOf40(['east'], ({ method, path }) => {
        if (method === 'PATCH') patches += 1;
        const isDead = patches > answered && !path.startsWith('/api/users');
        return isDead ? { status: 401 } : undefined;
      });
      const [{ url = '', seen = [] } = {}] = fleet.proxies;
      const result = await fleet.apply({
        SETPOINT_TOKEN: await logIn(url, 'admin'),
      });
      const found = findingsOf(result);
      const codes = found.map((each) => each.code);
      expect([result.code, codes]).toEqual([
        code,
        expect.arrayContaining(['login-refused', 'not-attempted']),
      ]);
      expect(codes).not.toContain('apply-failed');
      const refused = found.find((each) => each.code === 'login-refused');
      expect(refused?.hint).toContain('SETPOINT_TOKEN');
      const dead = seen.lastIndexOf('PATCH /api/integration-options');
      expect(countOf(seen, 'PATCH')).toBeLessThan(answered + 10);
      // At most what was under way, and a reading back that finds the token dead.
      expect(seen.slice(dead + 1).length).toBeLessThan(5);
    },
  );
  test.each(['a\nb', 'Bearer canary-token'])(
    'that is none is refused before it is sent: %j',
    async (token) => {
      const sandbox = await liveSandbox();
      const result = await run(['list', '--url', sandbox.url], {
        env: { SETPOINT_TOKEN: token },
      });
      expect([result.code, sandbox.exchanges]).toEqual([3, []]);
      expect(result.stderr).not.toContain('canary');
    },
  );
});

test('a read-only transport refuses to write, whoever asks', async () => {
  const sandbox = await liveSandbox();
  const transport = newTransport(sandbox.url);
  try {
    for (const [method, path] of [
      ['PATCH', '/api/integration-options'],
      ['PATCH', '/api/integrations/x'],
      ['POST', '/api/integrations'],
    ] as const) {
      await expect(transport.send({ method, path, body: {} })).rejects.toThrow(
        'read-only',
      );
    }
    expect(sandbox.exchanges).toEqual([]);
  } finally {
    await transport.close();
  }
});
