import type { ResolvedConfig } from '../config/resolve.ts';
import {
  compareText,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import { addressOf } from '../model/subject.ts';
import {
  type ConfigPair,
  compareConfigs,
  type FieldComparison,
  isChanged,
} from './compare-configs.ts';

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
  const byRef = changedFields({ before: mergeBase, after: tip });
  const changedByRef = new Set(
    byRef.map(({ comparison }) => addressOf(comparison.subject)),
  );
  const lacked = new Map<string, string>();
  for (const field of changedFields({ before: branch, after: tip })) {
    const { comparison, base, head } = field;
    const { subject } = comparison;
    // An apply sends only what the branch declares.
    const isInBoth = base !== undefined && head !== undefined;
    const address = addressOf(subject);
    if (!isInBoth || !changedByRef.has(address)) continue;
    lacked.set(address, subject.integration);
  }
  return lacked;
}

/** Lists the fields of all entries that two configurations declare otherwise. */
function changedFields(configs: ConfigPair): FieldComparison[] {
  const changed: FieldComparison[] = [];
  for (const { fields } of compareConfigs(configs)) {
    changed.push(...fields.filter(isChanged));
  }
  return changed;
}
