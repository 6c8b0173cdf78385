import { describe, expect, test } from 'vitest';
import { present } from '../../../src/core/model/json.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import type { LiveSide } from '../../../src/core/model/side.ts';
import { isUnsettled, judge } from '../../../src/core/plan/judge.ts';
import {
  type Change,
  type IntegrationPlan,
  NOTHING,
  type ServerPlan,
  UNINSTALLED,
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
import { readingsOf } from '../../support/planned.ts';

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
  const plan: ServerPlan = {
    name: 's',
    url: 'https://s',
    summary: SUMMARY,
    integrations: ended,
  };
  const read = integrations.flatMap(
    ({ id }): [string, LiveIntegration | string][] => {
      const live =
        typeof readBack === 'string'
          ? readBack
          : readBack.find((each) => each.id === id);
      return live === undefined ? [] : [[id, live]];
    },
  );
  const { plan: applied, diagnostics } = judge(
    plan,
    readingsOf(ended, new Map(read)),
  );
  return {
    outcomes: applied.integrations.map(({ outcome }) => outcome),
    reasons: applied.integrations.flatMap(({ changes }) =>
      changes.map(({ reason }) => reason),
    ),
    lost: applied.integrations.flatMap(({ lost = [] }) => lost),
    ofChanges: applied.integrations.map(({ changes }) =>
      changes.map(({ outcome }) => outcome),
    ),
    found: diagnostics.map(({ code, facts, place, places }) => ({
      code,
      facts,
      line: (place ?? places?.[0])?.line,
    })),
    lines: diagnostics.map(({ places }) => places?.map(({ line }) => line)),
  };
}

/** How the writing of `BOTH` ended, what is read back, and what that means. */
interface Row {
  readonly name: string;
  readonly end: WriteEnd;
  readonly read: readonly LiveIntegration[] | string;
  readonly outcome: string;
  readonly codes: readonly string[];
  readonly planned?: IntegrationPlan;
}

describe('the outcome of an integration', () => {
  const refused: WriteEnd = { kind: 'refused', detail: 'no' };
  const unclear: WriteEnd = { kind: 'unclear', detail: 'reset' };
  const [done, same, unread] = [
    [live('new', 'new')],
    [live('old', 'old')],
    'the server fell silent',
  ];
  const stopped = { ...BOTH, status: 'stopped', blocked: true };
  test.each<Row>([
    {
      name: 'refused, and not read back',
      end: refused,
      read: unread,
      outcome: 'failed',
      codes: ['apply-failed'],
    },
    {
      name: 'refused after a part, and not read back',
      end: { ...refused, accepted: BOTH.changes.slice(0, 1) },
      read: unread,
      outcome: 'unknown',
      codes: ['apply-unknown'],
    },
    {
      name: 'refused by one that does not run',
      end: refused,
      read: same,
      outcome: 'blocked',
      codes: ['apply-failed'],
      planned: stopped,
    },
    {
      name: 'unclear, and not read back',
      end: unclear,
      read: unread,
      outcome: 'unknown',
      codes: ['apply-unknown'],
    },
    {
      name: 'refused in a good answer, but there',
      end: { ...refused, mayBePart: true },
      read: done,
      outcome: 'failed',
      codes: ['apply-failed'],
    },
    {
      name: 'refused in a good answer, and not read back',
      end: { ...refused, mayBePart: true },
      read: unread,
      outcome: 'unknown',
      codes: ['apply-unknown'],
    },
    {
      name: 'refused without a reason',
      end: { ...refused, reasons: [] },
      read: same,
      outcome: 'failed',
      codes: ['apply-failed'],
    },
    {
      name: 'not permitted',
      end: { ...refused, forbidden: true },
      read: same,
      outcome: 'failed',
      codes: ['not-permitted'],
    },
  ])('$name', ({ end, read, outcome, codes, planned = BOTH }) => {
    const { outcomes, found } = judged([planned], { vt: end }, read);
    expect([outcomes, found.map(({ code }) => code)]).toEqual([
      [outcome],
      codes,
    ]);
  });
});

