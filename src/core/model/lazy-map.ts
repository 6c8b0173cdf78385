/** A map whose values are made when they are first asked for, from what `raw` holds under their keys. */
export function lazyMap<Key, Raw, Value>(
  raw: ReadonlyMap<Key, Raw>,
  make: (raw: Raw, key: Key) => Value,
): ReadonlyMap<Key, Value> {
  return new LazyMap(raw, make);
}

class LazyMap<Key, Raw, Value> implements ReadonlyMap<Key, Value> {
  readonly #raw: ReadonlyMap<Key, Raw>;
  readonly #make: (raw: Raw, key: Key) => Value;
  readonly #made = new Map<Key, Value>();

  constructor(raw: ReadonlyMap<Key, Raw>, make: (raw: Raw, key: Key) => Value) {
    this.#raw = raw;
    this.#make = make;
  }

  get size(): number {
    return this.#raw.size;
  }

  has(key: Key): boolean {
    return this.#raw.has(key);
  }

  get(key: Key): Value | undefined {
    const raw = this.#raw.get(key);
    return raw === undefined ? undefined : this.#valueOf(key, raw);
  }

  keys(): MapIterator<Key> {
    return this.#raw.keys();
  }

  *values(): MapIterator<Value> {
    for (const [, value] of this) yield value;
  }

  entries(): MapIterator<[Key, Value]> {
    return this[Symbol.iterator]();
  }

  *[Symbol.iterator](): MapIterator<[Key, Value]> {
    for (const [key, raw] of this.#raw) yield [key, this.#valueOf(key, raw)];
  }

  forEach(callback: (value: Value, key: Key, map: ReadonlyMap<Key, Value>) => void): void {
    for (const [key, value] of this) callback(value, key, this);
  }

  #valueOf(key: Key, raw: Raw): Value {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = this.#make(raw, key);
    this.#made.set(key, made);
    return made;
  }
}
