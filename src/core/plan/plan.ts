import type { planSchema } from '../../generated/plan-schema.ts';
import type { Setting } from '../model/desired.ts';
import type { UnreadableReason } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import type { Secret } from '../model/secret.ts';
import type { OptionValue } from '../model/value.ts';
import type { Policy, Risk } from './risk.ts';

type ChangeSchema = typeof planSchema.definitions.change.properties;

interface OutcomeRule {
  /** The heading under which a run that ended early lists it. */
  readonly countsAs: 'applied' | 'notApplied' | 'unknown';
  /** How a report marks it. */
  readonly look: 'good' | 'doubtful' | 'bad';
}

/** What can become of an integration that an apply is to change. */
export const OUTCOMES = {
  /** The server shows what was planned. */
  verified: { countsAs: 'applied', look: 'good' },
  /** The server accepted it, but does not show all of it. */
  sent: { countsAs: 'applied', look: 'doubtful' },
  'not-converged': { countsAs: 'notApplied', look: 'bad' },
  failed: { countsAs: 'notApplied', look: 'bad' },
  stale: { countsAs: 'notApplied', look: 'bad' },
  blocked: { countsAs: 'notApplied', look: 'bad' },
  'not-attempted': { countsAs: 'notApplied', look: 'bad' },
  unknown: { countsAs: 'unknown', look: 'bad' },
} as const satisfies Record<ChangeSchema['outcome']['enum'][number], OutcomeRule>;

export type Outcome = keyof typeof OUTCOMES;

/** One field that differs. */
export interface Change {
  /** The field address: `virustotal.options.apiKey.value`. */
  readonly address: string;
  readonly field: Setting['field'];
  /** What the configuration asks of the field, and where; a reference only as far as it may be shown. */
  readonly setting: Setting;
  /** Null if nothing is set, or if the server does not show it. */
  readonly before: OptionValue | Secret<OptionValue> | null;
  readonly after: OptionValue | Secret<OptionValue>;
  /** Whether it is a secret, and both sides are hidden. */
  readonly sensitive: boolean;
  /** True if the server does not show what it holds, and a flag or the branch has it written. */
  readonly unreadable?: true | undefined;
  /** Who moved the field: this branch, the server alone, or both; always `change` in a plan without a base. */
  readonly label: ChangeSchema['label']['enum'][number];
  /** What the base declares; only in a conflict. */
  readonly base?: OptionValue | null | undefined;
  readonly risks: readonly Risk[];
  /** What became of it; only after an apply that read its integration back. */
  readonly outcome?: Outcome | undefined;
}

/** A managed field that cannot be compared: what is live is not shown, or its reference has no value here. It is not written. */
export interface CannotTell {
  readonly address: string;
  readonly reason: UnreadableReason | 'unresolved';
  readonly source: Place;
}

/** All changes of one managed integration; none if it is as desired. */
export interface IntegrationPlan {
  readonly name: string;
  readonly id: string;
  readonly status: string | null;
  /** True if the integration is not running, so it is likely to refuse. */
  readonly blocked: boolean;
  /** True if an error keeps it from being planned: it has no changes, and an apply leaves it out. */
  readonly unplanned?: true | undefined;
  readonly changes: readonly Change[];
  readonly cannotTell: readonly CannotTell[];
  /** The addresses of fields that the branch changed and that are live already. */
  readonly settled?: readonly string[] | undefined;
  /** The addresses of fields that the branch no longer manages. */
  readonly released?: readonly string[] | undefined;
  /** The addresses of differences that waivers leave alone; absent if there are none. */
  readonly waived?: readonly string[] | undefined;
  /** Options of the integration that the configuration does not name. */
  readonly unmanagedOptions: number;
  /** The result of an apply; absent before it, and if nothing was to be done. */
  readonly outcome?: Outcome | undefined;
}

/** A revision of the configuration: the ref as it was named, and the commit that it meant. */
export interface PlanBase {
  readonly ref: string;
  readonly commit: string;
}

/** The plan of one server, ordered by name. */
export interface ServerPlan {
  readonly name: string;
  readonly url: string;
  /** When the snapshot was taken that the plan was made from; such a plan cannot be applied. */
  readonly snapshot?: { readonly takenAt: string } | undefined;
  /** How the configuration treats risks; absent if it says nothing. */
  readonly policy?: Policy | undefined;
  /** The glob that narrowed the plan to some integrations; absent if it has all. */
  readonly only?: string | undefined;
  /** The revision that the labels compare with; absent if every difference is a `change`. */
  readonly base?: PlanBase | undefined;
  readonly summary: {
    readonly managed: number;
    readonly changed: number;
    readonly changes: number;
    readonly unmanagedOptions: number;
    /** Requests that were made to read. */
    readonly reads: number;
    /** PATCH requests that an apply makes. */
    readonly writes: number;
  };
  readonly integrations: readonly IntegrationPlan[];
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
