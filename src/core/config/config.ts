import type { Checked } from '../findings/diagnostic.ts';
import type { SourceText } from '../model/place.ts';
import type { SourceFile } from '../yaml/tree.ts';
import { mergeLayers, type WrittenLayers } from './layers.ts';
import { type LinkedConfig, linkConfig } from './link.ts';
import { readFile } from './read-file.ts';
import { ENTRY_RULES } from './rules/entry-rules.ts';
import { ruleInput } from './rules/rule.ts';
import { SECRET_RULES } from './rules/secret-rules.ts';
import { TEXT_RULES } from './rules/text-rules.ts';

/** A configuration, and what an excerpt of each of its files must not show, by path. */
interface ParsedConfig extends Checked<LinkedConfig> {
  /** What its files declare, layer by layer; absent where there is no configuration. */
  readonly written?: WrittenLayers;
  readonly hidden: ReadonlyMap<string, SourceText['hidden']>;
}

/** A parsed file: what it declares where it has no error, and what is wrong with it. */
type ParsedFile = ReturnType<typeof readFile> & Pick<SourceFile, 'path'>;

/**
 * Makes one configuration of layers of files, earliest first; finds all problems of all files. A file with an error is left
 * out: then there is no configuration, and problems across files are not looked for. `unread` says that more files exist,
 * which could not be read.
 */
export function parseConfig(layers: readonly (readonly SourceFile[])[], unread = false): ParsedConfig {
  return joinFiles(
    layers.map((files) => files.map(parseFile)),
    unread,
  );
}

/** One file as far as it can be read on its own. */
export function parseFile(file: SourceFile): ParsedFile {
  return { path: file.path, ...readFile(file) };
}

/** The same for files that were parsed one by one. */
export function joinFiles(read: readonly (readonly ParsedFile[])[], unread: boolean): ParsedConfig {
  const all = read.flat();
  const isWhole = !unread && all.every(({ value }) => value !== undefined);
  const files = read.map((layer) => layer.flatMap(({ value }) => value ?? []));
  const merged = mergeLayers(files);
  const linked = linkConfig(merged.value);
  const spanning = isWhole ? [...merged.diagnostics, ...linked.diagnostics] : [];
  const rules = [...SECRET_RULES, ...TEXT_RULES, ...(isWhole ? ENTRY_RULES : [])];
  const input = ruleInput(files, merged.value, linked.link);
  return {
    ...(isWhole ? { value: linked.value, written: files } : {}),
    diagnostics: [
      ...all.flatMap(({ diagnostics }) => diagnostics),
      ...spanning,
      ...rules.flatMap((rule) => rule(input)),
    ],
    hidden: new Map(all.map(({ path, hidden }) => [path, hidden])),
  };
}
