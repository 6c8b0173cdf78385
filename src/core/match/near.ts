import { nearNames } from '../findings/words.ts';
import { baseOfId } from '../model/ids.ts';
import { grouped } from '../model/lists.ts';
import type { LiveIntegration } from '../model/live.ts';

/** The shortest part of a glob that is looked for inside of names. */
const SHORTEST_PART = 3;

/** How many spellings are near at most. */
const MOST_NEAR = 20;

/**
 * Integrations by the texts that globs may mean: ids without their ends, names
 * and acronyms.
 */
type Spellings = ReadonlyMap<string, readonly Spelling[]>;

type Spelling = readonly [text: string, integration: LiveIntegration];

export function spellingsOf(live: readonly LiveIntegration[]): Spellings {
  const spellings = live.flatMap((integration): Spelling[] => {
    const { id, name = '', acronym = '' } = integration;
    return [baseOfId(id), name, acronym].map((text) => [text, integration]);
  });
  return grouped(spellings, ([text]) => text);
}

/**
 * Finds the integrations that are spelled nearly like the longest part of one
 * of some globs; without any, those that hold that part.
 */
export function nearIntegrations(
  globs: readonly string[],
  spellings: Spellings,
): readonly LiveIntegration[] {
  const known = [...spellings.keys()];
  const parts = globs.map(longestPart);
  let near = parts.flatMap((part) => nearNames(part, known, MOST_NEAR));
  if (near.length === 0) {
    const words = parts.filter((part) => part.length >= SHORTEST_PART);
    near = known.filter((text) => words.some((word) => holds(text, word)));
  }
  const found = near.flatMap((text) => spellings.get(text) ?? []);
  return [...new Set(found.map(([, integration]) => integration))];
}

function holds(text: string, word: string): boolean {
  return text.toLowerCase().includes(word.toLowerCase());
}

/** The end of an id, as globs have it: `_node_*`, `_node_17*`. */
const NODE_END = /_node(_[\w*]*)?$/i;

/** The longest part of a glob that has no wildcard. */
function longestPart(glob: string): string {
  const named = baseOfId(glob).replace(NODE_END, '');
  const parts = named.split(/_?[*?[\]{}()!+@|\\]+_?/);
  return parts.reduce((one, other) =>
    other.length > one.length ? other : one,
  );
}
