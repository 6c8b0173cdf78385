import type { Types } from '../../generated/plan-types.ts';
import type { projectSchema } from '../../generated/project-schema.ts';
import type { Setting } from '../model/desired.ts';
import { present } from '../model/json.ts';
import type { LivePermission } from '../model/permission.ts';
import { isEmpty, type OptionValue } from '../model/value.ts';

/** The facts of one change that decide its risks. */
interface Facts {
  readonly field: Setting['field'];
  /** What it replaces, as far as it is known. */
  readonly before: OptionValue | null | undefined;
  readonly after: OptionValue;
  /** Whether it is a secret that no user may see. */
  readonly isExposable?: boolean;
  /** The permission of the option of a value after the change; none if that changes too, and carries the risk. */
  readonly permission?: LivePermission | undefined;
}

interface RiskRule {
  /** What happens if no policy says otherwise. */
  readonly treatment: 'refuse' | 'warn';
  /** What it means for people. */
  readonly words: string;
  readonly isRaisedBy: (facts: Facts) => boolean;
}

type InPolicies = Exclude<
  keyof typeof projectSchema.properties.policy.properties,
  'secret-max-age'
>;
type InPlans = Types['change']['risks'][number];

/** All risks. The policy keys of setpoint.yaml, the flags and the texts come from here. */
export const RISKS = {
  'exposes-secret': {
    treatment: 'refuse',
    words: 'all users will see this secret',
    // It need not be the change itself that shows it.
    isRaisedBy: ({ field, after, isExposable, permission }) =>
      isExposable === true &&
      (field === 'permission'
        ? after === 'lock-and-show'
        : permission === 'lock-and-show' && !isEmpty(after)),
  },
  'overrides-users': {
    treatment: 'warn',
    words: "users' own values stop applying",
    isRaisedBy: ({ field, before }) =>
      field === 'permission' && before === 'user-provides',
  },
  'subscribes-everyone': {
    treatment: 'warn',
    words: 'all users with access are subscribed',
    isRaisedBy: ({ field, after }) =>
      field === 'autosubscribe' && after === true,
  },
} as const satisfies Record<InPolicies, RiskRule> satisfies Record<
  InPlans,
  RiskRule
>;

export type Risk = keyof typeof RISKS;

/** How a configuration treats risks; a risk that it does not name keeps its default. */
export type Policy = Readonly<{
  [R in Risk]?: 'off' | 'warn' | 'error' | undefined;
}>;

function isRisk(text: string): text is Risk {
  return Object.hasOwn(RISKS, text);
}

/** The names of all risks. */
export const RISK_NAMES: readonly Risk[] = Object.keys(RISKS).filter(isRisk);

/** The risks that a change carries, in the order of the table, without those that a policy turns off. */
export function risksOf(facts: Facts, policy: Policy = {}): Risk[] {
  return RISK_NAMES.filter(
    (risk) => policy[risk] !== 'off' && RISKS[risk].isRaisedBy(facts),
  );
}

/** How a change with a risk is treated: not shown, shown, refused until a flag allows it, or refused. */
const TREATMENTS = ['off', 'warn', 'refuse', 'error'] as const;

/** How a policy treats a risk. */
export function treatmentOf(
  policy: Policy,
  risk: Risk,
): (typeof TREATMENTS)[number] {
  return policy[risk] ?? RISKS[risk].treatment;
}

/** The strictest treatment of each risk among several policies; what they leave at its default is left out. */
export function strictest(policies: readonly Policy[]): Policy {
  const treatments = RISK_NAMES.map((risk) => {
    const strength = (policy: Policy) =>
      TREATMENTS.indexOf(treatmentOf(policy, risk));
    const sorted = policies.toSorted((a, b) => strength(b) - strength(a));
    return [risk, sorted[0]?.[risk]] as const;
  });
  return present(Object.fromEntries(treatments));
}
