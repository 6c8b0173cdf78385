import { count } from '../../findings/words.ts';
import type { ChangeDocument } from '../../plan/document.ts';
import { fieldName, membersOf, placesText, riskText, sentencesOf, sidesOf } from '../change-words.ts';
import type { Group, GroupedChange } from '../groups.ts';
import { hasStructure, lineDiff } from '../line-diff.ts';
import { code, type DetailsNode, type DiffLine, type Inline } from './nodes.ts';

/** The changes of one integration, or of several that have the same. */
export function groupNode(
  { integrations, changes }: Group,
  names: (all: readonly string[]) => readonly Inline[],
): DetailsNode {
  const [first] = integrations;
  const name = first?.name ?? '';
  const who = integrations.map((each) => each.name);
  const id = first === undefined || integrations.length > 1 || first.id === name ? [] : [' ', code(first.id)];
  const fields = changes.map(({ change }) => fieldName(change.address, name).replace(/\.value$/, ''));
  return {
    kind: 'details',
    title: [...names(who), ...id, ': ', ...names(fields)],
    summary: count(changes.length * integrations.length, 'change'),
    lines: changes.flatMap((change) => changeLines(change, name)),
    isItem: true,
  };
}

function changeLines({ change, places }: GroupedChange, name: string): DiffLine[] {
  const { address, outcome, risks, comment } = change;
  const state = outcome === undefined ? '' : ` [${outcome}]`;
  return [
    ...marked('@', `${fieldName(address, name)}${state}  ${placesText(places)}`),
    ...sideLines(change),
    ...marked('#', ...sentencesOf(change, sidesOf(change))),
    ...risks.flatMap((risk) => marked('!', riskText(risk).slice(2))),
    ...(comment === undefined ? [] : marked('#', comment)),
  ];
}

function sideLines(change: ChangeDocument): readonly DiffLine[] {
  // A sentence says what is known of it.
  if (change.secret === true && change.label === 'drift') return [];
  const { before, after, base } = sidesOf(change);
  const members = membersOf(change);
  if (members !== undefined) return [...marked('-', ...members.removed), ...marked('+', ...members.added)];
  if (base !== undefined)
    return [
      ...marked(' ', `base: ${base}`),
      ...marked('-', `live: ${before}`),
      ...marked('+', `desired: ${after}`),
    ];
  if (hasStructure(before) || hasStructure(after)) return lineDiff(before, after);
  return [...marked('-', before), ...marked('+', after)];
}

function marked(mark: DiffLine['mark'], ...texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ mark, text }));
}
