import { nearNames, spellingDistance } from '../findings/words.ts';
import { baseOfId, globOfId } from '../model/ids.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';

/** The shortest part of a glob that is looked for inside of names: nearly all have shorter ones. */
const SHORTEST_PART = 4;

/** How many spellings are looked at before the nearest integration is found. */
const MOST_NEAR = 20;

/** Integrations by a text that they have. */
type ByText = ReadonlyMap<string, readonly LiveIntegration[]>;

/** The texts by which globs may mean integrations. */
interface Spellings {
  /** Ids without their ends, names and acronyms. */
  readonly whole: ByText;
  /** Their first words: `aws` of `aws_s3`. */
  readonly starts: ByText;
}

export function spellingsOf(live: readonly LiveIntegration[]): Spellings {
  const whole: [string, LiveIntegration][] = [];
  const starts: [string, LiveIntegration][] = [];
  for (const integration of live) {
    const { id, name = '', acronym = '' } = integration;
    for (const text of [baseOfId(id), name, acronym]) {
      whole.push([text, integration]);
      starts.push([text.replace(/[_ ].*/s, ''), integration]);
    }
  }
  return { whole: byText(whole), starts: byText(starts) };
}

function byText(spelled: readonly [string, LiveIntegration][]): ByText {
  const integrations = new Map<string, LiveIntegration[]>();
  for (const [text, alike] of grouped(spelled, ([spelling]) => spelling)) {
    integrations.set(
      text,
      alike.map(([, integration]) => integration),
    );
  }
  return integrations;
}

/**
 * Finds the integrations of which a text is spelled nearly like the longest part
 * of one of some globs; without any, those of which a first word is, or else
 * that hold the part. The best comes first.
 */
export function nearIntegrations(
  globs: readonly string[],
  { whole, starts }: Spellings,
): readonly LiveIntegration[] {
  const searches = [
    (part: string) => near(part, whole),
    (part: string) => near(part, starts),
    (part: string) => containing(part, whole),
  ];
  const parts = globs.map(longestPart);
  for (const search of searches) {
    const found = new Set(parts.flatMap(search));
    if (found.size > 0) return nearestFirst([...found], globs);
  }
  return [];
}

function near(part: string, known: ByText): LiveIntegration[] {
  const texts = nearNames(part, [...known.keys()], MOST_NEAR);
  return texts.flatMap((text) => known.get(text) ?? []);
}

function containing(part: string, known: ByText): LiveIntegration[] {
  if (part.length < SHORTEST_PART) return [];
  const word = part.toLowerCase();
  const texts = [...known.keys()].filter((text) =>
    text.toLowerCase().includes(word),
  );
  return texts.flatMap((text) => known.get(text) ?? []);
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
