import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import { nearNames } from '../findings/words.ts';
import type { DesiredIntegration, OptionSettings } from '../model/desired.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';

/** How many keys a message lists if none is spelled like the unknown one. */
const KEYS_LISTED = 20;

/**
 * The finding for an option that no integration has, or not this one, with keys
 * that are spelled like it, else the first ones.
 */
export function unknownOption(
  facts: { key: string; integration?: string },
  place: Place,
  keys: ReadonlySet<string>,
): Diagnostic {
  const near = nearNames(facts.key, [...keys]);
  const known =
    near.length > 0
      ? { known: near }
      : { known: [...keys].slice(0, KEYS_LISTED), total: keys.size };
  return diagnostic('unknown-option', { ...facts, ...known }, place);
}

/**
 * Finds the options that defaults ask of some integrations, and that none has
 * at all, by the places of their keys.
 */
export function mistypedDefaults(
  integrations: readonly DesiredIntegration[],
  live: readonly LiveIntegration[],
): ReadonlyMap<Place, Diagnostic> {
  // Integrations of one kind share their set of keys.
  const sets = new Set(live.map(({ optionKeys }) => optionKeys));
  const keys = new Set([...sets].flatMap((set) => [...set]).sort());
  const mistyped = new Map<Place, Diagnostic>();
  const ids = new Set(live.map(({ id }) => id));
  const known = integrations.filter(({ id }) => ids.has(id));
  for (const { keyPlace, option: key, isDefault } of askedIn(known)) {
    if (!isDefault || keys.has(key) || mistyped.has(keyPlace)) continue;
    mistyped.set(keyPlace, unknownOption({ key }, keyPlace, keys));
  }
  return mistyped;
}

/**
 * What is asked of options; integrations with the same entries share their
 * settings.
 */
function askedIn(
  integrations: readonly DesiredIntegration[],
): OptionSettings[] {
  const all = new Set(integrations.map(({ settings }) => settings));
  return [...all].flatMap(({ options }) => [...options.values()]);
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
  const absent = found.filter((finding) => finding.code === 'unknown-option');
  // What defaults declare counts once.
  const declared = new Set<Place>();
  for (const { permission, value, keyPlace } of askedIn(desired)) {
    if (permission ?? value) declared.add(keyPlace);
  }
  const isFlood =
    absent.length >= LEAST_ABSENT && absent.length * 2 > declared.size;
  if (!isFlood) return found;
  const places = absent.flatMap(({ place }) => place ?? []);
  const names = absent.flatMap(({ facts }) => facts.integration ?? []);
  const facts = {
    listed: declared.size - absent.length,
    declared: declared.size,
    integrations: [...new Set(names)],
  };
  const others = found.filter(({ code }) => code !== 'unknown-option');
  return [...others, withPlaces(diagnostic('few-options', facts), places)];
}
