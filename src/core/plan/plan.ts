import type { UnreadableReason } from '../model/live.ts';
import type { LivePermission, Permission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { hide, type Secret } from '../model/secret.ts';
import type { OptionValue } from '../model/value.ts';
import type { Outcome } from './outcome.ts';
import type { Policy, Risk } from './risk.ts';

/** The version of the saved form. Fields are only ever added within a major version. */
export const FORMAT_VERSION = '1.0';

interface ChangeBase {
  /** The field address: `virustotal.options.apiKey.value`. */
  readonly address: string;
  readonly label: 'change';
  readonly risks: readonly Risk[];
  /** The place in the YAML that won. */
  readonly source: Place;
  /** The comment at that place. */
  readonly comment?: string;
  /** What became of it; only after an apply that read its integration back. */
  readonly outcome?: Outcome;
}

interface ValueChangeBase extends ChangeBase {
  readonly field: 'value';
  readonly option: string;
  /** The text with references, as written. */
  readonly reference?: string;
}

/** A value that changes, both sides in clear text. */
interface PlainChange extends ValueChangeBase {
  readonly sensitive: false;
  readonly before: OptionValue | null;
  readonly after: OptionValue;
}

/** A secret that changes, both sides hidden. */
export interface SecretChange<Hidden = Secret<OptionValue>> extends ValueChangeBase {
  readonly sensitive: true;
  /** Also null where the live value is empty or cannot be read. */
  readonly before: Hidden | null;
  readonly after: Hidden;
  /** A keyed digest of the value to be written; equal values of one field have equal fingerprints under one key. */
  readonly fingerprint?: string;
  /** The same digest of the live value. Neither exists without a key, or for a value that is too short. */
  readonly beforeFingerprint?: string;
  /** True where the live value is empty. */
  readonly empty?: true;
  /** True where the live value cannot be read and the user asked to write it. */
  readonly unreadable?: true;
}

export type ValueChange<Hidden = Secret<OptionValue>> = PlainChange | SecretChange<Hidden>;

export interface PermissionChange extends ChangeBase {
  readonly field: 'permission';
  readonly option: string;
  /** `unknown` where the server does not show the flags and the user asked to write them. */
  readonly before: LivePermission;
  readonly after: Permission;
  readonly sensitive: false;
}

interface AutosubscribeChange extends ChangeBase {
  readonly field: 'autosubscribe';
  readonly before: boolean;
  readonly after: boolean;
  readonly sensitive: false;
}

/** One field that differs. In a document, `null` takes the place of what is hidden. */
export type Change<Hidden = Secret<OptionValue>> =
  | ValueChange<Hidden>
  | PermissionChange
  | AutosubscribeChange;

/** A managed field that the server does not show, so it cannot be compared. It is not written. */
export interface CannotTell {
  readonly address: string;
  readonly reason: UnreadableReason;
  readonly reference?: string;
  readonly source: Place;
}

/** All changes of one managed integration; none where it is as desired. */
export interface IntegrationPlan<Hidden = Secret<OptionValue>> {
  readonly name: string;
  readonly id: string;
  readonly status: string | null;
  /** True where the integration is not running, so it is likely to refuse. */
  readonly blocked: boolean;
  /** True where an error keeps it from being planned: it has no changes, and an apply leaves it out. */
  readonly unplanned?: true;
  readonly changes: readonly Change<Hidden>[];
  readonly cannotTell: readonly CannotTell[];
  /** Options of the integration that the configuration does not name. */
  readonly unmanagedOptions: number;
  /** The result of an apply; absent before it, and where nothing was to be done. */
  readonly outcome?: Outcome;
}

export interface PlanSummary {
  readonly managed: number;
  /** All managed integrations of the configuration, also those that were not selected. */
  readonly managedInAll: number;
  readonly changed: number;
  readonly changes: number;
  readonly blocked: number;
  readonly cannotTell: number;
  /** Managed fields that the server shows to be as desired. */
  readonly asDesired: number;
  readonly unmanagedOptions: number;
  readonly unmanagedIntegrations: number;
  /** Requests that were made to read. */
  readonly reads: number;
  /** PATCH requests that an apply makes. */
  readonly writes: number;
}

/** The plan of one server, ordered by name. */
export interface ServerPlan<Hidden = Secret<OptionValue>> {
  readonly name: string;
  readonly url: string;
  /** How the configuration treats risks; absent where it says nothing. */
  readonly policy?: Policy;
  /** The glob that narrowed the plan to some integrations; absent where it has all. */
  readonly only?: string;
  /** Tells the key of the fingerprints from other keys; absent without a key, and where no secret changes. */
  readonly fingerprintKey?: string;
  readonly summary: PlanSummary;
  readonly integrations: readonly IntegrationPlan<Hidden>[];
}

/** Whether a plan holds a change. */
export function hasChanges({ integrations }: ServerPlan): boolean {
  return integrations.some(({ changes }) => changes.length > 0);
}

/** A plan from a document, to be shown: what the document leaves out stays hidden. */
export function shownPlan(document: ServerPlan<null>): ServerPlan {
  const hidden = (change: Change<null>): Change => {
    if (!change.sensitive) return change;
    return { ...change, before: null, after: hide('') };
  };
  const integrations = document.integrations.map((each) => ({ ...each, changes: each.changes.map(hidden) }));
  return { ...document, integrations };
}

/** The plan as it is printed and saved, without any secret. */
export function documentOf(plan: ServerPlan): ServerPlan<null> {
  const withoutSecret = (change: Change): Change<null> =>
    change.sensitive ? { ...change, before: null, after: null } : change;
  const integrations = plan.integrations.map((each) => ({
    ...each,
    changes: each.changes.map(withoutSecret),
  }));
  return { ...plan, integrations };
}
