import { aboutField } from '../findings/about.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import { byId } from '../model/lists.ts';
import type { LiveIntegration } from '../model/live.ts';
import { type Comparison, compareIntegration } from './compare.ts';
import { type Policy, treatmentOf } from './risk.ts';
import { mistypedDefaults } from './unknown-option.ts';

/**
 * Checks what is desired against what is known of integrations, from a
 * catalog, a schema or a snapshot: keys, types and choices, and whether an
 * apply would refuse to show a secret. Whether values differ does not count.
 */
export function checkFit(
  desired: readonly DesiredIntegration[],
  known: readonly LiveIntegration[],
  policy: Policy = {},
): Diagnostic[] {
  const definitions = byId(known);
  const found = new Set(mistypedDefaults(desired, known).values());
  for (const integration of desired) {
    const defined = definitions.get(integration.id);
    if (defined === undefined) continue;
    const compared = compareIntegration(integration, defined);
    for (const finding of compared.diagnostics) found.add(finding);
    for (const comparison of compared.comparisons) {
      const exposed = exposedBy(comparison, policy);
      if (exposed !== undefined) found.add(exposed);
    }
  }
  return [...found];
}

/** Warns of a permission that would show a secret, which an apply refuses. */
function exposedBy(
  { subject, setting, state, isSecret }: Comparison,
  policy: Policy,
): Diagnostic | undefined {
  if (!isSecret || state === 'same') return undefined;
  if (subject.kind !== 'permission' || setting.want !== 'lock-and-show')
    return undefined;
  const treatment = treatmentOf(policy, 'exposes-secret');
  if (treatment !== 'refuse' && treatment !== 'error') return undefined;
  return diagnostic('exposes-secret', aboutField(subject), setting.place);
}
