import {
  type Checked,
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import type { SourceFile } from '../model/place.ts';
import { isSecret } from '../model/secrecy.ts';
import {
  declarationsOf,
  type Entry,
  isDefault,
  optionsIn,
  type WrittenConfig,
} from './entry.ts';
import { mergeLayers } from './layers.ts';
import { parseFile, type WrittenLayers } from './read-file.ts';
import {
  type ResolvedConfig,
  type ResolvedValue,
  resolveConfig,
} from './resolve.ts';
import { mistakesIn } from './rules.ts';
import { namesIn } from './template.ts';

export interface ParsedConfig extends Checked<WrittenConfig> {
  /** What its files declare, layer by layer; absent where there is no configuration. */
  readonly written?: WrittenLayers;
}

/** Makes one configuration of layers of files, earliest first; finds all problems of all files. */
export function parseConfig(
  layers: readonly (readonly SourceFile[])[],
): ParsedConfig {
  return joinFiles(layers.map((files) => files.map(parseFile)));
}

/**
 * Makes one configuration of parsed files. One with an error is left out: then there is no configuration, and problems across
 * files are not looked for.
 */
export function joinFiles(
  read: readonly (readonly Checked<WrittenLayers[number][number]>[])[],
): ParsedConfig {
  const all = read.flat();
  const layers = read.map((files) => files.flatMap(({ value }) => value ?? []));
  const merged = mergeLayers(layers);
  const diagnostics = [
    ...all.flatMap((file) => file.diagnostics),
    ...mistakesIn(layers.flat(), merged.value),
  ];
  if (
    all.some((file) => file.value === undefined && hasErrors(file.diagnostics))
  )
    return { diagnostics };
  const { value } = merged;
  const files = layers.flat();
  diagnostics.push(
    ...merged.diagnostics,
    // Without variables and files, named values alone can be missing.
    ...missingReferences(resolveConfig(value)),
    ...mistakesAcross(value, files),
  );
  if (!diagnostics.some(isIdleEntry))
    diagnostics.push(...nothingManaged(value, files));
  return { value, written: layers, diagnostics };
}

/** The references that hold no usable text in the entries that are meant by name, and in defaults, which may apply to any. */
export function missingReferences(
  entries: ResolvedConfig,
  isMeant = (_: string): boolean => true,
): Diagnostic[] {
  const missing: Diagnostic[] = [];
  for (const { value, isSecret } of valuesMeant(entries, isMeant)) {
    for (const problem of value.problems) {
      missing.push(isSecret ? withoutFallback(problem) : problem);
    }
  }
  return missing;
}

/** Warnings of what references hold, in the same entries. */
export function oddReferences(
  entries: ResolvedConfig,
  isMeant: (name: string) => boolean,
): Diagnostic[] {
  const meant = valuesMeant(entries, isMeant);
  return meant.flatMap(({ value }) => value.remarks);
}

/** A value of an entry that is meant, and whether its option is known to hold a secret. */
interface MeantValue {
  readonly value: ResolvedValue;
  readonly isSecret: boolean;
}

/** The values of the entries that are meant by name, and of defaults. */
function valuesMeant(
  entries: ResolvedConfig,
  isMeant: (name: string) => boolean,
): MeantValue[] {
  const meant = entries.filter(
    (entry) => isMeant(entry.name) || isDefault(entry),
  );
  const values: MeantValue[] = [];
  for (const { key, value, sensitive } of optionsIn(meant)) {
    if (value === undefined) continue;
    const mark = sensitive?.value ?? undefined;
    values.push({ value, isSecret: isSecret({ key, mark }) });
  }
  return values;
}

/** A secret must not have a fallback, so none is offered for it. */
function withoutFallback(problem: Diagnostic): Diagnostic {
  if (problem.code !== 'reference-missing') return problem;
  return { ...problem, facts: { ...problem.facts, isSecret: true } };
}

/** Mistakes that only a whole configuration shows: what seems to be missing may be in a file that could not be read. */
function mistakesAcross(
  { entries, values }: WrittenConfig,
  files: readonly WrittenConfig[],
): Diagnostic[] {
  const options = files.flatMap((file) => optionsIn(file.entries));
  const used = new Set(
    options.flatMap(({ value }) => namesIn(value?.value ?? null)),
  );
  const unused = [...values].filter(
    ([name, { value }]) => value !== null && !used.has(name),
  );
  return [
    ...entries.flatMap(idleEntry),
    ...unused.map(([name, { namePlace }]) =>
      diagnostic('idle-declaration', { of: 'value', name }, namePlace),
    ),
  ];
}

/** Whether a finding says already that an entry manages nothing; a named value that nobody uses is no entry. */
function isIdleEntry(finding: Diagnostic): boolean {
  if (finding.code !== 'idle-declaration') return false;
  const { of } = finding.facts;
  return of !== 'value' && of !== 'default';
}

/** Files without a declaration, or whose declarations later layers set to null. */
function nothingManaged(
  { entries }: WrittenConfig,
  files: WrittenLayers[number],
): Diagnostic[] {
  const isManaged = entries.some((entry) =>
    declarationsOf(entry).some(({ isNull }) => !isNull),
  );
  if (isManaged || files.length === 0) return [];
  const places = files.map(({ place }) => place);
  return [withPlaces(diagnostic('nothing-managed', {}, places[0]), places)];
}

/** An entry with nothing but `match` and `expect`, or defaults that select only the id that is their name. */
function idleEntry(entry: Entry): Diagnostic[] {
  const { name, place, match, expect } = entry;
  if (declarationsOf(entry).length === 0)
    return [diagnostic('idle-declaration', { of: 'entry', name }, place)];
  return isDefault(entry) && match === undefined
    ? [diagnostic('idle-declaration', { of: 'any', name }, expect?.place)]
    : [];
}

/** Warns of secrets whose last rotation is more than a number of days before `now`, in milliseconds since the epoch. */
export function agedSecrets(
  entries: readonly Entry[],
  days: number,
  now: number,
): Diagnostic[] {
  return optionsIn(entries).flatMap(({ address, rotated }) => {
    if (rotated === undefined || rotated.value === null) return [];
    const { value: day, place } = rotated;
    const age = Math.floor((now - Date.parse(day)) / 86_400_000);
    // No zone is more than a day ahead.
    if (age < -1)
      return [
        diagnostic(
          'not-allowed',
          { expected: ['a date in the past, such as 2026-11-21'] },
          place,
        ),
      ];
    return age > days
      ? [diagnostic('secret-aged', { address, age, days }, place)]
      : [];
  });
}