describe('a change that is not as planned says why', () => {
  const untouched = live('old', 'old');
  const refusedFor = (...reasons: readonly object[]): WriteEnd =>
    ({
      kind: 'refused',
      detail: 'It answered 422.',
      written: 'nothing',
      reasons,
    }) as WriteEnd;
  const [a, b] = BOTH.changes;
  test.each<{
    name: string;
    end: WriteEnd;
    read: LiveIntegration | string;
    reasons: (string | undefined)[];
  }>([
    {
      name: 'in those about its own field, if there are any',
      end: refusedFor(
        { text: 'too long', place: a?.comparison.setting.place },
        { text: 'try later' },
      ),
      read: untouched,
      reasons: ['too long; try later', 'try later'],
    },
    {
      name: 'in those about another field, if there are no others',
      end: refusedFor({ text: 'too long', place: b?.comparison.setting.place }),
      read: untouched,
      reasons: ['too long', 'too long'],
    },
    {
      name: 'by what the server holds',
      end: { kind: 'acknowledged' },
      read: live('new', 'else'),
      reasons: [undefined, 'the server holds "else"'],
    },
    {
      name: 'if its integration is not installed any more',
      end: { kind: 'stale', moved: [], detail: UNINSTALLED },
      read: untouched,
      reasons: [UNINSTALLED, UNINSTALLED],
    },
  ])('$name', ({ end, read, reasons }) => {
    const readBack = typeof read === 'string' ? read : [read];
    expect(judged([BOTH], { vt: end }, readBack).reasons).toEqual(reasons);
  });
  test('without a secret', () => {
    const secret = integration([
      changeOfField(comparedSecret('a', 'new', readable('old'))),
    ]);
    const end: WriteEnd = { kind: 'acknowledged' };
    const { reasons } = judged([secret], { vt: end }, [live('other', 'b')]);
    expect(reasons).toEqual(['the server holds a different secret']);
  });
  test('also of what its plan has lost', () => {
    const gone = changeDocument('vt', 3);
    const plan = { ...BOTH, changes: [], lost: [gone] };
    const by = 'configuration' as const;
    const lostEnd = { address: gone.address, by };
    const { lost } = judged(
      [plan],
      { vt: { kind: 'stale', moved: [lostEnd] } },
      [untouched],
    );
    expect(lost).toEqual([{ ...gone, reason: 'it moved since the plan' }]);
  });
});

describe('a refusal', () => {
  const reasons = [{ text: 'too long', place: at(7) }, { text: 'too short' }];
  const [untouched, half] = [live('old', 'old'), live('new', 'old')];
  const taken = ['vt.options.a.value'];
  test.each<{
    name: string;
    more: object;
    read: LiveIntegration;
    expected: (readonly [line: number | undefined, facts: object])[];
  }>([
    {
      name: 'is told at the line of the only change that is left',
      more: {},
      read: half,
      expected: [[2, { detail: 'no', taken }]],
    },
    {
      name: 'is told at the first line if it may be several',
      more: {},
      read: untouched,
      expected: [[1, { detail: 'no', taken: [] }]],
    },
    {
      name: 'with several reasons is told for each, at its own line',
      more: { reasons },
      read: untouched,
      expected: [
        [7, { detail: 'too long', taken: [] }],
        [1, { detail: 'too short', taken: [] }],
      ],
    },
  ])('$name', ({ more, read, expected }) => {
    const { found } = judged(
      [BOTH],
      { vt: { kind: 'refused', detail: 'no', ...more } },
      [read],
    );
    expect(found).toEqual(
      expected.map(([line, facts]) => ({
        ...{ code: 'apply-failed', line },
        facts: { integrations: ['vt'], ...facts },
      })),
    );
  });
});

describe('each change has an outcome of its own', () => {
  const masked = liveOption('b', { value: MASKED });
  const partly = liveIntegration('vt', [
    liveOption('a', { value: readable('new') }),
    masked,
  ]);
  test.each<{
    name: string;
    end: WriteEnd;
    read: LiveIntegration | string;
    outcomes: (string | undefined)[];
  }>([
    {
      name: 'unless nobody knows whether it was',
      end: { kind: 'unclear', detail: '' },
      read: partly,
      outcomes: ['verified', 'unknown'],
    },
    {
      name: 'one that an earlier request wrote, before a refusal',
      end: { kind: 'refused', detail: '', accepted: BOTH.changes.slice(1) },
      read: liveIntegration('vt', [
        liveOption('a', { value: readable('old') }),
        masked,
      ]),
      outcomes: ['failed', 'sent'],
    },
    {
      name: 'one of which errors in a good answer say nothing',
      end: { kind: 'refused', detail: '', mayBePart: true },
      read: liveIntegration('vt', [
        liveOption('a', { value: readable('old') }),
        masked,
      ]),
      outcomes: ['unknown', 'unknown'],
    },
    {
      name: 'none of which a request was not sent any more',
      end: { kind: 'unclear', detail: '', unsent: BOTH.changes.slice(1) },
      read: partly,
      outcomes: ['verified', 'failed'],
    },
    {
      name: 'nobody knows of a part if another one was written',
      end: { kind: 'unclear', detail: '' },
      read: live('new', 'old'),
      outcomes: ['verified', 'unknown'],
    },
    {
      name: 'nobody knows if somebody else wrote',
      end: { kind: 'unclear', detail: '' },
      read: live('other', 'old'),
      outcomes: ['unknown', 'unknown'],
    },
  ])('$name', ({ end, read, outcomes }) => {
    const readBack = typeof read === 'string' ? read : [read];
    expect(judged([BOTH], { vt: end }, readBack).ofChanges).toEqual([outcomes]);
  });
});

