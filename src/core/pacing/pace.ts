/** How many requests may run side by side. */
export interface Pace {
  /** How many may run at present: at least one, never more than `most`. */
  readonly limit: number;
  readonly most: number;
  /** Good answers since the limit last changed. */
  readonly successes: number;
  /** How often it was slowed down. */
  readonly slowed: number;
}

/** Good answers after which one more request may run side by side again. */
export const RECOVERY = 10;

/** The pace of a run before its first request. */
export function fullPace(most: number): Pace {
  return { limit: most, most, successes: 0, slowed: 0 };
}

/**
 * Half as many after a 429. `slowedThen` is `slowed` from when the refused request started: requests that ran side by side
 * and were refused together slow down once.
 */
export function slower(pace: Pace, slowedThen: number): Pace {
  if (slowedThen < pace.slowed) return { ...pace, successes: 0 };
  const limit = Math.max(1, Math.floor(pace.limit / 2));
  return { ...pace, limit, successes: 0, slowed: pace.slowed + 1 };
}

/** One more after enough good answers, until all may run again. */
export function recovered(pace: Pace): Pace {
  if (pace.limit >= pace.most) return pace;
  const successes = pace.successes + 1;
  return successes < RECOVERY ? { ...pace, successes } : { ...pace, limit: pace.limit + 1, successes: 0 };
}
