import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredState, Setting } from '../model/desired.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { Suggestions } from '../model/near-names.ts';
import { isSecret } from '../model/secrecy.ts';
import { diffIntegration, unknownOption } from './diff.ts';

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
    return [...diagnostics, ...each.settings.flatMap((setting) => careless(each.name, setting, defined))];
  });
  return [...found, ...misfitDefaults(desired, byId, suggestions).map(({ finding }) => finding)];
}

/** Finds a secret that all users would see. */
function careless(name: string, setting: Setting, { options }: LiveIntegration): Diagnostic[] {
  if (setting.field !== 'permission') return [];
  const { option: key, place, secrecy } = setting;
  const option = options.get(key);
  if (option === undefined) return [];
  const address = `${name}.options.${key}`;
  const { type } = option;
  const isShown = setting.want === 'lock-and-show' && isSecret({ key, type, ...secrecy });
  return isShown ? [diagnostic('exposes-secret', { address }, place)] : [];
}

/** Finds options that defaults ask for and no integration has at all, with the ids of those that they are asked of. */
export function misfitDefaults(
  { integrations }: DesiredState,
  live: ReadonlyMap<string, LiveIntegration>,
  suggestions: Suggestions,
): { readonly finding: Diagnostic; readonly ids: readonly string[] }[] {
  const asked = integrations.flatMap(({ id, settings }) => {
    const keys = live.get(id)?.optionKeys;
    return settings.flatMap((each) =>
      each.option !== undefined && each.isDefault && keys?.has(each.option) === false
        ? [{ id, keys, key: each.option, place: each.keyPlace }]
        : [],
    );
  });
  if (asked.length === 0) return [];
  const known = new Set([...live.values()].flatMap(({ optionKeys }) => [...optionKeys]));
  const unknown = asked.filter(({ key }) => !known.has(key));
  return [...grouped(unknown, ({ place }) => place)].map(([place, all]) => {
    const keys = new Set(all.flatMap((each) => [...each.keys]).sort());
    const finding = unknownOption({ key: all[0]?.key ?? '' }, place, keys, suggestions);
    return { finding, ids: all.map(({ id }) => id) };
  });
}
