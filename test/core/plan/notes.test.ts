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
  test('all secrets that read as empty, and nothing if one is shown or masked', () => {
    const addresses = ['vt.options.a.value', 'vt.options.b.value'];
    const facts = { addresses, integrations: ['vt'], isSent: false };
    const noted = [['hides-secrets', facts]];
    expect(planned(yaml, vt(empty, empty)).found).toEqual(noted);
    expect(planned(yaml, vt(empty, readable('old'))).found).toEqual([]);
    expect(planned(yaml, vt(empty, MASKED)).found).toEqual([]);
  });
  test('nothing of a part of the secrets', () => {
    const own = { server: { ...SERVER, only: 'vt' } };
    expect(planned(yaml, vt(empty, empty), own).found).toEqual([]);
  });
  test('integrations that do not run and are to change, and what was not reviewed', () => {
    const integration = (id: string, value: string, status = 'stopped') => {
      const option = liveOption('o', { value: readable(value) });
      return liveIntegration(id, [option], { status });
    };
    const live = [
      integration('a', 'old', 'running'),
      integration('b', 'old'),
      integration('c', 'new'),
    ];
    // What is not compared is no difference that was not reviewed.
    const asked = Object.entries({ a: 'new', b: 'new', c: '"${env:C}"' });
    const all = asked.map(([id, o]) => `${id}: { options: { o: ${o} } }`);
    const { plan, found } = planned(all.join('\n'), live);
    const stopped = [{ id: 'b', status: 'stopped' }];
    expect(found).toEqual([['not-running', { stopped, integrations: ['b'] }]]);
    const blocked = plan.integrations.map((each) => each.blocked);
    expect(blocked).toEqual([false, true, false]);
    const base = { ref: 'main', commit: 'c'.repeat(40) };
    const own = { reviewed: { ...serverOf('s', []), base } };
    const reviewed = planned(all.join('\n'), live, own);
    expect(reviewed.found).toEqual([['not-reviewed', { differences: 2 }]]);
    expect(reviewed.plan.base).toEqual(base);
  });
});
