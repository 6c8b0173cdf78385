/**
 * Which parts of a file say what they seem to say, by JSON pointer. A refused value is broken with all below it; a map that
 * a key was taken out of is incomplete, and what remains in it counts.
 */
export class Soundness {
  readonly #broken = new Set<string>();
  readonly #incomplete = new Set<string>();
  /** The pointers of all that was refused, and of all around it. */
  readonly #touched = new Set<string>();

  /** Nothing at this pointer or below it is to be relied on. */
  breakAt(pointer: string): void {
    this.#broken.add(pointer);
    this.#touch(pointer);
  }

  /** The map at this pointer lacks something that the file has. */
  loseKeyOf(pointer: string): void {
    this.#incomplete.add(pointer);
    this.#touch(pointer);
  }

  /** Whether nothing was refused. */
  get isWhole(): boolean {
    return this.#touched.size === 0;
  }

  /** Whether a node is refused, or stands in one that is. */
  isBroken(pointer: string): boolean {
    if (this.#broken.size === 0) return false;
    return this.#broken.has(pointer) || (pointer !== '' && this.isBroken(above(pointer)));
  }

  /** Whether a map is there, but not with all its keys. */
  isIncomplete(pointer: string): boolean {
    return this.#incomplete.has(pointer);
  }

  /** Whether a node can be relied on with all that is in it. */
  isSound(pointer: string): boolean {
    return !this.#touched.has(pointer) && !this.isBroken(pointer);
  }

  #touch(pointer: string): void {
    if (this.#touched.has(pointer)) return;
    this.#touched.add(pointer);
    if (pointer !== '') this.#touch(above(pointer));
  }
}

/** The pointer of the map or list around a node. */
function above(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}
