import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type DesiredIntegration,
  fieldsOf,
} from '../../../src/core/model/desired.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { addressOf } from '../../../src/core/model/subject.ts';
import type { Comparison } from '../../../src/core/plan/compare.ts';
import { leftBecause } from '../../../src/core/plan/plan.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import {
  decodeSnapshot,
  type Snapshot,
  takeSnapshot,
} from '../../../src/core/snapshot/snapshot.ts';
import { file, matchedWith, merged } from '../../support/config.ts';
import { isUnambiguous, pair, yamlOf } from '../../support/random-pair.ts';
import { seeds } from '../../support/soak.ts';
import { decoded, page } from '../../support/wire.ts';

const RUNS = seeds(100, 10_000);

/** What a configuration asks of these integrations. */
function desiredOf(
  files: readonly string[],
  live: readonly LiveIntegration[],
): readonly DesiredIntegration[] {
  const sources = files.map((text, index) => file(text, `${index}.yaml`));
  return matchedWith(merged([sources]).value, live).integrations;
}

/** The managed fields by their addresses: how each stands; a change in clear text as it is. */
function statesOf(
  desired: readonly DesiredIntegration[],
  live: readonly LiveIntegration[],
): ReadonlyMap<string, unknown> {
  const server = { name: 'test', url: 'https://server.example' };
  const { plan, diagnostics } = planServer({ server, desired, live, reads: 1 });
  // An integration with a secret in clear text is left out, whatever is live.
  const refused = new Set(
    diagnostics.flatMap((each) =>
      each.code === 'plain-secret'
        ? each.facts.address.split('.options.')[0]
        : [],
    ),
  );
  const states = new Map<string, unknown>();
  for (const { name, settings } of desired) {
    const state = refused.has(name) ? 'refused' : 'held';
    for (const { subject } of fieldsOf(name, settings)) {
      states.set(addressOf(subject), state);
    }
  }
  for (const integration of plan.integrations) {
    for (const { comparison, label } of integration.changes) {
      const isSecret = comparison.after.kind === 'secret';
      const change = { ...unmarked(comparison), label };
      states.set(addressOf(comparison.subject), isSecret ? 'change' : change);
    }
    for (const { subject, before } of leftBecause(integration, 'hidden')) {
      const reason = before.kind === 'hidden' ? before.reason : before.kind;
      states.set(addressOf(subject), `cannot tell: ${reason}`);
    }
  }
  return states;
}

/** A comparison without its secrecy: a snapshot keeps out what is likely a secret. */
function unmarked({ isSecret: _, ...others }: Comparison): object {
  return others;
}

/** The addresses of values that a snapshot keeps out. */
function keptIn({ integrations }: Snapshot): Set<string> {
  return new Set(
    integrations.flatMap(({ id, options }) =>
      options.flatMap(({ key, secret }) =>
        secret === true
          ? [addressOf({ kind: 'value', integration: id, option: key })]
          : [],
      ),
    ),
  );
}

test(`a plan against a snapshot is that against the server but for what is kept out, in ${RUNS} random pairs`, () => {
  const seen = { same: 0, hidden: 0 };
  fc.assert(
    fc.property(pair.filter(isUnambiguous), (all) => {
      const live = decoded(page(all));
      const desired = desiredOf(
        all.map((each) => yamlOf(each, false)),
        live,
      );
      const server = { name: 'test', url: 'https://server.example' };
      const takenAt = '2026-11-20T03:00:00Z';
      const taking = { server, takenAt, live };
      const taken = takeSnapshot(taking, desired);
      const text = JSON.stringify(taken, null, 2);
      expect(
        JSON.stringify(
          takeSnapshot({ ...taking, live: [...live].reverse() }, desired),
          null,
          2,
        ),
      ).toBe(text);

      const snapshot = decodeSnapshot(text);
      if ('problem' in snapshot) throw new Error(snapshot.problem);
      const before = statesOf(desired, live);
      const after = statesOf(desired, snapshot.live);
      expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
      const hidden = keptIn(taken);
      for (const [address, state] of after) {
        const isHidden = hidden.has(address);
        const was = before.get(address);
        const expected = /^cannot tell/.test(String(was))
          ? 'cannot tell: absent'
          : was;
        expect([address, state]).toEqual([
          address,
          isHidden && was !== 'refused' ? 'cannot tell: snapshot' : expected,
        ]);
        seen[isHidden ? 'hidden' : 'same'] += 1;
      }
    }),
    { numRuns: RUNS },
  );
  expect(Math.min(seen.same, seen.hidden)).toBeGreaterThan(RUNS / 10);
});
