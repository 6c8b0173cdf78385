import type { ResolvedConfig } from '../config/resolve.ts';
import {
  compareText,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import { diffConfigs } from './config-diff.ts';

/** What is declared for one server where a branch left a ref, at the tip of the ref, and on the branch. */
export interface Fork {
  readonly mergeBase: ResolvedConfig;
  readonly tip: ResolvedConfig;
  readonly branch: ResolvedConfig;
}

/** Warns of what a ref changed on any server since the branch left it, and the branch lacks; undefined if it lacks nothing. */
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
  const changes = [...lacked.keys()].sort(compareText);
  const integrations = [...new Set(lacked.values())].sort(compareText);
  return diagnostic('branch-behind', { ref, head, changes, integrations });
}

/** The addresses that the ref changed and that differ on the branch, each with the name of its entry. */
function lackedIn({ mergeBase, tip, branch }: Fork): Map<string, string> {
  const lacked = new Map<string, string>();
  const changedByRef = addressesOf(mergeBase, tip);
  const differing = addressesOf(branch, tip);
  for (const [address, name] of changedByRef) {
    if (differing.has(address)) lacked.set(address, name);
  }
  return lacked;
}

/** The addresses in which two configurations differ, each with the name of its entry. */
function addressesOf(
  before: ResolvedConfig,
  after: ResolvedConfig,
): Map<string, string> {
  const addresses = new Map<string, string>();
  for (const { name, changes } of diffConfigs({ before, after })) {
    for (const { address } of changes) addresses.set(address, name);
  }
  return addresses;
}
