import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import type { Planned } from '../../../src/core/plan/plan.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import { encoderFor } from '../../../src/core/plan/requests.ts';
import { bytesOf } from '../../support/bytes.ts';
import { file, matchedWith, merged } from '../../support/config.ts';
import { isUnambiguous, pair, yamlOf } from '../../support/random-pair.ts';
import { seeds } from '../../support/soak.ts';
import {
  decoded,
  page,
  patched,
  type WireIntegration,
} from '../../support/wire.ts';

/** Pairs of live and desired that the properties are tried on. */
const PAIRS = seeds(60, 10_000);

function planOf(
  files: readonly string[],
  live: readonly LiveIntegration[],
): Planned {
  const sources = files.map((text, index) =>
    file(text, `${text.length}-${index}.yaml`),
  );
  const { integrations: desired } = matchedWith(merged([sources]).value, live);
  const server = { name: 'test', url: 'http://127.0.0.1' };
  return planServer({ server, desired, live, reads: 1 });
}

/** The names of what is elsewhere in other files. */
const PLACES: ReadonlySet<string> = new Set(['place', 'keyPlace', 'members']);

/** The plan as bytes, without the places: other files have other lines. */
function bytes({ plan }: Planned): string {
  return bytesOf(plan, (name) => PLACES.has(name));
}

test(`a plan that was applied leaves nothing to plan, in ${PAIRS} random pairs; order changes no byte`, () => {
  const seen = { changes: 0 };
  fc.assert(
    fc.property(pair.filter(isUnambiguous), (live) => {
      const wire: WireIntegration[] = live;
      const files = live.map((each) => yamlOf(each, false));
      const planned = planOf(files, decoded(page(wire)));
      seen.changes += planned.plan.summary.changes;

      const requests = planned.plan.integrations.flatMap(encoderFor([]));
      expect(requests.length).toBe(planned.plan.summary.writes);
      const after = requests.reduce(patched, wire);
      expect(planOf(files, decoded(page(after))).plan.summary.changes).toBe(0);

      const unmanaged = after.map(({ options }, index) =>
        options.filter(
          (_, each) => live[index]?.options[each]?.desired === undefined,
        ),
      );
      expect(unmanaged).toEqual(
        live.map(({ options }) =>
          options.filter(({ desired }) => desired === undefined),
        ),
      );

      const turned = [...live].reverse();
      const pages = turned.map((each) =>
        page([{ ...each, options: [...each.options].reverse() }], live.length),
      );
      const shuffled = planOf(
        turned.map((each) => yamlOf(each, true)),
        decoded(...pages),
      );
      expect(bytes(shuffled)).toBe(bytes(planned));
    }),
    { numRuns: PAIRS },
  );
  expect(seen.changes).toBeGreaterThan(PAIRS / 2);
});
