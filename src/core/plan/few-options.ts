import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import type { Permission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';

/** With fewer absent options, keys were likely mistyped: each has its own finding. Fewer do if no option has a near name. */
const LEAST_ABSENT = { withNearNames: 10, without: 3 };

/**
 * Replaces the findings for absent options of a server by a single one, if it lists less than half of those that are declared,
 * or half and none that is hidden from users: a weak account does not see them.
 */
export function withoutFlood(
  found: readonly Diagnostic[],
  desired: readonly DesiredIntegration[],
): readonly Diagnostic[] {
  const absent: Place[] = [];
  const others: Diagnostic[] = [];
  const names = new Set<string>();
  let hasNearNames = false;
  for (const each of found) {
    if (each.code !== 'unknown-option' || each.place === undefined) {
      others.push(each);
      continue;
    }
    absent.push(each.place);
    const { known, total } = each.facts;
    if (known !== undefined && total === undefined) hasNearNames = true;
    if (each.facts.integration !== undefined) names.add(each.facts.integration);
  }
  const { withNearNames, without } = LEAST_ABSENT;
  if (absent.length < (hasNearNames ? withNearNames : without)) return found;
  const keys = declaredKeys(desired);
  const declared = keys.size;
  const isOfAdmins = absent.every((key) => keys.get(key) === 'lock-and-hide');
  const fewest = isOfAdmins ? declared : declared + 1;
  if (absent.length * 2 < fewest) return found;
  const facts = {
    listed: declared - absent.length,
    declared,
    integrations: [...names],
  };
  return [...others, withPlaces(diagnostic('few-options', facts), absent)];
}

/** The places of the keys of all declared options, with their permissions: what defaults declare counts once. */
function declaredKeys(
  desired: readonly DesiredIntegration[],
): ReadonlyMap<Place, Permission | undefined> {
  const keys = new Map<Place, Permission | undefined>();
  for (const { settings } of desired)
    for (const { permission, value, keyPlace } of settings.options.values())
      if (permission !== undefined || value !== undefined)
        keys.set(keyPlace, permission?.want);
  return keys;
}
