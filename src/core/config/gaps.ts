/** What could not be read of a configuration. What seems to be missing may stand there, and is not missed. */
export interface Gaps {
  /** Whether any entry may be one that was not read, or hold more than was read. */
  readonly anyEntry: boolean;
  readonly anyValue: boolean;
  /** The names of entries that are known to hold more than was read. */
  readonly entries: ReadonlySet<string>;
  /** Those of which it may be the `match` or `expect`. */
  readonly selectors: ReadonlySet<string>;
  /** The names of values that were not read. */
  readonly values: ReadonlySet<string>;
}

/** Everything was read. */
export const NO_GAPS: Gaps = {
  anyEntry: false,
  anyValue: false,
  entries: new Set(),
  selectors: new Set(),
  values: new Set(),
};

/** What a file leaves open that cannot be read at all. */
export const UNREAD: Gaps = { ...NO_GAPS, anyEntry: true, anyValue: true };

/** The gaps of several files together. */
export function joinGaps(gaps: readonly Gaps[]): Gaps {
  const all = (names: (each: Gaps) => ReadonlySet<string>) =>
    new Set(gaps.flatMap((each) => [...names(each)]));
  return {
    anyEntry: gaps.some(({ anyEntry }) => anyEntry),
    anyValue: gaps.some(({ anyValue }) => anyValue),
    entries: all(({ entries }) => entries),
    selectors: all(({ selectors }) => selectors),
    values: all(({ values }) => values),
  };
}

/** Whether everything was read. */
export function isWhole({ anyEntry, anyValue, entries, values }: Gaps): boolean {
  return !anyEntry && !anyValue && entries.size === 0 && values.size === 0;
}
