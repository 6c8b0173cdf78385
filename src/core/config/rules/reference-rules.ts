import { diagnostic } from '../../findings/diagnostic.ts';
import type { Place } from '../../model/place.ts';
import type { Rule, Subject } from './rule.ts';
import { folded, isTypo } from './slip.ts';

/** So many names of variables at most are compared with each other. */
const MOST_COMPARED = 500;

/**
 * Two environment variables that seem to be one, written in two ways. With a fallback the mistyped one is never missed. The
 * one that is used less is likely to be wrong.
 */
export const alikeVariables: Rule = ({ winning }) => {
  const uses = [...usesOf(winning)].sort((a, b) => b.count - a.count);
  const firsts = new Map<string, Use>();
  const compares = uses.length <= MOST_COMPARED;
  return uses.flatMap((use) => {
    const key = folded(use.name);
    const known = firsts.get(key);
    const near =
      known ?? (compares ? [...firsts.values()].find(({ name }) => isTypo(use.name, name)) : undefined);
    if (known === undefined) firsts.set(key, use);
    if (near === undefined) return [];
    return [diagnostic('alike-variables', { name: use.name, other: near.name, at: near.place }, use.place)];
  });
};

/** A variable, how often it is used, and where first. */
interface Use {
  readonly name: string;
  readonly place: Place;
  count: number;
}

/** A file outside of the folder that references stay in: whatever is there, it will not be read. */
export const escapingFile: Rule = ({ winning }) =>
  winning.flatMap(({ references, field }) =>
    references
      .flatMap(({ kind, name, source }) => {
        const reason = kind === 'file' ? whyRefused(name) : undefined;
        return reason === undefined ? [] : [{ reference: source, reason }];
      })
      .map((facts) => diagnostic('reference-file', facts, field.place)),
  );

/** A file by a whole path: it is read only where the folder of references is around it, on this one machine. */
export const absoluteFile: Rule = ({ winning }) =>
  winning.flatMap(({ references, field }) =>
    references
      .filter(({ kind, name }) => kind === 'file' && /^([/\\]|[A-Za-z]:[/\\])/.test(name))
      .map(({ source }) => diagnostic('absolute-file', { reference: source }, field.place)),
  );

/** Why the file of a path cannot be read, if the path alone shows it. */
function whyRefused(path: string): string | undefined {
  if (/^(~|\$[A-Za-z_]\w*|%\w+%)[/\\]/.test(path)) return 'only a shell replaces what the path begins with';
  return leaves(path) ? 'it is outside the configuration folder' : undefined;
}

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

function usesOf(subjects: readonly Subject[]): Iterable<Use> {
  const uses = new Map<string, Use>();
  for (const { references, field } of subjects) {
    for (const { kind, name } of references) {
      if (kind !== 'env') continue;
      const use = uses.get(name) ?? { name, place: field.place, count: 0 };
      use.count += 1;
      uses.set(name, use);
    }
  }
  return uses.values();
}
