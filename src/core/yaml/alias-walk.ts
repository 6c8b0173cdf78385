import { type Alias, isScalar, type Node } from 'yaml';
import type { FactsOf } from '../findings/diagnostic.ts';
import { YAML_LIMITS } from './document.ts';

type AliasProblem = FactsOf<'too-many-aliases'>;

/**
 * What aliases stand for, and how much they have been expanded to: nodes and text both count, since one long text can be
 * named as often as a short one. Nodes are met in the order of the file, so the last anchor of a name is the one meant.
 */
export class AliasWalk {
  readonly #anchors = new Map<string, Node>();
  readonly #targets = new Map<Alias, Node>();
  readonly #open = new Set<Node>();
  #nodes = 0;
  #text = 0;

  /** Keeps the anchor of a node that stands in the file itself, not behind an alias. */
  remember(node: Exclude<Node, Alias>): void {
    if (this.#open.size === 0 && node.anchor !== undefined) this.#anchors.set(node.anchor, node);
  }

  /** The node that an alias names; undefined where there is no such anchor before it. */
  targetOf(alias: Alias): Node | undefined {
    const known = this.#targets.get(alias);
    const target = known ?? this.#anchors.get(alias.source);
    if (target !== undefined && known === undefined) this.#targets.set(alias, target);
    return target;
  }

  /** Counts a node that is met; true once the aliases come to more than they may. */
  isExhausted(node: Node): boolean {
    if (this.#open.size === 0) return false;
    this.#nodes += 1;
    this.#text += isScalar(node) ? (node.source?.length ?? 0) : 0;
    return this.#isSpent();
  }

  /** Does what is to be done with the target of an alias; not where the target holds the alias, or the limit is crossed. */
  expand<T>(target: Node, visit: () => T): { readonly value: T } | { readonly problem: AliasProblem } {
    if (this.#open.has(target)) return { problem: { problem: 'itself', limit: 0 } };
    const wasSpent = this.#isSpent();
    this.#open.add(target);
    const value = visit();
    this.#open.delete(target);
    const isCrossed = !wasSpent && this.#isSpent() && this.#open.size === 0;
    if (!isCrossed) return { value };
    return this.#text > YAML_LIMITS.bytes
      ? { problem: { problem: 'text', limit: YAML_LIMITS.bytes } }
      : { problem: { problem: 'nodes', limit: YAML_LIMITS.aliasNodes } };
  }

  #isSpent(): boolean {
    return this.#nodes > YAML_LIMITS.aliasNodes || this.#text > YAML_LIMITS.bytes;
  }
}
