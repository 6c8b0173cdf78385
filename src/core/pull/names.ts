import { baseOfId } from '../model/integration-id.ts';
import type { LiveIntegration } from '../model/live.ts';

/** A folder of configuration leaves out the file with this name. */
const RESERVED = 'setpoint';

/**
 * Names each integration that is not managed after the part of its id that outlasts an upgrade; copies are numbered in their
 * order. No name is taken already, or the id of another integration.
 */
export function entryNames(
  all: readonly LiveIntegration[],
  managed: ReadonlySet<LiveIntegration>,
  taken: readonly string[],
): ReadonlyMap<string, string> {
  const used = new Set([RESERVED, ...taken.map((name) => name.toLowerCase())]);
  const owners = new Map(all.map(({ id }) => [id.toLowerCase(), id]));
  const names = new Map<string, string>();
  for (const integration of all.filter((each) => !managed.has(each))) {
    const { id } = integration;
    const isFree = (name: string) => !used.has(name) && (owners.get(name) ?? id) === id;
    const base = slug(baseOfId(id)) || 'integration';
    const name = isFree(base) ? base : numbered(base, isFree);
    used.add(name);
    names.set(id, name);
  }
  return names;
}

/** A text in small letters, digits and dashes. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
}

function numbered(name: string, isFree: (name: string) => boolean): string {
  for (let number = 2; ; number += 1) if (isFree(`${name}-${number}`)) return `${name}-${number}`;
}
