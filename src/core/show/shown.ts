import type { Referent, Use } from '../config/uses.ts';
import type { DeclaredSide } from '../diff/shown-value.ts';
import type { UnreadableReason } from '../model/live.ts';
import type { LivePermission } from '../model/permission.ts';
import type { Aliased, Place } from '../model/place.ts';
import type { Choice, OptionValue } from '../model/value.ts';

/** What is there and where it comes from: integrations, fields, and what referents feed. */
export interface Shown {
  readonly servers: readonly ShownServer[];
  readonly integrations: readonly ShownIntegration[];
  readonly fields: readonly ShownField[];
  readonly uses: readonly ShownUses[];
  /** What servers that were read have not, where another server has it. */
  readonly absent: readonly ShownAbsence[];
  /** The servers of which nothing is shown, as their configuration has errors and others are asked. */
  readonly leftOut: readonly LeftOut[];
}

/** A server whose configuration has errors, and where the first one is; absent where no place has it. */
export interface LeftOut {
  readonly server: string;
  readonly source?: Place;
}

/** A name, id or glob that means nothing on servers that were read. */
export interface ShownAbsence {
  readonly word: string;
  readonly on: readonly string[];
}

/** A server of the configuration, and what is known of it. */
export interface ShownServer {
  readonly name: string;
  /** Absent where files of configuration were named without a server. */
  readonly url?: string;
  /** Where what is installed comes from; `unread` where the server was asked and could not be read. */
  readonly live: 'read' | 'unread' | 'not-asked' | 'catalog';
}

/** A value as far as it may be shown. */
export type ShownValue =
  | { readonly kind: 'shown'; readonly value: OptionValue }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'unreadable'; readonly reason: UnreadableReason };

/** How a managed field compares with the live one. */
export type FieldVerdict = 'as-desired' | 'differs' | 'cannot-tell';

/** What is known of an integration beside its options; what is absent the server does not send, or was not asked for. */
export interface ShownHead {
  readonly id?: string;
  /** Its name on the server. */
  readonly displayName?: string;
  readonly acronym?: string;
  readonly status?: string;
  /** How many integration errors the server relates to it. */
  readonly errors?: number;
}

/** An integration on one server, or an entry of which nobody asked what it matches. */
export interface ShownIntegration extends ShownHead {
  readonly server: string;
  /** Its name in the configuration; its id where no entry names it. */
  readonly name: string;
  readonly description?: string;
  /** The entries that hold for it. */
  readonly entries: readonly ShownEntry[];
  readonly autosubscribe: { readonly live?: boolean; readonly managed?: ShownSetting };
  /** Ordered by key. */
  readonly options: readonly ShownOption[];
}

/** An entry of the configuration that holds for an integration. */
export interface ShownEntry {
  readonly entry: string;
  readonly isDefault: boolean;
  /** True where only what is installed tells whether its selector means the integration. */
  readonly isUncertain?: true;
  readonly source: Place;
}

/** An option of an integration. */
export interface ShownOption {
  /** Its key. */
  readonly option: string;
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly choices: readonly Choice[];
  readonly multiple?: boolean;
  /** The value of a fresh installation. */
  readonly default?: ShownValue;
  /** Absent where no server was read. */
  readonly live?: ShownValue;
  /** That of a fresh installation where it comes from a catalog. */
  readonly permission?: LivePermission;
  /** The null that stops the management of its value; absent where none does. */
  readonly stoppedAt?: Place;
  /** What the configuration asks of it; empty where it is not managed. */
  readonly managed: { readonly value?: ShownSetting; readonly permission?: ShownSetting };
}

/** What the configuration asks of a field: the declaration that wins. */
export interface ShownSetting {
  readonly declared: DeclaredSide;
  readonly source: Place;
  /** Absent where no server was read. */
  readonly verdict?: FieldVerdict;
}

/** One field on all servers of the configuration. */
export interface ShownField {
  readonly address: string;
  readonly on: readonly ShownFieldOn[];
}

/** Whether a server has the same as the first one that has anything to compare. */
export type Likeness = 'same' | 'differs' | 'missing' | 'cannot-tell';

/** How a field compares with that of the first server; what is declared with what is declared, what is live with what is live. */
export interface Likenesses {
  /** Absent where no server declares it, and where it is not known whether this one does. */
  readonly declared?: Likeness;
  /** Absent where the server was not read. */
  readonly live?: Likeness;
}

/** A field on one server. */
export interface ShownFieldOn extends ShownHead {
  readonly server: string;
  /** Absent where there is one server alone. */
  readonly likeness?: Likenesses;
  /** Where the server has nothing of the name: whether that is so, or cannot be known without asking it. */
  readonly lack?: 'missing' | 'not-known';
  /** A permission and autosubscribe by their words. Absent where no server was read. */
  readonly live?: ShownValue;
  /** Absent where no server was read, or the field is not managed. */
  readonly verdict?: FieldVerdict;
  /** In the order in which they override each other. */
  readonly origins: readonly ShownOrigin[];
}

/** A declaration of a field. */
export interface ShownOrigin {
  readonly kind: 'default' | 'base' | 'overlay';
  /** The layer as the configuration names it. */
  readonly layer: string;
  readonly entry: string;
  readonly source: Place;
  readonly wins: boolean;
  /** True where only what is installed tells whether its entry holds for the integration. */
  readonly isUncertain?: true;
  /** True where it is the null that stops the management of the field. */
  readonly isNull?: true;
  /** Absent where it is null, and where its named values do not fit. */
  readonly declared?: DeclaredSide;
  /** The text with references to named values, as written. */
  readonly reference?: string;
  readonly aliased?: Aliased;
  /** The definitions of the named values that it leads to, those that it names first; of one name the last one counts. */
  readonly names: readonly ShownName[];
  /** The variables and files that it leads to; none where it does not win. */
  readonly outside: readonly ShownOutside[];
}

/** A definition of a named value. */
export interface ShownName {
  readonly name: string;
  readonly layer: string;
  readonly source: Place;
  readonly wins: boolean;
}

/** A variable or file that a value refers to, and whether this run has it. */
export interface ShownOutside {
  readonly kind: 'env' | 'file';
  readonly name: string;
  readonly found: 'given' | 'fallback' | 'missing' | 'forbidden';
}

/** The fields that a referent feeds, on all servers. */
export interface ShownUses extends Referent {
  readonly on: readonly { readonly server: string; readonly fields: readonly ShownUse[] }[];
}

/** A field that a referent feeds. */
export interface ShownUse extends Omit<Use, 'place' | 'through'> {
  readonly source: Place;
  /** The named values between the field and the referent. */
  readonly through: readonly { readonly name: string; readonly source: Place }[];
}
