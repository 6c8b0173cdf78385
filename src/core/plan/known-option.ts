import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredOption, DesiredState } from '../model/desired.ts';
import type { LiveIntegration } from '../model/live.ts';

/** The finding for a key that an integration does not have. */
export function unknownOption(
  { key, place }: Pick<DesiredOption, 'key' | 'place'>,
  { id, name, optionKeys }: LiveIntegration,
): Diagnostic {
  const known = [...optionKeys].sort(compareText);
  return diagnostic('unknown-option', { key, integration: name ?? id, known }, place);
}

/** Whether only defaults ask for an option that this integration does not have: it is skipped. */
export function isSkipped({ key, isDefault }: DesiredOption, live: LiveIntegration): boolean {
  return isDefault === true && !hasOption(live, key);
}

/**
 * A finding for each option of defaults that none of their integrations has. Where one of these is not managed, its options
 * are unknown, and nothing is found.
 */
export function misfitDefaults(
  { integrations, defaults }: DesiredState,
  live: ReadonlyMap<string, LiveIntegration>,
): Diagnostic[] {
  const managed = new Set(integrations.map(({ id }) => id));
  return defaults.flatMap((option) => {
    if (!option.ids.every((id) => managed.has(id))) return [];
    const matched = option.ids.flatMap((id) => live.get(id) ?? []);
    const [first, second] = matched;
    if (first === undefined || matched.some((each) => hasOption(each, option.key))) return [];
    if (second === undefined) return [unknownOption(option, first)];
    const known = [...new Set(matched.flatMap(({ optionKeys }) => optionKeys))].sort(compareText);
    const facts = { key: option.key, integrations: matched.length, known };
    return [diagnostic('unknown-option', facts, option.place)];
  });
}

function hasOption({ options, optionKeys }: LiveIntegration, key: string): boolean {
  return options.has(key) || optionKeys.includes(key);
}
