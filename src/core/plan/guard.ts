import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { ServerPlan } from './plan.ts';

/** Of so many managed integrations and more, only a part may change without a word of its own. */
const GUARDED_FROM = 10;

/** The part, in percent. */
const LARGEST_SHARE = 30;

/** What a plan warns of: that an apply of it will be refused unless the number of integrations that change is named. */
export function manyChanges(plans: readonly ServerPlan[]): Diagnostic[] {
  return plans.some(isLarge) ? [diagnostic('many-changes', sizeOf(plans))] : [];
}

/** Why an apply is refused for its size: it changes many of the integrations of a server, and `allowed` is not their number. */
export function refusedForSize(plans: readonly ServerPlan[], allowed: number | undefined): Diagnostic[] {
  const size = sizeOf(plans);
  if (!plans.some(isLarge) || allowed === size.changed) return [];
  return [diagnostic('many-changes-refused', { ...size, ...(allowed === undefined ? {} : { allowed }) })];
}

function isLarge({ summary }: ServerPlan): boolean {
  const { managedInAll, changed } = summary;
  return managedInAll >= GUARDED_FROM && changed * 100 > managedInAll * LARGEST_SHARE;
}

/** How many integrations change on all servers of the run, and on those where they are many. */
function sizeOf(plans: readonly ServerPlan[]) {
  const large = plans.filter(isLarge).map(({ name, summary }) => ({
    server: name,
    changed: summary.changed,
    managed: summary.managedInAll,
  }));
  return { changed: plans.reduce((sum, { summary }) => sum + summary.changed, 0), large };
}
