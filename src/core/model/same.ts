/** A type where two are the same, else `never`: a table that has to match both then does not compile. */
export type Same<A, B> = [A, B] extends [B, A] ? A : never;
