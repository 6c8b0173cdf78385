import { expect, test } from 'vitest';
import {
  envOf,
  FIELDS,
  type Field,
  type FleetState,
  readFleet,
  STATES,
  startFleets,
  toldByLog,
  writeByHand,
} from '../support/fleet.ts';
import { findingsOf, outcomeOf, serversOf } from '../support/report.ts';
import { run } from '../support/run.ts';
import { type Seeded, seeded } from '../support/seeded.ts';
import { seeds } from '../support/soak.ts';

const SERVERS = ['east', 'west'];
/** On each server. */
const INTEGRATIONS = 16;
/** Integrations of each that are written to by hand in one run; the others are left to the apply. */
const RACED = 12;
/** Plans are saved or asked about by turns. */
const ROUNDS = seeds(2, 70);

/** Values that no configuration asks for. */
const ODD: Partial<Record<Field, unknown>> = {
  url: 'https://by-hand.example',
  apiKey: 'by-hand-key-qwertz',
  limit: 4_000,
  mode: 'odd',
  types: ['odd', 'ip'],
};

/** Lists as sets, as the service has them. */
function isSame(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((each) =>
    JSON.stringify([each].flat().sort()),
  );
  return first === second;
}

/** A write into one field that is about to change: the very value that is planned, or a third one. */
interface Hand {
  readonly name: string;
  readonly field: Field;
  readonly value: unknown;
}

/** What somebody writes on one server in a round, one field of each of some integrations. */
function handsOf(
  draw: Seeded,
  held: ReadonlyMap<string, FleetState>,
  desired: FleetState,
): readonly Hand[] {
  const openIn = (state: FleetState) =>
    FIELDS.filter((each) => !isSame(state[each], desired[each]));
  // What was stale for a round may be as desired in the next.
  const open = [...held].filter(([, state]) => openIn(state).length > 0);
  return draw.some(open, RACED, RACED).map(([name, state]) => {
    const field = draw.pick(openIn(state));
    const third =
      field === 'hint'
        ? ['lock-and-hide', 'lock-and-show', 'user-provides']
        : [ODD[field]];
    const others = third.filter(
      (value) => value !== undefined && !isSame(state[field], value),
    );
    return { name, field, value: draw.pick([desired[field], ...others]) };
  });
}

function addressOf({ name, field }: Hand): string {
  if (field === 'autosubscribe') return `${name}.autosubscribe`;
  return `${name}.options.${field}.${field === 'hint' ? 'permission' : 'value'}`;
}

test(`${ROUNDS * RACED * SERVERS.length} writes by hand between plan and apply on two servers are all noticed, each alone`, async () => {
  const { sandboxes, names, projectOf } = await startFleets(INTEGRATIONS, {
    servers: SERVERS,
  });
  const seen = new Set<string>();
  for (const round of Array.from({ length: ROUNDS }, (_, index) => index)) {
    const desired = round % 2 === 0 ? STATES.a : STATES.b;
    const isSaved = round % 3 !== 0;
    const prepared = await Promise.all(
      sandboxes.map(async (sandbox, index) => {
        const held = await readFleet(sandbox.url);
        const hands = handsOf(
          seeded(round * SERVERS.length + index),
          held,
          desired,
        );
        // A saved plan holds no secrets; and a field at its planned value is done, perhaps by an earlier apply.
        const isDone = ({ name, field, value }: Hand) => {
          const isLast = FIELDS.every(
            (each) =>
              each === field || isSame(held.get(name)?.[each], desired[each]),
          );
          if (isSaved && field === 'apiKey') return true;
          return isSame(value, desired[field]) && (isSaved || isLast);
        };
        return {
          sandbox,
          held,
          hands,
          stale: hands.filter((each) => !isDone(each)),
        };
      }),
    );
    const byHand = async () => {
      await Promise.all(
        prepared.flatMap(({ sandbox, hands }) =>
          hands.map(({ name, field, value }) =>
            writeByHand(sandbox.url, name, { [field]: value }),
          ),
        ),
      );
      for (const { exchanges } of sandboxes) exchanges.length = 0;
    };
    const wish = { cwd: await projectOf(desired), env: envOf(desired) };
    if (isSaved) {
      const saving = ['plan', '--report', 'json=plan.json', '--allow-changes'];
      const most = String(SERVERS.length * INTEGRATIONS);
      expect((await run([...saving, most], wish)).code).toBe(0);
      await byHand();
    }
    const exactly = [
      '--allow-changes',
      String(SERVERS.length * INTEGRATIONS),
      '--report',
      'json',
    ];
    const answer = async () => {
      if (!isSaved) await byHand();
      return 'yes';
    };
    const result = await run(
      ['apply', ...(isSaved ? ['plan.json'] : []), ...exactly],
      { ...wish, answer },
    );
    expect(result.code).toBe(5);
    for (const key of [
      STATES.old.apiKey,
      STATES.a.apiKey,
      STATES.b.apiKey,
      ODD.apiKey,
    ])
      expect(result.stdout + result.stderr).not.toContain(key);
    for (const [index, { sandbox, held, stale }] of prepared.entries()) {
      const byName = new Map(stale.map((each) => [each.name, each]));
      const server = serversOf(result)[index];
      // An integration without a change is done: somebody wrote the last one by hand.
      expect(
        server?.integrations.map((each) => [
          each.name,
          outcomeOf(each) ?? 'verified',
        ]),
      ).toEqual(
        names.map((name) => [name, byName.has(name) ? 'stale' : 'verified']),
      );
      const found = findingsOf(result).filter(
        (each) => each.code === 'stale' && each.server === server?.name,
      );
      const told = found.map(({ message }) =>
        message.match(/unit\d+\.\w+(?:\.\w+)*/g)?.join(),
      );
      expect(told.sort()).toEqual(stale.map(addressOf).sort());
      for (const { field, value } of stale)
        seen.add(
          `${field} ${isSame(value, desired[field]) ? 'as desired' : 'otherwise'}`,
        );
      const after = await readFleet(sandbox.url);
      for (const name of names) {
        const each = byName.get(name);
        const expected =
          each === undefined
            ? desired
            : { ...held.get(name), [each.field]: each.value };
        expect(
          after.get(name),
          `${name} of ${server?.name} in round ${round}`,
        ).toEqual(expected);
      }
      const others = names.filter((name) => !byName.has(name));
      const { undeclared, again } = toldByLog(
        sandbox.exchanges,
        others,
        desired,
      );
      expect([undeclared, again]).toEqual([[], []]);
    }
  }
  // Fields of most kinds, and both ways of meddling.
  expect(seen.size).toBeGreaterThan(8);
  expect(new Set([...seen].map((each) => each.replace(/^\w+ /, '')))).toEqual(
    new Set(['as desired', 'otherwise']),
  );
});
