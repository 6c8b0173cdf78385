/** A clock that a test moves by hand. */
export interface HandClock {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** The milliseconds that were asked for, in order. */
  readonly asked: readonly number[];
  /** Moves on and wakes who has slept long enough. */
  readonly pass: (milliseconds: number) => void;
}

/** A clock that stands at some time. */
export function handClock(start = Date.UTC(2026, 0, 15, 12)): HandClock {
  const state = { now: start };
  const asked: number[] = [];
  const sleepers: { readonly due: number; readonly wake: () => void }[] = [];
  return {
    now: () => state.now,
    asked,
    sleep: (milliseconds) => {
      asked.push(milliseconds);
      return new Promise((wake) => sleepers.push({ due: state.now + milliseconds, wake }));
    },
    pass: (milliseconds) => {
      state.now += milliseconds;
      const due = sleepers.filter((each) => each.due <= state.now);
      const rest = sleepers.filter((each) => each.due > state.now);
      sleepers.splice(0, sleepers.length, ...rest);
      for (const { wake } of due) wake();
    },
  };
}