describe('what was acknowledged', () => {
  test('and is not there is told by what is there instead, at its line', () => {
    const { outcomes, found } = judged(
      [BOTH],
      { vt: { kind: 'acknowledged' } },
      [live('new', 'other')],
    );
    expect(outcomes).toEqual(['not-converged']);
    const facts = { addresses: ['vt.options.b.value'], integrations: ['vt'] };
    expect(found).toEqual([{ code: 'not-converged', facts, line: 2 }]);
  });
  test('and cannot be read back is unknown, with the reason why', () => {
    const { outcomes, found } = judged(
      [BOTH],
      { vt: { kind: 'acknowledged' } },
      'the server fell silent',
    );
    expect(outcomes).toEqual(['unknown']);
    expect(found).toEqual([
      {
        code: 'apply-unknown',
        facts: { integrations: ['vt'], detail: 'the server fell silent' },
        line: 1,
      },
    ]);
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
    const two = [
      integration([written, valueChange('b', 2)]),
      integration([written], 'x'),
    ];
    const acknowledged: WriteEnd = { kind: 'acknowledged' };
    const { outcomes, found } = judged(
      two,
      { vt: acknowledged, x: acknowledged },
      [reading(nothing), reading(nothing, 'x')],
    );
    expect(outcomes).toEqual(['sent', 'sent']);
    const addresses = ['vt.options.a.value', 'x.options.a.value'];
    expect(found).toEqual([
      {
        code: 'hides-secrets',
        facts: { addresses, integrations: ['vt', 'x'], isSent: true },
        line: 1,
      },
    ]);
  });
  test.each([nothing, MASKED])(
    'are unknown if the server refused them, and another field took: %j',
    (shown) => {
      const { outcomes, found } = judged(
        [integration([written, valueChange('b', 2)])],
        { vt: { kind: 'refused', detail: 'no' } },
        [reading(shown)],
      );
      expect(outcomes).toEqual(['unknown']);
      expect(found).toMatchObject([{ code: 'apply-unknown', line: 1 }]);
    },
  );
  test('are no permissions, and none that are not even read', () => {
    const flags = permissionChange('a', 'lock-and-hide', 'lock-and-show');
    const unread = liveIntegration('vt', [], { optionKeys: new Set(['a']) });
    const unknown = liveIntegration('vt', [
      liveOption('a', { permission: 'unknown', value: nothing }),
    ]);
    for (const [changes, live] of [
      [[flags], unknown],
      [[written], unread],
    ] as const)
      expect(
        judged([integration(changes)], { vt: { kind: 'acknowledged' } }, [
          live,
        ]),
      ).toMatchObject({
        outcomes: ['sent'],
        found: [],
      });
  });
});

test('what was not touched has no outcome, and is no finding', () => {
  expect(judged([BOTH], {}, [])).toMatchObject({
    outcomes: [undefined],
    found: [],
  });
});

test('what is stale is told at its entry', () => {
  const moved = [
    { address: 'vt.options.b.value', by: 'configuration' },
  ] as const;
  const stale = { kind: 'stale', moved } as const;
  const whole = {
    kind: 'stale',
    moved: [{ address: 'vt', by: 'configuration' }],
  } as const;
  expect(judged([BOTH], { vt: whole }, []).found).toMatchObject([
    { code: 'stale', line: undefined },
  ]);
  expect(judged([BOTH], { vt: stale }, []).found).toEqual([
    { code: 'stale', facts: { integration: 'vt', moved }, line: undefined },
  ]);
});

describe('another reading may tell more', () => {
  const open = live('new', 'old');
  test.each<{
    name: string;
    end: WriteEnd;
    read: LiveIntegration | string | undefined;
    mayTell: boolean;
  }>([
    {
      name: 'of what was accepted and is gone',
      end: { kind: 'acknowledged' },
      read: undefined,
      mayTell: true,
    },
    {
      name: 'of what may have been written and is not there',
      end: { kind: 'unclear', detail: '' },
      read: open,
      mayTell: true,
    },
    {
      name: 'of what could not be read, whatever was sent',
      end: { kind: 'refused', detail: '' },
      read: 'silence',
      mayTell: true,
    },
    {
      name: 'not of what was refused',
      end: { kind: 'refused', detail: '' },
      read: open,
      mayTell: false,
    },
  ])('$name', ({ end, read, mayTell }) => {
    const ended = { ...BOTH, end };
    const reading = typeof read === 'string' ? read : recheck(ended, read);
    expect(isUnsettled(ended, reading)).toBe(mayTell);
  });
});
