import pMap from 'p-map';
import { expect, test } from 'vitest';
import type { Dialect } from '../support/dialects.ts';
import { faultyProxy } from '../support/fault-proxy.ts';
import type { Fault } from '../support/faults.ts';
import { fleet, fleetProject, KEY_VARIABLE, STATES, toldByLog } from '../support/fleet.ts';
import { type LiveSandbox, liveSandbox } from '../support/live-sandbox.ts';
import { ADMIN, run } from '../support/run.ts';
import { seeds } from '../support/soak.ts';
import { tempFolder } from '../support/temp.ts';

const INTEGRATIONS = 3;
const SERVERS = ['east', 'west'] as const;
const HEADERS = { 'content-type': 'application/vnd.api+json' };
const answered = (status: number, acted: boolean) => ({
  status,
  headers: HEADERS,
  body: '{"errors":[]}',
  acted,
});

/** How all PATCHes fail from one moment on: unseen by the service, or after it has acted. */
const FAILURES: Readonly<Record<string, Fault>> = {
  refused: answered(422, false),
  forbidden: answered(403, false),
  broken: answered(500, false),
  'broken after it acted': answered(500, true),
  reset: 'reset',
  'reset after it acted': 'reset-after',
  'in doubt': { status: 200, headers: HEADERS, body: '{"errors":[{"title":"no"}]}', acted: true },
};

/** From where to where; users are subscribed after options change, and unsubscribed before. */
const WAYS = {
  subscribing: [STATES.old, STATES.a],
  unsubscribing: [STATES.a, STATES.b],
} as const;

const SETTINGS: readonly Dialect[] = [
  {},
  { dialect: 'detail' },
  { dialect: 'options', passwords: 'masked' },
  { passwords: 'null' },
  { passwords: 'absent', dialect: 'inline' },
  { passwords: 'empty', store: 'strings' },
  { flags: 'absent' },
  { flags: 'absent', passwords: 'masked' },
];

/** What the server does not show is written as well. */
const UNSEEN = ['--write-secrets', 'all', '--write-flags', 'all'];

interface Case {
  /** Whether secrets are compared by fingerprints. */
  readonly isKeyed: boolean;
  readonly settings: Dialect;
  readonly way: keyof typeof WAYS;
}

/** Two servers on the way to their next state, with a plan of both that is saved. */
async function setUp({ settings, way, isKeyed }: Case) {
  const [before, after] = WAYS[way];
  const { files, ids, names } = fleet(INTEGRATIONS);
  const catalog = await tempFolder(files);
  const sandboxes = await Promise.all(SERVERS.map(() => liveSandbox({ catalog, ids, settings })));
  const state: { fault: Fault | undefined; spared: number } = { fault: undefined, spared: 0 };
  const fault = ({ method }: { method: string }) => {
    if (method !== 'PATCH' || state.fault === undefined) return undefined;
    state.spared -= 1;
    return state.spared < 0 ? state.fault : undefined;
  };
  const proxies = await Promise.all(sandboxes.map(({ url }) => faultyProxy(url, fault)));
  const urls = Object.fromEntries(SERVERS.map((name, index) => [name, proxies[index]?.url ?? '']));
  const env = (key: unknown) => ({
    ...ADMIN,
    [KEY_VARIABLE]: String(key),
    ...(isKeyed ? { SETPOINT_FINGERPRINT_KEY: 'known to all of these runs' } : {}),
  });
  if (before !== STATES.old) {
    const cwd = await tempFolder(fleetProject(urls, names, before));
    const args = ['apply', '--yes', ...UNSEEN];
    expect((await run(args, { cwd, env: env(before.apiKey) })).code).toBe(0);
  }
  const cwd = await tempFolder(fleetProject(urls, names, after));
  const wish = { cwd, env: env(after.apiKey) };
  const planned = await run(['plan', ...UNSEEN, '--report', 'json=plan.json'], wish);
  expect(planned.code, planned.stderr).toBe(0);
  for (const { exchanges } of sandboxes) exchanges.length = 0;
  const applying = (more: readonly string[]) =>
    run(['apply', 'plan.json', '--yes', '--report', 'json', ...more], wish);
  return {
    sandboxes,
    names,
    after,
    apply: (...more: readonly string[]) => applying(more),
    /** The same, with all PATCHes failing after so many. */
    fail: async (how: Fault, spared: number, ...more: readonly string[]) => {
      Object.assign(state, { fault: how, spared });
      const result = await applying(more);
      state.fault = undefined;
      return result;
    },
  };
}

const patches = ({ exchanges }: LiveSandbox) => exchanges.filter(({ method }) => method === 'PATCH').length;

function isShown({ settings: { passwords, flags } }: Case): boolean {
  return passwords === undefined && flags === undefined;
}

/** By the log of each server all is done, nothing else was sent, and nothing twice where the server shows everything. */
function expectDone({ sandboxes, names, after }: Awaited<ReturnType<typeof setUp>>, each: Case): void {
  for (const { exchanges } of sandboxes) {
    const { again, ...told } = toldByLog(exchanges, names, after);
    expect(told).toEqual({ undeclared: [], open: [] });
    if (isShown(each)) expect(again).toEqual([]);
  }
}

const MOMENTS = 2 * INTEGRATIONS * SERVERS.length;

interface Torn extends Case {
  readonly failure: string;
  /** After how many PATCHes. */
  readonly moment: number;
}

/** All that can come together, and of it as much as is wanted, evenly spread. */
function torn(count: number): readonly Torn[] {
  const all = Array.from({ length: MOMENTS }, (_, moment) => moment).flatMap((moment) =>
    Object.keys(FAILURES).flatMap((failure) =>
      SETTINGS.flatMap((settings) =>
        (['subscribing', 'unsubscribing'] as const).map((way) => ({
          settings,
          way,
          failure,
          moment,
          isKeyed: moment % 3 === 0,
        })),
      ),
    ),
  );
  return Array.from({ length: count }, (_, index) => all[(index * 601) % all.length]).flatMap(
    (each) => each ?? [],
  );
}

const TORN = seeds(4, MOMENTS * Object.keys(FAILURES).length * SETTINGS.length * 2);

test(`failed in ${TORN} ways, a saved plan for two servers is finished by applying it again`, async () => {
  const finish = async (each: Torn) => {
    const set = await setUp(each);
    const failed = await set.fail(FAILURES[each.failure] ?? 'reset', each.moment);
    const finished = await set.apply();
    expect([each, failed.code, finished.code], finished.stdout).toEqual([
      each,
      expect.toBeOneOf([0, 4, 5]),
      0,
    ]);
    expectDone(set, each);
  };
  await pMap(torn(TORN), finish, { concurrency: 4 });
});

test.each(
  SETTINGS.flatMap((settings): Case[] => [
    { settings, way: 'subscribing', isKeyed: true },
    { settings, way: 'unsubscribing', isKeyed: false },
  ]),
)('applied on one of its servers, a saved plan is finished on the other: %j', async (each) => {
  const set = await setUp(each);
  const [east, west] = set.sandboxes;
  if (east === undefined || west === undefined) throw new Error('there are two servers');
  await set.fail('reset', 1, '--server', 'east');
  const first = await set.apply('--server', 'east');
  expect([first.code, patches(west)]).toEqual([0, 0]);
  const done = patches(east);
  const rest = await set.apply();
  expect(rest.code, rest.stderr).toBe(0);
  if (isShown(each)) expect(patches(east)).toBe(done);
  expectDone(set, each);
});
