import type { Place } from '../../src/core/model/place.ts';
import { ENTRIES, FILES, KEYS, type Layer, type LayeredEntry, type LayeredOption } from './layered.ts';

/** A leaf of the YAML: its path, and its text. `null` stands for all below the path. */
interface Leaf {
  readonly path: readonly string[];
  readonly text: string;
  readonly file: number;
}

export interface WrittenLayer {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Where the value of each leaf stands, by its path. */
  readonly places: ReadonlyMap<string, Pick<Place, 'file' | 'line' | 'column'>>;
}

/** The files of one layer; each leaf is written on a line of its own, so that its place is known without a parser. */
export function writeLayer(layer: Layer, index: number): WrittenLayer {
  const leaves = Object.entries(layer).flatMap(([name, entry]) => leavesOf(name, entry));
  const written = FILES.map((file, position) =>
    writeFile(
      `layer${index}/${file}`,
      leaves.filter((leaf) => leaf.file === position),
    ),
  ).filter(({ places }) => places.size > 0);
  return {
    files: written.map(({ path, text }) => ({ path, text })),
    places: new Map(written.flatMap(({ places }) => [...places])),
  };
}

/** The file that says what the entries match; it manages nothing. */
export function selectorsFile() {
  const lines = Object.entries(ENTRIES).map(([name, selector]) => `  ${name}: ${JSON.stringify(selector)}`);
  return { path: 'selectors.yaml', text: `version: 1\nintegrations:\n${lines.join('\n')}\n` };
}

function leavesOf(name: string, entry: LayeredEntry | null): Leaf[] {
  if (entry === null) return [{ path: [name], text: 'null', file: 0 }];
  const { autosubscribe, options, fileOf } = entry;
  const own =
    autosubscribe === undefined
      ? []
      : [{ path: [name, 'autosubscribe'], text: String(autosubscribe), file: fileOf['autosubscribe'] ?? 0 }];
  if (options === undefined) return own;
  if (options === null) return [...own, { path: [name, 'options'], text: 'null', file: 0 }];
  return [
    ...own,
    ...KEYS.flatMap((key) => {
      const option = options[key];
      return option === undefined ? [] : optionLeaves([name, 'options', key], option, fileOf[key] ?? 0);
    }),
  ];
}

function optionLeaves(path: readonly string[], option: LayeredOption, file: number): Leaf[] {
  if (option === null) return [{ path, text: 'null', file }];
  if (option.form === 'short') return [{ path: [...path, 'value'], text: option.value, file }];
  return (['value', 'permission'] as const).flatMap((part) =>
    option[part] === undefined ? [] : [{ path: [...path, part], text: String(option[part]), file }],
  );
}

function writeFile(path: string, leaves: readonly Leaf[]) {
  const lines = ['version: 1', 'integrations:'];
  const places = new Map<string, Pick<Place, 'file' | 'line' | 'column'>>();
  const open: string[] = [];
  for (const { path: keys, text } of leaves) {
    const shared = keys.findIndex((key, level) => level === keys.length - 1 || open[level] !== key);
    for (const [level, key] of keys.slice(shared, -1).entries())
      lines.push(`${'  '.repeat(shared + level + 1)}${key}:`);
    open.splice(0, open.length, ...keys.slice(0, -1));
    const start = `${'  '.repeat(keys.length)}${keys.at(-1)}: `;
    lines.push(`${start}${text}`);
    places.set(keys.join('/'), { file: path, line: lines.length, column: start.length + 1 });
  }
  return { path, text: `${lines.join('\n')}\n`, places };
}
