import { isSecretOption } from '../model/secrecy.ts';
import { planFingerprint } from './fingerprint.ts';
import { type Change, type IntegrationPlan, type ServerPlan, shownPlan } from './plan.ts';
import { RISK_NAMES, type RiskFacts, risksOf } from './risk.ts';
import { countsOf, labelCounts } from './summary.ts';

/**
 * The plans of a document as their changes tell them, since it may have been edited: the totals that follow from the changes,
 * and, where the fingerprint is not that of the plans, each risk that a change may carry. What only the server and the
 * configuration tell stays as written.
 */
export function recounted(
  servers: readonly ServerPlan<null>[],
  fingerprint: string | undefined,
): readonly ServerPlan<null>[] {
  const isEdited = fingerprint !== undefined && fingerprint !== planFingerprint(servers);
  return servers.map(withCounts).map((plan) => (isEdited ? withRisks(plan) : plan));
}

function withCounts(plan: ServerPlan<null>): ServerPlan<null> {
  const { integrations } = shownPlan(plan);
  const managed = integrations.filter(({ released }) => released !== true);
  const managedInAll = Math.max(plan.summary.managedInAll, managed.length);
  const labels = plan.base && labelCounts(integrations);
  return { ...plan, summary: { ...plan.summary, ...countsOf(managed), managedInAll, labels } };
}

function withRisks(plan: ServerPlan<null>): ServerPlan<null> {
  const integrations = plan.integrations.map((integration) => ({
    ...integration,
    changes: integration.changes.map((change) => {
      const found = risksOf(factsOf(change, integration));
      return { ...change, risks: RISK_NAMES.filter((risk) => [...change.risks, ...found].includes(risk)) };
    }),
  }));
  return { ...plan, integrations };
}

/** What a document tells of a change; its options are taken for secret where anything says so. */
function factsOf(change: Change<null>, { changes }: IntegrationPlan<null>): RiskFacts {
  if (change.field === 'autosubscribe') return { field: 'autosubscribe', after: change.after };
  const { field, option } = change;
  const isNamedSecret = isSecretOption(option, undefined);
  if (field === 'permission') {
    const isHidden = changes.some(
      (each) => each.field === 'value' && each.option === option && each.sensitive,
    );
    return { field, before: change.before, after: change.after, isExposable: isNamedSecret || isHidden };
  }
  return {
    field,
    after: change.sensitive ? 'hidden' : change.after,
    isSecretOption: isNamedSecret,
    isExposable: isNamedSecret,
    permission: undefined,
    isFromOutside: change.reference !== undefined,
  };
}
