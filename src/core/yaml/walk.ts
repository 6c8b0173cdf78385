import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';
import { AliasWalk } from './alias-walk.ts';
import { YAML_LIMITS } from './document.ts';
import { LocatedNode } from './location.ts';
import { syntaxProblem } from './problem.ts';
import { isNothing, isTagUnknown, scalarProblem } from './scalar-form.ts';
import { Soundness } from './soundness.ts';
import type { PlaceOf } from './text.ts';

/** One pass over the nodes of a document. It holds what it found; it is used once. */
export class TreeWalk {
  readonly nodes = new Map<string, LocatedNode>();
  readonly soundness = new Soundness();
  readonly #found = new Map<string, Diagnostic>();
  readonly #placeOf: PlaceOf;
  readonly #aliases = new AliasWalk();

  constructor(placeOf: PlaceOf) {
    this.#placeOf = placeOf;
  }

  /** Everything that was found, once for each place, however many aliases lead there. */
  get diagnostics(): readonly Diagnostic[] {
    return [...this.#found.values()];
  }

  /** The plain data of a node, whose parts are remembered under their pointers. `depth` counts the maps and lists around it. */
  visit(node: unknown, pointer: string, depth: number): unknown {
    if (!isNode(node)) return null;
    if (!this.nodes.has(pointer)) this.nodes.set(pointer, new LocatedNode(this.#placeOf, undefined, node));
    if (this.#aliases.isExhausted(node)) return null;
    if (isAlias(node)) return this.#alias(node, pointer, depth);
    this.#aliases.remember(node);
    if (isTagUnknown(node)) this.soundness.breakAt(pointer);
    if (isScalar(node)) {
      const problem = scalarProblem(node, this.#place(node));
      if (problem !== undefined) this.#refuseAt(pointer, problem);
      return node.value;
    }
    if (depth >= YAML_LIMITS.depth)
      return this.#refuseAt(pointer, diagnostic('too-deep', { limit: YAML_LIMITS.depth }, this.#place(node)));
    if (isMap(node)) return this.#map(node, pointer, depth);
    return node.items.map((item, index) => this.#member(item, `${pointer}/${index}`, depth + 1));
  }

  #member(item: unknown, pointer: string, depth: number): unknown {
    if (!isNothing(item)) return this.visit(item, pointer, depth);
    return this.#refuseAt(pointer, diagnostic('empty-value', { of: 'item' }, this.#place(item)));
  }

  #alias(node: Alias, pointer: string, depth: number): unknown {
    const target = this.#aliases.targetOf(node);
    if (target === undefined) return this.#refuseAt(pointer, syntaxProblem('BAD_ALIAS', this.#place(node)));
    const value = this.#aliases.expand(target, () => this.visit(target, pointer, depth));
    if ('value' in value) return value.value;
    return this.#refuse(diagnostic('too-many-aliases', value.problem, this.#place(node)));
  }

  #map(node: YAMLMap, pointer: string, depth: number): unknown {
    if (node.items.length > YAML_LIMITS.keys) {
      const problem = diagnostic('too-many-keys', { limit: YAML_LIMITS.keys }, this.#place(node));
      return this.#refuseAt(pointer, problem);
    }
    const firsts = new Map<string, Node>();
    const entries = node.items.flatMap((pair): [string, unknown][] => {
      const name = this.#key(pair.key, firsts);
      if (name !== undefined) return [[name, this.#pair(pair, name, pointer, depth)]];
      this.soundness.loseKeyOf(pointer);
      // What stands behind the key has mistakes of its own, and anchors that are used elsewhere.
      this.visit(pair.value, `${pointer}/${NO_KEY}`, depth + 1);
      return [];
    });
    return Object.fromEntries(entries);
  }

  #pair({ key, value }: Pair, name: string, pointer: string, depth: number): unknown {
    const child = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    this.nodes.set(child, new LocatedNode(this.#placeOf, key, isNode(value) ? value : key));
    // A section of the file may be empty; below, an empty value would stop the management of a field without a word.
    if (depth === 0 || !isNothing(value)) return this.visit(value, child, depth + 1);
    if (isScalar(value)) this.#aliases.remember(value);
    const problem = nothingProblem(child, name, value, this.#place(key));
    return this.#refuseAt(problem.code === 'empty-value' ? child : pointer, problem);
  }

  #key(key: unknown, firsts: Map<string, Node>): string | undefined {
    const place = this.#place(key);
    if (!isScalar(key) || typeof key.value !== 'string') {
      this.#refuse(diagnostic('non-string-key', { form: isScalar(key) ? 'scalar' : 'other' }, place));
      return undefined;
    }
    this.#aliases.remember(key);
    const first = firsts.get(key.value);
    const problem = scalarProblem(key, place);
    if (problem !== undefined) this.#refuse(problem);
    else if (key.value === '<<' && key.type === 'PLAIN') this.#refuse(diagnostic('merge-key', {}, place));
    else if (first !== undefined)
      this.#refuse(diagnostic('duplicate-key', { first: this.#place(first) }, place));
    else {
      firsts.set(key.value, key);
      return key.value;
    }
    return undefined;
  }

  #place(node: unknown): Place {
    const range = isNode(node) ? node.range : undefined;
    return this.#placeOf(range?.[0] ?? 0, range?.[1] ?? 0);
  }

  /** Refuses a node, and so whatever the schema would say of it. */
  #refuseAt(pointer: string, problem: Diagnostic): null {
    this.soundness.breakAt(pointer);
    return this.#refuse(problem);
  }

  #refuse(problem: Diagnostic): null {
    const id = `${problem.code} ${problem.place?.line}:${problem.place?.column}`;
    if (!this.#found.has(id)) this.#found.set(id, problem);
    return null;
  }
}

/** A part of a pointer that no key gives. */
const NO_KEY = '~';

/** `{env:NAME}` without its dollar is a map with one empty key. */
function nothingProblem(pointer: string, name: string, value: unknown, place: Place): Diagnostic {
  if (!isNode(value) && /^(env|file|value):/.test(name))
    return diagnostic('reference-syntax', { problem: 'A reference begins with ${.' }, place);
  return diagnostic('empty-value', { of: HOLDS_KEYS.test(pointer) ? 'map' : 'key' }, place);
}

/** Where the formats have a map: what is to be in it may be indented too little. */
const HOLDS_KEYS = /^\/(integrations|servers)\/[^/]+(\/(options|match|labels|tls))?$/;

function isNode(node: unknown): node is Node {
  return isMap(node) || isSeq(node) || isScalar(node) || isAlias(node);
}
