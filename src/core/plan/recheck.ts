import type { Moved } from '../findings/apply.ts';
import type { Settings } from '../model/desired.ts';
import type { LiveIntegration } from '../model/live.ts';
import { isSameSide } from '../model/side.ts';
import { addressOf, fieldKey, optionOf } from '../model/subject.ts';
import {
  byField,
  type Comparison,
  compareIntegration,
  isShownAsSecret,
} from './compare.ts';
import { UNINSTALLED } from './outcome.ts';
import type { Change, IntegrationPlan, ServerPlan, WriteEnd } from './plan.ts';
import { type Decision, type Policy, type Risk, riskFinder } from './risk.ts';

/** A planned change, and what the server holds of its field by now. */
export interface Rechecked {
  change: Change;
  standing: Standing;
  /** The field as it is; undefined if it is gone. */
  now: Comparison | undefined;
  /** The risks that it has by now. */
  risks: readonly Risk[];
}

/**
 * What a field holds: what it was planned from, what was planned, something
 * else, or nothing that is shown.
 */
export type Standing = 'unmoved' | 'planned' | 'other' | 'hidden';

/** Compares the fields of planned changes again. */
export function recheck(
  integration: IntegrationPlan,
  live: LiveIntegration | undefined,
  policy: Policy = {},
): readonly Rechecked[] {
  const { name, changes } = integration;
  const settings = settingsOfChanges(integration);
  const again = live && compareIntegration({ name, settings }, live);
  const fields = byField(again?.comparisons ?? []);
  const planned: { change: Change; now: Comparison | undefined }[] = [];
  const decisions: Decision[] = [];
  for (const change of changes) {
    const now = fields.get(fieldKey(change.comparison.subject));
    planned.push({ change, now });
    if (now !== undefined) decisions.push({ comparison: now, fate: 'change' });
  }
  const risksOf = riskFinder(decisions, live?.options, policy);
  return planned.map(({ change, now }) => ({
    change,
    now,
    standing: standingOf(change, now),
    risks: now === undefined ? [] : risksOf(now),
  }));
}

/**
 * What a reading proves of a written field. A secret that reads empty and should
 * not proves nothing: a server that hides it shows the same.
 */
export function provenStanding(field: Rechecked): Standing {
  const { change, now, standing } = field;
  const isEmptySecret =
    now?.before.kind === 'unset' && isShownAsSecret(change.comparison);
  return isOffPlan(field) && isEmptySecret ? 'hidden' : standing;
}

/** Whether a field is not at its planned value, as far as the server shows. */
export function isOffPlan({ standing }: Rechecked): boolean {
  return standing === 'unmoved' || standing === 'other';
}

/** What is asked of the options that change, and of the integration itself. */
export function settingsOfChanges({
  settings,
  changes,
}: IntegrationPlan): Settings {
  const changed = new Set(
    changes.map(({ comparison }) => optionOf(comparison.subject)),
  );
  const options = [...settings.options].filter(([key]) => changed.has(key));
  return { ...settings, options: new Map(options) };
}

function standingOf(change: Change, now: Comparison | undefined): Standing {
  if (now === undefined) return 'other';
  if (now.state === 'same') return 'planned';
  if (now.state !== 'differs') return 'hidden';
  const then = change.comparison;
  const wasShown = then.state === 'differs';
  return wasShown && isSameSide(then.before, now.before) ? 'unmoved' : 'other';
}

/**
 * Why nothing is to be written of an integration that was shown a while ago: it
 * is done, or the server moved.
 */
export function endSince(
  { policy }: ServerPlan,
  integration: IntegrationPlan,
  live: LiveIntegration | undefined,
): WriteEnd | undefined {
  const rechecked = recheck(integration, live, policy);
  if (rechecked.every(({ standing }) => standing === 'planned'))
    return { kind: 'done' };
  const moved = movedSinceShown(rechecked);
  if (moved.length === 0) return undefined;
  return live === undefined
    ? { kind: 'stale', moved: [], detail: UNINSTALLED }
    : { kind: 'stale', moved };
}

/**
 * The changes that a person was shown and that moved until they were read
 * again.
 */
export function movedSinceShown(rechecked: readonly Rechecked[]): Moved[] {
  const moved: Moved[] = [];
  for (const { change, standing, risks } of rechecked) {
    const { subject, state } = change.comparison;
    // The server holds what it held, as far as it shows.
    const isAtRest =
      standing === 'unmoved' || (standing === 'hidden' && state !== 'differs');
    // All users would see a secret that they did not see when it was planned.
    const risk = 'exposes-secret';
    const isExposed = risks.includes(risk) && !change.risks.includes(risk);
    if (isAtRest && !isExposed) continue;
    moved.push({ address: addressOf(subject), by: 'server' });
  }
  return moved;
}
