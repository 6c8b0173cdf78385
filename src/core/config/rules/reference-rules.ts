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

/** A file above the folder that references stay in: whatever is there, it will not be read. */
export const escapingFile: Rule = ({ winning }) =>
  winning.flatMap(({ references, field }) =>
    references
      .filter(({ kind, name }) => kind === 'file' && leaves(name))
      .map(({ source }) =>
        diagnostic(
          'reference-file',
          { reference: source, reason: 'it is outside the configuration folder' },
          field.place,
        ),
      ),
  );

/** Whether a relative path leaves the folder that it begins in. */
function leaves(path: string): boolean {
  if (path.startsWith('/')) return false;
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

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
