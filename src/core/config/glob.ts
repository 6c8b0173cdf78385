import { GlobRunner, type GlobStep } from './glob-runner.ts';

/**
 * A glob as a predicate over a whole text. `*` stands for any run of characters, `?` for one, `[a-c]` and `[!a]` for one of
 * a set or none of it, `{a,b}` for alternatives, which may hold others; a backslash takes the next character as it is.
 */
export function globMatcher(glob: string): (text: string) => boolean {
  const start = literalStart(glob);
  if (start.length === glob.length) return (text) => text === glob;
  if (!/[?[{\\]/.test(glob)) return pieceMatcher(glob.split('*'));
  const runner = new GlobRunner(new GlobParser(glob).parse());
  return (text) => text.startsWith(start) && runner.matches(text);
}

/** Matches pieces of text with a star between each two: the first place of each is as good as any other. */
function pieceMatcher(pieces: readonly string[]): (text: string) => boolean {
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  const inner = pieces.slice(1, -1);
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    let from = first.length;
    for (const piece of inner) {
      const at = text.indexOf(piece, from);
      if (at < 0) return false;
      from = at + piece.length;
    }
    return from <= end;
  };
}

/** The text that everything which matches a glob begins with; the glob itself where it has no wildcard. */
export function literalStart(glob: string): string {
  return /^[^*?[{\\]*/.exec(glob)?.[0] ?? '';
}

/** Alternatives that are open: the fork before them, and the ends of those that were read. */
interface OpenBrace {
  readonly fork: number[];
  readonly ends: number[][];
}

/** Reads a glob into steps that only lead onward. */
class GlobParser {
  readonly #steps: GlobStep[] = [];
  readonly #characters: readonly string[];
  readonly #closing: ReadonlyMap<number, number>;
  readonly #open: (OpenBrace & { readonly close: number })[] = [];

  constructor(glob: string) {
    this.#characters = [...glob];
    this.#closing = closingBraces(this.#characters);
  }

  parse(): readonly GlobStep[] {
    for (let at = 0; at < this.#characters.length; ) at = this.#step(at);
    return this.#steps;
  }

  /** Reads what begins at a position; gives the next one. */
  #step(at: number): number {
    const character = this.#characters[at] ?? '';
    if (character === '\\') return this.#literal(this.#characters[at + 1] ?? '\\', at + 2);
    if (character === '?') return this.#one(() => true, at + 1);
    if (character === '[') return this.#set(at);
    if (character === '*') {
      if (this.#steps.at(-1)?.kind !== 'run') this.#steps.push({ kind: 'run' });
      return at + 1;
    }
    return this.#brace(character, at) ?? this.#literal(character, at + 1);
  }

  #brace(character: string, at: number): number | undefined {
    const close = this.#closing.get(at);
    const open = this.#open.at(-1);
    if (character === '{' && close !== undefined) {
      this.#open.push({ fork: this.#fork(), ends: [], close });
      this.#begin();
      return at + 1;
    }
    if (open === undefined || (character !== ',' && at !== open.close)) return undefined;
    open.ends.push(this.#fork());
    if (character === ',') this.#begin();
    else {
      this.#open.pop();
      for (const end of open.ends) end.push(this.#steps.length);
      // Without a step of its own, a run behind the brace would be taken for one with a run inside of it.
      this.#fork().push(this.#steps.length);
    }
    return at + 1;
  }

  /** Begins an alternative of the innermost brace. */
  #begin(): void {
    this.#open.at(-1)?.fork.push(this.#steps.length);
  }

  #fork(): number[] {
    const to: number[] = [];
    this.#steps.push({ kind: 'fork', to });
    return to;
  }

  #literal(expected: string, next: number): number {
    return this.#one((character) => character === expected, next);
  }

  #one(passes: (character: string) => boolean, next: number): number {
    this.#steps.push({ kind: 'one', passes });
    return next;
  }

  /** A set ends with the first closing bracket that is not its first member; without one the bracket stands for itself. */
  #set(at: number): number {
    const isNegated = /[!^]/.test(this.#characters[at + 1] ?? '');
    const from = at + (isNegated ? 2 : 1);
    const close = this.#characters.indexOf(']', from + 1);
    if (close < 0) return this.#literal('[', at + 1);
    const isMember = setTest(this.#characters.slice(from, close));
    return this.#one((character) => isMember(character) !== isNegated, close + 1);
  }
}

function setTest(members: readonly string[]): (character: string) => boolean {
  const single = new Set<string>();
  const ranges: (readonly [from: string, to: string])[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const [from = '', dash, to] = members.slice(at, at + 3);
    if (dash === '-' && to !== undefined) {
      ranges.push([from, to]);
      at += 2;
    } else single.add(from);
  }
  return (character) =>
    single.has(character) || ranges.some(([from, to]) => from <= character && character <= to);
}

/** The braces that hold alternatives, each with the one that closes it; others stand for themselves. */
function closingBraces(characters: readonly string[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: { at: number; hasComma: boolean }[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at];
    const innermost = open.at(-1);
    if (character === '\\') at += 1;
    else if (character === '{') open.push({ at, hasComma: false });
    else if (character === ',' && innermost !== undefined) innermost.hasComma = true;
    else if (character === '}' && innermost !== undefined) {
      if (innermost.hasComma) closing.set(innermost.at, at);
      open.pop();
    }
  }
  return closing;
}
