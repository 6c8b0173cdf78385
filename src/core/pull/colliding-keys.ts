import type { DesiredIntegration } from '../model/desired.ts';
import type { LiveIntegration } from '../model/live.ts';
import { collidingOptions } from '../plan/colliding.ts';

/** Finds the keys of an integration whose options have the ids of other ones: they cannot be managed. */
export function collidingKeys(
  live: readonly LiveIntegration[],
): (integration: LiveIntegration) => ReadonlySet<string> {
  const byId = new Map(live.map((each) => [each.id, each]));
  return ({ id, optionKeys }) => {
    const keys = [...optionKeys];
    return new Set(keys.filter((key) => collidingOptions(asking(id, key), byId).length > 0));
  };
}

/** A wish that manages one option. */
function asking(id: string, key: string): DesiredIntegration {
  const place = { file: '', line: 1, column: 1 };
  return {
    name: '',
    id,
    place,
    options: [{ key, place, permission: { value: 'lock-and-hide', place } }],
  };
}
