import { isScalar, type Node } from 'yaml';
import type { Place } from '../model/place.ts';
import type { PlaceOf } from './text.ts';

/** Where one node and its key stand. Lines are counted when they are asked for: most places of a file never are. */
export class LocatedNode {
  readonly #placeOf: PlaceOf;
  readonly #key: unknown;
  readonly #value: unknown;

  constructor(placeOf: PlaceOf, key: unknown, value: unknown) {
    this.#placeOf = placeOf;
    this.#key = key;
    this.#value = value;
  }

  get key(): Place | undefined {
    return this.#key === undefined ? undefined : this.#place(this.#key);
  }

  get value(): Place {
    return this.#place(this.#value);
  }

  /** The comment above the key or behind the value, on one line. */
  get comment(): string | undefined {
    return this.#key === undefined ? undefined : commentOf(this.#key, this.#value);
  }

  #place(node: unknown): Place {
    const { range } = Object(node) as Partial<Pick<Node, 'range'>>;
    return this.#placeOf(range?.[0] ?? 0, range?.[1] ?? 0);
  }
}

function commentOf(key: unknown, value: unknown): string | undefined {
  const above = isScalar(key) ? key.commentBefore : undefined;
  const behind = isScalar(value) ? value.comment : undefined;
  const text = [above, behind]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? undefined : text;
}
