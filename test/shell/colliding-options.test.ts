import { describe, expect, test } from 'vitest';
import { OPEN_POINTS } from '../../src/sandbox/settings.ts';
import { keylessList } from '../support/keyless-list.ts';
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

describe.each(OPEN_POINTS.dialect)('two options with one id in the dialect %s', (dialect) => {
  const set = (yaml: string) => ownCatalog(CATALOG, yaml, { settings: { dialect } });
  test.each([
    ['the longer key', 'a: { options: { b-c: x, d: x } }', 1],
    ['the longer id', 'a-b: { options: { c: x } }\nother: { options: { c: x } }', 1],
    [
      'both, by defaults too',
      'a: { options: { b-c: x } }\nall: { match: "*", expect: any, options: { c: x } }',
      2,
    ],
  ])('are refused by %s, and nothing is written', async (_, yaml, count) => {
    const { sandbox, attempt } = await set(yaml);
    for (const args of [['plan'], ['apply', '--yes']]) {
      const refused = await attempt(args);
      expect([refused.code, codesOf(refused)]).toEqual([3, Array(count).fill('colliding-options')]);
    }
    expect(sandbox.seen().filter((each) => each.startsWith('PATCH'))).toEqual([]);
  });
  test('leave the others of their integrations alone', async () => {
    const { sandbox, attempt } = await set('a: { options: { d: x } }\na-b: { options: { e: x } }');
    expect((await attempt(['apply', '--yes'])).code).toBe(0);
    const written = sandbox.exchanges.filter(({ method }) => method === 'PATCH');
    const ids = written.map(({ body }) => JSON.stringify(body).match(/"id":"([^"]*)"/)?.[1]);
    expect(ids.sort()).toEqual(['a-b-e', 'a-d']);
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
