import type { Recipe } from '../model/desired.ts';
import type { UnreadableReason } from '../model/live.ts';
import type { LivePermission, Permission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import type { OptionValue } from '../model/value.ts';

/** The version of the saved form. Fields are only ever added within a major version. */
export const FORMAT_VERSION = '1.0';

export type Risk = 'exposes-secret' | 'overrides-users' | 'subscribes-everyone' | 'plain-secret';

/** How a change with a risk is treated: refused until the risk is accepted, or shown. */
export type Treatment = 'error' | 'warn';

export type Policy = Readonly<Partial<Record<Risk, Treatment>>>;

interface ChangeBase {
  /** The field address: `virustotal.options.apiKey.value`. */
  readonly address: string;
  readonly label: 'change';
  readonly risks: readonly Risk[];
  /** The place in the YAML that won. */
  readonly source: Place;
  /** The comment that stands there. */
  readonly comment?: string;
}

/** A value that becomes another. Where it is sensitive, neither side is in the plan: only a reference and a fingerprint. */
export interface ValueChange extends ChangeBase {
  readonly field: 'value';
  readonly option: string;
  readonly before: OptionValue | null;
  readonly after: OptionValue | null;
  readonly sensitive: boolean;
  /** The text with references, as written. */
  readonly reference?: string;
  /**
   * How a sensitive value is made again when the plan is applied from a file. Absent for a literal: a value that stands
   * in clear in the YAML is not carried into a plan.
   */
  readonly recipe?: Recipe;
  /** A keyed digest of the value to be written; equal values of one field have equal fingerprints under one key. */
  readonly fingerprint?: string;
  /** A digest of the displays that are written beside the values of a select; absent where none is. */
  readonly displayFingerprint?: string;
  /** The same digest of the value that is live, where it can be read: it tells later whether the value moved. */
  readonly beforeFingerprint?: string;
  /** True where the live value cannot be read and is written because that was asked for. */
  readonly unreadable?: true;
}

export interface PermissionChange extends ChangeBase {
  readonly field: 'permission';
  readonly option: string;
  readonly before: LivePermission;
  readonly after: Permission;
  readonly sensitive: false;
}

export interface AutosubscribeChange extends ChangeBase {
  readonly field: 'autosubscribe';
  readonly before: boolean;
  readonly after: boolean;
  readonly sensitive: false;
}

/** One field that differs. */
export type Change = ValueChange | PermissionChange | AutosubscribeChange;

/** A managed field that the server does not tell, so that nobody can say whether it differs. It is not written. */
export interface CannotTell {
  readonly address: string;
  readonly reason: UnreadableReason;
  readonly reference?: string;
  readonly source: Place;
}

export type Outcome =
  | 'verified'
  | 'not-converged'
  | 'failed'
  | 'stale'
  | 'blocked'
  | 'not-attempted'
  | 'unknown';

/** All changes of one managed integration; none where it is as desired. */
export interface IntegrationPlan {
  readonly name: string;
  readonly id: string;
  readonly status: string | null;
  /** True where the integration does not run and so is likely to refuse. */
  readonly blocked: boolean;
  readonly changes: readonly Change[];
  readonly cannotTell: readonly CannotTell[];
  /** Options of the integration that the configuration does not name. */
  readonly unmanagedOptions: number;
  /** What came of it; only after an apply, and only where something was to be done. */
  readonly outcome?: Outcome;
}

export interface PlanSummary {
  readonly managed: number;
  /** Managed integrations of the configuration, those that were not selected too. */
  readonly managedInAll: number;
  readonly changed: number;
  readonly changes: number;
  readonly blocked: number;
  readonly cannotTell: number;
  readonly unmanagedOptions: number;
  readonly unmanagedIntegrations: number;
  /** Requests that were made to read. */
  readonly reads: number;
  /** PATCH requests that an apply makes. */
  readonly writes: number;
}

/** The plan of one server, ordered by name. */
export interface ServerPlan {
  readonly name: string;
  readonly url: string;
  /** How the configuration wants risks to be treated; absent where it says nothing. */
  readonly policy?: Policy;
  /** The folder that file references stay in, relative to where the plan was made; absent where there are none. */
  readonly root?: string;
  readonly summary: PlanSummary;
  readonly integrations: readonly IntegrationPlan[];
}

/** Whether a plan holds a change. */
export function hasChanges(plan: ServerPlan): boolean {
  return plan.integrations.some(({ changes }) => changes.length > 0);
}
