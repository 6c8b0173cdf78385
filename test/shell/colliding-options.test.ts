import { describe, expect, test } from 'vitest';
import { OPEN_POINTS } from '../support/dialects.ts';
import { faultyProxy } from '../support/fault-proxy.ts';
import { keylessList } from '../support/keyless-list.ts';
import type { LiveSandbox } from '../support/live-sandbox.ts';
import { configuration, option, ownCatalog } from '../support/own-catalog.ts';
import { json, type RunResult } from '../support/run.ts';

/** The option `b-c` of `a` and the option `c` of `a-b` have the id `a-b-c`. */
const CATALOG = {
  a: configuration(option('b-c', 'text', 'of a'), option('d', 'text')),
  'a-b': configuration(option('c', 'text', 'of a-b'), option('e', 'text')),
  other: configuration(option('c', 'text')),
};

const codesOf = (result: RunResult) =>
  json<{ diagnostics: { code: string }[] }>(result).diagnostics.map(({ code }) => code);

/** The ids of the options that were written, one a request. */
function written({ exchanges }: LiveSandbox) {
  const patches = exchanges.filter(({ method }) => method === 'PATCH');
  return patches.map(({ body }) => JSON.stringify(body).match(/"id":"([^"]*)"/)?.[1]).sort();
}

describe.each(OPEN_POINTS.dialect)('two options with one id in the dialect %s', (dialect) => {
  const set = (yaml: string) => ownCatalog(CATALOG, yaml, { settings: { dialect } });
  test.each([
    ['the longer key', 'a: { options: { b-c: x, d: x } }', 1, []],
    ['the longer id', 'a-b: { options: { c: x } }\nother: { options: { c: x } }', 1, ['other-c']],
    [
      'both, by defaults too',
      'a: { options: { b-c: x } }\nall: { match: "*", expect: any, options: { c: x } }',
      2,
      ['other-c'],
    ],
  ])('are refused by %s, and not written', async (_, yaml, count, others) => {
    const { sandbox, attempt } = await set(yaml);
    const findings = Array(count).fill('colliding-options');
    const planned = await attempt(['plan']);
    expect([planned.code, codesOf(planned)]).toEqual([3, findings]);
    const applied = await attempt(['apply', '--yes']);
    expect(applied.code).toBe(others.length > 0 ? 5 : 3);
    expect(codesOf(applied).filter((code) => code !== 'left-out')).toEqual(findings);
    expect(written(sandbox)).toEqual(others);
  });
  test('leave the others of their integrations alone', async () => {
    const { sandbox, attempt } = await set('a: { options: { d: x } }\na-b: { options: { e: x } }');
    expect((await attempt(['apply', '--yes'])).code).toBe(0);
    expect(written(sandbox)).toEqual(['a-b-e', 'a-d']);
  });
});

describe('where the list has no keys of options', () => {
  /** Runs a command on a server whose list relates no options. */
  async function listless(dialect: 'detail' | 'options', integrations: Record<string, string>, yaml: string) {
    const { sandbox, attempt } = await ownCatalog(integrations, yaml, { settings: { dialect } });
    const url = await keylessList(sandbox.url);
    const command = (...args: string[]) => attempt(args, {}, url);
    return { command, sandbox };
  }
  test.each(['detail', 'options'] as const)('they are refused in the dialect %s', async (dialect) => {
    const { command, sandbox } = await listless(dialect, CATALOG, 'a-b: { options: { c: x } }');
    const refused = await command('apply', '--yes');
    expect([refused.code, codesOf(refused)]).toEqual([3, ['colliding-options']]);
    expect(sandbox.seen().filter((each) => each.startsWith('PATCH'))).toEqual([]);
  });
  test('nothing is written where one of the two cannot be read', async () => {
    const { sandbox, attempt } = await ownCatalog(CATALOG, 'a-b: { options: { c: x, e: x } }', {
      settings: { dialect: 'detail' },
    });
    const listless = await keylessList(sandbox.url);
    const proxy = await faultyProxy(listless, ({ path }) =>
      path === '/api/integrations/a' ? { status: 500 } : undefined,
    );
    const refused = await attempt(['apply', '--yes'], {}, proxy.url);
    expect([refused.code, codesOf(refused)]).toEqual([1, ['http-status']]);
    expect(sandbox.seen().filter((each) => each.startsWith('PATCH'))).toEqual([]);
  });
  test.each([
    ['detail', ['integrations', 'integrations/a', 'integrations/a-b']],
    ['options', ['integration-options', 'integration-options', 'integrations', 'integrations/a']],
  ] as const)('what might have one is read once in the dialect %s', async (dialect, expected) => {
    const catalog = { a: configuration(option('b-x', 'text')), 'a-b': configuration(option('c', 'text')) };
    const yaml = 'a: { options: { b-x: x } }\na-b: { autosubscribe: true, options: { c: x } }';
    const { command, sandbox } = await listless(dialect, catalog, yaml);
    expect((await command('plan')).code).toBe(0);
    const reads = sandbox.seen().filter((each) => each.startsWith('GET'));
    expect(reads.map((each) => each.replace('GET /api/', '')).sort()).toEqual(expected);
  });
});
