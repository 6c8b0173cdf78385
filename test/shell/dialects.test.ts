import { beforeAll, describe, expect, test } from 'vitest';
import type { ServerPlan } from '../../src/core/plan/plan.ts';
import { runDialect, SECRET, type State } from '../support/dialect-cell.ts';
import { type Dialect, OPEN_POINTS } from '../support/dialects.ts';
import { json, type RunResult } from '../support/run.ts';
import { seeded } from '../support/seeded.ts';
import { seeds, turned } from '../support/soak.ts';

/** Every answer to every open point, in the default dialect and in one of the others by turns. */
const GRID: readonly Dialect[] = Object.entries(OPEN_POINTS).flatMap(([name, answers], row) =>
  answers.flatMap((answer, column) => {
    const others = OPEN_POINTS.dialect.filter((dialect) => isServing({ dialect, [name]: answer }));
    const dialects = name === 'dialect' ? [answer] : ['included', others[(row + column) % others.length]];
    return [...new Set(dialects)].map((dialect) => ({ dialect, [name]: answer }) as Dialect);
  }),
);

/** Servers that answer every open point in their own way, so that most pairs of answers meet. The form of a PATCH is fixed. */
const PAIRS: readonly Dialect[] = Array.from({ length: 12 }, (_, cell) => {
  const { pick } = seeded(cell);
  const answers = Object.entries(OPEN_POINTS).map(([name, all]) => [name, pick<string>(all)]);
  const fixed = {
    dialect: OPEN_POINTS.dialect[cell % 4],
    acceptType: 'both',
    selects: cell % 3 === 0 ? 'strings' : 'objects',
  } as const;
  const dialect: Dialect = { ...Object.fromEntries(answers), ...fixed };
  return isServing(dialect) ? dialect : { ...dialect, values: 'everywhere' };
});

const cells = seeds(0, 1) === 0 ? PAIRS : [...PAIRS, ...GRID, { refuseEvery: 7 }];

/** Values that only a single integration has, of which the dialect shows no options: then no address has any. */
function isServing({ dialect, values }: Dialect): boolean {
  return !(dialect === 'options' && values === 'detail');
}

const ALL = ['--write-hidden', 'all'];

/** A secret that reads as empty, on a server of which nobody said that it hides secrets. */
const EMPTY_SECRET = /\.(apiKey|password)\.value$/;

/** What is written on request alone: passwords that are hidden, and values and flags that are not served. */
const UNSEEN = /-(apiKey|password)#value$/;
const FLAG = /#(admin-only|user-can-edit)$/;

interface Report {
  readonly servers: readonly ServerPlan[];
  readonly diagnostics: readonly { readonly code: string; readonly severity: string }[];
}

const changesOf = (result: RunResult) =>
  json<Report>(result).servers.flatMap(({ integrations }) =>
    integrations.flatMap(({ changes }) => changes.map(({ address }) => address)),
  );
const errorsOf = (result: RunResult) => [
  ...new Set(
    json<Report>(result)
      .diagnostics.filter(({ severity }) => severity === 'error')
      .map(({ code }) => code),
  ),
];

const known: { fresh?: State; desired?: State } = {};

beforeAll(async () => {
  known.fresh = (await runDialect({}, ['--only', 'nothing'])).state;
  known.desired = (await runDialect({}, ALL)).state;
});

/** The fields that hold neither what they held nor what is desired. */
function wrongFields(state: State): string[] {
  const { fresh, desired } = known;
  return [...state].flatMap(([field, value]) =>
    value === fresh?.get(field) || value === desired?.get(field) ? [] : [field],
  );
}

test('what is desired differs from a fresh server', () => {
  const { fresh, desired = new Map() } = known;
  const written = [...desired].filter(([field, value]) => value !== fresh?.get(field));
  expect(written.length).toBe(22);
  expect(written.filter(([, value]) => value.includes(SECRET)).length).toBe(2);
});

const WAYS = [
  ['as it is', []],
  ['all that cannot be read is written', ALL],
] as const;

describe.each(cells.map((settings, at) => ({ settings, at })))('$settings', ({ settings, at }) => {
  // Dialects alternate too, so that a setting meets both ways.
  test.each(turned(at, WAYS))('%s: converges, or says why not and writes nothing', async (_, flags) => {
    const { planned, applied, again, writes, state } = await runDialect(settings, flags);
    expect([planned.code, writes.planned, writes.again]).toEqual([0, 0, 0]);
    expect([wrongFields(state), `${applied.stdout}${again.stdout}`.includes(SECRET)]).toEqual([[], false]);
    if (applied.code !== 0) {
      expect([errorsOf(applied).length, writes.applied], applied.stderr).toEqual([1, 0]);
      return;
    }
    const readsEmpty = settings.passwords === 'null' || settings.passwords === 'empty';
    expect(changesOf(again).filter((each) => !(readsEmpty && EMPTY_SECRET.test(each)))).toEqual([]);
    const left = [...(known.desired ?? [])].filter(([field, value]) => state.get(field) !== value);
    const isSeen = ([field]: readonly [string, string]) =>
      !UNSEEN.test(field) &&
      (settings.flags !== 'absent' || !FLAG.test(field)) &&
      (settings.unsetValues !== 'absent' || FLAG.test(field));
    expect(left.filter((each) => flags === ALL || isSeen(each))).toEqual([]);
  });
});
