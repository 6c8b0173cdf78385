import type { LiveIntegration } from '../../src/core/model/live.ts';
import { addressOf } from '../../src/core/model/subject.ts';
import type { ReadBack } from '../../src/core/plan/judge.ts';
import type { Label } from '../../src/core/plan/label.ts';
import type { IntegrationPlan, Planned } from '../../src/core/plan/plan.ts';
import { type PlanInput, planServer } from '../../src/core/plan/plan-server.ts';
import { recheck } from '../../src/core/plan/recheck.ts';
import { desiredOf, entries, validConfig } from './config.ts';

/** The server of plans in tests. */
export const SERVER = { name: 's', url: 'https://s' };

/** The plan of entries in YAML for what is live. */
export function plannedFor(
  yaml: string,
  live: readonly LiveIntegration[],
  own: Partial<PlanInput> = {},
): Planned {
  const desired = desiredOf(validConfig(entries(yaml)), live);
  return planServer({ server: SERVER, desired, live, reads: 1, ...own });
}

/** What a reading back shows of integrations, by what a server holds of each, or why that was not read. */
export function readingsOf(
  integrations: readonly IntegrationPlan[],
  live: ReadonlyMap<string, LiveIntegration | string>,
): ReadonlyMap<string, ReadBack> {
  const readings = new Map<string, ReadBack>();
  for (const integration of integrations) {
    const read = live.get(integration.id);
    const isUnread = typeof read === 'string';
    readings.set(integration.id, isUnread ? read : recheck(integration, read));
  }
  return readings;
}

/** What a reviewer reads of a field: who moved it, or why nothing is left to do. */
export type Word = Label | 'settled' | 'released';

/** Every field of plans that has such a word, by its address. */
export function wordsOf(
  integrations: readonly IntegrationPlan[],
): Record<string, Word> {
  const words: Record<string, Word> = {};
  for (const { changes, left } of integrations) {
    for (const { comparison, label } of changes) {
      words[addressOf(comparison.subject)] = label;
    }
    for (const { subject, because } of left) {
      const isDone = because === 'settled' || because === 'released';
      if (isDone) words[addressOf(subject)] = because;
    }
  }
  return words;
}
