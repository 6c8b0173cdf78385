import { type Checked, compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { grouped } from '../model/json.ts';
import type { SourceFile } from '../yaml/compose.ts';
import {
  addressOf,
  type Declaration,
  declarationsOf,
  declared,
  duplicate,
  type Entry,
  isDefault,
  keysAround,
  pathKey,
  valuesIn,
  type WrittenConfig,
  withValues,
} from './entry.ts';
import { ENTRY_RULES, mistakesAcross } from './entry-rules.ts';
import { parseFile, type WrittenFile } from './read-file.ts';
import { Resolver } from './resolve.ts';
import type { Template } from './template.ts';
import { valueMistakes } from './value-rules.ts';

/** The files of each layer of a configuration, earliest layer first. */
export type WrittenLayers = readonly (readonly WrittenFile[])[];

interface ParsedConfig extends Checked<WrittenConfig> {
  /** What its files declare, layer by layer; absent where there is no configuration. */
  readonly written?: WrittenLayers;
}

/** Makes one configuration of layers of files, earliest first; finds all problems of all files. */
export function parseConfig(layers: readonly (readonly SourceFile[])[]): ParsedConfig {
  return joinFiles(
    layers.map((files) => files.map(parseFile)),
    false,
  );
}

/**
 * Makes one configuration of parsed files. One with an error is left out: then there is no configuration, and problems across
 * files are not looked for. `unread` says that more files exist, which could not be read.
 */
export function joinFiles(read: readonly (readonly Checked<WrittenFile>[])[], unread: boolean): ParsedConfig {
  const all = read.flat();
  const layers = read.map((files) => files.flatMap(({ value }) => value ?? []));
  const merged = mergeLayers(layers);
  const diagnostics = [
    ...all.flatMap((file) => file.diagnostics),
    ...valueMistakes(layers.flat(), merged.value),
    ...ENTRY_RULES.flatMap((rule) => merged.value.entries.flatMap(rule)),
  ];
  if (unread || all.some(({ value }) => value === undefined)) return { diagnostics };
  const { value, problems } = withoutMissing(merged.value);
  return {
    value,
    written: layers,
    diagnostics: [
      ...diagnostics,
      ...merged.diagnostics,
      ...problems,
      ...merged.idle,
      ...mistakesAcross(merged.value, layers.flat()),
    ],
  };
}

/** A configuration without the values whose named values are missing or do not fit, and what is wrong with these. */
function withoutMissing(config: WrittenConfig) {
  const resolver = new Resolver(config.values);
  const resolved = config.entries.flatMap(valuesIn).map((each) => [each, resolver.resolve(each)] as const);
  const broken = new Map(resolved.filter(([, { problems }]) => problems.length > 0));
  const entries =
    broken.size === 0
      ? config.entries
      : config.entries.map((entry) => withValues(entry, (each) => (broken.has(each) ? undefined : each)));
  return {
    value: { ...config, entries },
    problems: [...broken.values()].flatMap(({ problems }) => problems),
  };
}

/**
 * Merges layers field by field: a later layer overrides an earlier one, its null stops the management of a field. Within
 * one layer a field may be set once, in any file. The order of files and keys does not matter.
 */
export function mergeLayers(layers: WrittenLayers): {
  readonly value: WrittenConfig;
  readonly diagnostics: readonly Diagnostic[];
  /** Nulls that take nothing back, since no earlier layer and no default sets their fields. A key may be mistyped. */
  readonly idle: readonly Diagnostic[];
} {
  const values = new Map(layers.flatMap(inOrder).flatMap((file) => [...file.values]));
  const entries = new Map<string, Entry<Template>>();
  const nulls: { readonly name: string; readonly stop: Declaration }[] = [];
  for (const file of layers.flatMap(inOrder))
    for (const entry of file.entries) {
      const { name } = entry;
      const earlier = entries.get(name);
      nulls.push(...idleNulls(entry, earlier).map((stop) => ({ name, stop })));
      entries.set(name, earlier === undefined ? entry : override(earlier, entry));
    }
  const sorted = [...entries.values()].sort((a, b) => compareText(a.name, b.name));
  const defaults = nulls.length === 0 ? undefined : setPaths(sorted.filter(isDefault));
  const idle = nulls.flatMap(({ name, stop: { path, place } }) =>
    defaults?.has(pathKey(path))
      ? []
      : [diagnostic('idle-declaration', { of: 'null', name: addressOf(name, path) }, place)],
  );
  return { value: { values, entries: sorted }, diagnostics: layers.flatMap(clashesIn), idle };
}

function inOrder(files: readonly WrittenFile[]): WrittenFile[] {
  return [...files].sort((a, b) => compareText(a.path, b.path));
}

function override(earlier: Entry<Template>, later: Entry<Template>): Entry<Template> {
  const { stopped: _, ...base } = earlier;
  const options = new Map(later.optionsStopped === undefined ? base.options : []);
  for (const option of later.options.values()) {
    const below = option.stopped === undefined ? options.get(option.key) : undefined;
    options.set(option.key, { ...below, ...option });
  }
  return { ...base, ...later, place: base.place, options };
}

/** The nulls of an entry that stop nothing of what earlier layers set. */
function idleNulls(entry: Entry<unknown>, earlier: Entry<unknown> | undefined): Declaration[] {
  const nulls = declarationsOf(entry).filter(({ isNull }) => isNull);
  if (nulls.length === 0 || earlier === undefined) return nulls;
  const set = setPaths([earlier]);
  return nulls.filter(({ path }) => !set.has(pathKey(path)));
}

/** The paths that entries set, and all paths around them. */
function setPaths(entries: readonly Entry<unknown>[]): Set<string> {
  const set = entries.flatMap(declarationsOf).filter(({ isNull }) => !isNull);
  return new Set(set.flatMap(({ path }) => keysAround(path)));
}

/** A finding for each field that two files of a layer set, or that one sets and the other stops. */
function clashesIn(files: readonly WrittenFile[]): Diagnostic[] {
  const sorted = inOrder(files);
  const values = grouped(
    sorted.flatMap((file) => [...file.values]),
    ([name]) => name,
  );
  const entries = grouped(
    sorted.flatMap((file) => file.entries),
    ({ name }) => name,
  );
  return [
    ...[...values.values()].flatMap(([first, ...others]) =>
      others.flatMap(([name, { place }]) => duplicate(`values.${name}`, place, first?.[1].place)),
    ),
    ...[...entries.values()].flatMap((all) =>
      all.slice(1).flatMap((entry, index) => clashes(all.slice(0, index + 1), entry)),
    ),
  ];
}

function clashes(others: readonly Entry<unknown>[], entry: Entry<unknown>): Diagnostic[] {
  const taken = others.flatMap(allDeclared).toReversed();
  const at = new Map(taken.map(({ path, place }) => [pathKey(path), place]));
  const below = new Map(
    taken.flatMap(({ path, place }) => keysAround(path).map((key) => [key, place] as const)),
  );
  return allDeclared(entry).flatMap(({ path, place }) => {
    const around = keysAround(path).find((key) => at.has(key)) ?? '';
    return duplicate(addressOf(entry.name, path), place, at.get(around) ?? below.get(pathKey(path)));
  });
}

/** Everything that an entry declares. */
function allDeclared(entry: Entry<unknown>): Declaration[] {
  return [...declared(entry.match, 'match'), ...declared(entry.expect, 'expect'), ...declarationsOf(entry)];
}
