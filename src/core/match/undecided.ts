import { selectorOf } from '../config/entry.ts';
import type { ResolvedConfig } from '../config/resolve.ts';
import type { LiveIntegration } from '../model/live.ts';
import { LiveIndex } from './live-index.ts';
import type { Misses } from './match.ts';

/** The errors of a branch on a server, with its declarations and those of its base. */
interface Errors extends Misses {
  readonly base: ResolvedConfig;
  readonly branch: ResolvedConfig;
  readonly live: readonly LiveIntegration[];
}

/**
 * Finds the integrations, by their ids, that a branch may still mean to manage: errors leave them out, or an entry that matches
 * none or several now meant them at the base.
 */
export function undecidedIds(errors: Errors): ReadonlySet<string> {
  const undecided = new Set(errors.erring);
  if (errors.unmet.length === 0) return undecided;
  const index = new LiveIndex(errors.live);
  for (const entry of entriesBefore(errors)) {
    for (const { id } of index.found(selectorOf(entry))) undecided.add(id);
  }
  return undecided;
}

/** The entries of the base that unmet ones may have been: by the same name or, if theirs is new, any that is gone. */
function entriesBefore({ base, branch, unmet }: Errors): ResolvedConfig {
  const unmetNames = new Set(unmet);
  const names = new Set(branch.map(({ name }) => name));
  const bases = new Set(base.map(({ name }) => name));
  const mayBeRenamed = unmet.some((name) => !bases.has(name));
  return base.filter(
    ({ name }) => unmetNames.has(name) || (mayBeRenamed && !names.has(name)),
  );
}
