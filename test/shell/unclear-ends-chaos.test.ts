import { isDeepStrictEqual } from 'node:util';
import pMap from 'p-map';
import { expect, test } from 'vitest';
import { optionId } from '../../src/core/model/ids.ts';
import { DESIRED, SPARE } from '../support/desired.ts';
import type { Seen } from '../support/fault-proxy.ts';
import { type Fault, PAGE, refusal } from '../support/faults.ts';
import { faultyServer } from '../support/faulty-apply.ts';
import { heldOf, yamlOf } from '../support/fleet.ts';
import { integrationsOf } from '../support/report.ts';
import { seeded } from '../support/seeded.ts';
import { seeds } from '../support/soak.ts';

/** Runs side by side in one test. */
const BATCH = 8;
const BATCHES = seeds(1, 250);

/** A failure before the service has acted, and one after it has. */
const both = (fault: object & { status: number }): Fault[] => [
  fault,
  { ...fault, acted: true },
];

/** What meets a PATCH, each kind in the forms that it may take. */
const STORM: readonly (readonly Fault[])[] = [
  ['reset', 'reset-after'],
  ['truncated', 'too-short'],
  both(PAGE),
  both({ ...PAGE, status: 403 }),
  both({ ...PAGE, status: 502 }),
  both(refusal(500)),
  both(refusal(503)),
  [refusal(422)],
  [refusal(429)],
  both({ ...PAGE, status: 429 }),
];

/** The fields of a change as PATCHes name them. */
function wireFields(name: string, address: string): string[] {
  const [, , key = '', field] = address.split('.');
  if (key === '') return [`${name}#autosubscribe`];
  const id = optionId(name, key);
  if (field === 'value') return [`${id}#value`];
  return [`${id}#admin-only`, `${id}#user-can-edit`];
}

/** Applies once while most PATCHes fail somehow. Returns the outcomes that are not true. */
async function lies(seed: number): Promise<string[]> {
  const draw = seeded(seed);
  const wanted = draw.some([...DESIRED, SPARE], 3, 6);
  const share = draw.pick([0.3, 0.6, 0.9]);
  const fault = ({ method, number }: Seen): Fault | undefined => {
    const own = seeded(seed * 10_007 + number);
    if (own.random() >= (method === 'PATCH' ? share : 0.02)) return undefined;
    return method === 'PATCH' ? own.pick(own.pick(STORM)) : 'reset';
  };
  const { exchanges, apply } = await faultyServer(yamlOf(wanted), fault, {
    passwords: draw.pick(['clear', 'masked', 'empty'] as const),
  });
  const result = await apply(['--verify', '0', '--deadline', '240']);
  const held = heldOf(exchanges);
  const found: string[] = [];
  for (const { name, changes } of integrationsOf(result)) {
    const fields = wanted.find((each) => each.name === name)?.fields;
    for (const { address, outcome } of changes) {
      const isHeld = wireFields(name, address).every((field) =>
        isDeepStrictEqual(held.get(field), fields?.get(field)),
      );
      const isDone = outcome === 'verified' || outcome === 'sent';
      const isKnown = outcome !== 'unknown';
      if (isKnown && isDone !== isHeld)
        found.push(
          `${seed}: ${address} is ${isHeld ? 'written' : 'open'}, the report says ${outcome}`,
        );
    }
  }
  return found;
}

test.each(Array.from({ length: BATCHES }, (_, batch) => batch))(
  'no outcome is untrue while most PATCHes end unclear, %i',
  async (batch) => {
    const all = Array.from({ length: BATCH }, (_, at) => batch * BATCH + at);
    const found = await pMap(all, lies, { concurrency: BATCH });
    expect(found.flat()).toEqual([]);
  },
);
