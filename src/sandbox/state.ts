import type { LiveIntegration, LiveOption } from '../core/model/live.ts';
import { flagsOf } from '../core/model/permission.ts';
import { type Choice, isChoice, type OptionValue } from '../core/model/value.ts';

/** An option with its value and its two permission flags. */
export interface Option {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  /** The choices of a select; empty if the integration fills them in at run time. */
  readonly choices: readonly Choice[];
  readonly multiple: boolean;
  readonly value: OptionValue;
  readonly adminOnly: boolean;
  readonly userCanEdit: boolean;
}

/** An error that an integration reports: section 2.3. */
interface IntegrationError {
  readonly id: string;
  readonly count: number;
  /** Milliseconds since 1970 of the last time. */
  readonly lastSeen: number;
  readonly affectedUser: { readonly id: string; readonly username: string };
}

/** One installed integration. It is immutable: a change makes a new one. */
export interface Integration {
  readonly id: string;
  /** By their names on the wire. */
  readonly attributes: Readonly<Record<string, string | boolean>>;
  readonly options: ReadonlyMap<string, Option>;
  readonly errors: readonly IntegrationError[];
}

/** An integration right after its installation. */
export function installed(definition: LiveIntegration, status: string): Integration {
  const { id, name = id, acronym = name.slice(0, 5).toUpperCase(), description = '', options } = definition;
  return {
    id,
    attributes: { name, acronym, description, status, autosubscribe: false },
    options: new Map([...options].map(([key, option]) => [key, installedOption(option)])),
    errors: [],
  };
}

/** Fills in what a definition leaves out. A missing flag never makes the pair that has no meaning. */
function installedOption(option: LiveOption): Option {
  const { key, title = key, description = '', type = 'text', choices, multiple = false, permission } = option;
  const value = firstValue(type, multiple, option.initial);
  const flags =
    permission === 'invalid'
      ? { adminOnly: true, userCanEdit: true }
      : flagsOf(permission === 'unknown' ? 'lock-and-hide' : permission);
  return { key, name: title, description, type, choices, multiple, value, ...flags };
}

/** The default, in a list if the option takes several; without one, the empty value of the type. */
function firstValue(type: string, multiple: boolean, initial: OptionValue | undefined): OptionValue {
  if (initial !== undefined) return multiple && isChoice(initial) ? [initial] : initial;
  if (type === 'number') return 0;
  if (type === 'boolean') return false;
  if (type !== 'select') return '';
  return multiple ? [] : { display: '', value: '' };
}

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
