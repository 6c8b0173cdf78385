import { forTerminal } from './escape.ts';
import type { Paint } from './paint.ts';

/** The texts of several servers, each under its name; the text alone where there is one server. */
export function renderServers(
  servers: readonly { readonly name: string; readonly text: string }[],
  paint: Paint,
): string {
  const [first, ...others] = servers;
  if (first !== undefined && others.length === 0) return first.text;
  return servers.map(({ name, text }) => `${paint.strong(forTerminal(name))}\n\n${text}`).join('\n');
}
