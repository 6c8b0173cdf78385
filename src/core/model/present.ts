type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * An object without its undefined properties, for types whose optional properties are absent, not undefined. What a file calls
 * `__proto__` is no property of ours.
 */
export function present<T extends object>(parts: T): Present<T> {
  const kept: Partial<T> = {};
  for (const name in parts) if (parts[name] !== undefined && name !== '__proto__') kept[name] = parts[name];
  return kept as Present<T>;
}
