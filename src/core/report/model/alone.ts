import { count } from '../../findings/words.ts';
import type { Document, ServerDocument } from '../../plan/plan.ts';

/** Counts what no file declares; undefined if there is nothing. */
export function aloneText({ servers }: Document): string | undefined {
  const options = sumOf(servers, 'unmanagedOptions');
  const integrations = sumOf(servers, 'unmanagedIntegrations');
  const counts: string[] = [];
  if (options > 0) counts.push(count(options, 'option'));
  if (integrations > 0) counts.push(count(integrations, 'integration'));
  if (counts.length === 0) return undefined;
  return `${counts.join(' and ')} that no file declares`;
}

/** How many integrations a plan lets change; undefined if it says nothing. */
export function allowedText({ servers }: Document): string | undefined {
  const allowed = servers[0]?.allowedChanges;
  if (allowed === undefined) return undefined;
  const integrations = count(allowed, 'integration');
  return `at most ${integrations} may change, by --allow-changes`;
}

/** Sums up a count of servers. */
export function sumOf(
  servers: readonly ServerDocument[],
  name: Exclude<keyof ServerDocument['summary'], 'left'>,
): number {
  let sum = 0;
  for (const { summary } of servers) sum += summary[name] ?? 0;
  return sum;
}
