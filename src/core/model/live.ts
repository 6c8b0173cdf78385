import type { LivePermission } from './permission.ts';
import type { Choice, OptionValue } from './value.ts';

/** Why a value cannot be read: what stands in its place, nothing at all, or something that is no value in any known form. */
export type UnreadableReason = 'masked' | 'null' | 'absent' | 'form';

/** A value of an option as the server tells it: one that is there, none yet (null), or one that the server keeps to itself. */
export type LiveValue =
  | { readonly kind: 'readable'; readonly value: OptionValue }
  | { readonly kind: 'empty' }
  | { readonly kind: 'unreadable'; readonly reason: UnreadableReason };

export interface LiveOption {
  readonly key: string;
  readonly value: LiveValue;
  readonly permission: LivePermission;
  /** `text`, `password`, `number`, `boolean`, `select` or a type yet unknown; absent where the server does not serve it. */
  readonly type?: string;
  /** The choices of a select; empty where the server fills them in at run time. */
  readonly choices: readonly Choice[];
  /** Whether a select takes several choices; absent where the server does not serve it. */
  readonly multiple?: boolean;
  /** What people call it, and what it is for, as the integration says. */
  readonly title?: string;
  readonly description?: string;
  /** The value of a fresh installation; absent where it is not told. */
  readonly initial?: OptionValue;
}

export interface LiveIntegration {
  readonly id: string;
  readonly name?: string;
  readonly acronym?: string;
  readonly description?: string;
  /** `running` or another word of an open set; absent where the server does not serve it. */
  readonly status?: string;
  readonly autosubscribe?: boolean;
  /** How many integration errors the server relates to it. */
  readonly errorCount: number;
  /** Keys of the options that the server relates to it, whether or not their values were read. */
  readonly optionKeys: readonly string[];
  /** Options whose attributes were read, by key. */
  readonly options: ReadonlyMap<string, LiveOption>;
}
