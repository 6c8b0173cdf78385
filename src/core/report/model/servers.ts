import { count, enumerated } from '../../findings/words.ts';
import type { ServerDocument } from '../../plan/plan.ts';

/** A number that a document has of each server. */
type Summed = Exclude<keyof ServerDocument['summary'], 'left'>;

/** Sums up a number of servers. */
export function sumOf(
  servers: readonly ServerDocument[],
  name: Summed,
): number {
  return servers.reduce((sum, { summary }) => sum + (summary[name] ?? 0), 0);
}

/** More servers are counted. */
const NAMED_AT_MOST = 3;

/** Servers in a sentence: their names, or how many they are. */
export function serversText(servers: readonly string[]): string {
  if (servers.length > NAMED_AT_MOST) return count(servers.length, 'server');
  return enumerated(servers);
}

/** Says that something is on some of all servers only. */
export function onlyOn(servers: readonly string[], all: number): string {
  if (servers.length <= NAMED_AT_MOST) return `${servers.join(', ')} only`;
  return `${servers.length} of ${count(all, 'server')}`;
}
