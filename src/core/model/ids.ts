/** The id of an option: the id of its integration, a dash, its key. Either part may hold dashes, so ids are composed, never split. */
export function optionId(integrationId: string, key: string): string {
  return `${integrationId}-${key}`;
}

/** Whether an id is that of the option with this key; the same as comparing the composed id, without composing it. */
export function isOptionId(id: string, integrationId: string, key: string): boolean {
  const length = integrationId.length;
  return (
    id.length === length + 1 + key.length &&
    id.charAt(length) === '-' &&
    id.startsWith(integrationId) &&
    id.endsWith(key)
  );
}

/** The key in an option id of a known integration; undefined if the id belongs to another one. */
export function optionKey(integrationId: string, id: string): string | undefined {
  const prefix = `${integrationId}-`;
  return id.startsWith(prefix) && id.length > prefix.length ? id.slice(prefix.length) : undefined;
}

/** Whether an id names one thing as a part of a path: encoded or not, it leads nowhere else. */
export function isPathSafe(id: string): boolean {
  return !['', '.', '..'].includes(id) && !/[/\\\p{Surrogate}]/u.test(id);
}

/** The keys of options from several sources, each once and in order. */
export function sortedKeys(...sources: readonly Iterable<string>[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const source of sources) for (const key of source) keys.add(key);
  return new Set([...keys].sort());
}
