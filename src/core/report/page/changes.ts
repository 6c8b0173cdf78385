import { count } from '../../findings/words.ts';
import type { ChangeDocument } from '../../plan/document.ts';
import { fieldName, placesText, riskText, sentencesOf, sidesOf } from '../change-words.ts';
import type { Group } from '../groups.ts';
import { marked, sideLines } from '../line-diff.ts';
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
      return [...marked('@', [head]), ...changeLines(change)];
    }),
  };
}

function changeLines(change: ChangeDocument): DiffLine[] {
  return [
    // A sentence says what is known of it.
    ...(change.secret === true && change.label === 'drift' ? [] : sideLines(change)),
    ...marked('#', sentencesOf(change, sidesOf(change))),
    ...marked(
      '!',
      change.risks.map((risk) => riskText(risk).slice(2)),
    ),
    ...marked('#', change.comment === undefined ? [] : [change.comment]),
  ];
}
