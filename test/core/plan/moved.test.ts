import { describe, expect, test } from 'vitest';
import { diagnostic } from '../../../src/core/findings/diagnostic.ts';
import { explain } from '../../../src/core/findings/explain.ts';
import type {
  LiveIntegration,
  LiveOption,
} from '../../../src/core/model/live.ts';
import { endSince, judge } from '../../../src/core/plan/judge.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import { masker } from '../../../src/core/report/mask.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const masked = { kind: 'hidden', reason: 'masked' } as const;

/** Plans the YAML of one integration `vt`. */
function plannedFrom(yaml: string, live: LiveIntegration) {
  const desired = desiredOf(validConfig(entries(`vt: ${yaml}`)), [live]);
  const server = { name: 's', url: 'https://s' };
  const { plan } = planServer({
    server,
    desired,
    live: [live],
    reads: 1,
    writeHidden: ['all'],
  });
  expect(plan.summary.changes).toBeGreaterThan(0);
  return plan;
}

/** The fields that have moved once another integration is live, or that nothing is left to write. */
function moved(
  yaml: string,
  planned: LiveIntegration,
  later: LiveIntegration | undefined,
) {
  const plan = plannedFrom(yaml, planned);
  const left = plan.integrations.map((each) => endSince(plan, each, later))[0];
  return left?.kind === 'stale'
    ? left.moved.map(({ address }) => address.slice('vt.'.length))
    : left?.kind;
}

/** What was planned of fields and what the server holds instead, as `planned -> held`. */
function held(
  yaml: string,
  planned: LiveIntegration,
  later: LiveIntegration | undefined,
) {
  const plan = plannedFrom(yaml, planned);
  const integrations = plan.integrations.map((each) => ({
    ...each,
    end: { kind: 'acknowledged' } as const,
  }));
  const readBack = new Map(later === undefined ? [] : [['vt', later]]);
  const { diagnostics } = judge({ ...plan, integrations }, readBack);
  return diagnostics.flatMap((found) =>
    found.code === 'not-converged'
      ? found.facts.held.map((each) => `${each.planned} -> ${each.held}`)
      : [],
  );
}

const vt = (
  option: Partial<LiveOption>,
  changes: Partial<LiveIntegration> = {},
) => liveIntegration('vt', [liveOption('o', option)], changes);
const choice = (value: string) => ({ value, display: `The ${value} one` });

test('a secret whose option users see meanwhile has moved', () => {
  const [hidden, shown] = [vt({}), vt({ permission: 'lock-and-show' })];
  const yaml = (more: string) =>
    `{ options: { o: { value: k3y-of-vt, sensitive: true${more} } } }`;
  expect(moved(yaml(''), hidden, shown)).toEqual(['options.o.value']);
  // This plan hides it, and that one said that it is shown.
  expect(
    moved(yaml(', permission: lock-and-hide'), shown, shown),
  ).toBeUndefined();
  expect(moved(yaml(''), shown, shown)).toBeUndefined();
});

