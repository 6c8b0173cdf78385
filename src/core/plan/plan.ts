import type { Moved } from '../findings/apply.ts';
import type { Diagnostic } from '../findings/diagnostic.ts';
import type { DesiredIntegration, Settings } from '../model/desired.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import type { Subject, Trait } from '../model/subject.ts';
import type { Comparison, ShownSides } from './compare.ts';
import type { OpenWaiver, Reason } from './decide.ts';
import type { Labelled } from './label.ts';
import type { Outcome } from './outcome.ts';
import type {
  ChangeDocument,
  LeftDocument,
  RevisionDocument,
  ServerDocument,
} from './plan-document.ts';
import type { Policy, Risk } from './risk.ts';

/** A field that is to be written. */
export interface Change extends Labelled {
  comparison: Comparison;
  risks: readonly Risk[];
  /** What became of it; only after an apply. */
  outcome?: Outcome | undefined;
  /**
   * Why it is not as planned; only after an apply, in a text without secrets.
   */
  reason?: string | undefined;
  /**
   * True if it failed, and the server may have taken it after it was read back.
   */
  maybeWritten?: true | undefined;
}

/** What is compared of fields that are to be written. */
export function comparisonsOf(changes: readonly Change[]): Comparison[] {
  return changes.map(({ comparison }) => comparison);
}

/**
 * A difference that is shown and never written: of a diff, or between two
 * servers.
 */
export interface ShownChange {
  subject: Subject | Trait;
  type?: string | undefined;
  sides: ShownSides;
  declared?: ChangeDocument['declared'] | undefined;
  onlyOn?: ChangeDocument['onlyOn'] | undefined;
  risks?: readonly Risk[] | undefined;
  comment?: string | undefined;
  place?: Place | undefined;
}

/**
 * Why a field is left as it is: what a document says, and what a saved plan
 * lacks.
 */
export type LeftReason = LeftDocument['because'] | Reason;

/** A field that is left as it is. */
export interface LeftField {
  subject: Subject;
  because: LeftReason;
  /** Absent for a field that is not declared any more. */
  comparison?: Comparison | undefined;
  /** Only for a field that is waived. */
  waiver?: OpenWaiver | undefined;
}

/** How the writing of one integration ended. */
export type WriteEnd = AttemptedEnd | UnattemptedEnd;

/** An end after which only a reading shows what the server holds. */
export type AttemptedEnd =
  | { kind: 'acknowledged' }
  | RefusedEnd
  /** No usable answer: the request may or may not have been carried out. */
  | (FailedEnd & { kind: 'unclear' });

/** An end that says all of an integration, as nothing of it was tried. */
export type UnattemptedEnd =
  /** Nothing was left to write: it was already at its planned values. */
  | { kind: 'done' }
  | { kind: 'not-attempted'; detail: string }
  /** It is not as it was reviewed or shown. */
  | {
      kind: 'stale';
      moved: readonly Moved[];
      /** Why all of it is planned no more. */
      detail?: string | undefined;
    };

/** Whether a request of an integration was tried. */
export function isAttempted(end: WriteEnd | undefined): end is AttemptedEnd {
  const kind = end?.kind;
  return kind === 'acknowledged' || kind === 'refused' || kind === 'unclear';
}

/**
 * A request of an integration failed; an earlier one may have been accepted.
 */
interface FailedEnd {
  detail: string;
  /** The changes of the requests that were accepted before it. */
  accepted?: readonly Change[] | undefined;
  /** The changes of the requests that were not sent after it. */
  unsent?: readonly Change[] | undefined;
}

/** The server refused the request, or it never left. */
interface RefusedEnd extends FailedEnd {
  kind: 'refused';
  /** True for errors in a good answer: they say nothing of the rest of it. */
  mayBePart?: boolean | undefined;
  reasons?: readonly RefusalReason[] | undefined;
  /** True if the account lacks the permission. */
  forbidden?: boolean | undefined;
}

/** A reason of the server, and the place in the YAML that it points at. */
export interface RefusalReason {
  text: string;
  place?: Place | undefined;
}

/** What is to be written of one managed integration, and what is left. */
export interface IntegrationPlan {
  name: string;
  id: string;
  status: string | null;
  /** The place of its entry; absent if it is not declared any more. */
  place?: Place | undefined;
  /** True if an error leaves it out: then it has no changes. */
  unplanned?: true | undefined;
  /** Whether it has changes that it is likely to refuse, as it is stopped. */
  blocked: boolean;
  /** What was compared, to compare it again. */
  settings: Settings;
  changes: readonly Change[];
  /** The fields that are left as they are. */
  left: readonly LeftField[];
  /** Its id on the other server of a comparison. */
  counterpart?: string | undefined;
  /** The differences of a diff or a comparison. */
  shown?: readonly ShownChange[] | undefined;
  /** In a comparison: the secrets that are the same on both servers. */
  sameSecrets?: readonly Subject[] | undefined;
  /** In a comparison: how many fields are equal. */
  equal?: number | undefined;
  /**
   * Reviewed changes that it has no more, as it is stale or has errors: they
   * are shown, and never written.
   */
  lost?: readonly ChangeDocument[] | undefined;
  /**
   * How its writing ended; before it, why nothing is to be written: it is done
   * already, or stale.
   */
  end?: WriteEnd | undefined;
  /**
   * The result of an apply; absent before it, and if nothing was to be done.
   */
  outcome?: Outcome | undefined;
}

/** Whether something of an integration is still to be written. */
export function isOpen({ changes, end }: IntegrationPlan): boolean {
  return changes.length > 0 && end === undefined;
}

/** The parts of an integration in which nothing is to be done. */
export const NOTHING = {
  blocked: false,
  settings: { options: new Map() },
  changes: [],
  left: [],
} as const satisfies Partial<IntegrationPlan>;

/** The compared fields that are left for one reason. */
export function leftBecause(
  { left }: IntegrationPlan,
  reason: Reason,
): Comparison[] {
  const comparisons: Comparison[] = [];
  for (const { because, comparison } of left) {
    if (because === reason && comparison) comparisons.push(comparison);
  }
  return comparisons;
}

/** The server of a plan, and how it is planned. */
export interface PlanHead
  extends Pick<
    ServerDocument,
    'name' | 'url' | 'snapshot' | 'comparedWith' | 'only'
  > {
  /** How the configuration treats risks; absent if it says nothing. */
  policy?: Policy | undefined;
  /** How many integrations may change at most, over all servers. */
  allowedChanges?: number | undefined;
  /** The risks that a person has agreed to. */
  allowedRisks?: readonly Risk[] | undefined;
}

/** The plan of one server, ordered by name. */
export interface ServerPlan extends PlanHead {
  /** The revision that the labels compare with. */
  base?: RevisionDocument | undefined;
  summary: ServerDocument['summary'];
  integrations: readonly IntegrationPlan[];
}

/** The plan of one server, and what it was made from. */
export interface SourcedPlan {
  plan: ServerPlan;
  desired: readonly DesiredIntegration[];
  /** All integrations, those that are managed with their options. */
  live: readonly LiveIntegration[];
  /** Whether errors leave out what flags select. */
  isPartial: boolean;
}

/** A plan, and what was found while it was made or applied. */
export interface Planned {
  plan: ServerPlan;
  diagnostics: readonly Diagnostic[];
}
