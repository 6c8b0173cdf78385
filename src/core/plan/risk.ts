import type { Types } from '../../generated/plan-types.ts';
import type { projectSchema } from '../../generated/project-schema.ts';
import type { Setting } from '../model/desired.ts';
import type { LivePermission } from '../model/permission.ts';
import { contentOf, type Side } from '../model/side.ts';
import { isEmpty, type OptionValue } from '../model/value.ts';
import type { Comparison } from './compare.ts';
import type { Fate } from './decide.ts';

/** The facts of one change that decide its risks. */
interface RiskFacts {
  kind: Setting['kind'];
  /** What it replaces, as far as it is known. */
  before: OptionValue | null | undefined;
  after: OptionValue;
  isSecret?: boolean;
  /**
   * The permission of the option of a value after the change; none if that
   * changes too, and carries the risk.
   */
  permission?: LivePermission | undefined;
}

interface RiskRule {
  /** What happens if no policy says otherwise. */
  treatment: 'refuse' | 'warn';
  /** What it means for people. */
  words: string;
  isRaisedBy: (facts: RiskFacts) => boolean;
}

type InPolicies = Exclude<
  keyof typeof projectSchema.properties.policy.properties,
  'secret-max-age'
>;
type InPlans = Types['risk'];

/**
 * All risks. The policy keys of setpoint.yaml, the flags and the texts come
 * from here.
 */
export const RISKS = {
  'exposes-secret': {
    treatment: 'refuse',
    words: 'all users will see this secret',
    // It need not be the change itself that shows it.
    isRaisedBy: ({ kind, after, isSecret, permission }) =>
      isSecret === true &&
      (kind === 'permission'
        ? after === 'lock-and-show'
        : permission === 'lock-and-show' && !isEmpty(after)),
  },
  'overrides-users': {
    treatment: 'warn',
    words: "users' own values stop applying",
    isRaisedBy: ({ kind, before }) =>
      kind === 'permission' && before === 'user-provides',
  },
  'subscribes-everyone': {
    treatment: 'warn',
    words: 'all users with access are subscribed',
    isRaisedBy: ({ kind, after }) => kind === 'autosubscribe' && after === true,
  },
} as const satisfies Record<InPolicies, RiskRule> satisfies Record<
  InPlans,
  RiskRule
>;

export type Risk = keyof typeof RISKS;

/**
 * How a configuration treats risks; a risk that it does not name keeps its
 * default.
 */
export type Policy = Readonly<{
  [R in Risk]?: 'off' | 'warn' | 'error' | undefined;
}>;

function isRisk(text: string): text is Risk {
  return Object.hasOwn(RISKS, text);
}

/** The names of all risks. */
export const RISK_NAMES: readonly Risk[] = Object.keys(RISKS).filter(isRisk);

/** A comparison, and what becomes of it. */
export interface Decision {
  comparison: Comparison;
  fate: Fate;
}

/** What the risks of an option depend on. */
export interface HeldOption {
  permission: LivePermission;
}

/**
 * Makes what finds the risks of the changes of an integration: who sees a
 * value depends on what becomes of its permission.
 */
export function riskFinder(
  decisions: readonly Decision[],
  options: ReadonlyMap<string, HeldOption> | undefined,
  policy: Policy = {},
): (change: Comparison) => Risk[] {
  const permissions = new Map<string, Decision>();
  for (const decision of decisions) {
    const { subject } = decision.comparison;
    if (subject.kind === 'permission')
      permissions.set(subject.option, decision);
  }
  return ({ subject, before, after, isSecret }) => {
    const option = subject.kind === 'value' ? subject.option : '';
    const held = options?.get(option)?.permission;
    const facts: RiskFacts = {
      kind: subject.kind,
      before: contentOf(before),
      after: wantedContent(after),
      isSecret,
      permission: permissionAfter(permissions.get(option), held),
    };
    return RISK_NAMES.filter(
      (risk) => policy[risk] !== 'off' && RISKS[risk].isRaisedBy(facts),
    );
  };
}

/**
 * The permission of an option after the change; undefined if that changes, and
 * carries the risk.
 */
function permissionAfter(
  decision: Decision | undefined,
  held: LivePermission | undefined,
): LivePermission | undefined {
  if (decision === undefined) return held;
  const { comparison, fate } = decision;
  if (fate === 'change') return undefined;
  const { setting } = comparison;
  // One that is hidden may well be what the YAML asks for.
  const isWanted = fate === 'hidden' && setting.kind === 'permission';
  return isWanted ? setting.want : held;
}

/** What a change writes; a reference writes something. */
function wantedContent(after: Side): OptionValue {
  if (after.kind === 'unread' || after.kind === 'written') return after.written;
  return contentOf(after) ?? '';
}

/**
 * How a change with a risk is treated: not shown, shown, refused until a flag
 * allows it, or refused.
 */
const TREATMENTS = ['off', 'warn', 'refuse', 'error'] as const;

/** How a policy treats a risk. */
export function treatmentOf(
  policy: Policy,
  risk: Risk,
): (typeof TREATMENTS)[number] {
  return policy[risk] ?? RISKS[risk].treatment;
}

/** How strict a policy treats a risk. */
export function strengthOf(policy: Policy, risk: Risk): number {
  return TREATMENTS.indexOf(treatmentOf(policy, risk));
}

/**
 * The strictest treatment of each risk among several policies; what they leave
 * at its default is left out.
 */
export function strictest(policies: readonly Policy[]): Policy {
  const strict: { [R in Risk]?: Policy[R] } = {};
  for (const risk of RISK_NAMES) {
    let most = -1;
    for (const policy of policies) {
      const strength = strengthOf(policy, risk);
      if (strength <= most) continue;
      most = strength;
      strict[risk] = policy[risk];
    }
  }
  return strict;
}
