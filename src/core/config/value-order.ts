import { compareText } from '../findings/diagnostic.ts';
import type { WrittenField } from './entry.ts';
import { referencesIn } from './reference.ts';

/** Values that refer to each other in a circle: their names, and the value whose reference closes it. */
interface ValueCycle {
  readonly names: readonly string[];
  readonly closedBy: WrittenField;
}

/** An order of named values in which each comes behind those that it refers to, and the circles that were left open. */
export interface ValueOrder {
  readonly order: readonly string[];
  readonly cycles: readonly ValueCycle[];
}

/** How many names of a circle are told. */
const NAMES_TOLD = 8;

/** Orders the values that are reached from `roots`. Without recursion: a chain may be as long as a file. */
export function valueOrder(values: ReadonlyMap<string, WrittenField>, roots: Iterable<string>): ValueOrder {
  const walk = new OrderWalk(values);
  for (const root of [...roots].sort(compareText)) walk.from(root);
  return walk;
}

interface Step {
  readonly name: string;
  readonly field: WrittenField;
  /** The names that its value refers to and that were not looked at yet, the next one last. */
  readonly ahead: string[];
}

class OrderWalk implements ValueOrder {
  readonly order: string[] = [];
  readonly cycles: ValueCycle[] = [];
  readonly #values: ReadonlyMap<string, WrittenField>;
  /** The position of an open name on the path; -1 once it is done. */
  readonly #positions = new Map<string, number>();
  readonly #path: Step[] = [];

  constructor(values: ReadonlyMap<string, WrittenField>) {
    this.#values = values;
  }

  from(root: string): void {
    this.#enter(root);
    for (let step = this.#path.at(-1); step !== undefined; step = this.#path.at(-1)) {
      const next = step.ahead.pop();
      if (next === undefined) this.#leave(step);
      else this.#follow(next, step);
    }
  }

  #enter(name: string): void {
    const field = this.#values.get(name);
    if (field === undefined || this.#positions.has(name)) return;
    this.#positions.set(name, this.#path.length);
    this.#path.push({ name, field, ahead: namesIn(field.value).reverse() });
  }

  #leave({ name }: Step): void {
    this.#path.pop();
    this.#positions.set(name, -1);
    this.order.push(name);
  }

  #follow(name: string, from: Step): void {
    const position = this.#positions.get(name) ?? -1;
    if (position < 0) this.#enter(name);
    else this.cycles.push({ names: [...this.#namesFrom(position), name], closedBy: from.field });
  }

  #namesFrom(position: number): string[] {
    return this.#path.slice(position, position + NAMES_TOLD).map((step) => step.name);
  }
}

/** The names of the values that a value refers to, each once. */
export function namesIn(value: unknown): string[] {
  return [...new Set(referencesIn(value).flatMap(({ kind, name }) => (kind === 'value' ? [name] : [])))];
}
