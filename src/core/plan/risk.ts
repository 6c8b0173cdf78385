import { compareText } from '../findings/diagnostic.ts';
import type { DesiredValue } from '../model/desired.ts';
import type { LivePermission, Permission } from '../model/permission.ts';
import { neededBy } from '../model/recipe.ts';
import { canonicalText, type OptionValue } from '../model/value.ts';
import type { Policy, Risk, ServerPlan, Treatment } from './plan.ts';

/** What a new permission means for people. */
export function permissionRisks(before: LivePermission, after: Permission, sensitive: boolean): Risk[] {
  const exposes = sensitive && after === 'lock-and-show';
  const overrides = before === 'user-provides' && after !== 'user-provides';
  return [
    ...(exposes ? (['exposes-secret'] as const) : []),
    ...(overrides ? (['overrides-users'] as const) : []),
  ];
}

/** What a new value means: a secret that the YAML holds in clear is in the history of the repository. */
export function valueRisks(desired: DesiredValue, value: OptionValue, isSecret: boolean): Risk[] {
  const isInClear = desired.recipe === undefined || neededBy(desired.recipe).length === 0;
  return isSecret && isInClear && canonicalText(value) !== '' ? ['plain-secret'] : [];
}

export function autosubscribeRisks(after: boolean): Risk[] {
  return after ? ['subscribes-everyone'] : [];
}

const DEFAULTS: Readonly<Record<Risk, Treatment>> = {
  'exposes-secret': 'error',
  'overrides-users': 'warn',
  'subscribes-everyone': 'warn',
  'plain-secret': 'warn',
};

/** All risks, as a person names them. */
export const RISKS: readonly string[] = Object.keys(DEFAULTS);

/** The stricter treatment of each risk, of several policies. */
export function strictest(policies: readonly Policy[]): Policy {
  const all = policies.flatMap((policy) => Object.entries(policy));
  const warnings = all.filter(([, treatment]) => treatment === 'warn');
  const errors = all.filter(([, treatment]) => treatment === 'error');
  return Object.fromEntries([...warnings, ...errors]);
}

/** A risk that stops an apply, the changes that carry it, and whether a policy says so or only the default. */
export interface RefusedRisk {
  readonly risk: Risk;
  readonly addresses: readonly string[];
  readonly by: 'default' | 'policy';
}

/**
 * The risks of a plan that stop an apply. What is refused by default passes where it is accepted; what a policy calls an
 * error does not: who may write a command line need not be who may change the policy.
 */
export function refusedRisks(plan: ServerPlan, policy: Policy, accepted: readonly string[]): RefusedRisk[] {
  const changes = plan.integrations.flatMap((integration) => integration.changes);
  const carriers = new Map<Risk, string[]>();
  for (const { risks, address } of changes) {
    for (const risk of risks) carriers.set(risk, [...(carriers.get(risk) ?? []), address]);
  }
  return [...carriers]
    .flatMap(([risk, addresses]): RefusedRisk[] => {
      if (policy[risk] === 'error') return [{ risk, addresses, by: 'policy' }];
      return DEFAULTS[risk] === 'error' && !accepted.includes(risk)
        ? [{ risk, addresses, by: 'default' }]
        : [];
    })
    .sort((a, b) => compareText(a.risk, b.risk));
}
