import { describe, expect, test } from 'vitest';
import { present } from '../../../src/core/model/json.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import type { LiveSide } from '../../../src/core/model/side.ts';
import { isUnsettled, judge } from '../../../src/core/plan/judge.ts';
import { UNINSTALLED } from '../../../src/core/plan/outcome.ts';
import {
  type Change,
  type IntegrationPlan,
  isOpen,
  NOTHING,
  type WriteEnd,
} from '../../../src/core/plan/plan.ts';
import { recheck } from '../../../src/core/plan/recheck.ts';
import {
  at,
  changeOfField,
  comparedSecret,
  permissionChange,
  settingsFor,
  valueChange,
} from '../../support/changes.ts';
import { changeOf as changeDocument } from '../../support/documents.ts';
import {
  liveIntegration,
  liveOption,
  MASKED,
  readable,
} from '../../support/live.ts';
import { SUMMARY } from '../../support/plan-summary.ts';
import { readingsOf, SERVER } from '../../support/planned.ts';

const integration = (
  changes: readonly Change[],
  id = 'vt',
): IntegrationPlan => ({
  name: id,
  id,
  status: 'running',
  ...NOTHING,
  settings: settingsFor(changes),
  changes: changes.map(({ comparison, ...others }) => {
    const subject = { ...comparison.subject, integration: id };
    return { ...others, comparison: { ...comparison, subject } };
  }),
});

const BOTH = integration([valueChange('a', 1), valueChange('b', 2)]);

test('what was sent and not read back is kept, and unknown', () => {
  const sent = { ...BOTH, end: { kind: 'acknowledged' } as const };
  const { plan } = judge(
    { ...SERVER, summary: SUMMARY, integrations: [sent] },
    new Map(),
  );
  const [judged] = plan.integrations;
  const unread = { outcome: 'unknown', reason: 'it was not read back' };
  expect(judged?.changes).toMatchObject([unread, unread]);
});

const live = (a: string, b: string, id = 'vt'): LiveIntegration =>
  liveIntegration(id, [
    liveOption('a', { value: readable(a) }),
    liveOption('b', { value: readable(b) }),
  ]);

/** Judges integrations by how the writing of each ended and what is read back. */
function judged(
  integrations: readonly IntegrationPlan[],
  written: Readonly<Record<string, WriteEnd>>,
  readBack: readonly LiveIntegration[] | string,
) {
  const ended = integrations.map((each) => ({
    ...each,
    ...present({ end: written[each.id] }),
  }));
  const read = new Map<string, LiveIntegration | string>();
  for (const { id } of integrations) {
    const isUnread = typeof readBack === 'string';
    const live = isUnread ? readBack : readBack.find((each) => each.id === id);
    if (live !== undefined) read.set(id, live);
  }
  const plan = { ...SERVER, summary: SUMMARY, integrations: ended };
  const applied = judge(plan, readingsOf(ended, read));
  const after = applied.plan.integrations;
  const changes = after.flatMap((each) => each.changes);
  return {
    outcomes: after.map((each) => each.outcome),
    reasons: changes.map(({ reason }) => reason),
    lost: after.flatMap(({ lost = [] }) => lost),
    ofChanges: changes.map((change) => change.outcome),
    found: applied.diagnostics.map(({ code, facts, place, places }) => {
      return { code, facts, line: (place ?? places?.[0])?.line };
    }),
  };
}

const [A, B] = BOTH.changes as readonly [Change, Change];
const refused = { kind: 'refused', detail: 'no' } as const;
const unclear = { kind: 'unclear', detail: 'reset' } as const;
const accepted = { kind: 'acknowledged' } as const;
const UNREAD = 'the server fell silent';
const [DONE, HALF, SAME] = [
  [live('new', 'new')],
  [live('new', 'old')],
  [live('old', 'old')],
];

/** The outcome of `BOTH`, or of what was planned in its place, and the code of what is found. */
function outcome(
  end: WriteEnd,
  read: readonly LiveIntegration[] | string,
  planned = BOTH,
): unknown[] {
  const { outcomes, found } = judged([planned], { vt: end }, read);
  return [...outcomes, ...found.map(({ code }) => code)];
}

