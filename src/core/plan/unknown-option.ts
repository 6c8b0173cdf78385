import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
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
  const known = new Set<string>();
  // Integrations of one kind share their set of keys.
  for (const keys of new Set(live.map(({ optionKeys }) => optionKeys))) {
    for (const key of keys) known.add(key);
  }
  const keys = [...known].sort();
  const mistyped = new Map<Place, Diagnostic>();
  // Integrations with the same entries share their settings.
  for (const { options } of new Set(
    integrations.map((each) => each.settings),
  )) {
    for (const { isDefault, keyPlace, option: key } of options.values()) {
      if (!isDefault || known.has(key) || mistyped.has(keyPlace)) continue;
      mistyped.set(keyPlace, unknownOption({ key }, keyPlace, keys));
    }
  }
  return mistyped;
}

/** With fewer absent options, each has a finding of its own. */
const LEAST_ABSENT = 5;

/**
 * Replaces the findings for absent options of a server by a single one, if it
 * lists less than half of those that are declared: a weak account does not see
 * them.
 */
export function withoutFlood(
  found: readonly Diagnostic[],
  desired: readonly DesiredIntegration[],
): readonly Diagnostic[] {
  const unknown = found.filter((finding) => finding.code === 'unknown-option');
  // A key that is spelled nearly like another one was likely mistyped.
  const absent = unknown.filter(({ facts }) => facts.total !== undefined);
  if (absent.length < LEAST_ABSENT) return found;
  // What defaults declare counts once.
  const declared = new Set<Place>();
  for (const { settings } of desired) {
    for (const { permission, value, keyPlace } of settings.options.values()) {
      if (permission ?? value) declared.add(keyPlace);
    }
  }
  if (unknown.length * 2 <= declared.size) return found;
  const places = unknown.flatMap(({ place }) => place ?? []);
  const names = unknown.flatMap(({ facts }) => facts.integration ?? []);
  const facts = {
    listed: declared.size - unknown.length,
    declared: declared.size,
    integrations: [...new Set(names)],
  };
  const others = found.filter(({ code }) => code !== 'unknown-option');
  return [...others, withPlaces(diagnostic('few-options', facts), places)];
}
