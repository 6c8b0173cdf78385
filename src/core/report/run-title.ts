import { count } from '../findings/words.ts';
import { OUTCOMES, type Outcome } from '../plan/outcome.ts';
import { hasChanges, type PlanSummary, type ServerPlan } from '../plan/plan.ts';
import { LIMITED } from './limits.ts';
import type { PlanReport, Report } from './report.ts';

/** The headline of a run that made no plan, and of one that did not make all. */
const NOT_PLANNED = 'not planned';
const NOT_ALL = 'not every server was planned';

/** The command that a report is of: `apply` where one made the plans, or their outcomes are known. */
export function commandOf(report: Report): Report['kind'] | 'apply' {
  if (report.kind !== 'plan') return report.kind;
  return report.isApply === true || outcomesOf(report.servers).length > 0 ? 'apply' : 'plan';
}

function outcomesOf(servers: readonly Pick<ServerPlan, 'integrations'>[]): Outcome[] {
  return servers.flatMap(({ integrations }) => integrations.flatMap(({ outcome }) => outcome ?? []));
}

/**
 * What the plans of a run come to, for its headline: differences to make or, of an apply, the integrations by their outcomes;
 * that nothing was written where it attempted none.
 */
export function titleOf(report: PlanReport): string {
  const { servers, isComplete } = report;
  if (servers.length === 0) return NOT_PLANNED;
  const told = commandOf(report) === 'apply' ? appliedTitle(servers) : plannedTitle(servers);
  return [
    told,
    ...(servers.some(({ only }) => only !== undefined) ? [LIMITED] : []),
    ...(isComplete ? [] : [NOT_ALL]),
  ].join('; ');
}

function plannedTitle(servers: readonly ServerPlan[]): string {
  const sum = (of: (summary: PlanSummary) => number) =>
    servers.reduce((total, { summary }) => total + of(summary), 0);
  const changes = sum((summary) => summary.changes);
  const noun = servers.some(({ summary }) => summary.labels !== undefined) ? 'difference' : 'change';
  if (changes === 0) return `no ${noun}s`;
  const integrations = count(
    sum(({ changed }) => changed),
    'integration',
  );
  const changing = servers.filter(({ summary }) => summary.changes > 0).length;
  return `${count(changes, noun)} in ${integrations} on ${serversText(changing, servers.length)}`;
}

function appliedTitle(servers: readonly ServerPlan[]): string {
  const outcomes = outcomesOf(servers);
  const planned = plannedTitle(servers);
  if (outcomes.length === 0) return servers.some(hasChanges) ? `nothing was written of ${planned}` : planned;
  const attempted = servers.filter((each) => outcomesOf([each]).length > 0).length;
  const on = `on ${serversText(attempted, servers.length)}`;
  const integrations = count(outcomes.length, 'integration');
  const tally = tallyOf(outcomes);
  const told =
    new Set(outcomes).size === 1
      ? `${integrations} ${tally.replace(/^\d+ /, '')}`
      : `${tally} of ${integrations}`;
  return `${outcomes.every((each) => UNWRITTEN.has(each)) ? 'nothing was written: ' : ''}${told} ${on}`;
}

/** On how many servers something is, of all of them where it is not on each. */
function serversText(some: number, all: number): string {
  return some === all ? count(all, 'server') : `${some} of ${count(all, 'server')}`;
}

/** How many integrations have each outcome, the good ones first. */
export function tallyOf(outcomes: readonly Outcome[]): string {
  const counts = Object.keys(OUTCOMES).flatMap((name) => {
    const { length } = outcomes.filter((each) => each === name);
    return length === 0 ? [] : [`${length} ${name.replace('-', ' ')}`];
  });
  return counts.join(', ');
}

/** Outcomes of integrations that nothing was sent to. */
const UNWRITTEN: ReadonlySet<Outcome> = new Set(['stale', 'not-attempted']);
