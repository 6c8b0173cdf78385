import type { Types } from '../../generated/plan-types.ts';
import type { Became, Moved } from '../findings/apply.ts';
import type { Diagnostic, Reached } from '../findings/diagnostic.ts';
import type { Setting } from '../model/desired.ts';
import { present } from '../model/json.ts';
import type { LiveValue } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import { isHidden, type Secret } from '../model/secret.ts';
import type { OptionValue } from '../model/value.ts';
import type { Policy, Risk } from './risk.ts';

/** What plan, apply and diff report: it is saved, rendered and applied. `schemas/plan.schema.json` describes it. */
export type Document = Types['document'];
export type ServerDocument = Types['server'];
export type RefusalDocument = Types['refusal'];
export type IntegrationDocument = Types['integration'];
export type ChangeDocument = Types['change'];

/** The version of the document. Fields are only ever added within a major version. */
export const FORMAT_VERSION = '2.0';

/** What can become of an integration that an apply is to change, and where a run that ended early lists it. */
export const OUTCOMES = {
  /** The server shows what was planned. */
  verified: 'applied',
  /** The server accepted it, but does not show all of it. */
  sent: 'applied',
  'not-converged': 'notApplied',
  failed: 'notApplied',
  stale: 'notApplied',
  blocked: 'notApplied',
  'not-attempted': 'notApplied',
  unknown: 'unknown',
} as const satisfies Record<
  NonNullable<ChangeDocument['outcome']>,
  keyof Reached
>;

/** The start of a commit's id, by which people know it. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 12);
}

/** The outcomes of changes that the server took, or may have taken. */
const TAKEN: ReadonlySet<ChangeDocument['outcome']> = new Set([
  'verified',
  'sent',
  'not-converged',
  'unknown',
] as const);

/** Whether changes with these outcomes wrote anything; undefined if there are none, as writing did not begin. */
export function hasWritten(
  outcomes: readonly ChangeDocument['outcome'][],
): boolean | undefined {
  const known = outcomes.filter((outcome) => outcome !== undefined);
  if (known.length === 0) return undefined;
  return known.some((outcome) => TAKEN.has(outcome));
}

/** One field that differs. */
export interface Change {
  /** The field address: `virustotal.options.apiKey.value`. */
  readonly address: string;
  /** What the configuration asks of the field, and where; a reference only as far as it may be shown. */
  readonly setting: Setting;
  /** Null if nothing is set, or if the server does not show it. */
  readonly before: OptionValue | Secret<OptionValue> | null;
  /** Hidden if the field is a secret; then `before` is too. */
  readonly after: OptionValue | Secret<OptionValue>;
  /** Why it cannot be compared: what is live is not shown, or its reference has no value here. */
  readonly unreadable?:
    | Extract<LiveValue, { kind: 'unreadable' }>['reason']
    | 'unresolved'
    | undefined;
  /** Who moved the field: this branch, the server alone, or both; always `change` in a plan without a base. */
  readonly label: ChangeDocument['label'];
  /** What the base declares; only in a conflict. */
  readonly base?: OptionValue | null;
  readonly risks: readonly Risk[];
  /** What became of it; only after an apply that read its integration back. */
  readonly outcome?: keyof typeof OUTCOMES;
}

/** A managed field that the integration has, compared with what is live. */
export interface Field extends Change {
  /**
   * What becomes of it: nothing, as it is as desired; it is changed; or it is left alone, because the server hides it, a waiver
   * names it, or it is not in the reviewed plan.
   */
  readonly fate: 'same' | 'changed' | 'hidden' | 'waived' | 'unreviewed';
}

