/** The id of an option: the id of its integration, a dash, its key. Either part may hold dashes, so ids are composed, never split. */
export function optionId(integrationId: string, key: string): string {
  return `${integrationId}-${key}`;
}

/** The key in an option id of a known integration; undefined where the id belongs to another one. */
export function optionKey(integrationId: string, id: string): string | undefined {
  const prefix = `${integrationId}-`;
  return id.startsWith(prefix) && id.length > prefix.length ? id.slice(prefix.length) : undefined;
}
