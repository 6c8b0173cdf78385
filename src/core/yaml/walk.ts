import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';
import { AliasWalk } from './alias-walk.ts';
import { YAML_LIMITS } from './document.ts';
import type { YamlNode, YamlPair } from './node.ts';
import { syntaxProblem } from './problem.ts';
import { isNothing, isTagUnknown, scalarProblem } from './scalar-form.ts';
import type { PlaceOf } from './text.ts';

/** One pass over a document that makes plain nodes of it and refuses what could surprise. It is used once. */
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
    if (!isNode(node)) return this.#scalar(node, null);
    if (this.#aliases.isExhausted(node)) return { ...this.#scalar(node, null), isRefused: true };
    if (isAlias(node)) return this.#alias(node, depth);
    this.#aliases.remember(node);
    const made = this.#node(node, depth);
    return isTagUnknown(node) ? { ...made, isRefused: true } : made;
  }

  #node(node: Exclude<Node, Alias>, depth: number): YamlNode {
    if (isScalar(node)) {
      const problem = scalarProblem(node, this.#place(node));
      const made = this.#scalar(node, scalarValue(node));
      return problem === undefined ? made : this.#refuse(made, problem);
    }
    const place = this.#place(node);
    if (depth >= YAML_LIMITS.depth)
      return this.#refuse(
        this.#scalar(node, null),
        diagnostic('too-deep', { limit: YAML_LIMITS.depth }, place),
      );
    if (isMap(node)) return this.#map(node, depth);
    return { kind: 'list', place, items: node.items.map((item) => this.#item(item, depth + 1)) };
  }

  #item(item: unknown, depth: number): YamlNode {
    if (!isNothing(item)) return this.visit(item, depth);
    const problem = diagnostic('empty-value', { of: 'item' }, this.#place(item));
    return this.#refuse(this.#scalar(undefined, null), problem);
  }

  #alias(node: Alias, depth: number): YamlNode {
    const place = this.#place(node);
    const target = this.#aliases.targetOf(node);
    const made = this.#scalar(node, null);
    if (target === undefined) return this.#refuse(made, syntaxProblem('BAD_ALIAS', place));
    const expanded = this.#aliases.expand(target, () => this.visit(target, depth));
    if ('value' in expanded) return { ...expanded.value, place };
    return this.#refuse(made, diagnostic('too-many-aliases', expanded.problem, place));
  }

  #map(node: YAMLMap, depth: number): YamlNode {
    const place = this.#place(node);
    if (node.items.length > YAML_LIMITS.keys) {
      const problem = diagnostic('too-many-keys', { limit: YAML_LIMITS.keys }, place);
      return this.#refuse(this.#scalar(node, null), problem);
    }
    const firsts = new Map<string, Node>();
    const pairs: YamlPair[] = [];
    const refused: YamlPair[] = [];
    for (const pair of node.items) {
      const isKept = this.#takesKey(pair, firsts);
      // What follows a refused key has mistakes of its own, and anchors that are used elsewhere.
      (isKept ? pairs : refused).push(this.#pair(pair, depth, isKept));
    }
    return { kind: 'map', place, pairs, ...(refused.length === 0 ? {} : { refused }) };
  }

  #pair({ key, value }: Pair, depth: number, isKept: boolean): YamlPair {
    const keyPlace = this.#place(key);
    const name = isScalar(key) ? String(key.value) : '';
    const made = { key: name, keyPlace, keyRange: rangeOf(key), ...commentOf(key, value) };
    if (!isNothing(value)) return { ...made, value: this.visit(value, depth + 1) };
    if (isScalar(value)) this.#aliases.remember(value);
    const nothing = { ...this.#scalar(undefined, null), place: keyPlace };
    // A section of the file may be empty; deeper, an empty value would silently stop managing a field.
    if (depth === 0 || !isKept) return { ...made, value: nothing };
    return { ...made, value: this.#refuse(nothing, diagnostic('empty-value', { of: 'key' }, keyPlace)) };
  }

  /** Whether a key can be taken; else it is refused. */
  #takesKey({ key, value }: Pair, firsts: Map<string, Node>): boolean {
    const place = this.#place(key);
    if (!isScalar(key) || typeof key.value !== 'string') {
      const problem = diagnostic('non-string-key', { form: isScalar(key) ? 'scalar' : 'other' }, place);
      return this.#note(problem);
    }
    this.#aliases.remember(key);
    const first = firsts.get(key.value);
    const problem = scalarProblem(key, place) ?? keyProblem(key, value, place);
    if (problem !== undefined) return this.#note(problem);
    if (first !== undefined)
      return this.#note(diagnostic('duplicate-key', { first: this.#place(first) }, place));
    firsts.set(key.value, key);
    return true;
  }

  #scalar(node: unknown, value: string | number | boolean | null): YamlNode {
    return { kind: 'scalar', value, place: this.#place(node), range: rangeOf(node) };
  }

  #refuse(node: YamlNode, problem: Diagnostic): YamlNode {
    this.#note(problem);
    return { ...node, isRefused: true };
  }

  #note(problem: Diagnostic): false {
    const id = `${problem.code} ${problem.place?.line}:${problem.place?.column}`;
    if (!this.#found.has(id)) this.#found.set(id, problem);
    return false;
  }

  #place(node: unknown): Place {
    return this.#placeOf(...rangeOf(node));
  }
}

function keyProblem(key: Scalar, value: unknown, place: Place): Diagnostic | undefined {
  if (key.value === '<<' && key.type === 'PLAIN') return diagnostic('merge-key', {}, place);
  return isBareReference(String(key.value), value)
    ? diagnostic('reference-syntax', { problem: 'A reference begins with ${.' }, place)
    : undefined;
}

/** `{env:NAME}` without its dollar is a map with one empty key. */
function isBareReference(key: string, value: unknown): boolean {
  return !isNode(value) && /^(env|file|value):/.test(key);
}

/** The core schema has no other kind of scalar. */
function scalarValue({ value }: Scalar): string | number | boolean | null {
  return value as string | number | boolean | null;
}

function commentOf(key: unknown, value: unknown): { readonly comment?: string } {
  const above = isScalar(key) ? key.commentBefore : undefined;
  const behind = isScalar(value) ? value.comment : undefined;
  if (!above && !behind) return {};
  const comment = [above, behind]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  return comment === '' ? {} : { comment };
}

function rangeOf(node: unknown): readonly [number, number] {
  const range = isNode(node) ? node.range : undefined;
  return [range?.[0] ?? 0, range?.[1] ?? 0];
}

function isNode(node: unknown): node is Node {
  return isMap(node) || isSeq(node) || isScalar(node) || isAlias(node);
}
