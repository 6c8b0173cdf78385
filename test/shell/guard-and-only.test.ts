import { expect, test } from 'vitest';
import type { ServerPlan } from '../../src/core/plan/plan.ts';
import { keylessList } from '../support/keyless-list.ts';
import { configuration, option, ownCatalog } from '../support/own-catalog.ts';
import { json } from '../support/run.ts';

/** Ten integrations have the option that the defaults ask for, forty do not. */
const MANAGED = 10;
const names = (start: string, length: number) => Array.from({ length }, (_, index) => `${start}${index}`);
const CATALOG = Object.fromEntries([
  ...names('with', MANAGED).map((id) => [id, configuration(option('proxy', 'text'))]),
  ...names('without', 40).map((id) => [id, configuration(option('url', 'text'))]),
]);
const YAML = 'all: { match: "*", expect: any, options: { proxy: "http://proxy.example:3128" } }';

test.each([
  ['included', 'keys'],
  ['detail', 'no keys'],
  ['options', 'no keys'],
] as const)(
  '--only does not walk around the guard in the dialect %s, where the list has %s',
  async (dialect, keys) => {
    const { sandbox, attempt } = await ownCatalog(CATALOG, YAML, { settings: { dialect } });
    const url = keys === 'keys' ? sandbox.url : await keylessList(sandbox.url);
    for (const only of [[], ['--only', 'with[0-9]']]) {
      const refused = await attempt(['apply', '--yes', ...only], {}, url);
      const [{ summary } = { summary: undefined }] = json<{ servers: ServerPlan[] }>(refused).servers;
      expect([refused.code, summary?.changed, summary?.managedInAll], only.join(' ')).toEqual([
        6,
        MANAGED,
        MANAGED,
      ]);
    }
    expect(sandbox.seen().filter((each) => each.startsWith('PATCH'))).toEqual([]);
  },
);
