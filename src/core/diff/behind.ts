import type { ResolvedConfig } from '../config/resolve.ts';
import {
  compareText,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import { diffConfigs } from './config-diff.ts';

/** The address of a field that a server has, unlike a name or a match. */
const FIELD = /\.(?:value|permission|autosubscribe)$/;

/** What is declared for one server where a branch left a ref, at the tip of the ref, and on the branch. */
export interface Fork {
  readonly mergeBase: ResolvedConfig;
  readonly tip: ResolvedConfig;
  readonly branch: ResolvedConfig;
}

/** Warns of fields that a ref changed on any server since the branch left it, and that an apply of the branch may undo. */
export function branchBehind(
  ref: string,
  forks: readonly Fork[],
  head?: string | undefined,
): Diagnostic | undefined {
  const lacked = new Map<string, string>();
  for (const fork of forks) {
    for (const [address, name] of lackedIn(fork)) lacked.set(address, name);
  }
  if (lacked.size === 0) return undefined;
  const addresses = [...lacked.keys()].sort(compareText);
  const integrations = [...new Set(lacked.values())].sort(compareText);
  return diagnostic('branch-behind', { ref, head, addresses, integrations });
}

/** The fields that the ref changed and both declare, but not alike, each with the name of its entry. */
function lackedIn({ mergeBase, tip, branch }: Fork): Map<string, string> {
  const changedByRef = new Set<string>();
  for (const { changes } of diffConfigs({ before: mergeBase, after: tip })) {
    for (const { address } of changes) changedByRef.add(address);
  }
  const lacked = new Map<string, string>();
  for (const { name, changes } of diffConfigs({ before: branch, after: tip })) {
    for (const { address, declared } of changes) {
      // An apply sends only what the branch declares.
      const isUndone = declared === 'both' && FIELD.test(address);
      if (isUndone && changedByRef.has(address)) lacked.set(address, name);
    }
  }
  return lacked;
}
