import type { Moved } from '../findings/apply.ts';
import type { LiveIntegration } from '../model/live.ts';
import { beforeWords, type FieldState, statesOf, wasUnreadable } from './field-state.ts';
import type { IntegrationPlan, ServerPlan } from './plan.ts';

/**
 * The integrations of a plan that are no longer as it saw them: by id, the fields that moved and how. `unseen` has the secrets
 * whose options users did not see: one that they see by now would be shown to them.
 */
export function movedSince(
  plan: ServerPlan,
  live: ReadonlyMap<string, LiveIntegration>,
  unseen: ReadonlySet<string>,
): ReadonlyMap<string, readonly Moved[]> {
  return new Map(
    plan.integrations.flatMap((planned): [string, Moved[]][] => {
      const now = live.get(planned.id);
      const moved = [...statesOf(planned, now).flatMap(movedField), ...exposed(planned, now, unseen)];
      return moved.length === 0 ? [] : [[planned.id, moved]];
    }),
  );
}

function exposed(
  { name, changes }: IntegrationPlan,
  live: LiveIntegration | undefined,
  unseen: ReadonlySet<string>,
): Moved[] {
  return changes.flatMap((change): Moved[] => {
    if (change.field !== 'value' || !unseen.has(change.address)) return [];
    const now = live?.options.get(change.option)?.permission;
    const address = `${name}.options.${change.option}.permission`;
    return now === 'lock-and-show' ? [{ address, by: 'server', before: 'not shown to users', now }] : [];
  });
}

/** How a field moved; what could not be read when it was planned has not while it still cannot. */
function movedField({ change, state, now }: FieldState): Moved[] {
  if (state === (wasUnreadable(change) ? 'untold' : 'before')) return [];
  const isPlain = state === 'after' && !change.sensitive;
  const { address } = change;
  return [{ address, by: 'server', before: beforeWords(change), now: isPlain ? `${now}, as planned` : now }];
}
