import { count, listed } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import type { ChangeDocument, Document, ServerDocument } from '../../plan/plan.ts';
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
  const only = servers.find((server) => server.only !== undefined)?.only;
  const left = command === 'diff' ? 0 : sumOf(servers, 'unmanagedOptions');
  const notes = [
    ...(only === undefined ? [] : [`Limited by --only ${forTerminal(only)}.`]),
    ...(left === 0 ? [] : [`Left alone: ${count(left, 'option')} that no file declares.`]),
    ...(view.verbose === true
      ? [`Requests: ${sumOf(servers, 'reads')} to read, ${sumOf(servers, 'writes')} to write.`]
      : []),
  ];
  const warnings = [...refusals(servers), ...loosened].flatMap((text) =>
    filled(`! ${forTerminal(text)}`, view.width).map(view.paint.risk),
  );
  return [...risks(servers), ...warnings, ...total, ...addressLines(servers, view), ...notes];
}

function sumOf(servers: readonly ServerDocument[], of: keyof ServerDocument['summary']): number {
  return servers.reduce((total, { summary }) => total + summary[of], 0);
}

/** How many changes have each risk, before an apply. */
function risks(servers: readonly ServerDocument[]): string[] {
  const open = changesOf(servers).filter(({ outcome }) => outcome === undefined);
  const found = open.flatMap((change) => change.risks);
  const counts = countsOf(RISK_NAMES, found).map(([risk, number]) => `${risk} ${number}`);
  return counts.length === 0 ? [] : [`Risks: ${counts.join(', ')}.`];
}

/** The codes of what apply refuses; the findings say the rest. */
function refusals(servers: readonly ServerDocument[]): string[] {
  const codes = new Set(servers.flatMap((server) => server.refusals.map(({ code }) => code)));
  return codes.size === 0 ? [] : [`Apply refuses this: ${[...codes].join(', ')}.`];
}

/** What all changes come to. Never says that all is as desired: a field may be hidden, or an integration not planned. */
function totalText({ command, complete, servers, diagnostics }: Document): string {
  const changes = changesOf(servers);
  const changed = servers.flatMap(({ integrations }) => integrations.filter(hasChanges)).length;
  const on = servers.length < 2 ? '' : ` on ${count(servers.length, 'server')}`;
  const managed = `${count(sumOf(servers, 'managed'), 'managed integration')}${on}`;
  const tally = tallyOf(changes);
  const labels = labelText(servers);
  const made = count(changes.length, 'change');
  const sum =
    tally === ''
      ? `${command === 'diff' ? 'Diff' : 'Plan'}: ${made} in ${changed} of ${managed}${labels && `: ${labels}`}.`
      : `Apply: ${made} in ${count(changed, 'integration')}${on}: ${tally}.`;
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error');
  const isUnwritten = command === 'apply' && changes.length > 0 && changes.every(wasNotSent);
  return [
    changes.length === 0 ? `No changes in ${hasErrors ? 'what could be planned' : managed}.` : sum,
    ...(isUnwritten ? ['Nothing was written.'] : []),
    ...(complete === false ? ['Not every server was planned.'] : []),
  ].join(' ');
}

function wasNotSent({ outcome }: ChangeDocument): boolean {
  return outcome === undefined || outcome === 'stale' || outcome === 'not-attempted';
}

/** Whose the changes are, if they were compared with a base. */
function labelText(servers: readonly ServerDocument[]): string {
  if (!servers.some(({ base, head }) => base !== undefined && head === undefined)) return '';
  const labels = changesOf(servers).map(({ label }) => label);
  return countsOf(LABEL_NAMES, labels)
    .map(([label, number]) => `${number} ${LABELS[label].count}`)
    .join(', ');
}

const ASIDE = [
  ['unplanned', 'integration', 'not planned, because of errors'],
  ['hidden', 'field', 'hidden by the server, written only with --write-hidden ADDRESS or all'],
  ['waived', 'field', 'waived'],
  ['settled', 'field', 'changed by this branch and live already'],
  ['released', 'field', 'no longer managed; values stay on the server'],
] as const;

/** The fields that are neither written nor compared, each once, with its servers unless it is on all. */
function addressLines(servers: readonly ServerDocument[], { width, full }: View): string[] {
  return ASIDE.flatMap(([of, noun, words]) => {
    const all = servers.flatMap((server) =>
      addressesOf([server], of).map((address) => ({ address, server: server.name })),
    );
    const names = [...grouped(all, ({ address }) => address)].map(([address, on]) => {
      const names = on.map(({ server }) => server);
      return on.length === servers.length ? address : `${address} (${listed(names, 3)})`;
    });
    if (all.length === 0) return [];
    return [...filled(`${count(names.length, noun)} ${words}:`, width), ...namesIn(names, width, 4, full)];
  });
}
