import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { type DesiredIntegration, isManaged } from '../model/desired.ts';
import { optionId } from '../model/ids.ts';
import type { LiveIntegration } from '../model/live.ts';

type LiveById = ReadonlyMap<string, LiveIntegration>;

/**
 * A finding for each managed option whose id is also that of an option of another installed integration: the key `c` of `a-b`
 * and the key `b-c` of `a`. What is written to that id could reach either.
 */
export function collidingOptions({ name, id, options }: DesiredIntegration, live: LiveById): Diagnostic[] {
  return options.filter(isManaged).flatMap(({ key, place }) =>
    otherWays(id, key, live)
      .filter((other) => other.integration.optionKeys.has(other.key))
      .map((other) => {
        const address = `${name}.options.${key}`;
        const facts = { address, id: optionId(id, key), integration: other.integration.id, key: other.key };
        return diagnostic('colliding-options', facts, place);
      }),
  );
}

/** The integrations that may have such an option, as their ids allow it, but whose keys are not known yet. */
export function unknownNamesakes(
  integrations: readonly DesiredIntegration[],
  live: LiveById,
): readonly LiveIntegration[] {
  const found = integrations.flatMap(({ id, options }) =>
    options.filter(isManaged).flatMap(({ key }) => otherWays(id, key, live)),
  );
  return [...new Set(found.map(({ integration }) => integration))].filter(
    ({ optionKeys }) => optionKeys.size === 0,
  );
}

/** All other ways to compose the id of an option from the id of an installed integration and a key; none where it has no such option. */
function otherWays(id: string, key: string, live: LiveById) {
  const own = live.get(id)?.optionKeys;
  if (own !== undefined && own.size > 0 && !own.has(key)) return [];
  const composed = optionId(id, key);
  // With one dash there is no other way.
  if (composed.indexOf('-') === composed.lastIndexOf('-')) return [];
  return [...composed.matchAll(/-/g)].flatMap(({ index }) => {
    const integration = live.get(composed.slice(0, index));
    return integration === undefined || integration.id === id
      ? []
      : [{ integration, key: composed.slice(index + 1) }];
  });
}