describe('what was planned from and what is there now', () => {
  const [a, b] = [readable('a'), readable('b')];
  const unshown = liveIntegration('vt', [], { optionKeys: new Set(['o']) });
  const gone = liveIntegration('vt', []);
  test.each<
    [
      string,
      string,
      LiveIntegration,
      LiveIntegration | undefined,
      string,
      string[],
    ]
  >([
    [
      'a text',
      'x',
      vt({ value: a }),
      vt({ value: b }),
      'moved',
      ['"x" -> "b"'],
    ],
    ['emptied', 'x', vt({ value: a }), vt({}), 'moved', ['"x" -> nothing']],
    [
      'already as desired',
      'x',
      vt({ value: a }),
      vt({ value: readable('x') }),
      'done',
      [],
    ],
    [
      'at rest',
      'x',
      vt({ value: a }),
      vt({ value: a }),
      'unmoved',
      ['"x" -> "a"'],
    ],
    [
      'a select',
      'x',
      vt({ type: 'select', value: readable(choice('a')) }),
      vt({ type: 'select', value: readable(choice('b')) }),
      'moved',
      ['x -> b'],
    ],
    [
      'a select whose display alone is another',
      'x',
      vt({ type: 'select', value: readable(choice('a')) }),
      vt({
        type: 'select',
        value: readable({ value: 'a', display: 'Renamed' }),
      }),
      'unmoved',
      ['x -> a'],
    ],
    [
      'an integration that is gone',
      'x',
      vt({ value: a }),
      undefined,
      'moved',
      ['"x" -> gone'],
    ],
    [
      'an option that is gone',
      'x',
      vt({ value: a }),
      gone,
      'moved',
      ['"x" -> gone'],
    ],
    [
      'a value that is no longer shown',
      'x',
      vt({ value: a }),
      unshown,
      'moved',
      [],
    ],
  ])('%s', (_, written, planned, later, state, texts) => {
    const yaml = `{ options: { o: ${written} } }`;
    const left = {
      moved: ['options.o.value'],
      done: 'done',
      unmoved: undefined,
    };
    expect(left).toHaveProperty(state, moved(yaml, planned, later));
    expect(held(yaml, planned, later)).toEqual(texts);
  });
  test('of long values the part that differs, and no part of a secret', () => {
    const long = 'abcdefghij'.repeat(50);
    const both = [
      { address: 'vt.o', planned: `${long}1`, held: `${long}hunter2-secret` },
    ];
    const found = diagnostic('not-converged', {
      integration: 'vt',
      held: both,
    });
    const { message } = explain(masker(['hunter2-secret']).data(found));
    expect(message.length).toBeLessThan(300);
    expect(message).toContain('hij1');
    expect(message).toContain('hij(secret)');
    expect(message).not.toContain('hunter');
  });
  test('a permission that is not shown has not moved while it still is not', () => {
    const yaml = '{ options: { o: { permission: lock-and-show } } }';
    const unknown = vt({ permission: 'unknown' });
    expect(moved(yaml, unknown, unknown)).toBeUndefined();
    expect(moved(yaml, unknown, vt({}))).toEqual(['options.o.permission']);
    expect(moved(yaml, vt({}), unknown)).toEqual(['options.o.permission']);
  });
  test('a permission, and whether all are subscribed', () => {
    const yaml =
      '{ autosubscribe: true, options: { o: { permission: lock-and-show } } }';
    const later = vt({ permission: 'user-provides' }, { autosubscribe: true });
    expect(moved(yaml, vt({}), later)).toEqual([
      'options.o.permission',
      'autosubscribe',
    ]);
    expect(held(yaml, vt({}), later)).toEqual([
      'lock-and-show -> user-provides',
    ]);
  });
});

describe('a secret is never told', () => {
  const secret = (value: LiveOption['value']) => vt({ value });
  test.each<
    [string, LiveOption['value'], LiveOption['value'], string, string[]]
  >([
    [
      'another one',
      readable('old-key'),
      readable('by-hand-key'),
      'moved',
      ['a different secret'],
    ],
    ['the desired one', readable('old-key'), readable('n3w'), 'done', []],
    [
      'the first one',
      readable(''),
      readable('by-hand-key'),
      'moved',
      ['a secret'],
    ],
    ['taken away', readable('old-key'), { kind: 'unset' }, 'moved', []],
    ['hidden since', readable('old-key'), masked, 'moved', []],
    ['shown since', masked, readable('by-hand-key'), 'moved', ['a secret']],
    ['shown since, and as desired', masked, readable('n3w'), 'done', []],
    ['masked all the time', masked, masked, 'unmoved', []],
    [
      'masked all the time, as a text',
      masked,
      readable('********'),
      'unmoved',
      [],
    ],
    [
      'one that looks like a mask, at rest',
      readable('a***b'),
      readable('a***b'),
      'unmoved',
      [],
    ],
  ])('%s', (_, before, now, state, texts) => {
    const yaml = '{ options: { o: { value: n3w, sensitive: true } } }';
    const left = {
      moved: ['options.o.value'],
      done: 'done',
      unmoved: undefined,
    };
    expect(left).toHaveProperty(
      state,
      moved(yaml, secret(before), secret(now)),
    );
    expect(held(yaml, secret(before), secret(now))).toEqual(
      texts.map((text) => `a secret -> ${text}`),
    );
  });
});
