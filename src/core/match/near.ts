import { nearNames, spellingDistance } from '../findings/words.ts';
import { baseOfId, globOfId } from '../model/ids.ts';
import type { LiveIntegration } from '../model/live.ts';

/** The shortest part of a glob that is looked for inside of names: nearly all have shorter ones. */
const SHORTEST_PART = 4;

/** How many spellings are looked at before the nearest integration is found. */
const MOST_NEAR = 20;

/** Integrations by their ids, names and acronyms, and by how these begin. */
type Spellings = ReadonlyMap<string, readonly LiveIntegration[]>;

/** Finds the texts by which a glob may mean each integration: `aws_s3` also by `aws`. */
export function spellingsOf(live: readonly LiveIntegration[]): Spellings {
  const spellings = new Map<string, LiveIntegration[]>();
  for (const integration of live) {
    const { id, name = '', acronym = '' } = integration;
    for (const text of [baseOfId(id), name, acronym]) {
      const [start = ''] = text.split(/[_ ]/);
      for (const spelling of new Set([text, start])) {
        const alike = spellings.get(spelling) ?? [];
        alike.push(integration);
        spellings.set(spelling, alike);
      }
    }
  }
  return spellings;
}

/** Finds the integrations with the longest part of one of some globs in a spelling, or nearly as one; best first. */
export function nearIntegrations(
  globs: readonly string[],
  spellings: Spellings,
): readonly LiveIntegration[] {
  const found = new Set<LiveIntegration>();
  for (const part of globs.map(longestPart)) {
    const word = part.toLowerCase();
    const texts = nearNames(part, [...spellings.keys()], MOST_NEAR);
    for (const text of spellings.keys()) {
      const isLong = word.length >= SHORTEST_PART;
      if (isLong && text.toLowerCase().includes(word)) texts.push(text);
    }
    for (const text of texts) {
      for (const integration of spellings.get(text) ?? []) {
        found.add(integration);
      }
    }
  }
  return nearestFirst([...found], globs);
}

/** Integrations, the one whose id is spelled most like one of the globs first. */
function nearestFirst(
  integrations: readonly LiveIntegration[],
  globs: readonly string[],
): LiveIntegration[] {
  const words = globs.map(withoutWildcards);
  const far = integrations.map((integration) => {
    const id = withoutWildcards(globOfId(integration.id));
    const distances = words.map((word) => spellingDistance(word, id));
    return { integration, distance: Math.min(...distances) };
  });
  far.sort((one, other) => one.distance - other.distance);
  return far.map(({ integration }) => integration);
}

function withoutWildcards(glob: string): string {
  return glob.replace(/\[[^\]]*\]|[*?]/g, '');
}

/** The end of an id, as globs have it: `_node_*`, `_node_17*`. */
const NODE_END = /(_node)(_[\w*]*)?$/;

/** The longest part of a glob that has no wildcard. */
function longestPart(glob: string): string {
  const named = baseOfId(glob).replace(NODE_END, '');
  let longest = '';
  for (const part of named.split(/_?[*?[\]{}()!+@|\\]+_?/)) {
    if (part.length > longest.length) longest = part;
  }
  return longest;
}
