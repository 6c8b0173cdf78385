import { count } from '../../findings/words.ts';
import type { ChangeDocument } from '../../plan/document.ts';
import { fieldName, membersOf, riskText, sentencesOf, sidesOf } from '../change-words.ts';
import type { Group, GroupedChange } from '../groups.ts';
import { hasStructure, lineDiff, nearLines } from '../line-diff.ts';
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
  const [first = '', ...others] = places;
  const place = others.length === 0 ? first : `${first} and ${others.length} more`;
  const state = outcome === undefined ? '' : ` [${outcome}]`;
  const sides = sidesOf(change);
  return [
    { mark: '@', text: `${fieldName(address, name)}${state}  ${place}` },
    ...sideLines(change),
    ...sentencesOf(change, sides).map((text): DiffLine => ({ mark: '#', text })),
    ...risks.map((risk): DiffLine => ({ mark: '!', text: riskText(risk).slice(2) })),
    ...(comment === undefined ? [] : [{ mark: '#', text: comment } as const]),
  ];
}

function sideLines(change: ChangeDocument): DiffLine[] {
  // A sentence says what is known of it.
  if (change.secret === true && change.label === 'drift') return [];
  const { before, after, base } = sidesOf(change);
  const members = membersOf(change);
  if (members !== undefined)
    return [
      ...members.removed.map((text): DiffLine => ({ mark: '-', text })),
      ...members.added.map((text): DiffLine => ({ mark: '+', text })),
    ];
  if (base !== undefined)
    return [
      { mark: ' ', text: `base: ${base}` },
      { mark: '-', text: `live: ${before}` },
      { mark: '+', text: `desired: ${after}` },
    ];
  if (!hasStructure(before) && !hasStructure(after))
    return [
      { mark: '-', text: before },
      { mark: '+', text: after },
    ];
  return lineDiff(before, after).flatMap((part, index, parts): DiffLine[] => {
    if (part.kind === 'open')
      return [
        { mark: ' ', text: `(${part.side === 'add' ? 'now' : 'before'} without a newline at its end)` },
      ];
    if (part.kind !== 'context') return [{ mark: part.kind === 'add' ? '+' : '-', text: part.text }];
    const { start, left, end } = nearLines(part.lines, {
      isAfter: index > 0,
      isBefore: index + 1 < parts.length,
    });
    const skipped = left === 0 ? [] : [`(${count(left, 'equal line')})`];
    return [...start, ...skipped, ...end].map((text) => ({ mark: ' ', text }));
  });
}
