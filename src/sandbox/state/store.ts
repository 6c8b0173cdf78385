import { optionId } from '../../core/model/ids.ts';
import { changed, type IntegrationChange, type StoredIntegration } from './integration-state.ts';

/** The disk is full or failed: the change is not kept, and no longer visible. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError';

  constructor(cause: unknown) {
    super('the data file can no longer be written', { cause });
  }
}

/** Makes changes durable before they are acknowledged. */
interface ChangeLog {
  /** Resolves once a kill can no longer lose the change; rejects where it cannot be kept. Keeps the order of the calls. */
  append(change: IntegrationChange): Promise<void>;
}

/**
 * The installed integrations. Reads never wait. A change is visible at once, as a whole, and acknowledged when it is
 * durable, so no acknowledged change is ever lost.
 */
export class Store {
  readonly #integrations: StoredIntegration[];
  /** The integrations with their durable changes alone, to return to when a change cannot be kept. */
  readonly #durable: StoredIntegration[];
  readonly #positions: ReadonlyMap<string, number>;
  readonly #owners: ReadonlyMap<string, readonly string[]>;
  readonly #log: ChangeLog | undefined;

  /** Takes the integrations in the order in which they are listed; their ids are distinct. */
  constructor(integrations: readonly StoredIntegration[], log?: ChangeLog) {
    this.#integrations = [...integrations];
    this.#durable = [...integrations];
    this.#positions = new Map(integrations.map(({ id }, position) => [id, position]));
    this.#owners = ownersByOptionId(integrations);
    this.#log = log;
  }

  /** All integrations in their order; the list itself, not a copy. */
  get integrations(): readonly StoredIntegration[] {
    return this.#integrations;
  }

  find(id: string): StoredIntegration | undefined {
    const position = this.#positions.get(id);
    return position === undefined ? undefined : this.#integrations[position];
  }

  /** The ids of the integrations with an option of that id; several where ids with dashes compose alike. */
  owners(id: string): readonly string[] {
    return this.#owners.get(id) ?? [];
  }

  /**
   * Makes a change and resolves, once it is durable, to the integration as this change left it. The caller validates the
   * change in the same turn of the event loop.
   */
  async commit(change: IntegrationChange): Promise<StoredIntegration> {
    const position = this.#positions.get(change.id);
    const before = position === undefined ? undefined : this.#integrations[position];
    if (position === undefined || before === undefined) throw new Error(`no integration ${change.id}`);
    const durable = this.#log?.append(change);
    const after = changed(before, change);
    this.#integrations[position] = after;
    try {
      await durable;
    } catch (error) {
      this.#integrations[position] = this.#durable[position] ?? before;
      throw error;
    }
    this.#durable[position] = after;
    return after;
  }
}

/** Composed, never split: the id of each option, with the integrations that have such an option. */
function ownersByOptionId(integrations: readonly StoredIntegration[]): Map<string, readonly string[]> {
  const owners = new Map<string, readonly string[]>();
  for (const { id, options } of integrations) {
    const own = [id];
    for (const key of options.keys()) {
      const composed = optionId(id, key);
      const others = owners.get(composed);
      owners.set(composed, others === undefined ? own : [...others, id]);
    }
  }
  return owners;
}
