import { describe, expect, test } from 'vitest';
import { faultyProxy } from '../support/fault-proxy.ts';
import { type Fault, JSON_API } from '../support/faults.ts';
import { configuration, option, ownCatalog } from '../support/live-sandbox.ts';
import { codesOf, findingsOf } from '../support/report.ts';
import { ADMIN, type RunResult, run } from '../support/run.ts';
import { setOption } from '../support/sandbox.ts';

const messages = (result: RunResult) =>
  findingsOf(result).map(({ message }) => message);

const ONE = 'https://one.example.com/the-token';
const YAML = 'bad: { options: { url: "${env:SETPOINT_URL}" } }';

/** A sandbox where every change of `bad` leads to an integration error; what `fault` says happens to who asks for these. */
async function failing(fault?: (before: number) => Fault | undefined) {
  const catalog = {
    bad: configuration(option('url', 'text'), option('token', 'password')),
  };
  const { sandbox, cwd, attempt, patches } = await ownCatalog(catalog, YAML, {
    raiseErrors: true,
  });
  const proxy = await faultyProxy(sandbox.url, ({ path, before }) =>
    path === '/api/integrations/errors' ? fault?.(before) : undefined,
  );
  const apply = async (url: string, ...flags: readonly string[]) => {
    const result = await attempt(
      ['apply', '--yes', ...flags],
      { SETPOINT_URL: url },
      proxy.url,
    );
    expect(result.stdout).not.toContain(url);
    return {
      result,
      outcome: [result.code, codesOf(result), patches().length],
    };
  };
  return { sandbox, cwd, apply, proxy };
}

describe('integration errors after an apply', () => {
  test('that are new or have risen are reported, and fail the apply if that is wanted', async () => {
    const { apply } = await failing();
    const { result, outcome } = await apply(ONE);
    expect(outcome).toEqual([0, ['integration-errors'], 1]);
    expect(messages(result)[0]).toContain('bad: ');
    const strict = () => apply('https://two.example.com', '--fail-on-errors');
    expect((await strict()).outcome).toEqual([5, ['integration-errors'], 2]);
    expect((await strict()).outcome).toEqual([0, [], 2]);
  });
  test('that the server refuses to show hinder nothing', async () => {
    const body = JSON.stringify({ errors: [{ detail: `bad url ${ONE}` }] });
    const { apply } = await failing(() => ({
      status: 403,
      headers: JSON_API,
      body,
    }));
    expect((await apply(ONE)).outcome).toEqual([0, ['integration-errors'], 1]);
    const strict = await apply('https://two.example.com', '--fail-on-errors');
    expect(strict.outcome).toEqual([5, ['integration-errors'], 2]);
  });
  test('that hang after the changes are unknown, and not asked for if there is nothing to write', async () => {
    const { apply, proxy } = await failing((before) =>
      before > 0 ? 'silence' : undefined,
    );
    const { result, outcome } = await apply(ONE);
    expect(outcome).toEqual([0, ['integration-errors'], 1]);
    expect(messages(result)[0]).toContain('unknown');
    const asked = () => proxy.kinds.filter((kind) => kind === 'errors').length;
    const before = asked();
    expect((await apply(ONE)).outcome).toEqual([0, [], 1]);
    expect(asked()).toBe(before);
  });
  test('that rise while a person thinks are none of it', async () => {
    const { sandbox, cwd } = await failing();
    const result = await run(
      ['apply', '-f', 'a.yaml', '--url', sandbox.url, '--report', 'json'],
      {
        cwd,
        env: { ...ADMIN, SETPOINT_URL: ONE },
        answer: async () => {
          expect(
            sandbox
              .seen()
              .some((each) => each.includes('/integrations/errors')),
          ).toBe(false);
          await setOption(sandbox.url, 'bad-token', 'by hand');
          return 'yes';
        },
      },
    );
    expect([result.code, codesOf(result)]).toEqual([0, ['integration-errors']]);
    expect(messages(result)[0]).toContain('1 new or rising');
  });
});
