import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareServers,
  type ServerState,
} from '../../../src/core/diff/compare-servers.ts';
import { hide } from '../../../src/core/model/secret.ts';
import type { LiveSide } from '../../../src/core/model/side.ts';
import type {
  ChangeDocument,
  IntegrationDocument,
} from '../../../src/core/plan/plan-document.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';
import { documented } from '../../support/saved-plan.ts';
import { seeds } from '../../support/soak.ts';

/** What no document may hold. */
const CANARY = 'canary-secret-';

const shown = fc.oneof(
  fc.constantFrom('', 'a', 'b', '1', '1.0', 'true', '********'),
  fc.integer({ min: 0, max: 2 }),
  fc.boolean(),
  fc.subarray([
    { display: 'A', value: 'a' },
    { display: 'B', value: 'b' },
  ]),
);
const secretSide = fc
  .constantFrom('one', 'two')
  .map((text): LiveSide => ({ kind: 'secret', value: hide(CANARY + text) }));
const side: fc.Arbitrary<LiveSide> = fc.oneof(
  shown.map(readable),
  fc.constant<LiveSide>({ kind: 'unset' }),
  fc
    .constantFrom('masked', 'absent', 'empty', 'form', 'snapshot')
    .map((reason): LiveSide => ({ kind: 'hidden', reason })),
);
const permission = fc.constantFrom(
  'lock-and-hide',
  'lock-and-show',
  'user-provides',
  'invalid',
  'unknown',
);
const plain = fc.record({
  key: fc.constantFrom('host', 'limit', 'pin', 'b-c'),
  type: fc.constantFrom('text', 'number', 'boolean', 'select', undefined),
  value: side,
  permission,
});
// The same key can be plain on the other server: a secret of one is one of both.
const secret = fc.record({
  key: fc.constantFrom('pin', 'apiKey'),
  type: fc.constant('password'),
  value: fc.oneof(
    secretSide,
    fc.constant<LiveSide>({ kind: 'unset' }),
    fc.constant<LiveSide>({ kind: 'hidden', reason: 'masked' }),
  ),
  permission,
});
const integration = fc.record({
  id: fc
    .tuple(
      fc.constantFrom('vt', 'otx', 'vt_a'),
      fc.constantFrom('_node_18_1', '_node_18_2', '_3_1_0_node_20_3', ''),
    )
    .map(([base, suffix]) => base + suffix),
  name: fc.constantFrom('East', 'West', undefined),
  acronym: fc.constantFrom('E', undefined),
  autosubscribe: fc.constantFrom(true, false, undefined),
  options: fc.uniqueArray(fc.oneof(plain, secret), {
    selector: ({ key }) => key,
    maxLength: 4,
  }),
});
const server: fc.Arbitrary<ServerState> = fc
  .uniqueArray(integration, { selector: ({ id }) => id, maxLength: 5 })
  .map((integrations) => ({
    name: 'any',
    url: 'https://any.example',
    unread: new Set<string>(),
    reads: 0,
    live: integrations.map(({ id, options, ...own }) => {
      const all = options.map(({ key, ...rest }) => liveOption(key, rest));
      return liveIntegration(id, all, own);
    }),
  }));

const RUNS = { numRuns: seeds(300, 20_000) };

test('any server compared with itself has no difference', () => {
  fc.assert(
    fc.property(server, (state) => {
      const compared = compareServers({ before: state, after: state });
      const { integrations, summary } = documented(compared.plan);
      expect(compared.diagnostics).toEqual([]);
      expect(integrations.flatMap(({ changes }) => changes)).toEqual([]);
      expect(integrations).toHaveLength(state.live.length);
      const untold = integrations.flatMap(({ left }) => left);
      let fields = state.live.length;
      for (const { options } of state.live) fields += 2 * options.size;
      expect((summary.equal ?? 0) + untold.length).toBe(fields);
    }),
    RUNS,
  );
});

/** What is said of an integration, by its ids and without its name. */
function saidOf(
  { name, id, counterpart, ...said }: IntegrationDocument,
  mirrored: boolean,
) {
  const inside = (address: string) => address.slice(name.length);
  const { changes, sameSecrets = [], left, unplanned } = said;
  return {
    ids: [id, counterpart ?? ''].sort(),
    unplanned,
    same: sameSecrets.map(inside),
    untold: left.map(({ address }) => inside(address)),
    changes: changes.map((change) => {
      const own = { ...change, address: inside(change.address) };
      return mirrored ? mirror(own) : own;
    }),
  };
}

const OTHER = { before: 'after', after: 'before' } as const;

function mirror(change: ChangeDocument): ChangeDocument {
  const { before, after, onlyOn } = change;
  const sides = { ...change, before: after, after: before };
  return onlyOn === undefined ? sides : { ...sides, onlyOn: OTHER[onlyOn] };
}

test('any comparison is the mirror of its reverse, and holds no secret', () => {
  fc.assert(
    fc.property(server, server, (one, other) => {
      const there = compareServers({ before: one, after: other });
      const back = compareServers({ before: other, after: one });
      const said = (compared: typeof there, mirrored: boolean) =>
        documented(compared.plan)
          .integrations.map((each) => saidOf(each, mirrored))
          .map((each) => JSON.stringify(each))
          .sort();
      expect(said(back, true)).toEqual(said(there, false));
      expect(there.plan.summary).toEqual(back.plan.summary);
      const document = documented(there.plan);
      expect(JSON.stringify(document)).not.toContain(CANARY);
    }),
    RUNS,
  );
});
