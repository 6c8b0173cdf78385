import { describe, expect, test } from 'vitest';
import { DESIRED, yamlOf } from '../support/desired.ts';
import { faultyProxy, turnstile } from '../support/fault-proxy.ts';
import type { Fault } from '../support/faults.ts';
import { withFaultyServer } from '../support/faulty-apply.ts';
import { fleet, fleetYaml, handWritten, KEY_VARIABLE, readFleet, STATES } from '../support/fleet.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { ADMIN, run } from '../support/run.ts';
import { exchange, logIn } from '../support/sandbox.ts';
import { tempFolder } from '../support/temp.ts';
import { codesOf, expectTruth } from '../support/verdict.ts';

const one = DESIRED.slice(2, 3);
const TOO_MANY: Fault = { status: 429 };
const BROKEN: Fault = { status: 500 };
const EXPIRED: Fault = { status: 401 };

describe('a PATCH is sent three times at most, whatever stands in its way', () => {
  test.each<[string, Fault[], number, number]>([
    ['429 and failures by turns', [TOO_MANY, BROKEN, TOO_MANY, BROKEN, TOO_MANY], 3, 5],
    ['failures alone', [BROKEN, BROKEN, BROKEN, BROKEN], 3, 5],
    ['429 alone', [TOO_MANY, TOO_MANY, TOO_MANY, TOO_MANY], 3, 5],
    ['a token that ended, then a failure', [EXPIRED, BROKEN], 3, 0],
    ['all but the last', [BROKEN, TOO_MANY], 3, 0],
  ])('%s', async (_, faults, sent, code) => {
    const faultOf = ({ kind, ofKind }: { kind: string; ofKind: number }) =>
      kind === 'patch options' ? faults[ofKind] : undefined;
    await withFaultyServer(yamlOf(one), {}, faultOf, async ({ proxy, exchanges, apply }) => {
      const result = await apply();
      expectTruth(one, result, exchanges);
      expect(proxy.kinds.filter((kind) => kind === 'patch options').length).toBe(sent);
      expect([result.code, codesOf(result)]).toEqual([code, code === 0 ? [] : ['apply-failed']]);
    });
  });
});

test('a server that nobody can reach for a PATCH is said not to have it', async () => {
  const faultOf = ({ kind, ofKind }: { kind: string; ofKind: number }): Fault | undefined => {
    // What is read beside the list leaves no connection.
    if (kind === 'errors') return { status: 404, headers: { connection: 'close' } };
    return kind === 'list page k' && ofKind === 1 ? 'last-answer' : undefined;
  };
  await withFaultyServer(yamlOf(one), {}, faultOf, async ({ exchanges, apply }) => {
    const result = await apply(['--concurrency', '1']);
    expectTruth(one, result, exchanges);
    expect([result.code, codesOf(result).sort()]).toEqual([5, ['apply-failed', 'integration-errors']]);
  });
});

test('what another wrote while a PATCH got no answer is left alone', async () => {
  const { files, ids, names } = fleet(1);
  const sandbox = await liveSandbox({ catalog: await tempFolder(files), ids });
  const byHand = handWritten('unit000', { url: 'https://by-hand.example' });
  const patches: string[] = [];
  const way = await turnstile(sandbox.url, {
    before: async ({ method, path }) => {
      if (method !== 'PATCH') return true;
      patches.push(path);
      const token = await logIn(sandbox.url, 'admin');
      await exchange(sandbox.url, 'PATCH', path, { token, body: byHand });
      throw new Error('the connection breaks before the service sees the request');
    },
  });
  const cwd = await tempFolder({ 'a.yaml': fleetYaml(names, STATES.a) });
  const env = { ...ADMIN, [KEY_VARIABLE]: String(STATES.a.apiKey) };
  const result = await run(['apply', '-f', 'a.yaml', '--yes', '--url', way.url, '--report', 'json'], {
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
  const { files, ids, names } = fleet(12);
  const catalog = await tempFolder(files);
  const [bad, good] = [await liveSandbox({ catalog, ids }), await liveSandbox({ catalog, ids })];
  const state = { spent: () => {}, lost: 0 };
  const spent = new Promise<void>((resolve) => {
    state.spent = resolve;
  });
  const broken = await faultyProxy(bad.url, ({ method, before }) => {
    if (method === 'PATCH' && before + 1 === names.length + 20) state.spent();
    return method === 'PATCH' ? BROKEN : undefined;
  });
  // The first change of the good server is lost, once the bad one has used up what it may.
  const way = await turnstile(good.url, {
    before: async ({ method }) => {
      if (method !== 'PATCH') return true;
      await spent;
      state.lost += 1;
      if (state.lost === 1) throw new Error('the connection breaks');
      return true;
    },
  });
  const servers = [broken, way].map(({ url }, index) => `  s${index}: { url: "${url}", config: [a.yaml] }\n`);
  const cwd = await tempFolder({
    'setpoint.yaml': `version: 1\nservers:\n${servers.join('')}`,
    'a.yaml': fleetYaml(names, STATES.a),
  });
  const env = { ...ADMIN, [KEY_VARIABLE]: String(STATES.a.apiKey) };
  const result = await run(['apply', '--yes', '--allow-changes', '24', '--keep-going', '--report', 'json'], {
    cwd,
    env,
  });
  expect(result.code).toBe(5);
  expect([...(await readFleet(good.url)).values()]).toEqual(names.map(() => STATES.a));
});
