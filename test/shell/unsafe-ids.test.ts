import { describe, expect, test } from 'vitest';
import {
  type FaultProxy,
  faultyProxy,
  type Seen,
} from '../support/fault-proxy.ts';
import { withBody } from '../support/faults.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import type { Pulled } from '../support/pulled.ts';
import { codesOf } from '../support/report.ts';
import { json, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

/** A server that gives one of its integrations another id. */
async function renamed(id: string): Promise<FaultProxy> {
  const sandbox = await liveSandbox({ settings: { dialect: 'detail' } });
  return faultyProxy(sandbox.url, ({ method, path }: Seen) =>
    method === 'GET' && path === '/api/integrations'
      ? withBody((body) => {
          const document = JSON.parse(body) as {
            data: { id: string; attributes: object }[];
          };
          const [first] = document.data;
          if (first !== undefined)
            Object.assign(first, {
              id,
              attributes: { ...first.attributes, name: 'Odd' },
            });
          return JSON.stringify(document);
        })
      : undefined,
  );
}

const ELSEWHERE = '../users/logout';
const odd = 'odd: { match: { name: Odd }, autosubscribe: true }';
const tickets = 't: { match: ticket_*, autosubscribe: true }';

/** Applies these entries to a server with an integration of that id. */
async function applied(id: string, ...entries: readonly string[]) {
  const proxy = await renamed(id);
  const cwd = await tempFolder({
    'a.yaml': `version: 1\nintegrations: { ${entries.join(', ')} }\n`,
  });
  const args = `apply --yes -f a.yaml --url ${proxy.url} --report json`;
  const result = await run(args, { cwd });
  return { proxy, ended: [result.code, ...codesOf(result).sort()] };
}

describe('an id that leads elsewhere', () => {
  test.each(['', '.', '..', 'a/b', ELSEWHERE, 'a\\b', '\ud800'])(
    '%j is part of no path: neither read nor written, and told',
    async (id) => {
      const { proxy, ended } = await applied(id, odd);
      expect(ended).toEqual([1, 'bad-answer']);
      const own = [
        'POST /api/users/login',
        'GET /api/integrations',
        'GET /api/integrations/errors',
      ];
      expect(proxy.seen.filter((request) => !own.includes(request))).toEqual([
        'POST /api/users/logout',
      ]);
    },
  );
  test('of one of many leaves out that one alone, and is no matter if that is not managed', async () => {
    expect((await applied(ELSEWHERE, odd, tickets)).ended).toEqual([
      5,
      'bad-answer',
    ]);
    expect((await applied(ELSEWHERE, tickets)).ended).toEqual([0]);
  });
  test('is left out of a pull, which takes the others', async () => {
    const proxy = await renamed(ELSEWHERE);
    const cwd = await tempFolder();
    const args = `pull --url ${proxy.url} --server main --report json`;
    const result = await run(args, { cwd });
    expect([result.code, codesOf(result)], result.screen).toEqual([0, []]);
    const { servers } = json<{ servers: Pulled[] }>(result);
    expect(servers[0]?.leftOut).toContainEqual({
      address: ELSEWHERE,
      reason: 'its id cannot be a part of a path',
    });
    const planned = await run(['plan', '--exit-code', '--report', 'json'], {
      cwd,
    });
    expect([planned.code, codesOf(planned)], planned.screen).toEqual([0, []]);
  });
});
