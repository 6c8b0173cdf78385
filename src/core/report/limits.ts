import { count } from '../findings/words.ts';
import { grouped } from '../model/grouped.ts';
import type { ServerPlan } from '../plan/plan.ts';

/** What the headline of a limited run says. */
export const LIMITED = 'limited by --only';

/** How many integrations `--only` selects, for each of its globs; nothing where it limits no plan. A glob may be foreign. */
export function limitTexts(
  servers: readonly Pick<ServerPlan, 'only' | 'summary'>[],
  escaped: (text: string) => string,
): string[] {
  return [...grouped(servers, ({ only }) => only)].flatMap(([only, plans]) => {
    const sum = (of: 'managed' | 'managedInAll') =>
      plans.reduce((total, { summary }) => total + summary[of], 0);
    const all = count(sum('managedInAll'), 'managed integration');
    return only === undefined ? [] : [`${escaped(`--only ${only}`)} selects ${sum('managed')} of ${all}.`];
  });
}