/** How the writing of one integration ended. */
export type WriteEnd =
  | { readonly kind: 'acknowledged' }
  /** Nothing was left to write: it was already at its planned values. */
  | { readonly kind: 'done' }
  /** The server refused, or the request never left: nothing was written. */
  | {
      readonly kind: 'refused';
      readonly detail: string;
      /** What the server says, and the places in the YAML that it points at. */
      readonly reasons?: readonly {
        readonly text: string;
        readonly place?: Place;
      }[];
      /** True if the account lacks the permission. */
      readonly forbidden?: true;
      /** True if an earlier request of its integration was accepted. */
      readonly isPartial?: true;
      /** True if a good answer holds the refusal: a part may be written, and the rest not even be checked. */
      readonly accepted?: true;
    }
  /** No usable answer: it may or may not have been written. */
  | { readonly kind: 'unclear'; readonly detail: string }
  | {
      readonly kind: 'stale';
      readonly moved: readonly Moved[];
      /** Why all of it is planned no more. */
      readonly became?: Became | undefined;
    }
  | { readonly kind: 'not-attempted' };

/** All changes of one managed integration; none if it is as desired. */
export interface IntegrationPlan
  extends Omit<IntegrationDocument, 'changes' | 'hidden'> {
  /** True if the integration is not running, so it is likely to refuse. */
  readonly blocked: boolean;
  readonly changes: readonly Change[];
  /** Reviewed changes that it has no more, as it is stale or has errors: they are shown, and never written. */
  readonly lost?: readonly ChangeDocument[] | undefined;
  /** The fields that cannot be compared, and are not written. */
  readonly hidden: readonly Change[];
  /** How its writing ended; before it, why nothing is to be written: it is done already, or stale. */
  readonly end?: WriteEnd;
  /** The result of an apply; absent before it, and if nothing was to be done. */
  readonly outcome?: keyof typeof OUTCOMES;
}

/** An integration in which nothing is to be done. */
export const NOTHING = {
  ...{ blocked: false, changes: [], hidden: [] },
  ...{ waived: [], settled: [], released: [] },
} as const satisfies Partial<IntegrationPlan>;

/** The plan of one server, ordered by name. */
export interface ServerPlan
  extends Omit<
    ServerDocument,
    'policy' | 'refusals' | 'integrations' | 'head'
  > {
  /** How the configuration treats risks; absent if it says nothing. */
  readonly policy?: Policy | undefined;
  readonly integrations: readonly IntegrationPlan[];
}

/** A plan, and what was found while it was made or applied. */
export interface Planned {
  readonly plan: ServerPlan;
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether errors keep all integrations of all servers from being planned: then there is nothing to show. */
export function isNothingPlanned(plans: readonly ServerPlan[]): boolean {
  const all = plans.flatMap(({ integrations }) => integrations);
  return all.length > 0 && all.every(({ unplanned }) => unplanned === true);
}

/** What integrations add up to, with what else is counted. */
export function summaryOf(
  all: readonly (IntegrationPlan | IntegrationDocument)[],
  {
    managed,
    unmanagedOptions,
    reads,
  }: Pick<ServerPlan['summary'], 'managed' | 'unmanagedOptions' | 'reads'>,
): ServerPlan['summary'] {
  const sum = (
    count: (each: IntegrationPlan | IntegrationDocument) => number,
  ) => all.reduce((total, each) => total + count(each), 0);
  return {
    managed,
    changed: sum(({ changes }) => Math.min(changes.length, 1)),
    changes: sum(({ changes }) => changes.length),
    hidden: sum(({ hidden }) => hidden.length),
    waived: sum(({ waived }) => waived.length),
    settled: sum(({ settled }) => settled.length),
    released: sum(({ released }) => released.length),
    ...{ unmanagedOptions, reads },
    writes: sum(
      ({ changes }) =>
        new Set(
          changes.map(({ address }) => address.endsWith('.autosubscribe')),
        ).size,
    ),
  };
}

/** Both sides of a change, without a secret. */
export function sidesOf(
  change: Change,
): Partial<ChangeDocument> & Pick<ChangeDocument, 'before' | 'after'> {
  const { setting, before, after } = change;
  const hidden = change.unreadable === undefined ? undefined : (true as const);
  const { reference, rotated } = setting.field === 'value' ? setting : {};
  const isUnset = before === null && !hidden;
  const sides = isHidden(after)
    ? {
        before: isUnset ? '' : null,
        after: null,
        secret: true as const,
        ...present({ hidden, rotated }),
      }
    : {
        before: before === null || isHidden(before) ? null : before,
        after,
        ...present({ hidden }),
      };
  return { ...sides, ...present({ reference }) };
}
