import type { WrittenValue } from '../model/desired.ts';
import type { Permission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import type { PlanBase } from '../plan/plan.ts';
import type { Risk } from '../plan/risk.ts';

/** Two revisions of the configuration; no `head` stands for the work tree. */
export interface Revisions {
  readonly base: PlanBase;
  readonly head?: PlanBase;
}

/** Two revisions of a configuration, and what they differ in. */
export interface RevisionDiff extends Revisions {
  /** How risks are treated, which differences are left alone, and the servers. Absent where no project is compared. */
  readonly project?: readonly EntryDiff[];
  readonly servers: readonly ServerDiff[];
}

/** What differs between two revisions of the configuration of one server. */
export interface ServerDiff {
  /** The address of one that is gone, where another server has its name now. */
  readonly name: string;
  /** Its name at the base, where the same server had another one. */
  readonly was?: string;
  /** Whether both revisions have the server. */
  readonly change: 'kept' | 'added' | 'released';
  /** Its address on both sides, where that differs. */
  readonly url?: { readonly before?: string; readonly after?: string };
  /** The entries that differ, ordered by name. */
  readonly entries: readonly EntryDiff[];
}

/** What differs in one entry. */
export interface EntryDiff {
  readonly name: string;
  /** Its name at the base, where the same integration had another one. */
  readonly was?: string;
  readonly change: FieldDiff['change'];
  readonly fields: readonly FieldDiff[];
}

/** A part of an entry, or of a project, that a configuration declares. */
export type DeclaredPart =
  | 'match'
  | 'expect'
  | 'autosubscribe'
  | 'value'
  | 'permission'
  | 'sensitive'
  | 'rotated'
  /** Of `setpoint.yaml`. */
  | 'policy'
  | 'waiver'
  | 'server'
  | 'url'
  | 'labels'
  | 'tls';

/** A part of a value with references that is not shown: the content of its files, its fallbacks, or what is around them. */
export type Unshown = 'file' | 'fallback' | 'text';

/** One declaration that differs. */
export interface FieldDiff {
  readonly address: string;
  readonly field: DeclaredPart;
  readonly option?: string;
  readonly change: 'added' | 'changed' | 'released';
  /** Absent where the base does not declare it. */
  readonly before?: DeclaredSide;
  /** Absent where it is no longer declared. */
  readonly after?: DeclaredSide;
  /** What differs though both sides are shown alike. */
  readonly unshown?: readonly Unshown[];
  /** Whether a policy refuses less, a waiver leaves more alone, or credentials go elsewhere or under another trust, than before. */
  readonly isWeaker?: true;
  /** Those that can be told without a server. */
  readonly risks: readonly Risk[];
  /** The place at the head; that at the base where it is no longer declared. */
  readonly source: Place;
  /** Where the rest of its option or entry is at the head, if it is no longer declared; absent where nothing is left. */
  readonly left?: Place;
  readonly comment?: string;
}

/** What one side declares, as far as it may be shown. */
export interface DeclaredSide {
  /** Null where it is hidden, or a reference. */
  readonly value: WrittenValue | Permission | null;
  /** The text with references, without what may be a secret in it. */
  readonly reference?: string;
  /** True where it is likely to be a secret. */
  readonly isHidden?: true;
}
