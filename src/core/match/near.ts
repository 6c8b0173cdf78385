import { nearNames, spellingDistance } from '../findings/words.ts';
import { baseOfId, globOfId } from '../model/ids.ts';
import type { LiveIntegration } from '../model/live.ts';

/** Integrations by their ids, names and acronyms, or parts of these. */
type ByText = ReadonlyMap<string, readonly LiveIntegration[]>;

/** The shortest part of a glob that is compared with parts of names: shorter ones resemble nearly all. */
const SHORTEST_PART = 4;

/** How many spellings are looked at before the nearest integration is found. */
const MOST_NEAR = 20;

/** Finds the integrations whose id, name or acronym is spelled nearly like one of some globs, best first. */
export class NearNames {
  readonly #live: readonly LiveIntegration[];
  readonly #whole: ByText;
  /** Beginnings and ends of names, by their length. */
  readonly #cut = new Map<number, ByText>();

  constructor(live: readonly LiveIntegration[]) {
    this.#live = live;
    this.#whole = byName(live, baseOfId);
  }

  find(globs: readonly string[]): readonly LiveIntegration[] {
    const whole: LiveIntegration[] = [];
    const partly: LiveIntegration[] = [];
    for (const glob of globs) {
      const { first, longest, last } = literalParts(glob);
      whole.push(...near(longest, this.#whole));
      partly.push(...this.#withPart(first, first.length));
      partly.push(...this.#withPart(last, -last.length));
      partly.push(...this.#containing(longest));
    }
    if (whole.length > 0) return nearestFirst(whole, globs);
    return nearestFirst(partly, globs);
  }

  /** The integrations with a name that begins, or with a negative length ends, nearly like a text. */
  #withPart(part: string, length: number): LiveIntegration[] {
    const found: LiveIntegration[] = [];
    if (part.length < SHORTEST_PART) return found;
    // A letter may be missing, or be one too many.
    for (const cut of [length, length - 1, length + 1]) {
      found.push(...near(part, this.#cutTo(cut)));
    }
    return found;
  }

  /** The integrations with a part in their ids, names or acronyms. */
  #containing(part: string): LiveIntegration[] {
    if (part.length < SHORTEST_PART) return [];
    const word = part.toLowerCase();
    const found: LiveIntegration[] = [];
    for (const [text, integrations] of this.#whole) {
      if (text.toLowerCase().includes(word)) found.push(...integrations);
    }
    return found;
  }

  #cutTo(length: number): ByText {
    const known =
      this.#cut.get(length) ??
      byName(this.#live, (text) =>
        length < 0 ? text.slice(length) : text.slice(0, length),
      );
    this.#cut.set(length, known);
    return known;
  }
}

/** Each integration once, the one whose id is spelled most like one of the globs first. */
function nearestFirst(
  integrations: readonly LiveIntegration[],
  globs: readonly string[],
): LiveIntegration[] {
  const far = new Map<LiveIntegration, number>();
  for (const integration of integrations) {
    const id = withoutWildcards(globOfId(integration.id));
    const distances = globs.map((glob) =>
      spellingDistance(withoutWildcards(glob), id),
    );
    far.set(integration, Math.min(...distances));
  }
  const ordered = [...far].sort(([, one], [, other]) => one - other);
  return ordered.map(([integration]) => integration);
}

function withoutWildcards(glob: string): string {
  return glob.replace(/\[[^\]]*\]|[*?]/g, '');
}

function near(word: string, known: ByText): LiveIntegration[] {
  if (word === '') return [];
  const names = nearNames(word, [...known.keys()], MOST_NEAR);
  return names.flatMap((name) => known.get(name) ?? []);
}

/** Integrations by their ids, names and acronyms, as a function cuts them. */
function byName(
  live: readonly LiveIntegration[],
  textOf: (name: string) => string,
): ByText {
  const found = new Map<string, LiveIntegration[]>();
  for (const integration of live) {
    const { id, name = '', acronym = '' } = integration;
    for (const text of [id, name, acronym].map(textOf)) {
      if (text === '') continue;
      const alike = found.get(text);
      if (alike === undefined) found.set(text, [integration]);
      else alike.push(integration);
    }
  }
  return found;
}

/** The texts of a glob before its first wildcard, behind its last one, and in its longest part. */
interface LiteralParts {
  readonly first: string;
  readonly last: string;
  readonly longest: string;
}

/** The end of an id, as globs have it: `_node_*`, `_node_17*`. */
const NODE_END = /(_node)(_[\w*]*)?$/;

function literalParts(glob: string): LiteralParts {
  const named = baseOfId(glob).replace(NODE_END, '');
  const parts = named.split(/_?[*?[\]{}()!+@|\\]+_?/);
  let longest = '';
  for (const part of parts) {
    if (part.length > longest.length) longest = part;
  }
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  // A glob without wildcards means a whole name.
  if (parts.length === 1) return { first: '', last: '', longest };
  return { first, last, longest };
}
