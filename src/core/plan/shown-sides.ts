import { present } from '../model/json.ts';
import type { Side } from '../model/side.ts';
import type { OptionValue } from '../model/value.ts';
import type { Comparison } from './compare.ts';

/** Both sides of a field as a document has them, without a secret. */
export interface ShownSides {
  /** Null if nothing is set or shown; empty text for a secret that is not set. */
  readonly before: OptionValue | null;
  /** Null for a secret. */
  readonly after: OptionValue | null;
  readonly secret?: true;
  readonly hidden?: true;
  readonly reference?: string;
  /** In a diff: that of the base. */
  readonly beforeReference?: string;
  readonly rotated?: string;
}

/** What a document shows of a comparison. */
export function sidesOf(comparison: Comparison): ShownSides {
  const { setting, before, after, reference } = comparison;
  const hidden = before.kind === 'hidden' ? (true as const) : undefined;
  if (!isShownAsSecret(comparison)) {
    return {
      before: shownValue(before),
      after: shownValue(after),
      ...present({ hidden, reference }),
    };
  }
  const isUnset = before.kind === 'unset';
  const { rotated } = setting.kind === 'value' ? setting : {};
  return {
    before: isUnset ? '' : null,
    after: null,
    secret: true,
    ...present({ hidden, rotated, reference }),
  };
}

/** Whether a field is shown as a secret: it is one, or nobody can tell. */
export function isShownAsSecret(comparison: Comparison): boolean {
  const { kind } = comparison.after;
  return kind === 'secret' || kind === 'unread';
}

/** What a document shows of a side: nothing of a secret. */
export function shownValue(side: Side): OptionValue | null {
  if (side.kind === 'unread' || side.kind === 'written') return side.written;
  return side.kind === 'shown' ? side.value : null;
}
