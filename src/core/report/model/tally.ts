import { count, enumerated } from '../../findings/words.ts';
import {
  type Document,
  isNothingPlanned,
  OUTCOMES,
  type Outcome,
} from '../../plan/plan.ts';
import { RISK_NAMES, type Risk } from '../../plan/risk.ts';
import { sumOf } from './alone.ts';
import { TONES } from './card.ts';
import type { Fact } from './row.ts';

/** Who moved a field, in few words. */
export const LABELS = {
  change: { short: 'this branch', counted: 'by this branch' },
  conflict: { short: 'conflict', counted: 'in conflict' },
  drift: { short: 'drift', counted: 'drifted' },
} as const;

type LabelName = keyof typeof LABELS;

/** How many changes are of a kind. */
export interface Tally<Name extends string> {
  readonly name: Name;
  readonly count: number;
}

/** The counts of a document, each that is not zero. */
export interface Tallies {
  readonly changes: number;
  /** Those with changes, each once for each of its servers. */
  readonly integrations: number;
  readonly labels: readonly Tally<LabelName>[];
  readonly risks: readonly Tally<Risk>[];
  readonly outcomes: readonly Tally<Outcome>[];
}

/** Counts changes: by who moved them, by risk and by outcome. */
export function talliesOf(facts: readonly Fact[]): Tallies {
  const changed = new Set(
    facts.map(({ server, integration }) => {
      return JSON.stringify([server, integration.id]);
    }),
  );
  const labels = Object.keys(LABELS) as LabelName[];
  const outcomes = Object.keys(OUTCOMES) as Outcome[];
  return {
    changes: facts.length,
    integrations: changed.size,
    labels: tallied(labels, facts, ({ change }) => [change.label]),
    risks: tallied(RISK_NAMES, facts, ({ change }) => change.risks),
    outcomes: tallied(outcomes, facts, ({ change }) =>
      change.outcome === undefined ? [] : [change.outcome],
    ),
  };
}

function tallied<Name extends string>(
  names: readonly Name[],
  facts: readonly Fact[],
  kindsOf: (fact: Fact) => readonly Name[],
): Tally<Name>[] {
  const counts = new Map<Name, number>();
  for (const fact of facts) {
    for (const kind of kindsOf(fact)) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  const tallies: Tally<Name>[] = [];
  for (const name of names) {
    const number = counts.get(name);
    if (number !== undefined) tallies.push({ name, count: number });
  }
  return tallies;
}

/** The sentence at the top of a report, without servers. */
export function headlineOf(
  document: Document,
  { changes, integrations }: Tallies,
): string {
  const { command, servers, diagnostics } = document;
  if (changes > 0) {
    const noun = command === 'compare' ? 'difference' : 'change';
    return `${count(changes, noun)} in ${count(integrations, 'integration')}`;
  }
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (servers.length > 0 && !isNothingPlanned(servers)) {
    return noneText(document, errors.length > 0);
  }
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning');
  const found: string[] = [];
  if (errors.length > 0) found.push(count(errors.length, 'error'));
  if (warnings.length > 0) found.push(count(warnings.length, 'warning'));
  return found.length === 0 ? 'Nothing found' : enumerated(found);
}

/** Says that nothing changes. */
function noneText({ command, servers }: Document, hasErrors: boolean): string {
  if (command === 'undo') return 'Nothing to undo';
  if (command === 'compare') {
    const isNone = sumOf(servers, 'managed') === 0;
    return isNone ? 'Nothing was compared' : 'No differences';
  }
  if (hasErrors) return 'No changes in what could be planned';
  if (command === 'diff') return 'No differences';
  const managed = sumOf(servers, 'managed');
  return `Nothing to change in ${count(managed, 'managed integration')}`;
}

/** What stands for or against a plan, or how an apply ended. */
export interface Verdict {
  readonly tone: 'bad' | 'risk' | 'good' | 'dim';
  readonly text: string;
}

/** The verdict on a document; undefined if there is nothing to judge. */
export function verdictOf(
  document: Document,
  facts: readonly Fact[],
): Verdict | undefined {
  if (document.servers.length === 0) return undefined;
  if (facts.some(({ change }) => change.outcome !== undefined)) {
    return verdictAfter(facts);
  }
  return verdictAgainst(document) ?? verdictFor(document.command, facts);
}

/** What stands against a plan. */
function verdictAgainst({
  command,
  complete,
  servers,
  diagnostics,
}: Document): Verdict | undefined {
  if (servers.some(({ refusals }) => refusals.length > 0)) {
    const who = command === 'undo' ? 'Undo' : 'Apply';
    return { tone: 'bad', text: `${who} refuses this` };
  }
  if (complete === false) {
    return { tone: 'bad', text: 'A server could not be planned' };
  }
  const unplanned = unplannedOf(servers).flatMap((each) => each.servers).length;
  if (unplanned > 0) {
    const text = `${count(unplanned, 'integration')} left out`;
    return { tone: 'risk', text };
  }
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return undefined;
  return { tone: 'risk', text: `${count(errors.length, 'error')}` };
}

/** The verdict on what nothing stands against. */
function verdictFor(
  command: Document['command'],
  facts: readonly Fact[],
): Verdict | undefined {
  if (command === 'compare') return undefined;
  if (command === 'diff') return { tone: 'dim', text: 'No server was asked' };
  if (command === 'undo') {
    const text = facts.length === 0 ? 'Nothing to undo' : 'Nothing written';
    return { tone: 'dim', text };
  }
  if (facts.length === 0) return { tone: 'good', text: 'In sync' };
  const hasRisks = facts.some(({ change }) => change.risks.length > 0);
  if (hasRisks) return { tone: 'risk', text: 'Ready, with risks' };
  return { tone: 'good', text: 'Ready to apply' };
}

function verdictAfter(facts: readonly Fact[]): Verdict {
  let left = 0;
  for (const { change } of facts) {
    const { outcome } = change;
    if (outcome === undefined || TONES[outcome] !== 'good') left += 1;
  }
  if (left === 0) return { tone: 'good', text: 'All written' };
  return { tone: 'bad', text: `${left} of ${facts.length} not written` };
}

/** An integration that errors leave out, and where. */
export interface Unplanned {
  readonly name: string;
  readonly servers: readonly string[];
}

export function unplannedOf(servers: Document['servers']): Unplanned[] {
  const byName = new Map<string, string[]>();
  for (const { name: server, integrations } of servers) {
    for (const { name, unplanned } of integrations) {
      if (unplanned !== true) continue;
      byName.set(name, [...(byName.get(name) ?? []), server]);
    }
  }
  return [...byName].map(([name, on]) => ({ name, servers: on }));
}
