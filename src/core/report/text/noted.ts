import { count } from '../../findings/words.ts';
import { CHANGE_LABELS, LABELS, type NoteLabel } from '../../plan/label.ts';
import type { PlanSummary, ServerPlan } from '../../plan/plan.ts';
import { forTerminal } from '../escape.ts';
import { namesIn, wrapWords } from '../wrap.ts';

/** The lines below the changes of a plan that tell of fields that are not written: settled, released and waived. */
export function notedLines({ integrations }: ServerPlan, width: number): string[] {
  const noted = integrations.flatMap((each) => each.noted ?? []);
  const addresses = (label: NoteLabel) =>
    noted.filter((each) => each.label === label).map(({ address }) => address);
  const waived = integrations.flatMap((each) => each.waived ?? []);
  return [
    ...folded(LABELS.settled.title, addresses('settled'), width),
    ...folded(LABELS.released.title, addresses('released'), width),
    ...waivedLines(waived, width),
  ];
}

function folded(title: string, addresses: readonly string[], width: number): string[] {
  if (addresses.length === 0) return [];
  const names = namesIn(addresses.map(forTerminal), width - 4);
  return [...wrapWords(`${title}:`.split(' '), width), ...names.map((line) => `    ${line}`)];
}

function waivedLines(waived: readonly string[], width: number): string[] {
  if (waived.length === 0) return [];
  return folded(`Waived: ${differences(waived.length)} left alone`, waived, width);
}

function differences(number: number): string {
  return count(number, 'difference');
}

/** How many differences have each label: `: 2 changed by this branch, 1 drifted`; empty without a base. */
export function labelText({ labels }: PlanSummary): string {
  if (labels === undefined) return '';
  const counts = CHANGE_LABELS.flatMap((label) =>
    (labels[label] ?? 0) === 0 ? [] : [`${labels[label]} ${LABELS[label].count}`],
  );
  return counts.length === 0 ? '' : `: ${counts.join(', ')}`;
}
