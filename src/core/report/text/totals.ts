import { count, listed } from '../../findings/words.ts';
import type { ChangeDocument, Document, ServerDocument } from '../../plan/document.ts';
import { RISK_NAMES } from '../../plan/risk.ts';
import {
  addressesOf,
  changesOf,
  countsOf,
  hasChanges,
  LABEL_NAMES,
  LABELS,
  tallyOf,
} from '../change-words.ts';
import { forTerminal } from '../escape.ts';
import type { View } from '../report.ts';
import { filled, namesIn } from '../wrap.ts';

/** The counts over all servers, the refusals of an apply, and the fields that are not compared or left alone. */
export function totalLines(document: Document, view: View): string[] {
  const { servers, command, loosened = [] } = document;
  const total = filled(totalText(document), view.width);
  if (view.outcomes) return total;
  const changes = changesOf(servers);
  const only = servers.find((server) => server.only !== undefined)?.only;
  const left = sumOf(servers, 'unmanagedOptions');
  return [
    ...(tallyOf(changes) === '' ? [...riskLines(changes), ...refusalLines(servers, view)] : []),
    ...loosened.flatMap((each) => filled(`! ${forTerminal(each)}`, view.width).map(view.paint.risk)),
    ...total,
    ...(only === undefined ? [] : [`Limited by --only ${forTerminal(only)}.`]),
    ...addressLines(servers, view),
    ...(left === 0 || command === 'diff'
      ? []
      : [`Left alone: ${count(left, 'option')} that no file declares.`]),
    ...(view.verbose === true
      ? [`Requests: ${sumOf(servers, 'reads')} to read, ${sumOf(servers, 'writes')} to write.`]
      : []),
  ];
}

function sumOf(
  servers: readonly ServerDocument[],
  of: 'managed' | 'unmanagedOptions' | 'reads' | 'writes',
): number {
  return servers.reduce((total, { summary }) => total + summary[of], 0);
}

function riskLines(changes: readonly ChangeDocument[]): string[] {
  const risks = changes.flatMap((change) => change.risks);
  const counts = countsOf(RISK_NAMES, risks).map(([risk, number]) => `${risk} ${number}`);
  return counts.length === 0 ? [] : [`Risks: ${counts.join(', ')}.`];
}

/** The codes of what apply refuses; the findings say the rest. */
function refusalLines(servers: readonly ServerDocument[], { paint }: View): string[] {
  const codes = new Set(servers.flatMap(({ refusals }) => refusals.map(({ code }) => code)));
  return codes.size === 0 ? [] : [paint.risk(`! Apply refuses this: ${[...codes].join(', ')}.`)];
}

function totalText({ command, complete, servers, diagnostics }: Document): string {
  const changes = changesOf(servers);
  const integrations = servers.flatMap((each) => each.integrations);
  const changed = integrations.filter(hasChanges).length;
  const unplanned = integrations.filter((each) => each.unplanned).length;
  const managed = sumOf(servers, 'managed');
  const on = servers.length < 2 ? '' : ` on ${count(servers.length, 'server')}`;
  const where = `in ${changed} of ${count(managed, 'managed integration')}${on}`;
  const tally = tallyOf(changes);
  const text =
    changes.length === 0
      ? unchangedText(servers, command === 'diff' ? 0 : managed - unplanned, on)
      : tally !== ''
        ? `Apply: ${count(changes.length, 'change')} in ${count(changed, 'integration')}${on}: ${tally}.`
        : `${command === 'diff' ? 'Diff' : 'Plan'}: ${count(changes.length, 'change')} ${where}${labelText(servers)}.`;
  const isUnwritten = command === 'apply' && changes.length > 0 && changes.every(wasNotSent);
  return [
    text,
    ...(isUnwritten ? ['Nothing was written.'] : []),
    ...(complete === false ? [unreadText(servers, diagnostics)] : []),
  ].join(' ');
}

/** Names the servers that could not be planned, as far as a finding does. */
function unreadText(servers: readonly ServerDocument[], diagnostics: Document['diagnostics']): string {
  const planned = new Set<string | undefined>(servers.map(({ name }) => name));
  const named = diagnostics.flatMap(({ server }) => (planned.has(server) ? [] : (server ?? [])));
  const missing = [...new Set(named)].map(forTerminal);
  return missing.length === 0 ? 'Not every server was planned.' : `Not planned: ${listed(missing)}.`;
}

function wasNotSent({ outcome }: ChangeDocument): boolean {
  return outcome === undefined || outcome === 'stale' || outcome === 'not-attempted';
}

/** Never says that all is as desired if a field cannot be compared. */
function unchangedText(servers: readonly ServerDocument[], managed: number, on: string): string {
  if (managed === 0) return 'No changes.';
  const [hidden, waived] = [addressesOf(servers, 'hidden').length, addressesOf(servers, 'waived').length];
  const exceptions = [
    ...(hidden === 0 ? [] : [`${count(hidden, 'field is', 'fields are')} hidden by the server`]),
    ...(waived === 0 ? [] : [`${count(waived, 'difference is', 'differences are')} waived`]),
  ];
  if (exceptions.length > 0) return `No changes: ${exceptions.join(', ')}, the rest is as desired.`;
  return `No changes: ${count(managed, 'managed integration is', 'managed integrations are')} as desired${on}.`;
}

function labelText(servers: readonly ServerDocument[]): string {
  if (servers.every(({ base, head }) => base === undefined || head !== undefined)) return '';
  const labels = changesOf(servers).map(({ label }) => label);
  const counts = countsOf(LABEL_NAMES, labels).map(([label, number]) => `${number} ${LABELS[label].count}`);
  return counts.length === 0 ? '' : `: ${counts.join(', ')}`;
}

/** The fields that are neither written nor compared, by their addresses; equal ones of several servers once. */
function addressLines(servers: readonly ServerDocument[], { width, full }: View): string[] {
  const section = (of: 'hidden' | 'waived' | 'settled' | 'released', title: string, remedy = '') => {
    const all = servers.flatMap(({ integrations }) => integrations.flatMap((each) => each[of]));
    if (all.length === 0) return [];
    const names = namesIn([...new Set(all)].map(forTerminal), width - 4, full);
    const head = `${count(all.length, 'field')} ${title}${remedy}:`;
    return [...filled(head, width), ...names.map((line) => `    ${line}`)];
  };
  return [
    ...section('hidden', 'hidden by the server', ', written only with --write-hidden ADDRESS or all'),
    ...section('waived', 'waived'),
    ...section('settled', 'changed by this branch and live already'),
    ...section('released', 'no longer managed; values stay on the server'),
  ];
}
