import { type Alias, isScalar, type Node } from 'yaml';
import type { FactsOf } from '../findings/diagnostic.ts';
import { YAML_LIMITS } from './document.ts';

/**
 * Resolves aliases and limits how far they expand. Nodes and text both count, since one long text can be named as often as
 * a short one. Nodes come in the order of the file, so an alias names the last anchor before it.
 */
export class AliasWalk {
  readonly #anchors = new Map<string, Node>();
  readonly #targets = new Map<Alias, Node>();
  readonly #open = new Set<Node>();
  #nodes = 0;
  #text = 0;

  /** Records an anchor, unless the node was reached through an alias. */
  remember(node: Exclude<Node, Alias>): void {
    if (this.#open.size === 0 && node.anchor !== undefined) this.#anchors.set(node.anchor, node);
  }

  /** The node that an alias names; undefined where no such anchor precedes it. */
  targetOf(alias: Alias): Node | undefined {
    const target = this.#targets.get(alias) ?? this.#anchors.get(alias.source);
    if (target !== undefined) this.#targets.set(alias, target);
    return target;
  }

  /** Counts a node; true once aliases have expanded beyond the limit. */
  isExhausted(node: Node): boolean {
    if (this.#open.size === 0) return false;
    this.#nodes += 1;
    this.#text += isScalar(node) ? (node.source?.length ?? 0) : 0;
    return this.#problem() !== undefined;
  }

  /** Visits the target of an alias; a problem where the target contains the alias, or crosses the limit. */
  expand<T>(
    target: Node,
    visit: () => T,
  ): { readonly value: T } | { readonly problem: 'itself' | FactsOf<'too-large'> } {
    if (this.#open.has(target)) return { problem: 'itself' };
    const wasSpent = this.#problem() !== undefined;
    this.#open.add(target);
    const value = visit();
    this.#open.delete(target);
    const problem = wasSpent || this.#open.size > 0 ? undefined : this.#problem();
    return problem === undefined ? { value } : { problem };
  }

  #problem(): FactsOf<'too-large'> | undefined {
    if (this.#text > YAML_LIMITS.bytes) return { of: 'characters in aliases', limit: YAML_LIMITS.bytes };
    return this.#nodes > YAML_LIMITS.aliasNodes
      ? { of: 'values in aliases', limit: YAML_LIMITS.aliasNodes }
      : undefined;
  }
}
