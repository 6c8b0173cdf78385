import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { at, listAt, recordAt } from '../support/at.ts';
import { type Dialect, OPEN_POINTS, startDialect } from '../support/dialects.ts';
import { addressesOf, findingsOf } from '../support/report.ts';
import { ADMIN, type RunResult, run } from '../support/run.ts';
import { type Exchange, exchange, logIn } from '../support/sandbox.ts';
import { ASSETS, LOGS, THREAT, TICKETS, VAULT } from '../support/sandbox-requests.ts';
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

const errorsOf = (result: RunResult) => [
  ...new Set(
    findingsOf(result)
      .filter(({ severity }) => severity === 'error')
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
    expect(addressesOf(again).filter((each) => !(readsEmpty && EMPTY_SECRET.test(each)))).toEqual([]);
    const left = [...(known.desired ?? [])].filter(([field, value]) => state.get(field) !== value);
    const isSeen = ([field]: readonly [string, string]) =>
      !UNSEEN.test(field) &&
      (settings.flags !== 'absent' || !FLAG.test(field)) &&
      (settings.unsetValues !== 'absent' || FLAG.test(field));
    expect(left.filter((each) => flags === ALL || isSeen(each))).toEqual([]);
  });
});

/** The secret of every cell. */
const SECRET = 'dialect-secret-52c1';

/** Each type of option with a value that none has on a fresh server, each permission, and autosubscribe. */
const YAML = `version: 1
integrations:
  threat:
    match: ${THREAT}
    autosubscribe: true
    options:
      apiKey: { value: "\${env:SETPOINT_CELL}", permission: lock-and-hide }
      url: https://other.example.com
      timeout: 30
      verifyTls: false
      mode: { value: thorough, permission: lock-and-show }
      types: [hash, url]
  tickets: { match: ${TICKETS}, options: { url: https://t.example.com, allowCreate: false, priority: { permission: lock-and-hide } } }
  vault: { match: ${VAULT}, autosubscribe: true, options: { orgId: { value: 7, permission: user-provides }, writeBack: true } }
  logs: { match: ${LOGS}, options: { fields: "source", account: me } }
  assets: { match: ${ASSETS}, options: { password: "\${env:SETPOINT_CELL}", host: db.example.com, port: 5433 } }
`;

/** What a server holds: the attributes of all integrations and options as the default settings show them. */
type State = ReadonlyMap<string, string>;

interface Cell {
  readonly planned: RunResult;
  readonly applied: RunResult;
  readonly again: RunResult;
  /** What was accepted of each run, by its PATCHes. */
  readonly writes: { readonly planned: number; readonly applied: number; readonly again: number };
  readonly state: State;
}

/** Plans, applies and plans again on a fresh server with these settings, then reads what it holds. */
async function runDialect(settings: Dialect, flags: readonly string[]): Promise<Cell> {
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-dialect-'));
  const dataFile = join(folder, 'state.json');
  try {
    await writeFile(join(folder, 'a.yaml'), YAML);
    const cell = await withServer(dataFile, { maxPageSize: 3, ...settings }, async (url, exchanges) => {
      const command = async (...args: readonly string[]) => {
        exchanges.length = 0;
        const wish = { cwd: folder, env: { ...ADMIN, SETPOINT_CELL: SECRET } };
        const result = await run([...args, '-f', 'a.yaml', '--url', url, '--report', 'json'], wish);
        return { result, writes: exchanges.filter(isWrite).length };
      };
      const planned = await command('plan', ...flags);
      const applied = await command('apply', '--yes', ...flags);
      const again = await command('plan', '--exit-code');
      return {
        planned: planned.result,
        applied: applied.result,
        again: again.result,
        writes: { planned: planned.writes, applied: applied.writes, again: again.writes },
      };
    });
    return { ...cell, state: await withServer(dataFile, {}, stateOf) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isWrite({ method, status }: Exchange): boolean {
  return method === 'PATCH' && status < 300;
}

async function withServer<T>(
  dataFile: string,
  settings: Dialect,
  body: (url: string, exchanges: Exchange[]) => Promise<T>,
): Promise<T> {
  const exchanges: Exchange[] = [];
  const onExchange = (each: Exchange) => exchanges.push(each);
  const sandbox = await startDialect({ dataFile, onExchange }, settings);
  try {
    return await body(sandbox.url, exchanges);
  } finally {
    await sandbox.close();
  }
}

async function stateOf(url: string): Promise<State> {
  const token = await logIn(url, 'admin');
  const { body } = await exchange(url, 'GET', '/api/integrations', { token });
  const resources = [...listAt(body, 'data'), ...listAt(body, 'included')];
  return new Map(
    resources.flatMap((resource) =>
      Object.entries(recordAt(resource, 'attributes')).map(([name, value]): [string, string] => [
        `${String(at(resource, 'id'))}#${name}`,
        JSON.stringify(value),
      ]),
    ),
  );
}
