import fc from 'fast-check';

/** What one layer says of one option: nothing managed any more, a value in its short form, or fields. */
export type LayeredOption =
  | null
  | { readonly form: 'short'; readonly value: string }
  | { readonly form: 'long'; readonly value?: string | null; readonly permission?: string | null };

/** What one layer says of one entry, and in which of its files each part stands. */
export interface LayeredEntry {
  readonly autosubscribe?: boolean | null;
  readonly options?: null | Readonly<Record<string, LayeredOption>>;
  /** The file of each part, by the part's name. */
  readonly fileOf: Readonly<Record<string, number>>;
}

export type Layer = Readonly<Record<string, LayeredEntry | null>>;

/** Entries that select one integration each, two of them the same, and two with defaults for all. */
export const ENTRIES = {
  all: { match: '*', expect: 'any' },
  also: { match: '*1' },
  every: { match: 'i*', expect: 'any' },
  one: { match: 'i1' },
  two: { match: 'i2' },
} as const;
export const KEYS = ['alpha', 'beta', 'gamma'] as const;
export const FILES = ['a.yaml', 'b.yaml', 'c.yaml'] as const;

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 4 });

const value = fc.string({ unit: fc.constantFrom('x', 'y', 'z'), minLength: 1, maxLength: 4 });
const permission = fc.constantFrom('lock-and-hide', 'lock-and-show', 'user-provides');

const option: fc.Arbitrary<LayeredOption> = orNull(
  fc.oneof(
    fc.record({ form: fc.constant('short' as const), value }),
    fc.record(
      { form: fc.constant('long' as const), value: orNull(value), permission: orNull(permission) },
      { requiredKeys: ['form'] },
    ),
  ),
);

const options = fc.record({ alpha: option, beta: option, gamma: option }, { requiredKeys: [] });
const fileOf = fc.record(
  Object.fromEntries(['autosubscribe', ...KEYS].map((part) => [part, fc.nat(FILES.length - 1)])),
);

const entry = orNull(
  fc.record(
    { autosubscribe: orNull(fc.boolean()), options: orNull(options), fileOf },
    { requiredKeys: ['fileOf'] },
  ),
) as fc.Arbitrary<LayeredEntry | null>;

/** Up to four layers. What an entry matches stands in a file of its own, below them all. */
export const layering: fc.Arbitrary<readonly Layer[]> = fc.array(
  fc.record(
    { all: entry, also: entry, every: entry, one: entry, two: entry },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Layer>,
  { minLength: 1, maxLength: 4 },
);
