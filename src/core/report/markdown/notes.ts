import { count } from '../../findings/words.ts';
import { LABELS, type NoteLabel } from '../../plan/label.ts';
import type { ServerPlan } from '../../plan/plan.ts';
import { codeSpan } from '../escape-sinks.ts';
import { type Block, collapsed, partsOf } from './page.ts';

/** Fields that are only told, folded: settled, released, waived, and those that cannot be seen. */
export function noteBlocks({ integrations, snapshot }: ServerPlan): Block[] {
  const noted = integrations.flatMap((each) => each.noted ?? []);
  const labelled = (label: NoteLabel) =>
    noted.filter((each) => each.label === label).map(({ address }) => `- ${codeSpan(address)}`);
  const waived = integrations.flatMap((each) => each.waived ?? []).map((address) => `- ${codeSpan(address)}`);
  const unseen = integrations.flatMap((each) => each.cannotTell);
  return [
    ...foldedBlocks(LABELS.settled.title, labelled('settled')),
    ...foldedBlocks(LABELS.released.title, labelled('released')),
    ...foldedBlocks('Waived: known differences that are left alone', waived),
    ...foldedBlocks(
      snapshot === undefined ? 'Cannot be seen on the server' : 'Cannot be compared',
      unseen.map(({ address }) => `- ${codeSpan(address)}`),
    ),
  ];
}

function foldedBlocks(title: string, lines: readonly string[]): Block[] {
  return partsOf(lines, (line) => [line]).map((part) => ({
    text: collapsed(`${title} (${count(part.items.length, 'field')})`, part.lines.join('\n')),
    of: 'field',
    count: part.items.length,
  }));
}
