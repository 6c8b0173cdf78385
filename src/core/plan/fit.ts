import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredState, Setting } from '../model/desired.ts';
import type { LiveIntegration } from '../model/live.ts';
import { isSecret } from '../model/secrecy.ts';
import { diffIntegration, mistypedDefaults } from './diff.ts';

/**
 * Checks what is desired against the integrations' own configuration files: keys, types, choices, and how secrets are
 * treated. Their defaults are no live values, so only what the differ finds wrong counts.
 */
export function checkFit(desired: DesiredState, catalog: readonly LiveIntegration[]): Diagnostic[] {
  const byId = new Map(catalog.map((integration) => [integration.id, integration]));
  const mistyped = mistypedDefaults(desired, catalog);
  const found = desired.integrations.flatMap((each) => {
    const defined = byId.get(each.id);
    if (defined === undefined) return [];
    const { diagnostics } = diffIntegration(each, defined, { mistyped });
    return [...diagnostics, ...each.settings.flatMap((setting) => careless(each.name, setting, defined))];
  });
  return [...new Set(found)];
}

/** Finds a secret that all users would see. */
function careless(name: string, setting: Setting, { options }: LiveIntegration): Diagnostic[] {
  if (setting.field !== 'permission' || setting.want !== 'lock-and-show') return [];
  const { option: key, place, secrecy } = setting;
  const option = options.get(key);
  const isExposed = option !== undefined && isSecret({ key, type: option.type, ...secrecy });
  return isExposed ? [diagnostic('exposes-secret', { address: `${name}.options.${key}` }, place)] : [];
}
