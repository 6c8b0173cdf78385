import type { Document } from '../plan/plan.ts';

type Finding = Document['diagnostics'][number];

/** The most servers whose own hint is shown. */
const MOST = 8;

/** What to do about findings of one cause: the first hint of each server, as their variables differ. */
export function hintsOf(findings: readonly Finding[]): string[] {
  const byServer = new Map<string | undefined, string>();
  for (const { server, hint } of findings) {
    const isNew = hint !== undefined && !byServer.has(server);
    if (isNew) byServer.set(server, hint);
  }
  return [...new Set(byServer.values())].slice(0, MOST);
}
