import { compareText } from '../diagnostic.ts';
import type { DesiredValue } from '../model.ts';
import type { LivePermission, Permission } from '../permission.ts';
import { canonicalText, type OptionValue } from '../value.ts';
import type { Risk, ServerPlan } from './plan.ts';

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
  return isSecret && desired.reference === undefined && canonicalText(value) !== '' ? ['plain-secret'] : [];
}

export function autosubscribeRisks(after: boolean): Risk[] {
  return after ? ['subscribes-everyone'] : [];
}

/** How a change with a risk is treated: refused until the risk is accepted, or shown. */
type Treatment = 'error' | 'warn';

export type Policy = Readonly<Partial<Record<Risk, Treatment>>>;

const DEFAULTS: Readonly<Record<Risk, Treatment>> = {
  'exposes-secret': 'error',
  'overrides-users': 'warn',
  'subscribes-everyone': 'warn',
  'plain-secret': 'warn',
};

/** All risks, as a person names them. */
export const RISKS: readonly string[] = Object.keys(DEFAULTS);

/**
 * The risks of a plan that stop an apply, each with the addresses that carry it. A policy can tighten the defaults, not
 * loosen them; what is accepted passes.
 */
export function refusedRisks(
  plan: ServerPlan,
  policy: Policy,
  accepted: readonly string[],
): { risk: Risk; addresses: string[] }[] {
  const changes = plan.integrations.flatMap((integration) => integration.changes);
  const carriers = new Map<Risk, string[]>();
  for (const { risks, address } of changes) {
    for (const risk of risks) carriers.set(risk, [...(carriers.get(risk) ?? []), address]);
  }
  return [...carriers]
    .filter(([risk]) => !accepted.includes(risk) && (DEFAULTS[risk] === 'error' || policy[risk] === 'error'))
    .map(([risk, addresses]) => ({ risk, addresses }))
    .sort((a, b) => compareText(a.risk, b.risk));
}
