import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DefaultOption, DesiredOption, DesiredState } from '../model/desired.ts';
import type { LiveIntegration } from '../model/live.ts';

/** The finding for a key that an integration does not have. */
export function unknownOption(
  { key, place }: Pick<DesiredOption, 'key' | 'place'>,
  { id, name, optionKeys }: LiveIntegration,
): Diagnostic {
  const known = [...optionKeys].sort(compareText);
  return diagnostic('unknown-option', { key, integration: name ?? id, known }, place);
}

/** Whether only defaults ask for an option that this integration does not have: it goes without. */
export function isSkipped({ key, isDefault }: DesiredOption, live: LiveIntegration): boolean {
  return isDefault === true && !hasOption(live, key);
}

/**
 * The findings for options of defaults that none of their integrations has, one for each. Where one of these is not
 * managed, nothing is known of its options, and nothing is found.
 */
export function misfitDefaults(
  { integrations, defaults }: DesiredState,
  live: ReadonlyMap<string, LiveIntegration>,
): Diagnostic[] {
  const managed = new Set(integrations.map(({ id }) => id));
  return defaults.flatMap((option) => {
    const isManaged = option.ids.every((id) => managed.has(id));
    const matched = isManaged ? option.ids.flatMap((id) => live.get(id) ?? []) : [];
    const isMisfit = matched.length > 0 && !matched.some((each) => hasOption(each, option.key));
    return isMisfit ? [unknownDefault(option, matched)] : [];
  });
}

function unknownDefault(option: DefaultOption, matched: readonly LiveIntegration[]): Diagnostic {
  const [only, ...others] = matched;
  if (only !== undefined && others.length === 0) return unknownOption(option, only);
  const known = [...new Set(matched.flatMap(({ optionKeys }) => optionKeys))].sort(compareText);
  const facts = { key: option.key, integrations: matched.length, known };
  return diagnostic('unknown-option', facts, option.place);
}

function hasOption({ options, optionKeys }: LiveIntegration, key: string): boolean {
  return options.has(key) || optionKeys.includes(key);
}
