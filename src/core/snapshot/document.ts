import type { UnreadableReason } from '../model/live.ts';
import type { LivePermission } from '../model/permission.ts';
import type { Choice, OptionValue } from '../model/value.ts';

/** The version of the saved form. Fields are only ever added within a major version. */
export const SNAPSHOT_VERSION = '1.0';

/** A server in a file, without its secrets: what is installed, ordered by id, and each option, ordered by key. */
export interface Snapshot {
  readonly formatVersion: string;
  readonly tool: { readonly name: 'setpoint'; readonly version: string };
  /** Its name, and its origin. */
  readonly server: { readonly name: string; readonly url: string };
  /** In ISO 8601, to the second. */
  readonly takenAt: string;
  readonly integrations: readonly SnapshotIntegration[];
}

/** An installed integration. Counts that move by themselves, as of errors, are no part of it. */
export interface SnapshotIntegration {
  readonly id: string;
  readonly name?: string;
  readonly acronym?: string;
  readonly description?: string;
  readonly status?: string;
  readonly autosubscribe?: boolean;
  readonly options: readonly SnapshotOption[];
}

/** An option; its key alone where the server lists it and shows nothing of it. */
export type SnapshotOption = { readonly key: string; readonly permission?: never } | ShownOption;

type ShownOption = OptionFacts & SnapshotValue;

/** What an option is, beside its value. */
interface OptionFacts {
  readonly key: string;
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly multiple?: boolean;
  readonly choices?: readonly Choice[];
  /** The value of a fresh installation. */
  readonly initial?: OptionValue;
  readonly permission: LivePermission;
}

/** A value, which is null where there is none yet; or that a secret was kept out, or what its key calls one; or why the server does not show it. */
type SnapshotValue =
  | {
      readonly value: OptionValue | readonly string[] | null;
      readonly secret?: never;
      readonly unreadable?: never;
    }
  | { readonly secret: true | 'likely'; readonly unreadable?: never }
  | { readonly unreadable: Exclude<UnreadableReason, 'snapshot'>; readonly secret?: never };
