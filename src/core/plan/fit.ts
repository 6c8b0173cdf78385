import type { Diagnostic } from '../findings/diagnostic.ts';
import type { DesiredState } from '../model/desired.ts';
import type { LiveIntegration } from '../model/live.ts';
import { diffIntegration, mistypedDefaults } from './diff.ts';

/**
 * Checks what is desired against the integrations' own configuration files: keys, types and choices. Their defaults are no live
 * values, so only what the differ finds wrong counts.
 */
export function checkFit(desired: DesiredState, catalog: readonly LiveIntegration[]): Diagnostic[] {
  const byId = new Map(catalog.map((integration) => [integration.id, integration]));
  const mistyped = mistypedDefaults(desired, catalog);
  const found = desired.integrations.flatMap((each) => {
    const defined = byId.get(each.id);
    return defined === undefined ? [] : diffIntegration(each, defined, { mistyped }).diagnostics;
  });
  return [...new Set(found)];
}
