import type { Diagnostic } from '../findings/diagnostic.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import { byId } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { compareIntegration } from './compare.ts';
import { mistypedDefaults } from './unknown-option.ts';

/**
 * Checks what is desired against the integrations' own configuration files:
 * keys, types and choices. Their defaults are no live values, so only what
 * comparing finds wrong counts.
 */
export function checkFit(
  desired: readonly DesiredIntegration[],
  catalog: readonly LiveIntegration[],
): Diagnostic[] {
  const definitions = byId(catalog);
  const mistyped = mistypedDefaults(desired, catalog);
  const found = new Set<Diagnostic>();
  for (const integration of desired) {
    const defined = definitions.get(integration.id);
    if (defined === undefined) continue;
    const compared = compareIntegration(integration, defined, mistyped);
    for (const diagnostic of compared.diagnostics) found.add(diagnostic);
  }
  return [...found];
}
