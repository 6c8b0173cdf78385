import { describe, expect, test } from 'vitest';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import type { LiveSide } from '../../../src/core/model/side.ts';
import type { PlanInput } from '../../../src/core/plan/plan-server.ts';
import { serverOf } from '../../support/documents.ts';
import {
  liveIntegration,
  liveOption,
  MASKED,
  readable,
} from '../../support/live.ts';
import { plannedFor, SERVER } from '../../support/planned.ts';

/** The plan of entries, and its findings. */
function planned(
  yaml: string,
  live: readonly LiveIntegration[],
  own: Partial<PlanInput> = {},
) {
  const { plan, diagnostics } = plannedFor(yaml, live, own);
  return { plan, found: diagnostics.map(({ code, facts }) => [code, facts]) };
}

describe('what a plan notes', () => {
  const secret = (key: string, value: LiveSide) =>
    liveOption(key, { type: 'text', value });
  const yaml =
    'vt: { options: { a: { value: x, sensitive: true }, b: { value: y, sensitive: true }, c: z } }';
  const vt = (a: LiveSide, b: LiveSide) => [
    liveIntegration('vt', [secret('a', a), secret('b', b), liveOption('c')]),
  ];
  const empty = { kind: 'unset' } as const;
  test.each<{ name: string; a: LiveSide; b: LiveSide; isNoted: boolean }>([
    {
      name: 'all secrets that read as empty',
      a: empty,
      b: empty,
      isNoted: true,
    },
    {
      name: 'nothing if one is shown',
      a: empty,
      b: readable('old'),
      isNoted: false,
    },
    { name: 'nothing if one is masked', a: empty, b: MASKED, isNoted: false },
  ])('$name', ({ a, b, isNoted }) => {
    const addresses = ['vt.options.a.value', 'vt.options.b.value'];
    const facts = { addresses, integrations: ['vt'], isSent: false };
    expect(planned(yaml, vt(a, b)).found).toEqual(
      isNoted ? [['hides-secrets', facts]] : [],
    );
  });
  test('nothing of a part of the secrets', () => {
    const own = { server: { ...SERVER, only: 'vt' } };
    expect(planned(yaml, vt(empty, empty), own).found).toEqual([]);
  });
  test('integrations that do not run and are to change, and what was not reviewed', () => {
    const live = ['a', 'b', 'c'].map((id) =>
      liveIntegration(
        id,
        [liveOption('o', { value: readable(id === 'c' ? 'new' : 'old') })],
        {
          status: id === 'a' ? 'running' : 'stopped',
        },
      ),
    );
    const all =
      'a: { options: { o: new } }\nb: { options: { o: new } }\nc: { options: { o: new } }';
    const { plan, found } = planned(all, live);
    expect(found).toEqual([
      [
        'not-running',
        { stopped: [{ id: 'b', status: 'stopped' }], integrations: ['b'] },
      ],
    ]);
    expect(plan.integrations.map(({ blocked }) => blocked)).toEqual([
      false,
      true,
      false,
    ]);
    const base = { ref: 'main', commit: 'c'.repeat(40) };
    const reviewed = planned(all, live, {
      reviewed: { ...serverOf('s', []), base },
    });
    expect(reviewed.found).toEqual([['not-reviewed', { differences: 2 }]]);
    expect(reviewed.plan.base).toEqual(base);
  });
});
