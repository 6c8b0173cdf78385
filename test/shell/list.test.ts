import { describe, expect, test } from 'vitest';
import { configuration, option, ownCatalog } from '../support/live-sandbox.ts';
import type { RunResult } from '../support/run.ts';

const one = configuration(option('url', 'text'));
const CATALOG = { alpha: one, beta: one, gamma: one };
const YAML = [
  'alpha: { options: { url: "https://a.example" } }',
  'all: { match: "g*", expect: any, options: { url: x } }',
].join('\n');

function idsOf(result: RunResult): string[] {
  const { servers } = JSON.parse(result.stdout) as {
    servers: { integrations: { id: string }[] }[];
  };
  return servers.flatMap(({ integrations }) =>
    integrations.map(({ id }) => id),
  );
}

describe('list', () => {
  test.each([
    [['--unmanaged'], ['beta']],
    [['--only', 'a*'], ['alpha']],
    [['--status', 'stopped'], ['gamma']],
    [['--status', 'running', '--unmanaged'], ['beta']],
    [['--with-errors'], []],
    [[], ['alpha', 'beta', 'gamma']],
  ])('%j lists %j', async (flags, ids) => {
    const { attempt } = await ownCatalog(CATALOG, YAML, { stopped: ['gamma'] });
    const result = await attempt(['list', ...flags]);
    expect([result.code, idsOf(result)]).toEqual([0, ids]);
  });
});
