import { describe, expect, test } from 'vitest';
import { faultyProxy } from '../support/fault-proxy.ts';
import { configuration, option, ownCatalog } from '../support/live-sandbox.ts';
import { codesOf, findingsOf } from '../support/report.ts';
import { ADMIN, type RunResult, run } from '../support/run.ts';
import { setOption } from '../support/sandbox.ts';

const messages = (result: RunResult) => findingsOf(result).map(({ message }) => message);

const CATALOG = {
  bad: configuration(option('url', 'text'), option('token', 'password')),
  good: configuration(option('url', 'text')),
};
const YAML =
  'bad: { options: { url: "${env:SETPOINT_URL}" } }\ngood: { options: { url: "https://g.example.com" } }';

/** A sandbox where every change of `bad` leads to an integration error. */
async function failing() {
  const { sandbox, cwd, attempt } = await ownCatalog(CATALOG, YAML, {
    raiseErrors: true,
    settings: { errorsOf: ['bad'] },
  });
  const patches = () => sandbox.seen().filter((each) => each.startsWith('PATCH')).length;
  return { sandbox, cwd, attempt, patches };
}

const OTHER = { SETPOINT_URL: 'https://other.example.com' };

describe('integration errors after an apply', () => {
  test('that are new or have risen are reported', async () => {
    const { attempt } = await failing();
    const first = await attempt(['apply', '--yes'], { SETPOINT_URL: 'https://one.example.com' });
    expect([first.code, codesOf(first)]).toEqual([0, ['integration-errors']]);
    expect(messages(first)[0]).toContain('bad: ');
    const second = await attempt(['apply', '--yes'], { SETPOINT_URL: 'https://two.example.com' });
    expect([second.code, codesOf(second)]).toEqual([0, ['integration-errors']]);
    const third = await attempt(['apply', '--yes'], { SETPOINT_URL: 'https://two.example.com' });
    expect([third.code, codesOf(third)]).toEqual([0, []]);
  });
  test('make the apply fail where that is wanted', async () => {
    const { attempt, patches } = await failing();
    const args = ['apply', '--yes', '--fail-on-errors'];
    const result = await attempt(args, { SETPOINT_URL: 'https://one.example.com' });
    expect([result.code, codesOf(result), patches()]).toEqual([5, ['integration-errors'], 2]);
    const again = await attempt(args, { SETPOINT_URL: 'https://one.example.com' });
    expect([again.code, codesOf(again)]).toEqual([0, []]);
  });
  test.each([403, 404])('that the server does not show (%d) hinder nothing', async (status) => {
    const { sandbox, attempt, patches } = await failing();
    const hidden = await faultyProxy(sandbox.url, ({ path }) =>
      path === '/api/integrations/errors' ? { status } : undefined,
    );
    const env = { SETPOINT_URL: 'https://one.example.com' };
    const result = await attempt(['apply', '--yes'], env, hidden.url);
    expect([result.code, codesOf(result), patches()]).toEqual([0, ['integration-errors'], 2]);
    const strict = await attempt(['apply', '--yes', '--fail-on-errors'], OTHER, hidden.url);
    expect([strict.code, codesOf(strict)]).toEqual([5, ['integration-errors']]);
  });
  describe('that hang', () => {
    const env = { SETPOINT_URL: 'https://one.example.com' };
    const isErrors = ({ path }: { path: string }) => path === '/api/integrations/errors';
    test('are not asked for if there is nothing to write', async () => {
      const { sandbox, attempt, patches } = await failing();
      await attempt(['apply', '--yes'], env);
      const proxy = await faultyProxy(sandbox.url, (seen) => (isErrors(seen) ? 'silence' : undefined));
      const result = await attempt(['apply', '--yes'], env, proxy.url);
      expect([result.code, codesOf(result), patches()]).toEqual([0, [], 2]);
      expect(proxy.seen.filter((request) => request.endsWith('/errors'))).toEqual([]);
    });
    test('after the changes are unknown, which is told', async () => {
      const { sandbox, attempt, patches } = await failing();
      const proxy = await faultyProxy(sandbox.url, (seen) =>
        isErrors(seen) && seen.before > 0 ? 'silence' : undefined,
      );
      const result = await attempt(['apply', '--yes', '--timeout', '1'], env, proxy.url);
      expect([result.code, codesOf(result), patches()]).toEqual([0, ['integration-errors'], 2]);
      expect(messages(result)[0]).toContain('1 s');
    });
  });
  test('that rise while a person thinks are none of it', async () => {
    const { sandbox, cwd } = await failing();
    const args = ['apply', '--only', 'bad', '-f', 'a.yaml', '--url', sandbox.url, '--report', 'json'];
    const result = await run(args, {
      cwd,
      env: { ...ADMIN, SETPOINT_URL: 'https://one.example.com' },
      answer: async () => {
        expect(sandbox.seen().some((each) => each.includes('/integrations/errors'))).toBe(false);
        await setOption(sandbox.url, 'bad-token', 'by hand');
        return 'yes';
      },
    });
    expect([result.code, codesOf(result)]).toEqual([0, ['integration-errors']]);
    expect(messages(result)[0]).toContain('1 new or rising');
  });
  test('that the server refuses to show repeat no secret', async () => {
    const { sandbox, attempt } = await failing();
    const body = JSON.stringify({ errors: [{ detail: 'bad url https://one.example.com/the-token' }] });
    const headers = { 'content-type': 'application/vnd.api+json' };
    const proxy = await faultyProxy(sandbox.url, ({ path }) =>
      path === '/api/integrations/errors' ? { status: 400, headers, body } : undefined,
    );
    const env = { SETPOINT_URL: 'https://one.example.com/the-token' };
    const result = await attempt(['apply', '--yes'], env, proxy.url);
    expect(codesOf(result)).toEqual(['integration-errors']);
    expect(result.stdout).not.toContain('the-token');
  });
});
