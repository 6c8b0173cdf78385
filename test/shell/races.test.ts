import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OUTCOMES, ServerPlan } from '../../src/core/plan/plan.ts';
import {
  FIELDS,
  fleet,
  fleetProject,
  handWritten,
  KEY_VARIABLE,
  readFleet,
  STATES,
  toldByLog,
} from '../support/fleet.ts';
import { type LiveSandbox, liveSandbox } from '../support/live-sandbox.ts';
import { outcomeOf } from '../support/outcomes.ts';
import { ADMIN, json, type RunResult, run } from '../support/run.ts';
import { exchange, logIn } from '../support/sandbox.ts';
import { seeds } from '../support/soak.ts';
import { tempFolder } from '../support/temp.ts';

const SEED = 20_261_121;
const SERVERS = ['east', 'west'] as const;
/** On each server. */
const INTEGRATIONS = 25;
/** Integrations of each that are written to by hand in one run; the others are left to the apply. */
const RACED = 20;
/** In a soak so many that 1,000 of them are with saved plans; the sixth is the first in which a hand leaves nothing to do. */
const ROUNDS = seeds(6, 35);

type Field = (typeof FIELDS)[number];
type State = (typeof STATES)['a'];

interface Report {
  readonly servers: readonly ServerPlan[];
  readonly diagnostics: readonly {
    readonly code: string;
    readonly message: string;
    readonly server?: string;
    readonly line?: number;
  }[];
}

/** How what was planned comes to be applied: a person is asked, or the plan is saved in between. */
type Way = 'asked' | 'saved';

/** Plans, lets somebody write by hand, then applies what was planned. */
async function planThenApply(
  cwd: string,
  target: readonly string[],
  state: State,
  byHand: () => Promise<void>,
  way: Way = 'asked',
): Promise<RunResult> {
  const env = { ...ADMIN, [KEY_VARIABLE]: String(state.apiKey) };
  const exactly = ['--allow-changes', String(SERVERS.length * INTEGRATIONS), '--report', 'json'];
  if (way === 'saved') {
    const planned = await run(['plan', ...target, '--report', 'json=plan.json'], {
      cwd,
      env,
    });
    expect(planned.code).toBe(0);
    await byHand();
    return run(['apply', 'plan.json', ...target, '--yes', ...exactly], { cwd, env });
  }
  const answer = async () => {
    await byHand();
    return 'yes';
  };
  return run(['apply', ...target, ...exactly], { cwd, env, answer });
}

/** Values that no configuration asks for. */
const ODD: Partial<Record<Field, unknown>> = {
  url: 'https://by-hand.example',
  apiKey: 'by-hand-key-qwertz',
  limit: 4_000,
  mode: 'odd',
  types: ['odd', 'ip'],
};

/** What somebody may write into a field that is about to change: the very value that is planned, or a third one. */
function handValues(field: Field, held: State, desired: State): unknown[] {
  const third = field === 'hint' ? ['lock-and-hide', 'lock-and-show', 'user-provides'] : [ODD[field]];
  const isOther = (value: unknown) =>
    value !== undefined && ![held[field], desired[field]].some((each) => isSame(each, value));
  return [desired[field], ...third.filter(isOther)];
}

/** Lists as sets, as the service has them. */
function isSame(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((each) => JSON.stringify([each].flat().sort()));
  return first === second;
}

interface Hand {
  readonly name: string;
  readonly field: Field;
  readonly value: unknown;
}

/** A write into one field that differs between what is held and what is desired. */
function hand(name: string, held: State, desired: State): fc.Arbitrary<Hand> {
  const touched = FIELDS.filter((field) => !isSame(held[field], desired[field]));
  return fc
    .constantFrom(...touched)
    .chain((field) =>
      fc.constantFrom(...handValues(field, held, desired)).map((value) => ({ name, field, value })),
    );
}

async function writeByHand(url: string, token: string, { name, field, value }: Hand): Promise<void> {
  const body =
    field === 'autosubscribe'
      ? { data: { id: name, attributes: { autosubscribe: value } } }
      : handWritten(name, { [field]: value });
  const path = field === 'autosubscribe' ? `/api/integrations/${name}` : '/api/integration-options';
  expect((await exchange(url, 'PATCH', path, { token, body })).status).toBe(200);
}

function addressOf({ name, field }: Hand): string {
  if (field === 'autosubscribe') return `${name}.autosubscribe`;
  return `${name}.options.${field}.${field === 'hint' ? 'permission' : 'value'}`;
}

interface Raced {
  readonly name: string;
  readonly sandbox: LiveSandbox;
  readonly token: string;
}

/** What somebody writes on one server in a round, one field of each of some integrations. */
function handsOf(seed: number, held: ReadonlyMap<string, State>, desired: State): readonly Hand[] {
  const lengths = { minLength: RACED, maxLength: RACED };
  const [raced = []] = fc.sample(fc.shuffledSubarray([...held.keys()], lengths), { numRuns: 1, seed });
  return raced.flatMap((name, index) =>
    fc.sample(hand(name, held.get(name) ?? STATES.old, desired), { numRuns: 1, seed: seed * 101 + index }),
  );
}

