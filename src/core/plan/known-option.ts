import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredState } from '../model/desired.ts';
import { sortedKeys } from '../model/ids.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Suggestions } from '../model/near-names.ts';
import type { Place } from '../model/place.ts';

/** How many keys a hint lists. */
const LISTED = 20;

/** The finding for a key that an integration does not have; `named` is its name in the configuration, if one entry asks for it. */
export function unknownOption(
  key: string,
  place: Place,
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

/** Finds options that defaults ask for and no integration has at all, with the ids of those that they are asked of. */
export function misfitDefaults(
  { integrations }: DesiredState,
  live: ReadonlyMap<string, LiveIntegration>,
  suggestions: Suggestions,
): { readonly finding: Diagnostic; readonly ids: readonly string[] }[] {
  const asked = integrations.flatMap(({ id, settings }) => {
    const installed = live.get(id);
    if (installed === undefined) return [];
    return settings.flatMap((each) =>
      each.field !== 'autosubscribe' && each.isDefault && !installed.optionKeys.has(each.option)
        ? [{ key: each.option, place: each.keyPlace, installed }]
        : [],
    );
  });
  const managed = new Set(integrations.map(({ id }) => id));
  // A server may list the options of what is managed alone.
  const others = [...live.values()].filter(({ id }) => !managed.has(id));
  const isUntold = others.length > 0 && others.every(({ optionKeys }) => optionKeys.size === 0);
  if (asked.length === 0 || isUntold) return [];
  const known = new Set([...live.values()].flatMap(({ optionKeys }) => [...optionKeys]));
  const unknown = asked.filter(({ key }) => !known.has(key));
  return [...grouped(unknown, ({ place }) => place)].flatMap(([place, all]) => {
    const [first] = all;
    if (first === undefined) return [];
    const { key, installed } = first;
    const matched = new Set(all.map((each) => each.installed));
    const keys = () => [...sortedKeys(...[...matched].map(({ optionKeys }) => optionKeys))];
    const finding =
      matched.size === 1
        ? unknownOption(key, place, installed, suggestions)
        : diagnostic('unknown-option', { key, ...knownBeside(key, keys, suggestions) }, place);
    return [{ finding, ids: [...matched].map(({ id }) => id) }];
  });
}
