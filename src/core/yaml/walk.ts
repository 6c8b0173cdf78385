import {
  type Alias,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Place, Span } from '../model/place.ts';
import { AliasWalk } from './alias-walk.ts';
import { YAML_LIMITS } from './document.ts';
import type { YamlNode, YamlPair } from './node.ts';
import { refusedConstruct, syntaxProblem } from './problem.ts';
import { isNothing, isTagUnknown, scalarProblem } from './scalar-form.ts';
import type { PlaceOf } from './text.ts';

type ScalarValue = Extract<YamlNode, { kind: 'scalar' }>['value'];

/** One pass over a document that turns it into plain nodes and refuses what could surprise. Use it once. */
export class TreeWalk {
  readonly #found = new Map<string, Diagnostic>();
  readonly #placeOf: PlaceOf;
  readonly #aliases = new AliasWalk();

  constructor(placeOf: PlaceOf) {
    this.#placeOf = placeOf;
  }

  /** All findings, once for each place, however many aliases lead there. */
  get diagnostics(): readonly Diagnostic[] {
    return [...this.#found.values()];
  }

  /** The plain node of a node. `depth` counts the maps and lists around it. */
  visit(node: unknown, depth = 0): YamlNode {
    if (!isNode(node)) return this.#scalar(node);
    if (this.#aliases.isExhausted(node)) return { ...this.#scalar(node), isRefused: true };
    if (isAlias(node)) return this.#follow(node, depth);
    this.#aliases.remember(node);
    const made = this.#node(node, depth);
    return isTagUnknown(node) ? { ...made, isRefused: true } : made;
  }

  #node(node: Exclude<Node, Alias>, depth: number): YamlNode {
    if (isScalar(node)) {
      // The core schema has no other kind of scalar.
      const made = this.#scalar(node, node.value as ScalarValue);
      return this.#checked(made, scalarProblem(node, made.place));
    }
    const problem = this.#sizeProblem(node, depth);
    if (problem !== undefined) return this.#checked(this.#scalar(node), problem);
    if (isMap(node)) return this.#map(node, depth);
    const items = node.items.map((item) => this.#item(item, depth + 1));
    return { kind: 'list', place: this.#place(node), items };
  }

  #sizeProblem(node: Exclude<Node, Alias>, depth: number): Diagnostic | undefined {
    const { depth: deepest, keys } = YAML_LIMITS;
    if (depth >= deepest)
      return diagnostic('too-large', { of: 'levels of nesting', limit: deepest }, this.#place(node));
    return isMap(node) && node.items.length > keys
      ? diagnostic('too-large', { of: 'keys in this map', limit: keys }, this.#place(node))
      : undefined;
  }

  #item(item: unknown, depth: number): YamlNode {
    if (!isNothing(item)) return this.visit(item, depth);
    return this.#checked(this.#scalar(undefined), diagnostic('empty-value', {}, this.#place(item)));
  }

  #follow(node: Alias, depth: number): YamlNode {
    const target = this.#aliases.targetOf(node);
    const made = this.#scalar(node);
    if (target === undefined) return this.#checked(made, syntaxProblem('BAD_ALIAS', made.place));
    const expanded = this.#aliases.expand(target, () => this.visit(target, depth));
    if ('value' in expanded) return { ...expanded.value, place: made.place };
    return expanded.problem === 'itself'
      ? this.#checked(made, diagnostic('yaml-syntax', { problem: 'This alias contains itself.' }, made.place))
      : this.#checked(made, diagnostic('too-large', expanded.problem, made.place));
  }

  #map(node: YAMLMap, depth: number): YamlNode {
    const firsts = new Map<string, Place>();
    const pairs: YamlPair[] = [];
    const refused: YamlPair[] = [];
    for (const pair of node.items) {
      const problem = this.#keyProblem(pair, firsts);
      if (problem !== undefined) this.#note(problem);
      // What follows a refused key has mistakes of its own, and anchors that are used elsewhere.
      const made = this.#pair(pair, depth, problem === undefined);
      // The library hangs a comment above the first key on the map.
      const above = pair === node.items[0] ? node.commentBefore : undefined;
      (problem === undefined ? pairs : refused).push({ ...made, ...commentOf(pair, above) });
    }
    const taken = { kind: 'map', place: this.#place(node), pairs } as const;
    return refused.length === 0 ? taken : { ...taken, refused };
  }

  #pair({ key, value }: Pair, depth: number, isKept: boolean): YamlPair {
    const keyPlace = this.#place(key);
    const name = isScalar(key) ? String(key.value) : '';
    const made = { key: name, keyPlace, keyRange: rangeOf(key) };
    // The finding for a merge key tells to do without its alias.
    if (!isKept && name === '<<' && isAlias(value) && this.#aliases.targetOf(value) === undefined)
      return { ...made, value: { ...this.#scalar(value), isRefused: true } };
    if (!isNothing(value)) {
      const visited = this.visit(value, depth + 1);
      return { ...made, value: isMap(value) ? withComment(visited, lineComment(value)) : visited };
    }
    if (isScalar(value)) this.#aliases.remember(value);
    const nothing = { ...this.#scalar(undefined), place: keyPlace };
    // A section of the file may be empty; deeper, an empty value would silently stop managing a field.
    const isAllowed = depth === 0 || !isKept;
    const problem = isAllowed ? undefined : diagnostic('empty-value', {}, keyPlace);
    return { ...made, value: this.#checked(nothing, problem) };
  }

  /** Why a key is refused; one that is taken is recorded in `firsts`. */
  #keyProblem({ key, value }: Pair, firsts: Map<string, Place>): Diagnostic | undefined {
    const place = this.#place(key);
    if (!isScalar(key) || typeof key.value !== 'string') return diagnostic('non-string-key', {}, place);
    this.#aliases.remember(key);
    const problem = scalarProblem(key, place);
    if (problem !== undefined) return problem;
    if (key.value === '<<' && key.type === 'PLAIN') return refusedConstruct(MERGE_KEY, place);
    // `{env:NAME}` without its dollar is a map with one empty key.
    if (!isNode(value) && /^(env|file|value):/.test(key.value))
      return diagnostic('reference-syntax', { problem: 'A reference begins with ${.' }, place);
    const first = firsts.get(key.value);
    if (first !== undefined) return diagnostic('duplicate-key', { first }, place);
    firsts.set(key.value, place);
    return undefined;
  }

  #scalar(node: unknown, value: ScalarValue = null): YamlNode {
    return { kind: 'scalar', value, place: this.#place(node), range: rangeOf(node) };
  }

  /** The node, refused where it has a problem. */
  #checked(node: YamlNode, problem: Diagnostic | undefined): YamlNode {
    if (problem === undefined) return node;
    this.#note(problem);
    return { ...node, isRefused: true };
  }

  #note(problem: Diagnostic): void {
    const id = `${problem.code} ${problem.place?.line}:${problem.place?.column}`;
    if (!this.#found.has(id)) this.#found.set(id, problem);
  }

  #place(node: unknown): Place {
    return this.#placeOf(...rangeOf(node));
  }
}

const MERGE_KEY =
  'Merge keys (<<) are not supported; write the keys out, or share them through an entry with expect: any.';

function commentOf({ key, value }: Pair, above: string | null = ''): { readonly comment?: string } {
  const comment = oneLine([above, isScalar(key) ? key.commentBefore : '', lineComment(value)].join(' '));
  return comment === '' ? {} : { comment };
}

/** The comment at the end of the line of a scalar or of a flow collection. */
function lineComment(value: unknown): string {
  const isOnLine = isScalar(value) || (isCollection(value) && value.flow === true);
  return isOnLine ? oneLine(value.comment ?? '') : '';
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A node whose pairs have a comment, unless they have one of their own. */
function withComment(node: YamlNode, comment: string): YamlNode {
  if (node.kind !== 'map' || comment === '') return node;
  const pairs = node.pairs.map((pair) => ({ comment, ...pair, value: withComment(pair.value, comment) }));
  return { ...node, pairs };
}

function rangeOf(node: unknown): Span {
  const [from, to] = (isNode(node) && node.range) || [0, 0];
  return [from, to];
}
