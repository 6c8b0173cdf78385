import type { planSchema } from '../../generated/plan-schema.ts';
import type { projectSchema } from '../../generated/project-schema.ts';
import type { LivePermission, Permission } from '../model/permission.ts';
import { isEmpty, type OptionValue } from '../model/value.ts';

/** How a change with a risk is treated: not shown, shown, refused until a flag allows it, or refused. */
const STRENGTH = { off: 0, warn: 1, refuse: 2, error: 3 } as const;

/** The facts of one change that decide its risks. */
export type RiskFacts =
  | {
      readonly field: 'permission';
      readonly before: LivePermission;
      readonly after: Permission;
      /** Whether it is a secret that no user may see. */
      readonly isExposable: boolean;
    }
  | {
      readonly field: 'value';
      readonly after: OptionValue;
      readonly isExposable: boolean;
      /** The permission of the option after the change; none where that changes too, and carries the risk. */
      readonly permission: LivePermission | undefined;
    }
  | { readonly field: 'autosubscribe'; readonly after: boolean };

interface RiskRule {
  /** What happens where no policy says otherwise. */
  readonly treatment: 'refuse' | 'warn';
  /** What it means for people. */
  readonly words: string;
  readonly isRaisedBy: (facts: RiskFacts) => boolean;
}

type InPolicies = Exclude<keyof typeof projectSchema.properties.policy.properties, 'secret-max-age'>;
type InPlans = (typeof planSchema.definitions.change.properties.risks.items.enum)[number];

/** All risks. The policy keys of setpoint.yaml, the flags and the texts come from here. */
export const RISKS = {
  'exposes-secret': {
    treatment: 'refuse',
    words: 'all users will see this secret',
    isRaisedBy: (facts) => facts.field !== 'autosubscribe' && facts.isExposable && isShownAfter(facts),
  },
  'overrides-users': {
    treatment: 'warn',
    words: "users' own values stop applying",
    isRaisedBy: (facts) =>
      facts.field === 'permission' && facts.before === 'user-provides' && facts.after !== 'user-provides',
  },
  'subscribes-everyone': {
    treatment: 'warn',
    words: 'all users with access are subscribed',
    isRaisedBy: (facts) => facts.field === 'autosubscribe' && facts.after,
  },
} as const satisfies Record<InPolicies, RiskRule> satisfies Record<InPlans, RiskRule>;

/** Whether users see a value once the change is made: it need not be the change that shows it. */
function isShownAfter(facts: Exclude<RiskFacts, { field: 'autosubscribe' }>): boolean {
  if (facts.field === 'permission') return facts.after === 'lock-and-show';
  return facts.permission === 'lock-and-show' && !isEmpty(facts.after);
}

/** The name of a risk. */
export type Risk = keyof typeof RISKS;

/** How a configuration treats risks; a risk that it does not name keeps its default. */
export type Policy = Readonly<{ [R in Risk]?: 'off' | 'warn' | 'error' | undefined }>;

function isRisk(text: string): text is Risk {
  return Object.hasOwn(RISKS, text);
}

/** The names of all risks. */
export const RISK_NAMES: readonly Risk[] = Object.keys(RISKS).filter(isRisk);

/** The risks that a change carries, in the order of the table. */
export function risksOf(facts: RiskFacts): Risk[] {
  return RISK_NAMES.filter((risk) => RISKS[risk].isRaisedBy(facts));
}

/** How a policy treats a risk. */
export function treatmentOf(policy: Policy, risk: Risk): keyof typeof STRENGTH {
  return policy[risk] ?? RISKS[risk].treatment;
}

/** The strictest treatment of each risk among several policies; what they leave at its default is left out. */
export function strictest(policies: readonly Policy[]): Policy {
  const entries = RISK_NAMES.map((risk) => {
    const treatments = policies.toSorted((a, b) => strengthOf(b, risk) - strengthOf(a, risk));
    return [risk, treatments[0]?.[risk]] as const;
  });
  return Object.fromEntries(entries.filter(([, treatment]) => treatment !== undefined));
}

/** How strict a policy is about a risk, by its default if it says nothing. */
export function strengthOf(policy: Policy, risk: Risk): number {
  return STRENGTH[treatmentOf(policy, risk)];
}
