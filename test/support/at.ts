/** What stands at a path in parsed JSON, or undefined. */
export function at(
  json: unknown,
  ...path: readonly (string | number)[]
): unknown {
  return path.reduce((value: unknown, key) => {
    if (
      typeof value !== 'object' ||
      value === null ||
      !Object.hasOwn(value, key)
    )
      return undefined;
    return (value as Record<string | number, unknown>)[key];
  }, json);
}

/** The list at a path in parsed JSON; empty where there is none. */
export function listAt(
  json: unknown,
  ...path: readonly (string | number)[]
): readonly unknown[] {
  const found = at(json, ...path);
  return Array.isArray(found) ? found : [];
}

/** The object at a path in parsed JSON; empty where there is none. */
export function recordAt(
  json: unknown,
  ...path: readonly (string | number)[]
): Readonly<Record<string, unknown>> {
  const found = at(json, ...path);
  return typeof found === 'object' && found !== null
    ? (found as Record<string, unknown>)
    : {};
}