describe('the outcome of an integration', () => {
  const failed = ['failed', 'apply-failed'];
  const unknown = ['unknown', 'apply-unknown'];
  test('that was refused is failed, unless nobody knows of a part', () => {
    expect(outcome(refused, UNREAD)).toEqual(failed);
    expect(outcome({ ...refused, reasons: [] }, SAME)).toEqual(failed);
    expect(outcome({ ...refused, accepted: [A] }, UNREAD)).toEqual(unknown);
  });
  test('that was refused in a good answer is failed though it is there', () => {
    const inAnswer = { ...refused, mayBePart: true };
    expect(outcome(inAnswer, DONE)).toEqual(failed);
    expect(judged([BOTH], { vt: inAnswer }, DONE).found[0]?.line).toBe(1);
    expect(outcome(inAnswer, UNREAD)).toEqual(unknown);
  });
  test('that does not run is blocked; one without a right is told so', () => {
    const stopped = { ...BOTH, status: 'stopped', blocked: true };
    expect(outcome(refused, SAME, stopped)).toEqual(['blocked', failed[1]]);
    const forbidden = { ...refused, forbidden: true };
    expect(outcome(forbidden, SAME)).toEqual(['failed', 'not-permitted']);
    expect(outcome(forbidden, HALF)).toEqual(failed);
    expect(outcome(unclear, SAME, stopped)).toEqual(failed);
    const [told] = judged([BOTH], { vt: forbidden }, SAME).found;
    expect(told?.facts).toMatchObject({ request: 'PATCH', detail: '' });
  });
  test('of which nothing was sent is not attempted, or as it should be', () => {
    const end = { kind: 'not-attempted', detail: 'v1.2 ended.' } as const;
    const placed = { ...BOTH, place: at(9) };
    const { outcomes, reasons, found } = judged([placed], { vt: end }, SAME);
    expect([...outcomes, ...reasons]).toEqual([
      end.kind,
      'v1.2 ended',
      'v1.2 ended',
    ]);
    const facts = { integrations: ['vt'] };
    expect(found).toMatchObject([{ code: end.kind, facts, line: 9 }]);
    expect(outcome({ kind: 'done' }, SAME)).toEqual(['verified']);
  });
  test('is open as long as it has changes without an end', () => {
    const others = [
      { ...BOTH, changes: [] },
      { ...BOTH, end: accepted },
    ];
    expect([BOTH, ...others].map(isOpen)).toEqual([true, false, false]);
  });
  test('is unknown if its end is unclear, and it is not read', () => {
    expect(outcome(unclear, UNREAD)).toEqual(unknown);
  });
});

describe('a change that is not as planned says why', () => {
  const reasonsOf = (end: WriteEnd, read = SAME) =>
    judged([BOTH], { vt: end }, read).reasons;
  const about = (change: Change) => ({
    ...{ text: 'too long', place: change.comparison.setting.place },
  });
  test('in reasons about its own field, else about none, else about others', () => {
    const later = { text: 'try later', place: undefined };
    expect(reasonsOf({ ...refused, reasons: [about(A), later] })).toEqual([
      'too long; try later',
      'try later',
    ]);
    const ofB = { ...refused, reasons: [about(B)] };
    expect(reasonsOf(ofB)).toEqual(['too long', 'too long']);
  });
  test('by what the server holds, without a secret', () => {
    const other = [live('new', 'else')];
    expect(reasonsOf(accepted, other)).toEqual([
      undefined,
      'the server holds "else"',
    ]);
    const [, nothing] = reasonsOf(accepted, [live('new', '')]);
    expect(nothing).toBe('the server holds nothing');
    const [none] = reasonsOf(accepted, [liveIntegration('vt')]);
    expect(none).toBe('the server has it no more');
    const secret = changeOfField(comparedSecret('a', 'new', readable('old')));
    const read = [live('other', 'b')];
    const { reasons } = judged([integration([secret])], { vt: accepted }, read);
    expect(reasons).toEqual(['the server holds a different secret']);
  });
  test('if its integration is gone, and also of what its plan has lost', () => {
    const gone = { kind: 'stale', moved: [], detail: UNINSTALLED } as const;
    expect(reasonsOf(gone)).toEqual([UNINSTALLED, UNINSTALLED]);
    const change = changeDocument('vt', 3);
    const moved = [{ address: change.address, by: 'configuration' }] as const;
    const plan = { ...BOTH, changes: [], lost: [change] };
    const { lost } = judged([plan], { vt: { kind: 'stale', moved } }, SAME);
    const reason = 'it moved since the plan';
    expect(lost).toEqual([{ ...change, reason }]);
  });
});

describe('a refusal', () => {
  const told = (read: readonly LiveIntegration[], reasons?: object[]) => {
    const end = { ...refused, reasons } as WriteEnd;
    const { found } = judged([BOTH], { vt: end }, read);
    return found.map(({ line, facts }) => [line, facts]);
  };
  const facts = { integrations: ['vt'], detail: 'no', taken: [] };
  test('is told at the line of the only change that is left, else at the first', () => {
    const taken = ['vt.options.a.value'];
    expect(told(HALF)).toEqual([[2, { ...facts, taken }]]);
    expect(told(SAME)).toEqual([[1, facts]]);
  });
  test('with several reasons is told for each, at its own line', () => {
    const reasons = [{ text: 'too long', place: at(7) }, { text: 'too short' }];
    expect(told(SAME, reasons)).toEqual([
      [7, { ...facts, detail: 'too long' }],
      [1, { ...facts, detail: 'too short' }],
    ]);
  });
});

