/** Unknown data with keys. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether unknown data is an object with keys. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Unknown data as an object with keys; an empty one if it is not an object. */
export function recordOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** Parses JSON; undefined for other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Unknown data as a list; empty if it is not a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Unknown data that is a text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Unknown data that is a boolean, or its word. */
export function flagOf(value: unknown): boolean | undefined {
  if (value === 'true') return true;
  if (value === 'false') return false;
  return typeof value === 'boolean' ? value : undefined;
}

/** Unknown data that counts or numbers something. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : undefined;
}

/** What may be undefined may be absent; all else is there. */
type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
};

/**
 * An object without its undefined properties, for types whose optional
 * properties are absent, not undefined. What a file calls `__proto__` is no
 * property of ours.
 */
export function present<const T extends object>(parts: T): Present<T> {
  const kept: Partial<T> = {};
  for (const name in parts)
    if (parts[name] !== undefined && name !== '__proto__')
      kept[name] = parts[name];
  return kept as Present<T>;
}
