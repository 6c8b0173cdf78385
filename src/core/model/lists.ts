/** Groups items by a key, both in the order in which they first come. */
export function grouped<T, Key>(
  items: readonly T[],
  keyOf: (item: T) => Key,
): Map<Key, [T, ...T[]]> {
  const groups = new Map<Key, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Items by their ids. */
export function byId<Item extends { id: string }>(
  items: readonly Item[],
): Map<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}
