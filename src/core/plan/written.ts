import type { Moved } from '../findings/apply.ts';
import type { Place } from '../model/place.ts';

/** How the writing of one integration ended. */
export type Written =
  | { readonly kind: 'acknowledged' }
  /** Nothing was left to write: it was already at its planned values. */
  | { readonly kind: 'done' }
  /** The server refused, or the request never left: nothing was written. */
  | {
      readonly kind: 'refused';
      readonly detail: string;
      readonly reasons?: readonly Reason[];
      /** True where the account lacks the permission. */
      readonly forbidden?: true;
      /** True where a good answer holds the refusal: a part may be written, and the rest not even be checked. */
      readonly accepted?: true;
    }
  /** No usable answer: it may or may not have been written. */
  | { readonly kind: 'unclear'; readonly detail: string }
  | { readonly kind: 'stale'; readonly moved: readonly Moved[] }
  | { readonly kind: 'not-attempted' };

/** One reason that a server gave for a refusal, and the place in the YAML that it points at. */
export interface Reason {
  readonly text: string;
  readonly place?: Place;
}
