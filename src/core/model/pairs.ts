import { grouped } from './grouped.ts';

/**
 * Pairs things with others of the same key, each with one at most: by the first kind of key, and by the next where that
 * finds none. Those that share a key are paired in their order.
 */
export function pairBy<Thing>(
  things: readonly Thing[],
  others: readonly Thing[],
  keys: readonly ((each: Thing) => string)[],
): ReadonlyMap<Thing, Thing> {
  const pairs = new Map<Thing, Thing>();
  const taken = new Set<Thing>();
  for (const keyOf of keys) {
    const byKey = new Map(
      [
        ...grouped(
          others.filter((each) => !taken.has(each)),
          keyOf,
        ),
      ].map(([key, all]) => [key, all.values()]),
    );
    for (const thing of things.filter((each) => !pairs.has(each))) {
      const other = byKey.get(keyOf(thing))?.next().value;
      if (other === undefined) continue;
      pairs.set(thing, other);
      taken.add(other);
    }
  }
  return pairs;
}
