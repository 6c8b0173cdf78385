import { count } from '../../findings/words.ts';
import type { Document, ServerDocument } from '../../plan/document.ts';
import { RISK_NAMES } from '../../plan/risk.ts';
import { changesOf, hasChanges, LABEL_NAMES, LABELS, tallyOf } from '../change-words.ts';
import { forTerminal } from '../escape.ts';
import type { View } from '../report.ts';
import { namesIn, wrapWords } from '../wrap.ts';

/** What the changes of all servers come to, what an apply refuses, and what is not compared or left alone. */
export function totalLines(document: Document, view: View): string[] {
  const { servers } = document;
  const isApplied = tallyOf(changesOf(servers)) !== '';
  const wrapped = (line: string) => wrapWords(line.split(' '), view.width);
  const total = wrapped(totalText(document));
  if (view.outcomes) return total;
  return [
    ...(isApplied ? [] : riskLines(servers)),
    ...(isApplied ? [] : refusalLines(servers, view)),
    ...(document.loosened ?? []).flatMap((each) => wrapped(`! ${forTerminal(each)}`).map(view.paint.risk)),
    ...total,
    ...servers
      .flatMap(({ only }) => only ?? [])
      .slice(0, 1)
      .map((only) => `Limited by --only ${forTerminal(only)}.`),
    ...addressLines(servers, view),
    ...leftAloneLines(document),
    ...(view.verbose === true ? [requestText(servers)] : []),
  ];
}

function riskLines(servers: readonly ServerDocument[]): string[] {
  const risks = changesOf(servers).flatMap((change) => change.risks);
  const counts = RISK_NAMES.flatMap((risk) => {
    const { length } = risks.filter((each) => each === risk);
    return length === 0 ? [] : [`${risk} ${length}`];
  });
  return counts.length === 0 ? [] : [`Risks: ${counts.join(', ')}.`];
}

/** What lifts each refusal of an apply; the findings say the rest. */
function refusalLines(servers: readonly ServerDocument[], { width, paint }: View): string[] {
  const texts = servers.flatMap(({ refusals }) => refusals.map(({ message, hint = message }) => hint));
  return [...new Set(texts)].flatMap((text) => {
    const words = `! Apply refuses this. ${forTerminal(text)}`.split(' ');
    const [first = '', ...rest] = wrapWords(words, width - 2);
    return [first, ...rest.map((line) => `  ${line}`)].map(paint.risk);
  });
}

function totalText({ command, complete, servers }: Document): string {
  const changes = changesOf(servers);
  const integrations = servers.flatMap((each) => each.integrations);
  const changed = integrations.filter(hasChanges).length;
  const unplanned = integrations.filter((each) => each.unplanned).length;
  const notes = [
    ...(unplanned === 0 ? [] : [`Not planned because of errors: ${count(unplanned, 'integration')}.`]),
    ...(complete === false ? ['Not every server was planned.'] : []),
  ];
  const managed = servers.reduce((sum, { summary }) => sum + summary.managed, 0);
  const on = servers.length < 2 ? '' : ` on ${count(servers.length, 'server')}`;
  const where = `in ${changed} of ${count(managed, 'managed integration')}${on}`;
  const tally = tallyOf(changes);
  const text =
    changes.length === 0
      ? unchangedText(servers, command === 'diff' ? 0 : managed - unplanned, on)
      : tally !== ''
        ? `Apply: ${count(changes.length, 'change')} in ${count(changed, 'integration')}${on}: ${tally}.`
        : `${command === 'diff' ? 'Diff' : 'Plan'}: ${count(changes.length, 'change')} ${where}${labelText(servers)}.`;
  const unwritten = command === 'apply' && changes.length > 0 && isUnwritten(changes);
  return [text, ...(unwritten ? ['Nothing was written.'] : []), ...notes].join(' ');
}

/** Whether nothing was sent to any server. */
function isUnwritten(changes: ReturnType<typeof changesOf>): boolean {
  return changes.every(
    ({ outcome }) => outcome === undefined || outcome === 'stale' || outcome === 'not-attempted',
  );
}

/** Never says that all is as desired if a field cannot be compared. */
function unchangedText(servers: readonly ServerDocument[], managed: number, on: string): string {
  const all = servers.flatMap((each) => each.integrations);
  const hidden = all.reduce((sum, each) => sum + each.hidden.length, 0);
  const waived = all.reduce((sum, each) => sum + each.waived.length, 0);
  if (managed === 0) return 'No changes.';
  const told = [
    ...(hidden === 0 ? [] : [`${count(hidden, 'field is', 'fields are')} hidden by the server`]),
    ...(waived === 0 ? [] : [`${count(waived, 'difference is', 'differences are')} waived`]),
  ];
  if (told.length > 0) return `No changes: ${told.join(', ')}, the rest is as desired.`;
  return `No changes: ${count(managed, 'managed integration is', 'managed integrations are')} as desired${on}.`;
}

function labelText(servers: readonly ServerDocument[]): string {
  if (servers.every(({ base, head }) => base === undefined || head !== undefined)) return '';
  const changes = changesOf(servers);
  const counts = LABEL_NAMES.flatMap((label) => {
    const { length } = changes.filter((each) => each.label === label);
    return length === 0 ? [] : [`${length} ${LABELS[label].count}`];
  });
  return counts.length === 0 ? '' : `: ${counts.join(', ')}`;
}

/** The fields that are neither written nor compared, by their addresses; equal ones of several servers once. */
function addressLines(servers: readonly ServerDocument[], { width, full }: View): string[] {
  const section = (of: 'hidden' | 'waived' | 'settled' | 'released', title: string, remedy = '') => {
    const all = servers.flatMap(({ integrations }) => integrations.flatMap((each) => each[of]));
    if (all.length === 0) return [];
    const names = namesIn([...new Set(all)].map(forTerminal), width - 4, full);
    const head = `${count(all.length, 'field')} ${title}${remedy}:`;
    return [...wrapWords(head.split(' '), width), ...names.map((line) => `    ${line}`)];
  };
  return [
    ...section('hidden', 'hidden by the server', ', written only with --write-hidden ADDRESS or all'),
    ...section('waived', 'waived'),
    ...section('settled', 'changed by this branch and live already'),
    ...section('released', 'no longer managed, left as they are'),
  ];
}

function leftAloneLines({ command, servers }: Document): string[] {
  const left = servers.reduce((sum, { summary }) => sum + summary.unmanagedOptions, 0);
  return left === 0 || command === 'diff'
    ? []
    : [`Left alone: ${count(left, 'option')} that no file declares.`];
}

function requestText(servers: readonly ServerDocument[]): string {
  const sum = (of: 'reads' | 'writes') => servers.reduce((total, { summary }) => total + summary[of], 0);
  return `Requests: ${sum('reads')} to read, ${sum('writes')} to write.`;
}
