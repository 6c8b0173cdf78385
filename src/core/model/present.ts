type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** An object without its undefined properties, for types whose optional properties are absent, not undefined. */
export function present<T extends object>(parts: T): Present<T> {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Present<T>;
}
