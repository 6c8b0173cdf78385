/** What stands for the name of each server in a ref or in a path. */
export const SERVER = '{server}';

/** Puts the name of a server into a ref or a path. */
export function forServer(text: string, name: string): string {
  return text.replaceAll(SERVER, name);
}
