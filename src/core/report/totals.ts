import { count, listed } from '../findings/words.ts';
import { grouped } from '../model/json.ts';
import {
  type ChangeDocument,
  type Document,
  type IntegrationDocument,
  OUTCOMES,
  type ServerDocument,
} from '../plan/plan.ts';
import { RISK_NAMES, RISKS } from '../plan/risk.ts';
import { LABELS } from './change.ts';
import { findingsWithRefusals } from './document-findings.ts';
import { hintsOf } from './hints.ts';

/** What is said of some names. */
type Fact = readonly [title: string, names: readonly string[]];

/** The changes of servers. */
export function changesOf(
  servers: readonly ServerDocument[],
): ChangeDocument[] {
  return servers.flatMap(({ integrations }) =>
    integrations.flatMap(({ changes }) => changes),
  );
}

/** What all changes come to. Never says that all is as desired: a field may be hidden, or an integration not planned. */
export function totalText(document: Document): string {
  const { command, complete, servers, diagnostics } = document;
  const changes = changesOf(servers);
  const integrations = servers.flatMap((server) => server.integrations);
  const changed = integrations.filter((each) => each.changes.length > 0).length;
  const on = servers.length < 2 ? '' : ` on ${count(servers.length, 'server')}`;
  const number = servers.reduce((sum, { summary }) => sum + summary.managed, 0);
  const managed = `${count(number, 'managed integration')}${on}`;
  const outcomes = outcomesText(changes);
  const labels = labelsText(document);
  const made = count(changes.length, 'change');
  const sum =
    outcomes === ''
      ? `${command === 'diff' ? 'Diff' : 'Plan'}: ${made} in ${changed} of ${managed}${labels && `: ${labels}`}.`
      : `Apply: ${made} in ${count(changed, 'integration')}${on}: ${outcomes}.`;
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error');
  // Errors are why nothing could be planned; otherwise there is nothing to plan.
  if (hasErrors && plannedIn(servers) === 0) return 'Nothing was planned.';
  const isUnwritten =
    command === 'apply' && changes.length > 0 && changes.every(wasNotSent);
  return [
    changes.length === 0
      ? `No changes in ${hasErrors ? 'what could be planned' : managed}.`
      : sum,
    ...(isUnwritten ? ['Nothing was written.'] : []),
    ...(complete === false ? ['Not every server was planned.'] : []),
  ].join(' ');
}

/** How many integrations could be planned. */
function plannedIn(servers: readonly ServerDocument[]): number {
  let planned = 0;
  for (const { summary, integrations } of servers) {
    const failed = integrations.filter(({ unplanned }) => unplanned === true);
    planned += summary.managed - failed.length;
  }
  return planned;
}

function wasNotSent({ outcome }: ChangeDocument): boolean {
  return (
    outcome === undefined || outcome === 'stale' || outcome === 'not-attempted'
  );
}

/** Whose the changes are, if they were compared with a base. */
function labelsText(document: Document): string {
  if (!isLabelled(document)) return '';
  const names = Object.values(LABELS).map((each) => each.count);
  const changes = changesOf(document.servers);
  const labels = changes.map(({ label }) => LABELS[label].count);
  return tally(names, labels);
}

/** Whether the labels of changes tell something: they were compared with a base. */
export function isLabelled({ base, head }: Document): boolean {
  return base !== undefined && head === undefined;
}

/** How many changes have each outcome, the good ones first: `2 verified, 1 stale`. Empty before an apply. */
export function outcomesText(changes: readonly ChangeDocument[]): string {
  const outcomes = changes.map(({ outcome }) => outcome);
  return tally(Object.keys(OUTCOMES), outcomes).replaceAll('-', ' ');
}

/** How often each name is in a list, in the order of the names: `2 sent, 1 failed`. */
function tally(names: readonly string[], all: readonly unknown[]): string {
  const counts = names.map(
    (name) => [all.filter((each) => each === name).length, name] as const,
  );
  return counts
    .flatMap(([number, name]) => (number > 0 ? `${number} ${name}` : []))
    .join(', ');
}

const ASIDE = [
  ['unplanned', 'integration', 'not planned, because of errors'],
  [
    'hidden',
    'field',
    'hidden, not compared; written only with --write-hidden ADDRESS or all',
  ],
  ['waived', 'field', 'waived'],
  ['settled', 'field', 'changed by this branch and live already'],
  ['released', 'field', 'no longer managed; values stay on the server'],
] as const;

/** What a reviewer is to know, by its kind: risks, findings, what setpoint.yaml loosens, what is left aside. */
export function factsOf(document: Document) {
  const { servers, loosened = [] } = document;
  return {
    risks: risks(servers),
    findings: findings(findingsWithRefusals(document)),
    loosened: [['setpoint.yaml is less strict', loosened]] satisfies Fact[],
    aside: aside(servers),
  };
}

/** The names of what is left aside of an integration. */
function namesAside(
  integration: IntegrationDocument,
  kind: (typeof ASIDE)[number][0],
): readonly string[] {
  const { name, unplanned, hidden, unread, waived } = integration;
  if (kind === 'unplanned') return unplanned === true ? [name] : [];
  if (kind === 'waived') return waived.map(({ address }) => address);
  if (kind === 'hidden') {
    return [...hidden, ...unread].map(({ address }) => address);
  }
  return integration[kind];
}

/** What is neither written nor compared, each name once, with its servers unless it is on all; counted on each server. */
function aside(servers: readonly ServerDocument[]): Fact[] {
  return ASIDE.flatMap(([kind, noun, words]): Fact[] => {
    const all = servers.flatMap(({ name: server, integrations }) =>
      integrations
        .flatMap((integration) => namesAside(integration, kind))
        .map((name) => ({ name, server })),
    );
    const names = [...grouped(all, ({ name }) => name)].map(([name, on]) => {
      const where = on.map(({ server }) => server);
      return where.length === servers.length
        ? name
        : `${name} (${listed(where, 3)})`;
    });
    return names.length === 0
      ? []
      : [[`${count(all.length, noun)} ${words}`, names]];
  });
}

function risks(servers: readonly ServerDocument[]): Fact[] {
  return RISK_NAMES.map((risk) => {
    const found = changesOf(servers).filter((change) =>
      change.risks.includes(risk),
    );
    return [
      `${risk} (${RISKS[risk].words})`,
      [...new Set(found.map(({ address }) => address))],
    ];
  });
}

/** Errors and warnings; the same on several servers once. */
function findings(diagnostics: Document['diagnostics']): Fact[] {
  const shown = diagnostics.filter(({ severity }) => severity !== 'note');
  const same = grouped(shown, (each) =>
    JSON.stringify([each.code, each.message, each.file, each.line]),
  );
  return [...same.values()].map((all) => {
    const { severity, code: name, message, file, line = 1 } = all[0];
    const said = [message, ...hintsOf(all)].join(' ');
    const texts = [
      ...all.map(({ server }) => server),
      file && `${file}:${line}`,
      said,
    ];
    return [`${severity} ${name}`, texts.filter((text) => text !== undefined)];
  });
}
