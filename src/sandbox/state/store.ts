import type { Integration } from './integration.ts';

/** The installed integrations. Reads never wait; changes are made one after the other, and are visible once they are saved. */
export class Store {
  readonly #byId: Map<string, Integration>;
  readonly #save: (after: Integration) => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();

  /** Takes the integrations in the order in which they are listed. */
  constructor(integrations: readonly Integration[], save: (after: Integration) => Promise<void>) {
    this.#byId = new Map(integrations.map((integration) => [integration.id, integration]));
    this.#save = save;
  }

  get integrations(): readonly Integration[] {
    return [...this.#byId.values()];
  }

  find(id: string): Integration | undefined {
    return this.#byId.get(id);
  }

  /** Replaces an integration by what `change` makes of it. Nothing changes if that throws or cannot be saved. */
  change(integration: Integration, change: (before: Integration) => Integration): Promise<Integration> {
    const done = this.#last.then(async () => {
      const after = change(this.find(integration.id) ?? integration);
      await this.#save(after);
      this.#byId.set(after.id, after);
      return after;
    });
    this.#last = done.catch(() => {});
    return done;
  }
}
