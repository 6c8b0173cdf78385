import type { Checked } from '../findings/diagnostic.ts';
import type { SourceText } from '../model/place.ts';
import type { SourceFile } from '../yaml/tree.ts';
import { mergeLayers } from './layers.ts';
import { type LinkedConfig, linkConfig } from './link.ts';
import { readFile } from './read-file.ts';
import { ENTRY_RULES } from './rules/entry-rules.ts';
import { ruleInput } from './rules/rule.ts';
import { SECRET_RULES } from './rules/secret-rules.ts';
import { TEXT_RULES } from './rules/text-rules.ts';

/** A configuration, and what an excerpt of each of its files must not show, by path. */
interface ParsedConfig extends Checked<LinkedConfig> {
  readonly hidden: ReadonlyMap<string, SourceText['hidden']>;
}

/**
 * Makes one configuration of layers of files, earliest first; finds all problems of all files. A file with an error is left
 * out: then there is no configuration, and problems across files are not looked for. `unread` says that more files exist,
 * which could not be read.
 */
export function parseConfig(layers: readonly (readonly SourceFile[])[], unread = false): ParsedConfig {
  const read = layers.map((files) => files.map((file) => ({ path: file.path, ...readFile(file) })));
  const all = read.flat();
  const isWhole = !unread && all.every(({ value }) => value !== undefined);
  const files = read.map((layer) => layer.flatMap(({ value }) => value ?? []));
  const merged = mergeLayers(files);
  const linked = linkConfig(merged.value);
  const spanning = isWhole ? [...merged.diagnostics, ...linked.diagnostics] : [];
  const rules = [...SECRET_RULES, ...TEXT_RULES, ...(isWhole ? ENTRY_RULES : [])];
  const input = ruleInput(files, merged.value, linked.link);
  return {
    ...(isWhole ? { value: linked.value } : {}),
    diagnostics: [
      ...all.flatMap(({ diagnostics }) => diagnostics),
      ...spanning,
      ...rules.flatMap((rule) => rule(input)),
    ],
    hidden: new Map(all.map(({ path, hidden }) => [path, hidden])),
  };
}
