import { count } from '../../findings/words.ts';
import type { ChangeDocument } from '../../plan/document.ts';
import { fieldName, membersOf, placesText, riskText, sentencesOf, sidesOf } from '../change-words.ts';
import type { Group } from '../groups.ts';
import { hasStructure, lineDiff } from '../line-diff.ts';
import { code, type DiffLine, type Node, names } from './nodes.ts';

/** The changes of one integration, or of several that have the same. */
export function groupNode({ integrations, changes }: Group): Node {
  const [first] = integrations;
  const name = first?.name ?? '';
  const id = first === undefined || integrations.length > 1 || first.id === name ? [] : [' ', code(first.id)];
  const fields = changes.map(({ change }) => fieldName(change.address, name).replace(/\.value$/, ''));
  return {
    kind: 'details',
    title: [...names(integrations.map((each) => each.name)), ...id, ': ', ...names(fields)],
    summary: count(changes.length * integrations.length, 'change'),
    lines: changes.flatMap(({ change, places }) => {
      const state = change.outcome === undefined ? '' : ` [${change.outcome}]`;
      const head = `${fieldName(change.address, name)}${state}  ${placesText(places)}`;
      return [...marked('@', head), ...changeLines(change)];
    }),
  };
}

function changeLines(change: ChangeDocument): DiffLine[] {
  return [
    ...sideLines(change),
    ...marked('#', ...sentencesOf(change, sidesOf(change))),
    ...marked('!', ...change.risks.map((risk) => riskText(risk).slice(2))),
    ...marked('#', ...(change.comment === undefined ? [] : [change.comment])),
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

/** Texts of one line or several, each line with the mark. */
function marked(mark: DiffLine['mark'], ...texts: readonly string[]): DiffLine[] {
  return texts.flatMap((text) => text.split('\n').map((line) => ({ mark, text: line })));
}
