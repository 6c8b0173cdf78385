import type { LiveIntegration, LiveOption } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import type { OptionValue } from '../model/value.ts';

/** What a word of the command line names, on each server. */
export interface Shown {
  readonly servers: readonly ShownServer[];
}

interface ShownServer {
  readonly name: string;
  readonly url: string;
  /** Whether what is installed was read; otherwise this is the configuration alone. */
  readonly isRead: boolean;
  /** True if nobody has credentials for it. */
  readonly integrations: readonly ShownIntegration[];
}

/** An installed integration, or an entry that means none; then it has no id. */
interface ShownIntegration
  extends Partial<Pick<LiveIntegration, 'id' | 'acronym' | 'description' | 'status'>> {
  readonly name: string;
  /** Its name on the server. */
  readonly displayName?: string;
  readonly errors?: number;
  /** The entries that hold for it. */
  readonly entries: readonly (Holding & { readonly source: Place })[];
  readonly autosubscribe?: ShownField;
  readonly options: readonly ShownOption[];
}

interface ShownOption
  extends Partial<Pick<LiveOption, 'type' | 'multiple' | 'title' | 'description' | 'choices'>> {
  /** Its key. */
  readonly option: string;
  readonly value?: ShownField;
  readonly permission?: ShownField;
}

/** A field: what is live, what wins, and all that declares it. */
export interface ShownField {
  readonly address: string;
  /** Absent if the server was not read or has no such field. */
  readonly live?: ShownSide;
  /** Absent if the field is not managed, or was not compared. */
  readonly state?: FieldState;
  /** Absent if the field is not managed. */
  readonly desired?: ShownSide;
  /** In the order in which they override each other. */
  readonly origins: readonly ShownOrigin[];
}

/** `unresolved`: its reference has no value in this run. */
type FieldState = 'as-desired' | 'differs' | 'hidden' | 'unresolved';

/** A value; null if it is not set, a secret, hidden by the server, or a reference. */
export interface ShownSide {
  readonly value: OptionValue | null;
  readonly secret?: true;
  readonly hidden?: true;
  readonly reference?: string;
}

/** An entry that holds for an integration. */
interface Holding {
  readonly entry: string;
  /** Whether it holds defaults, which specific entries override. */
  readonly isDefault: boolean;
}

/** A declaration of a field. */
interface ShownOrigin extends Holding {
  readonly source: Place;
  readonly wins: boolean;
  /** As written; absent for a null, which stops the management of the field. */
  readonly declared?: ShownSide;
  /** The named values that it refers to. */
  readonly values: readonly { readonly name: string; readonly source: Place }[];
}
