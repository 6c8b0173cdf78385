import { diagnostic } from '../../diagnostic.ts';
import type { Place } from '../../model.ts';
import type { Rule, Subject } from './rule.ts';
import { isSlip } from './slip.ts';

/** So many names of variables at most are compared with each other. */
const MOST_COMPARED = 500;

/**
 * Two environment variables that seem to be one, written in two ways. With a fallback the mistyped one is never missed. The
 * one that is used less is likely to be wrong.
 */
export const alikeVariables: Rule = ({ winning }) => {
  const uses = [...usesOf(winning)].sort(([, a], [, b]) => b.count - a.count);
  if (uses.length > MOST_COMPARED) return [];
  return uses.flatMap(([name, { place }], index) => {
    const first = uses.slice(0, index).find(([other]) => isSlip(name, other));
    if (first === undefined) return [];
    const [other, { place: at }] = first;
    return [diagnostic('alike-variables', { name, other, at }, place)];
  });
};

function usesOf(subjects: readonly Subject[]): Map<string, { count: number; place: Place }> {
  const uses = new Map<string, { count: number; place: Place }>();
  for (const { references, field } of subjects) {
    for (const { kind, name } of references) {
      if (kind !== 'env') continue;
      const { count = 0, place = field.place } = uses.get(name) ?? {};
      uses.set(name, { count: count + 1, place });
    }
  }
  return uses;
}
