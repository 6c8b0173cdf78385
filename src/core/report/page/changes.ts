import { count } from '../../findings/words.ts';
import { fieldName, placesText } from '../change-words.ts';
import type { Group } from '../groups.ts';
import { changeLines, marked } from '../line-diff.ts';
import { code, type Node, names } from './nodes.ts';

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
