import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { nearNames } from '../findings/words.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';

/** How many keys a message lists if none is spelled like the unknown one. */
const KEYS_LISTED = 20;

/** The finding for an option that no integration has, or not this one, with keys that are spelled like it, else the first ones. */
export function unknownOption(
  facts: { readonly key: string; readonly integration?: string },
  place: Place,
  keys: readonly string[],
): Diagnostic {
  const near = nearNames(facts.key, keys);
  const known =
    near.length > 0
      ? { known: near }
      : { known: keys.slice(0, KEYS_LISTED), total: keys.length };
  return diagnostic('unknown-option', { ...facts, ...known }, place);
}

/** Finds the options that defaults ask for and no integration has at all, by the places of their keys. */
export function mistypedDefaults(
  integrations: readonly DesiredIntegration[],
  live: readonly LiveIntegration[],
): ReadonlyMap<Place, Diagnostic> {
  const asked = keysOfDefaults(integrations);
  const mistyped = new Map<Place, Diagnostic>();
  if (asked.size === 0) return mistyped;
  const known = knownKeys(live);
  const keys = [...known].sort();
  for (const [place, key] of asked) {
    if (known.has(key)) continue;
    mistyped.set(place, unknownOption({ key }, place, keys));
  }
  return mistyped;
}

function keysOfDefaults(
  integrations: readonly DesiredIntegration[],
): ReadonlyMap<Place, string> {
  const keys = new Map<Place, string>();
  // Integrations with the same entries share their settings.
  for (const settings of new Set(integrations.map((each) => each.settings))) {
    for (const { isDefault, keyPlace, option } of settings.options.values()) {
      if (isDefault) keys.set(keyPlace, option);
    }
  }
  return keys;
}

function knownKeys(live: readonly LiveIntegration[]): ReadonlySet<string> {
  const known = new Set<string>();
  // Integrations of one kind share their set of keys.
  for (const keys of new Set(live.map(({ optionKeys }) => optionKeys))) {
    for (const key of keys) known.add(key);
  }
  return known;
}
