import type { Moved } from '../findings/apply.ts';
import type { LiveIntegration } from '../model/live.ts';
import { beforeWords, type FieldState, statesOf, wasUnreadable } from './field-state.ts';
import type { ServerPlan } from './plan.ts';

/** The integrations of a plan that are no longer as it saw them: by id, the fields that moved and how. */
export function movedSince(
  plan: ServerPlan,
  live: ReadonlyMap<string, LiveIntegration>,
): ReadonlyMap<string, readonly Moved[]> {
  return new Map(
    plan.integrations.flatMap((planned): [string, Moved[]][] => {
      const moved = statesOf(planned, live.get(planned.id)).flatMap(movedField);
      return moved.length === 0 ? [] : [[planned.id, moved]];
    }),
  );
}

/** How a field moved; what could not be read when it was planned has not while it still cannot, nor what is empty as it was. */
function movedField({ change, state, now }: FieldState): Moved[] {
  if (state === (wasUnreadable(change) ? 'untold' : 'before')) return [];
  if (state === 'untold' && now === beforeWords(change)) return [];
  const isPlain = state === 'after' && !change.sensitive;
  const { address } = change;
  return [{ address, by: 'server', before: beforeWords(change), now: isPlain ? `${now}, as planned` : now }];
}
