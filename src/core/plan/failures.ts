import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { grouped, present } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import type { Reason, Written } from './attempts.ts';
import { type Compared, isOpen } from './compare.ts';
import type { Outcome } from './outcome.ts';
import type { Change, IntegrationPlan } from './plan.ts';

/** Why an integration was not changed, or may not have been. */
interface Failure {
  readonly integration: string;
  readonly kind: 'forbidden' | 'failed' | 'unknown';
  readonly detail: string;
  /** What was changed in spite of it. */
  readonly taken: readonly string[];
  readonly place: Place | undefined;
}

/** Why an integration failed or is unknown: once for each reason that the server gave. */
export function failuresOf(
  { name: integration, changes }: IntegrationPlan,
  written: Written,
  outcome: Outcome,
  states: readonly Compared[],
  detail: string,
): Failure[] {
  const open = states.filter(isOpen);
  const taken = states.flatMap(({ change, state }) => (state === 'planned' ? [change.address] : []));
  const [first] = [...open.map(({ change }) => change), ...changes];
  if (outcome === 'unknown')
    return [{ integration, kind: 'unknown', detail, taken: [], place: first?.setting.place }];
  if (outcome !== 'failed' && outcome !== 'blocked') return [];
  const { reasons = [], forbidden = false } = written.kind === 'refused' ? written : {};
  const kind = forbidden && taken.length === 0 ? 'forbidden' : 'failed';
  const given: readonly Reason[] =
    reasons.length > 0 ? reasons : [{ text: kind === 'forbidden' ? '' : detail }];
  const likely = likelyPlace(changes, open);
  return given.map(({ text, place = likely }) => ({ integration, taken, kind, detail: text, place }));
}

/** One finding for all integrations that failed for one reason; each that changed in part has its own. */
export function failureFindings(all: readonly Failure[]): Diagnostic[] {
  const groups = grouped(all, ({ kind, detail, taken, integration }) =>
    JSON.stringify([kind, detail, ...(taken.length === 0 ? [] : [integration])]),
  );
  return [...groups.values()].flatMap((failures) => {
    const [first] = failures;
    return first === undefined ? [] : [failureFinding(first, failures)];
  });
}

function failureFinding({ kind, detail, taken, place }: Failure, all: readonly Failure[]): Diagnostic {
  const integrations = [...new Set(all.map(({ integration }) => integration))];
  const at = integrations.length === 1 ? place : undefined;
  if (kind === 'forbidden')
    return diagnostic(
      'not-permitted',
      { request: 'PATCH', integrations, ...present({ detail: detail || undefined }) },
      at,
    );
  if (kind === 'failed') return diagnostic('apply-failed', { integrations, detail, taken }, at);
  return diagnostic('apply-unknown', { integrations, detail }, at);
}

/** The place of the only change that can be the cause; undefined among several. */
function likelyPlace(changes: readonly Change[], open: readonly Compared[]): Place | undefined {
  return changes.length === 1 || open.length === 1
    ? (open[0]?.change ?? changes[0])?.setting.place
    : undefined;
}
