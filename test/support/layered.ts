import fc from 'fast-check';
import type { Place } from '../../src/core/model/place.ts';

/** What one layer says of one option; null if it is no longer managed. */
type LayeredOption = null | {
  readonly value?: string | null;
  readonly permission?: string | null;
};

/** What one layer says of one entry, and in which of its files. */
interface LayeredEntry {
  readonly autosubscribe?: boolean | null;
  readonly options?: null | Readonly<Record<string, LayeredOption>>;
  readonly file: number;
}

export type Layer = Readonly<Record<string, LayeredEntry | null>>;

/** Entries that select one integration each, two of them the same, and two with defaults for all. */
const ENTRIES = {
  all: { match: '*', expect: 'any' },
  also: { match: '*1' },
  every: { match: 'i*', expect: 'any' },
  one: { match: 'i1' },
  two: { match: 'i2' },
} as const;
export const KEYS = ['alpha', 'beta', 'gamma'] as const;
const FILES = ['a.yaml', 'b.yaml', 'c.yaml'] as const;

const orNull = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.option(arbitrary, { nil: null, freq: 4 });

const value = fc.string({
  unit: fc.constantFrom('x', 'y', 'z'),
  minLength: 1,
  maxLength: 4,
});
const permission = fc.constantFrom(
  'lock-and-hide',
  'lock-and-show',
  'user-provides',
);

const option = orNull(
  fc.record(
    { value: orNull(value), permission: orNull(permission) },
    { requiredKeys: [] },
  ),
) as fc.Arbitrary<LayeredOption>;
const options = fc.record(
  { alpha: option, beta: option, gamma: option },
  { requiredKeys: [] },
);

const entry = orNull(
  fc.record(
    {
      autosubscribe: orNull(fc.boolean()),
      options: orNull(options),
      file: fc.nat(FILES.length - 1),
    },
    { requiredKeys: ['file'] },
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

/** A leaf of the YAML: its path, and its text. `null` stands for all below the path. */
type Leaf = readonly [path: readonly string[], text: string];

export interface WrittenLayer {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Where the value of each leaf stands, by its path. */
  readonly places: ReadonlyMap<string, Pick<Place, 'file' | 'line' | 'column'>>;
}

/** The files of one layer; each leaf is written on a line of its own, so that its place is known without a parser. */
export function writeLayer(layer: Layer, index: number): WrittenLayer {
  const written = FILES.map((file, position) => {
    const own = Object.entries(layer).filter(
      ([, each]) => (each?.file ?? 0) === position,
    );
    return writeFile(
      `layer${index}/${file}`,
      own.flatMap(([name, each]) => leavesOf(name, each)),
    );
  }).filter(({ places }) => places.size > 0);
  return {
    files: written.map(({ path, text }) => ({ path, text })),
    places: new Map(written.flatMap(({ places }) => [...places])),
  };
}

/** The file that says what the entries match; it manages nothing. */
export function selectorsFile() {
  const lines = Object.entries(ENTRIES).map(
    ([name, selector]) => `  ${name}: ${JSON.stringify(selector)}`,
  );
  return {
    path: 'selectors.yaml',
    text: `version: 1\nintegrations:\n${lines.join('\n')}\n`,
  };
}

function leavesOf(name: string, written: LayeredEntry | null): Leaf[] {
  if (written === null) return [[[name], 'null']];
  const { autosubscribe, options: all } = written;
  const own: Leaf[] =
    autosubscribe === undefined
      ? []
      : [[[name, 'autosubscribe'], String(autosubscribe)]];
  if (all === null) return [...own, [[name, 'options'], 'null']];
  return [
    ...own,
    ...Object.entries(all ?? {}).flatMap(([key, each]): Leaf[] => {
      const path = [name, 'options', key];
      if (each === null) return [[path, 'null']];
      return Object.entries(each).map(([part, text]) => [
        [...path, part],
        String(text),
      ]);
    }),
  ];
}

function writeFile(path: string, leaves: readonly Leaf[]) {
  const lines = ['version: 1', 'integrations:'];
  const places = new Map<string, Pick<Place, 'file' | 'line' | 'column'>>();
  const open: string[] = [];
  for (const [keys, text] of leaves) {
    const shared = keys.findIndex(
      (key, level) => level === keys.length - 1 || open[level] !== key,
    );
    for (const [level, key] of keys.slice(shared, -1).entries())
      lines.push(`${'  '.repeat(shared + level + 1)}${key}:`);
    open.splice(0, open.length, ...keys.slice(0, -1));
    const start = `${'  '.repeat(keys.length)}${keys.at(-1)}: `;
    lines.push(`${start}${text}`);
    places.set(keys.join('/'), {
      file: path,
      line: lines.length,
      column: start.length + 1,
    });
  }
  return { path, text: `${lines.join('\n')}\n`, places };
}