test(`${ROUNDS * RACED * SERVERS.length} writes by hand between plan and apply on two servers are all noticed, each alone`, async () => {
  const { files, ids, names } = fleet(INTEGRATIONS);
  const catalog = await tempFolder(files);
  const servers = await Promise.all(
    SERVERS.map(async (name): Promise<Raced> => {
      const sandbox = await liveSandbox({ catalog, ids });
      return { name, sandbox, token: await logIn(sandbox.url, 'admin') };
    }),
  );
  const urls = Object.fromEntries(servers.map(({ name, sandbox }) => [name, sandbox.url]));
  const seen = new Map<string, number>();
  const races = { asked: 0, saved: 0, done: 0 };
  for (const round of Array.from({ length: ROUNDS }, (_, index) => index)) {
    const desired = round % 2 === 0 ? STATES.a : STATES.b;
    const cwd = await tempFolder(fleetProject(urls, names, desired));
    const way = round % 5 === 0 ? 'asked' : 'saved';
    const prepared = await Promise.all(
      servers.map(async (server, index) => {
        const held = await readFleet(server.sandbox.url);
        const hands = handsOf(SEED + round * SERVERS.length + index, held, desired);
        // A saved plan holds no secrets; and a field at its planned value is done, perhaps by an earlier apply.
        const isDone = ({ name, field, value }: Hand) => {
          const isLast = FIELDS.every(
            (each) => each === field || isSame(held.get(name)?.[each], desired[each]),
          );
          if (way === 'saved' && field === 'apiKey') return true;
          return isSame(value, desired[field]) && (way === 'saved' || isLast);
        };
        server.sandbox.exchanges.length = 0;
        return { ...server, held, hands, stale: hands.filter((each) => !isDone(each)) };
      }),
    );
    const written = { byHand: new Map<string, number>() };
    const write = async () => {
      await Promise.all(
        prepared.flatMap(({ sandbox, token, hands }) =>
          hands.map((each) => writeByHand(sandbox.url, token, each)),
        ),
      );
      written.byHand = new Map(prepared.map(({ name, sandbox }) => [name, sandbox.exchanges.length]));
    };
    const result = await planThenApply(cwd, [], desired, write, way);
    expect(result.code).toBe(5);
    for (const key of [STATES.old.apiKey, STATES.a.apiKey, STATES.b.apiKey, ODD.apiKey])
      expect(result.stdout + result.stderr).not.toContain(key);
    const report = json<Report>(result);
    for (const { name: server, sandbox, held, hands, stale } of prepared) {
      races[way] += hands.length;
      races.done += hands.length - stale.length;
      const byName = new Map(stale.map((each) => [each.name, each]));
      const plan = report.servers.find(({ name }) => name === server);
      // An integration without a change is done: somebody wrote the last one by hand.
      expect(plan?.integrations.map((each) => [each.name, outcomeOf(each) ?? 'verified'])).toEqual(
        names.map((name): [string, keyof typeof OUTCOMES] => [name, byName.has(name) ? 'stale' : 'verified']),
      );
      const found = report.diagnostics.filter((each) => each.code === 'stale' && each.server === server);
      expect(found.length).toBe(stale.length);
      for (const each of stale) {
        const about = found.filter(({ message }) => message.startsWith(`${each.name} `));
        expect(about.length).toBe(1);
        expect(about[0]?.message.match(/unit\d+\.\w+(?:\.\w+)*/g)).toEqual([addressOf(each)]);
        const kind = `${each.field} ${isSame(each.value, desired[each.field]) ? 'as desired' : 'otherwise'}`;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }
      const after = await readFleet(sandbox.url);
      for (const name of names) {
        const each = byName.get(name);
        const expected = each === undefined ? desired : { ...held.get(name), [each.field]: each.value };
        expect(after.get(name), `${name} of ${server} in round ${round}`).toEqual(expected);
      }
      const log = sandbox.exchanges.slice(written.byHand.get(server));
      const { undeclared, again } = toldByLog(
        log,
        names.filter((name) => !byName.has(name)),
        desired,
      );
      expect([undeclared, again]).toEqual([[], []]);
    }
  }
  const stale = [...seen.values()].reduce((sum, times) => sum + times, 0);
  const all = ROUNDS * RACED * SERVERS.length;
  expect(stale + races.done).toBe(all);
  const asked = Math.ceil(ROUNDS / 5) * RACED * SERVERS.length;
  expect([races.saved, races.asked]).toEqual([all - asked, asked]);
  expect(races.done).toBeGreaterThan(races.saved / 5);
  // Every kind of field, and both ways of meddling with those that have a third value.
  const kinds = [
    'apiKey as desired',
    'autosubscribe as desired',
    'hint as desired',
    'hint otherwise',
    'limit as desired',
    'limit otherwise',
    'mode as desired',
    'mode otherwise',
    'strict as desired',
    'types as desired',
    'types otherwise',
    'url as desired',
    'url otherwise',
  ];
  expect([...seen.keys()]).toEqual(expect.arrayContaining(kinds));
});
