import { describe, expect, test } from 'vitest';
import {
  type ResolvedConfig,
  resolveConfig,
} from '../../../src/core/config/resolve.ts';
import { diffConfigs } from '../../../src/core/diff/config-diff.ts';
import { matchEntries } from '../../../src/core/match/match.ts';
import { hide } from '../../../src/core/model/secret.ts';
import type { ServerPlan } from '../../../src/core/plan/plan.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import { entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';
import { SERVER } from '../../support/planned.ts';

const TABLE = new Map([['env:SETPOINT_O', { text: hide('from outside') }]]);

interface Side {
  readonly mark: boolean | undefined;
  readonly value: 'none' | 'literal' | 'reference';
  readonly permission?: string;
}

const SIDES = [undefined, true, false].flatMap((mark) =>
  (['none', 'literal', 'reference'] as const).map(
    (value): Side => ({ mark, value }),
  ),
);

const VALUES = {
  none: '',
  literal: 'value: in the file, ',
  reference: 'value: "${env:SETPOINT_O}", ',
};

const yaml = ({ mark, value, permission = 'lock-and-hide' }: Side) =>
  validConfig(
    entries(
      `vt: { options: { o: { ${VALUES[value]}${mark === undefined ? '' : `sensitive: ${mark}, `}permission: ${permission} } } }`,
    ),
  );

const LIVE = [
  liveIntegration('vt', [
    liveOption('o', { value: readable('on the server') }),
  ]),
];

/** The plan of a branch since its base, and beside the tip of the ref if that is another commit. */
function planned(head: Side, base: Side, atTip?: Side): ServerPlan {
  const matched = (config: ResolvedConfig) =>
    matchEntries(config, LIVE).integrations;
  const before = matched(resolveConfig(yaml(base)));
  const desired = matched(resolveConfig(yaml(head), TABLE, new Map()));
  const tip = atTip && matched(resolveConfig(yaml(atTip)));
  const revision = { ref: 'main', commit: 'c0ffee' };
  const branch = { revision, before, tip };
  const input = { server: SERVER, desired, live: LIVE, reads: 1, branch };
  return planServer(input).plan;
}

/** Whether the value is hidden, if it changes, and the risks of all changes. */
function found(plan: ServerPlan) {
  const changes = plan.integrations.flatMap((each) => each.changes);
  const value = changes.find(
    ({ comparison }) => comparison.subject.kind === 'value',
  )?.comparison;
  return {
    isHidden: value && value.after.kind === 'secret',
    risks: changes.flatMap(({ risks }) => risks),
  };
}

/** Whether a revision by itself makes the option a secret. */
const isSecretIn = ({ mark, value }: Side) =>
  mark === true || (mark !== false && value === 'reference');

describe('what was a secret at the base', () => {
  const pairs = SIDES.flatMap((base) =>
    SIDES.flatMap((side) =>
      ['lock-and-hide', 'lock-and-show'].map((permission) => ({
        base,
        head: { ...side, permission },
      })),
    ),
  );
  test.each(pairs)(
    'is one in the plan and in the diff: %j',
    ({ base, head }) => {
      const { isHidden, risks } = found(planned(head, base));
      // Only the base can say that it is none.
      const isProven = head.mark !== false || base.mark === false;
      const isSecret =
        isSecretIn(base) ||
        isSecretIn(isProven ? head : { ...head, mark: undefined });
      expect(isHidden).toBe(head.value === 'none' ? undefined : isSecret);
      const isExposed = head.permission === 'lock-and-show' && isSecret;
      expect(risks.includes('exposes-secret')).toBe(isExposed);
      const [before = [], after = []] = [base, head].map((side) =>
        resolveConfig(yaml(side)),
      );
      const shown = diffConfigs({ before, after }).flatMap(
        (entry) => entry.shown ?? [],
      );
      const ofDiff = shown.flatMap((change) => change.risks ?? []);
      expect(ofDiff.includes('exposes-secret')).toBe(isExposed);
    },
  );
});

test.each([
  { name: 'is marked', tip: { mark: true, value: 'literal' } },
  { name: 'refers', tip: { mark: undefined, value: 'reference' } },
] as const)(
  'what is a secret at the tip of the ref, as it $name, is one on an older branch',
  ({ tip }) => {
    const plain: Side = { mark: undefined, value: 'literal' };
    const head: Side = { ...plain, permission: 'lock-and-show' };
    expect(found(planned(head, plain, plain)).risks).toEqual([]);
    const { isHidden, risks } = found(planned(head, plain, tip));
    expect([isHidden, risks]).toEqual([true, ['exposes-secret']]);
  },
);

test('a branch calls no secret public that the tip of the ref does not', () => {
  const secret: Side = { mark: undefined, value: 'reference' };
  const marked: Side = { mark: false, value: 'reference' };
  expect(found(planned(marked, marked, secret)).isHidden).toBe(true);
  expect(found(planned(marked, marked, marked)).isHidden).toBe(false);
});
