import { describe, expect, test } from 'vitest';
import type { ServerPlan } from '../../src/core/plan/plan.ts';
import { at, listAt } from '../support/at.ts';
import { type Dialect, OPEN_POINTS } from '../support/dialects.ts';
import { faultyProxy } from '../support/fault-proxy.ts';
import { withBody } from '../support/faults.ts';
import { configuration, option, ownCatalog } from '../support/own-catalog.ts';
import { json, type RunResult } from '../support/run.ts';

/** In pages of two, before and after `a_1` is replaced by `z_2`: whoever reads page 1 before and the others after misses `c_1`. */
const BEFORE = ['a_1', 'b_1', 'c_1', 'd_1', 'e_1'];
const AFTER = ['b_1', 'c_1', 'd_1', 'e_1', 'z_2'];
const CATALOG = Object.fromEntries(
  ['a_1', ...AFTER].map((id) => [id, configuration(option('url', 'text', 'https://old.example'))]),
);

interface Wish extends Partial<Pick<Dialect, 'dialect'>> {
  readonly size?: number;
  /** Whether the list moves during every reading. */
  readonly always?: boolean;
}

interface Report {
  readonly servers: readonly ServerPlan[];
  readonly diagnostics: readonly { readonly code: string }[];
}

const codesOf = (result: RunResult) => json<Report>(result).diagnostics.map(({ code }) => code);
const plannedOf = (result: RunResult) =>
  json<Report>(result).servers.flatMap(({ integrations }) =>
    integrations.flatMap(({ id, changes }) => (changes.length > 0 ? [id] : [])),
  );
const outcomesOf = (result: RunResult) =>
  json<Report>(result).servers.flatMap(({ integrations }) =>
    integrations.flatMap(({ id, outcome }) => (outcome === undefined ? [] : [`${id} ${outcome}`])),
  );

/** A server whose list moves during one of its readings, and what runs a command on it. */
async function moving(yaml: string, during: number, { size = 2, dialect = 'included', always }: Wish = {}) {
  const { sandbox, attempt } = await ownCatalog(CATALOG, yaml, { settings: { dialect } });
  // The sandbox sends all of it as its first page, from which every page of a reading is cut.
  const reading = { count: 0, first: {} };
  const page = (body: string) => {
    const number = Number(at(JSON.parse(body), 'meta', 'page', 'number'));
    if (number === 1) Object.assign(reading, { count: reading.count + 1, first: JSON.parse(body) });
    const isTorn = always || reading.count === during;
    const isBefore = isTorn ? number === 1 : reading.count < during;
    const ids = isBefore ? BEFORE : AFTER;
    const shown = ids.slice((number - 1) * size, number * size);
    const data = listAt(reading.first, 'data').filter((each) => shown.includes(String(at(each, 'id'))));
    return JSON.stringify({ ...reading.first, data, meta: { page: { number, size, total: ids.length } } });
  };
  const proxy = await faultyProxy(sandbox.url, ({ path }) =>
    path === '/api/integrations' ? withBody(page) : undefined,
  );
  const reads = () =>
    proxy.seen.filter((each) => each.startsWith('GET')).map((each) => each.replace('GET /api/', ''));
  const command = (...args: string[]) => attempt(args, {}, proxy.url);
  return { command, reads, sandbox };
}

const LIST = ['integrations', 'integrations', 'integrations'];
const wants = (name: string, more = '') => `${name}: { ${more}options: { url: "https://new.example" } }`;

describe('an integration that is in no page, as it moved while they were read', () => {
  test.each(
    OPEN_POINTS.dialect.flatMap(
      (dialect) =>
        [
          [dialect, 'c_1'],
          [dialect, 'c_*'],
        ] as const,
    ),
  )('is found in the dialect %s by %s', async (dialect, glob) => {
    const { command } = await moving(wants('mine', `match: "${glob}", `), 1, { dialect });
    const planned = await command('plan');
    expect([planned.code, codesOf(planned), plannedOf(planned)]).toEqual([0, [], ['c_1']]);
  });
  test.each(OPEN_POINTS.dialect)(
    'is found by its id in the dialect %s though it always moves',
    async (dialect) => {
      const { command } = await moving(wants('mine', 'match: c_1, autosubscribe: true, '), 1, {
        dialect,
        always: true,
      });
      const applied = await command('apply', '--yes');
      expect([applied.code, codesOf(applied), outcomesOf(applied)]).toEqual([0, [], ['c_1 verified']]);
    },
  );
  test('is found by its acronym and a set in a glob', async () => {
    const yaml = wants('mine', 'match: { acronym: T, id: "[c]_?" }, ');
    const { command } = await moving(yaml, 1);
    expect(plannedOf(await command('plan'))).toEqual(['c_1']);
  });
  test('shows that the list lacks others, which defaults select', async () => {
    const yaml = `${wants('c_1')}\n${wants('all', 'match: "*", expect: any, ')}`;
    const { command } = await moving(yaml, 1);
    // What was replaced meanwhile is not planned, and what replaced it is.
    expect(plannedOf(await command('plan')).sort()).toEqual(AFTER);
  });
  test('is written where a reviewed plan changes it, though its entry is optional', async () => {
    const { command, sandbox } = await moving(wants('mine', 'match: "c_*", expect: optional, '), 2);
    const planned = await command('plan', '--report', 'json=plan.json');
    expect(plannedOf(planned)).toEqual(['c_1']);
    const applied = await command('apply', 'plan.json', '--yes');
    expect([applied.code, outcomesOf(applied)]).toEqual([0, ['c_1 verified']]);
    expect(sandbox.seen().filter((each) => each.startsWith('PATCH')).length).toBe(1);
  });
  test('is read on its own before a write or a verdict calls it missing', async () => {
    const all = wants('all', 'match: "?_1", expect: any, ');
    const { command } = await moving(all, 2);
    const applied = await command('apply', '--yes');
    expect([applied.code, outcomesOf(applied).filter((each) => each.startsWith('c_1'))]).toEqual([
      0,
      ['c_1 verified'],
    ]);
  });
});

describe('what looking for it costs', () => {
  test.each([
    ['nothing where all is found', wants('b_1'), LIST],
    ['nothing where nothing has to be there', wants('q_9', 'expect: optional, '), LIST],
    ['one request for an exact id', wants('q_9'), [...LIST, 'integrations/q_9']],
    ['the list once more for a glob', wants('q', 'match: "q_*", '), [...LIST, ...LIST]],
  ])('%s', async (_, yaml, expected) => {
    const { command, reads } = await moving(yaml, 99);
    const planned = await command('plan');
    expect([planned.code, codesOf(planned)]).toEqual(
      yaml.includes('q') && !yaml.includes('optional') ? [3, ['no-match']] : [0, []],
    );
    expect(reads()).toEqual(expected);
  });
  test('nothing where the list is one page', async () => {
    const { command, reads } = await moving(wants('q_9'), 99, { size: 100 });
    await command('plan');
    expect(reads().length).toBe(1);
  });
});
