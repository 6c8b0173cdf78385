import { describe, expect, test } from 'vitest';
import { type FaultProxy, faultyProxy, type Seen } from '../support/fault-proxy.ts';
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
          const document = JSON.parse(body) as { data: { id: string; attributes: object }[] };
          const [first] = document.data;
          if (first !== undefined)
            Object.assign(first, { id, attributes: { ...first.attributes, name: 'Odd' } });
          return JSON.stringify(document);
        })
      : undefined,
  );
}

const odd = 'version: 1\nintegrations: { odd: { match: { name: Odd }, autosubscribe: true } }\n';
const id = '../users/logout';

describe('an id that leads elsewhere', () => {
  test.each(['', '.', '..', 'a/b', id, 'a\\b', '\ud800'])(
    '%j is part of no path: neither read nor written, and told',
    async (id) => {
      const proxy = await renamed(id);
      const cwd = await tempFolder({ 'a.yaml': odd });
      const args = ['apply', '--yes', '-f', 'a.yaml', '--url', proxy.url, '--report', 'json'];
      const result = await run(args, { cwd });
      expect([result.code, codesOf(result)]).toEqual([1, ['bad-answer']]);
      const own = ['POST /api/users/login', 'GET /api/integrations', 'GET /api/integrations/errors'];
      expect(proxy.seen.filter((request) => !own.includes(request))).toEqual(['POST /api/users/logout']);
    },
  );
  test('of one of many leaves out that one alone', async () => {
    const proxy = await renamed(id);
    const yaml = `${odd}`.replace(' }\n', ', t: { match: ticket_*, autosubscribe: true } }\n');
    const cwd = await tempFolder({ 'a.yaml': yaml });
    const args = ['apply', '--yes', '-f', 'a.yaml', '--url', proxy.url, '--report', 'json'];
    const result = await run(args, { cwd });
    expect([result.code, codesOf(result).sort()]).toEqual([5, ['bad-answer', 'not-attempted']]);
  });
  test('of one that is not managed hinders no other', async () => {
    const proxy = await renamed(id);
    const yaml = 'version: 1\nintegrations: { t: { match: ticket_*, autosubscribe: true } }\n';
    const cwd = await tempFolder({ 'a.yaml': yaml });
    const result = await run(['plan', '-f', 'a.yaml', '--url', proxy.url, '--report', 'json'], { cwd });
    expect(codesOf(result)).not.toContain('bad-answer');
    expect(result.code).toBe(0);
  });
  test('is left out of a pull, which takes the others', async () => {
    const proxy = await renamed(id);
    const cwd = await tempFolder();
    const args = ['pull', '--url', proxy.url, '--server', 'main', '--report', 'json'];
    const result = await run(args, { cwd });
    expect([result.code, codesOf(result)], result.screen).toEqual([0, []]);
    const { servers } = json<{ servers: Pulled[] }>(result);
    expect(servers[0]?.leftOut).toContainEqual({ address: id, reason: 'its id cannot be a part of a path' });
    const planned = await run(['plan', '--exit-code', '--report', 'json'], { cwd });
    expect([planned.code, codesOf(planned)], planned.screen).toEqual([0, []]);
  });
});
