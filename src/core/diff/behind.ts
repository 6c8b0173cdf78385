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

/**
 * What is declared for one server where a branch left a ref, at the tip of the
 * ref, and on the branch.
 */
export interface Fork {
  mergeBase: ResolvedConfig;
  tip: ResolvedConfig;
  branch: ResolvedConfig;
}

/**
 * Warns of fields that a ref changed on any server since the branch left it,
 * and that an apply of the branch may undo.
 */
export function branchBehind(
  ref: string,
  forks: readonly Fork[],
  head?: string | undefined,
): Diagnostic | undefined {
  const lacked = new Map<string, string>();
  for (const { mergeBase, tip, branch } of forks) {
    const byRef = changedFields({ before: mergeBase, after: tip });
    const since = changedFields({ before: branch, after: tip });
    for (const [address, { comparison, base, head: atTip }] of since) {
      // An apply sends only what the branch declares.
      const isInBoth = base !== undefined && atTip !== undefined;
      if (!isInBoth || !byRef.has(address)) continue;
      lacked.set(address, comparison.subject.integration);
    }
  }
  if (lacked.size === 0) return undefined;
  const addresses = [...lacked.keys()].sort(compareText);
  const integrations = [...new Set(lacked.values())].sort(compareText);
  return diagnostic('branch-behind', { ref, head, addresses, integrations });
}

/** The fields that two configurations declare otherwise, by their addresses. */
function changedFields(
  configs: ConfigPair,
): ReadonlyMap<string, FieldComparison> {
  const fields = compareConfigs(configs).flatMap((entry) => entry.fields);
  const changed = fields.filter(isChanged);
  return new Map(
    changed.map((field) => [addressOf(field.comparison.subject), field]),
  );
}
