import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { asOptionValue, type DesiredIntegration, type DesiredState, type Setting } from '../model/desired.ts';
import type { LiveIntegration } from '../model/live.ts';
import { Suggestions } from '../model/near-names.ts';
import { isSecret } from '../model/secrecy.ts';
import { isHidden } from '../model/secret.ts';
import { isEmpty } from '../model/value.ts';
import { diffIntegration } from './diff.ts';
import { misfitDefaults } from './known-option.ts';

/**
 * Checks what is desired against the integrations' own configuration files: keys, types, choices, and how secrets are
 * treated. Their defaults are no live values, so only what the differ finds wrong counts.
 */
export function checkFit(desired: DesiredState, catalog: readonly LiveIntegration[]): Diagnostic[] {
  const byId = new Map(catalog.map((integration) => [integration.id, integration]));
  const suggestions = new Suggestions();
  const found = desired.integrations.flatMap((each) => {
    const defined = byId.get(each.id);
    if (defined === undefined) return [];
    const { diagnostics } = diffIntegration(each, defined, { writesHidden: () => true, suggestions });
    return [...diagnostics, ...each.settings.flatMap((setting) => careless(each, setting, defined))];
  });
  return [...found, ...misfitDefaults(desired, byId, suggestions).map(({ finding }) => finding)];
}

/** Finds a secret that stands in the file, or that all users would see. */
function careless(
  { name }: DesiredIntegration,
  setting: Setting,
  { options }: LiveIntegration,
): Diagnostic[] {
  if (setting.field === 'autosubscribe') return [];
  const { option: key, place, secrecy } = setting;
  const option = options.get(key);
  if (option === undefined) return [];
  const address = `${name}.options.${key}`;
  const { type } = option;
  if (setting.field === 'permission') {
    const isShown = setting.want === 'lock-and-show' && isSecret({ key, type, ...secrecy });
    return isShown ? [diagnostic('exposes-secret', { address }, place)] : [];
  }
  const mark = secrecy.mark === false ? false : undefined;
  const isLiteral =
    !setting.isFromOutside && !(isHidden(setting.want) || isEmpty(asOptionValue(setting.want)));
  const isPlain = isLiteral && isSecret({ key, type, mark });
  return isPlain ? [diagnostic('plain-secret', { address: `${address}.value` }, place)] : [];
}
