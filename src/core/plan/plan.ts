import type { UnreadableReason } from '../model/live.ts';
import type { LivePermission, Permission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import type { Secret } from '../model/secret.ts';
import type { OptionValue } from '../model/value.ts';
import type { ChangeLabel } from './label.ts';
import type { Outcome } from './outcome.ts';
import type { Policy, Risk } from './risk.ts';

interface ChangeBase {
  /** The field address: `virustotal.options.apiKey.value`. */
  readonly address: string;
  /** Where the difference comes from; always `change` in a plan without a base. */
  readonly label: ChangeLabel;
  /** What the base declares; only in a conflict. */
  readonly base?: OptionValue | undefined;
  readonly risks: readonly Risk[];
  /** The place in the YAML that won. */
  readonly source: Place;
  /** The comment at that place. */
  readonly comment?: string | undefined;
  /** What became of it; only after an apply that read its integration back. */
  readonly outcome?: Outcome | undefined;
}

interface ValueChangeBase extends ChangeBase {
  readonly field: 'value';
  readonly option: string;
  /** The text with references, as far as it may be shown. */
  readonly reference?: string | undefined;
}

/** A value that changes, both sides in clear text. */
interface PlainChange extends ValueChangeBase {
  readonly sensitive: false;
  readonly before: OptionValue | null;
  readonly after: OptionValue;
}

/** A secret that changes, both sides hidden. */
interface SecretChange<Hidden = Secret<OptionValue>> extends ValueChangeBase {
  readonly sensitive: true;
  /** Also null where the live value is empty or cannot be read. */
  readonly before: Hidden | null;
  readonly after: Hidden;
  /** The day on which its secret was replaced. */
  readonly rotated?: string | undefined;
  /** True where the live value cannot be read and the user asked to write it. */
  readonly unreadable?: true | undefined;
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

/** A managed field that cannot be compared: what is live is not shown, or its reference has no value here. It is not written. */
export interface CannotTell {
  readonly address: string;
  readonly reason: UnreadableReason | 'unresolved';
  readonly reference?: string | undefined;
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
  readonly unplanned?: true | undefined;
  readonly changes: readonly Change<Hidden>[];
  readonly cannotTell: readonly CannotTell[];
  /** The addresses of fields that the branch changed and that are live already. */
  readonly settled?: readonly string[] | undefined;
  /** The addresses of fields that the branch no longer manages. */
  readonly released?: readonly string[] | undefined;
  /** The addresses of differences that waivers leave alone; absent if there are none. */
  readonly waived?: readonly string[] | undefined;
  /** Options of the integration that the configuration does not name. */
  readonly unmanagedOptions: number;
  /** The result of an apply; absent before it, and where nothing was to be done. */
  readonly outcome?: Outcome | undefined;
}

export interface PlanSummary {
  readonly managed: number;
  readonly changed: number;
  readonly changes: number;
  readonly unmanagedOptions: number;
  /** Requests that were made to read. */
  readonly reads: number;
  /** PATCH requests that an apply makes. */
  readonly writes: number;
}

/** A revision of the configuration: the ref as it was named, and the commit that it meant. */
export interface PlanBase {
  readonly ref: string;
  readonly commit: string;
}

/** A snapshot that a plan was made from: when it was taken, in ISO 8601, and its age in whole days. */
export interface PlanSnapshot {
  readonly takenAt: string;
  readonly days: number;
  /** True where it was taken later than now, by the clock of this run. */
  readonly isFuture?: true;
}

/** The plan of one server, ordered by name. */
export interface ServerPlan<Hidden = Secret<OptionValue>> {
  readonly name: string;
  readonly url: string;
  /** Absent where the plan was made from the server itself: no other plan can be applied. */
  readonly snapshot?: PlanSnapshot | undefined;
  /** How the configuration treats risks; absent where it says nothing. */
  readonly policy?: Policy | undefined;
  /** The glob that narrowed the plan to some integrations; absent where it has all. */
  readonly only?: string | undefined;
  /** The revision that the labels compare with; absent where every difference is a `change`. */
  readonly base?: PlanBase | undefined;
  readonly summary: PlanSummary;
  readonly integrations: readonly IntegrationPlan<Hidden>[];
}

/** Whether nobody can see what a change replaces: a flag alone has it written. */
export function isUnseen(change: Change): boolean {
  if (change.field === 'permission') return change.before === 'unknown';
  return change.sensitive && change.unreadable === true;
}

/** Whether a plan holds a change. */
export function hasChanges({ integrations }: ServerPlan): boolean {
  return integrations.some(({ changes }) => changes.length > 0);
}

/** Whether errors keep all integrations of all servers from being planned: then there is nothing to show. */
export function isNothingPlanned(plans: readonly ServerPlan[]): boolean {
  const all = plans.flatMap(({ integrations }) => integrations);
  return all.length > 0 && all.every(({ unplanned }) => unplanned === true);
}
