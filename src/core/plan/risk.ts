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

/** Risks that an apply refuses unless they are accepted; the others are shown. */
const REFUSED: readonly Risk[] = ['exposes-secret'];

/** The risks of a plan that stop an apply, each with the addresses that carry it. */
export function refusedRisks(
  plan: ServerPlan,
  accepted: readonly string[],
): { risk: Risk; addresses: string[] }[] {
  const changes = plan.integrations.flatMap((integration) => integration.changes);
  return REFUSED.filter((risk) => !accepted.includes(risk))
    .map((risk) => ({
      risk,
      addresses: changes.filter(({ risks }) => risks.includes(risk)).map(({ address }) => address),
    }))
    .filter(({ addresses }) => addresses.length > 0);
}

/** The risks that can be accepted by name. */
export const ACCEPTABLE_RISKS: readonly string[] = REFUSED;
