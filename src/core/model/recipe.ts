import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Recipe, RecipePart, WrittenValue } from './desired.ts';
import type { Place } from './place.ts';
import type { Choice, Scalar } from './value.ts';

/** What the shell found for references; a name that is not in a map was not asked for. */
export interface ReferenceTable {
  /** The value of each environment variable, or why there is none. An empty variable counts as missing. */
  readonly env: ReadonlyMap<string, { readonly text: string } | { readonly reason: 'missing' | 'forbidden' }>;
  /** The text of each referenced file, or why it cannot be read. */
  readonly file: ReadonlyMap<string, { readonly text: string } | { readonly reason: string }>;
}

/** A reference to the world outside the configuration. */
export interface OutsideReference {
  readonly kind: 'env' | 'file';
  readonly name: string;
}

/** The text of a reference or what stands in for it, or what is wrong with it. `source` is the reference as it is written. */
export function lookUp(
  { kind, name, fallback }: OutsideReference & { readonly fallback?: string },
  source: string,
  table: ReferenceTable,
  place: Place,
): { readonly text: string; readonly isFallback: boolean } | { readonly problem: Diagnostic } {
  const found = table[kind].get(name) ?? { reason: kind === 'env' ? 'missing' : 'it was not read' };
  if ('text' in found) return { text: found.text, isFallback: false };
  if (kind === 'file')
    return { problem: diagnostic('reference-file', { reference: source, reason: found.reason }, place) };
  if (found.reason === 'forbidden') return { problem: diagnostic('reference-not-allowed', { name }, place) };
  return fallback === undefined
    ? { problem: diagnostic('reference-missing', { reference: source }, place) }
    : { text: fallback, isFallback: true };
}

/** The texts in a recipe that stand in clear. */
export function literalsOf(recipe: Recipe): string[] {
  return partsOf(recipe).flatMap((part) => {
    if ('text' in part) return [part.text];
    return 'env' in part && part.fallback !== undefined ? [part.fallback] : [];
  });
}

/** The references that a recipe needs. */
export function neededBy(recipe: Recipe): OutsideReference[] {
  return partsOf(recipe).flatMap((part): OutsideReference[] => {
    if ('env' in part) return [{ kind: 'env', name: part.env }];
    return 'file' in part ? [{ kind: 'file', name: part.file }] : [];
  });
}

/** All pieces of a recipe, in order. */
function partsOf(recipe: Recipe): readonly RecipePart[] {
  if ('text' in recipe) return recipe.text;
  if ('choice' in recipe) return [...recipe.choice.display, ...recipe.choice.value];
  return 'list' in recipe ? recipe.list.flatMap(partsOf) : [{ text: String(recipe.literal) }];
}

/** The value that a recipe makes; or all that is missing for it, at the place where the value is declared. */
export function makeValue(
  recipe: Recipe,
  table: ReferenceTable,
  place: Place,
): { readonly value: WrittenValue } | { readonly problems: readonly Diagnostic[] } {
  const problems: Diagnostic[] = [];
  const text = (parts: readonly RecipePart[]) =>
    parts
      .map((part) => {
        if ('text' in part) return part.text;
        const found = lookUp(...wanted(part), table, place);
        if ('text' in found) return found.text;
        problems.push(found.problem);
        return '';
      })
      .join('');
  const single = (one: Recipe): Scalar | Choice => {
    if ('literal' in one) return one.literal;
    if ('text' in one) return text(one.text);
    if ('choice' in one) return { display: text(one.choice.display), value: text(one.choice.value) };
    // No YAML leads to a list in a list; a plan that was written by hand is refused by its schema.
    throw new Error('a recipe has a list in a list');
  };
  const value = 'list' in recipe ? recipe.list.map(single) : single(recipe);
  return problems.length > 0 ? { problems } : { value };
}

function wanted(
  part: Exclude<RecipePart, { readonly text: string }>,
): [OutsideReference & { readonly fallback?: string }, string] {
  if ('file' in part) return [{ kind: 'file', name: part.file }, `\${file:${part.file}}`];
  const { env: name, fallback } = part;
  const source = `\${env:${name}}`;
  return fallback === undefined ? [{ kind: 'env', name }, source] : [{ kind: 'env', name, fallback }, source];
}
