import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DefaultOptions, DesiredOption, DesiredState } from '../model/desired.ts';
import { sortedKeys } from '../model/ids.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Suggestions } from '../model/near-names.ts';

/** How many keys a hint lists. */
const LISTED = 20;

/** The finding for a key that an integration does not have; `named` is its name in the configuration, if one entry asks for it. */
export function unknownOption(
  { key, place }: Pick<DesiredOption, 'key' | 'place'>,
  { id, name, optionKeys }: LiveIntegration,
  suggestions: Suggestions,
  named?: string,
): Diagnostic {
  const known = knownBeside(key, () => [...optionKeys], suggestions);
  return diagnostic('unknown-option', { key, integration: named ?? name ?? id, ...known }, place);
}

/** The keys that a hint names: those that are spelled like the missing one, else the first of all. */
function knownBeside(key: string, keys: () => readonly string[], suggestions: Suggestions) {
  const all: string[] = [];
  const near = suggestions.near(key, () => {
    all.push(...keys());
    return all;
  });
  if (near === undefined) return {};
  return near.length > 0 ? { known: near } : { known: all.slice(0, LISTED), total: all.length };
}

/** Whether only defaults ask for an option that this integration does not have: it is skipped. */
export function isSkipped({ key, isDefault }: DesiredOption, live: LiveIntegration): boolean {
  return isDefault === true && !live.optionKeys.has(key);
}

/** An option that none of the integrations of a default has, and these. */
interface Misfit {
  readonly finding: Diagnostic;
  readonly ids: readonly string[];
}

/**
 * A finding for each option of defaults that none of their integrations has. Where one of these is not managed, its options
 * are unknown, and nothing is found.
 */
export function misfitDefaults(
  { integrations, defaults }: DesiredState,
  live: ReadonlyMap<string, LiveIntegration>,
  suggestions: Suggestions,
): Misfit[] {
  const managed = new Set(integrations.map(({ id }) => id));
  return defaults
    .filter(({ ids }) => ids.every((id) => managed.has(id)))
    .flatMap((each) =>
      misfits(each, live, suggestions).map((finding): Misfit => ({ finding, ids: each.ids })),
    );
}

function misfits(
  { ids, options }: DefaultOptions,
  live: ReadonlyMap<string, LiveIntegration>,
  suggestions: Suggestions,
): Diagnostic[] {
  const matched = ids.flatMap((id) => live.get(id) ?? []);
  const [first, second] = matched;
  if (first === undefined) return [];
  const known: string[] = [];
  const all = () => {
    if (known.length === 0) known.push(...sortedKeys(...matched.map(({ optionKeys }) => optionKeys)));
    return known;
  };
  return options
    .filter(({ key }) => !matched.some(({ optionKeys }) => optionKeys.has(key)))
    .map((option) => {
      if (second === undefined) return unknownOption(option, first, suggestions);
      const { key, place } = option;
      return diagnostic('unknown-option', { key, ...knownBeside(key, all, suggestions) }, place);
    });
}
