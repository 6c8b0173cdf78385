import { beforeAll, describe, expect, test } from 'vitest';
import type { ServerPlan } from '../../src/core/plan/plan.ts';
import { runDialect, SECRET, type State } from '../support/dialect-cell.ts';
import { type Dialect, OPEN_POINTS } from '../support/dialects.ts';
import { json, type RunResult } from '../support/run.ts';
import { turned } from '../support/soak.ts';

type Settings = Dialect;

/** Beside a setting, what makes it matter: a pause is asked for only with a refusal. */
const WITH: Readonly<Record<string, Settings>> = { retryAfter: { refuseEvery: 7 } };

/** Every answer to every open point, in the default dialect and in one of the others by turns. */
const cells = Object.entries(OPEN_POINTS).flatMap(([name, answers], row) =>
  answers.flatMap((answer, column) => {
    const others = OPEN_POINTS.dialect.filter((dialect) => isServing(dialect, name, answer));
    const dialects = name === 'dialect' ? [answer] : ['included', others[(row + column) % others.length]];
    return [...new Set(dialects)].map((dialect) => ({
      title: `${name}=${answer}, dialect=${dialect}`,
      settings: { dialect, [name]: answer, ...WITH[name] } as Settings,
    }));
  }),
);

/** Values that only a single integration has, of which the dialect shows no options: then no address has any. */
function isServing(dialect: string, name: string, answer: string): boolean {
  return !(dialect === 'options' && name === 'values' && answer === 'detail');
}

const ALL = ['--write-secrets', 'all', '--write-flags', 'all'];

/** What is written on request alone: passwords, where they cannot be told, and flags, where they are not served. */
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

test('the cells differ from each other, and what is desired from a fresh server', () => {
  expect(new Set(cells.map(({ title }) => title)).size).toBe(cells.length);
  const answers = Object.values(OPEN_POINTS).reduce((sum, each) => sum + each.length, 0);
  expect(cells.length).toBeGreaterThan(answers);
  const { fresh, desired = new Map() } = known;
  const written = [...desired].filter(([field, value]) => value !== fresh?.get(field));
  expect(written.length).toBe(22);
  expect(written.filter(([, value]) => value.includes(SECRET)).length).toBe(2);
});

const WAYS = [
  ['as it is', []],
  ['all that cannot be read is written', ALL],
] as const;

describe.each(cells.map((cell, at) => ({ ...cell, at })))('$title', ({ settings, at }) => {
  // Dialects alternate too, so that a setting meets both ways.
  test.each(turned(at, WAYS))('%s: converges, or says why not and writes nothing', async (_, flags) => {
    const { planned, applied, again, writes, state } = await runDialect(settings, flags);
    expect([planned.code, writes.planned, writes.again]).toEqual([0, 0, 0]);
    expect([wrongFields(state), `${applied.stdout}${again.stdout}`.includes(SECRET)]).toEqual([[], false]);
    if (applied.code !== 0) {
      expect([errorsOf(applied).length, writes.applied], applied.stderr).toEqual([1, 0]);
      return;
    }
    expect([again.code, changesOf(again)]).toEqual([0, []]);
    const left = [...(known.desired ?? [])].filter(([field, value]) => state.get(field) !== value);
    const isSeen = ([field]: readonly [string, string]) =>
      !UNSEEN.test(field) && (settings.flags !== 'absent' || !FLAG.test(field));
    expect(left.filter((each) => flags === ALL || isSeen(each))).toEqual([]);
  });
});