describe('each change has an outcome of its own', () => {
  const masked = (a: string) => [
    liveIntegration('vt', [
      liveOption('a', { value: readable(a) }),
      liveOption('b', { value: MASKED }),
    ]),
  ];
  const outcomes = (end: WriteEnd, read: readonly LiveIntegration[]) =>
    judged([BOTH], { vt: end }, read).ofChanges;
  test('of an unclear end it is unknown if any other wrote, or if it was', () => {
    expect(outcomes(unclear, masked('new'))).toEqual(['verified', 'unknown']);
    expect(outcomes(unclear, HALF)).toEqual(['verified', 'unknown']);
    const other = [live('other', 'old')];
    expect(outcomes(unclear, other)).toEqual(['unknown', 'unknown']);
    const unsent = { ...unclear, unsent: [B] };
    expect(outcomes(unsent, masked('new'))).toEqual(['verified', 'failed']);
  });
  test('of a refusal it is failed, unless an earlier request wrote it or the answer was good', () => {
    const later = { ...refused, accepted: [B] };
    expect(outcomes(later, masked('old'))).toEqual(['failed', 'sent']);
    expect(outcomes(later, masked('new'))).toEqual(['verified', 'sent']);
    const inAnswer = { ...refused, mayBePart: true };
    expect(outcomes(inAnswer, masked('old'))).toEqual(['unknown', 'unknown']);
  });
});

describe('what was acknowledged', () => {
  const foundAfter = (read: readonly LiveIntegration[] | string) =>
    judged([BOTH], { vt: accepted }, read);
  const integrations = ['vt'];
  test('and is not there is told by what is there instead, at its line', () => {
    const { outcomes, found } = foundAfter([live('new', 'other')]);
    expect(outcomes).toEqual(['not-converged']);
    const facts = { addresses: ['vt.options.b.value'], integrations };
    expect(found).toEqual([{ code: 'not-converged', facts, line: 2 }]);
  });
  test('and cannot be read back is unknown, with the reason why', () => {
    const { outcomes, found } = foundAfter(UNREAD);
    expect(outcomes).toEqual(['unknown']);
    const facts = { integrations, detail: UNREAD };
    expect(found).toEqual([{ code: 'apply-unknown', facts, line: 1 }]);
  });
});

describe('secrets that the server took and that read back empty', () => {
  const nothing: LiveSide = { kind: 'unset' };
  const written = changeOfField(comparedSecret('a', 'n3w', nothing));
  const reading = (value: LiveSide, id = 'vt') =>
    liveIntegration(id, [
      liveOption('a', { value }),
      liveOption('b', { value: readable('new') }),
    ]);
  test('are sent, and one finding for all integrations', () => {
    const integrations = ['vt', 'x'];
    const { outcomes, found } = judged(
      [
        integration([written, valueChange('b', 2)]),
        integration([written], 'x'),
      ],
      { vt: accepted, x: accepted },
      [reading(nothing), reading(nothing, 'x')],
    );
    expect(outcomes).toEqual(['sent', 'sent']);
    const addresses = ['vt.options.a.value', 'x.options.a.value'];
    const facts = { addresses, integrations, isSent: true };
    expect(found).toEqual([{ code: 'hides-secrets', facts, line: 1 }]);
  });
  test.each([nothing, MASKED])(
    'are unknown if the server refused them, and another field took: %j',
    (shown) => {
      const both = integration([written, valueChange('b', 2)]);
      const found = outcome(refused, [reading(shown)], both);
      expect(found).toEqual(['unknown', 'apply-unknown']);
    },
  );
  test('are no permissions, and none that are not even read', () => {
    const flags = permissionChange('a', 'lock-and-hide', 'lock-and-show');
    const unread = liveIntegration('vt', [], { optionKeys: new Set(['a']) });
    const unknown = liveIntegration('vt', [
      liveOption('a', { permission: 'unknown', value: nothing }),
    ]);
    const flagsAlone = integration([flags]);
    expect(outcome(accepted, [unknown], flagsAlone)).toEqual(['sent']);
    expect(outcome(accepted, [unread], integration([written]))).toEqual([
      'sent',
    ]);
  });
});

test('what was not touched has no outcome, and is no finding', () => {
  const { outcomes, found } = judged([BOTH], {}, []);
  expect([outcomes, found]).toEqual([[undefined], []]);
});

test('what is stale is told at its entry', () => {
  for (const address of ['vt', 'vt.options.b.value']) {
    const moved = [{ address, by: 'configuration' }] as const;
    const { found } = judged([BOTH], { vt: { kind: 'stale', moved } }, []);
    const facts = { integration: 'vt', moved };
    expect(found).toEqual([{ code: 'stale', facts, line: undefined }]);
  }
});

test('another reading may tell more of what was not read, and of what may be written and is not there', () => {
  const mayTell = (end: WriteEnd, read: LiveIntegration | undefined) => {
    const ended = { ...BOTH, end };
    return isUnsettled(ended, recheck(ended, read));
  };
  const [half] = HALF;
  expect(mayTell(accepted, undefined)).toBe(true);
  expect(mayTell(unclear, half)).toBe(true);
  expect(mayTell(refused, half)).toBe(false);
  const ended = { ...BOTH, end: refused };
  expect(isUnsettled(ended, UNREAD)).toBe(true);
  expect(isUnsettled(ended, undefined)).toBe(true);
  expect(isUnsettled(BOTH, [])).toBe(false);
});
