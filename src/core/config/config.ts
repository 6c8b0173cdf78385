import { aboutFields, aboutOptionField } from '../findings/about.ts';
import {
  type Checked,
  compareText,
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import type { SourceFile } from '../model/place.ts';
import type { OptionSubject } from '../model/subject.ts';
import {
  type Declaration,
  type SetterOf,
  setterIn,
  type ValueSetter,
} from './declaration.ts';
import {
  type Entry,
  isDefault,
  managesAnything,
  type WrittenConfig,
} from './entry.ts';
import { mergeLayers } from './layers.ts';
import { parseFile, type WrittenFile } from './read-file.ts';
import {
  isFromOutside,
  type ResolvedConfig,
  resolveConfig,
} from './resolve.ts';
import { mistakesIn } from './rules.ts';
import { namesIn } from './template.ts';

/** Makes one configuration of layers of files, earliest first; finds all problems of all files. */
export function parseConfig(
  layers: readonly (readonly SourceFile[])[],
): Checked<WrittenConfig> {
  return joinFiles(layers.map((files) => files.map(parseFile)));
}

/**
 * Makes one configuration of parsed files; days of rotation are compared with
 * `now`, in milliseconds since the epoch. One with an error is left out: then there is no configuration, and problems across
 * files are not looked for.
 */
export function joinFiles(
  read: readonly (readonly Checked<WrittenFile>[])[],
  now?: number,
): Checked<WrittenConfig> {
  const layers = read.map((files) => files.flatMap(({ value }) => value ?? []));
  const merged = mergeLayers(layers);
  const { value } = merged;
  const diagnostics: Diagnostic[] = [];
  let isBroken = false;
  for (const file of read.flat()) {
    diagnostics.push(...file.diagnostics);
    isBroken ||= file.value === undefined && hasErrors(file.diagnostics);
  }
  diagnostics.push(...mistakesIn(layers.flat(), value, now));
  if (isBroken) return { diagnostics };
  diagnostics.push(...merged.diagnostics);
  const used = namesUsedIn(value);
  // Without variables and files, named values alone can be missing.
  if (used.size > 0) {
    diagnostics.push(...referenceFindings(resolveConfig(value)));
  }
  diagnostics.push(...mistakesAcross(value, used));
  if (!diagnostics.some(isIdleEntry)) {
    diagnostics.push(...nothingManaged(value, layers.flat()));
  }
  return { value, diagnostics };
}

/** Finds flaws of references and of their texts: in the entries that are meant by name, and in defaults, which may apply to any. */
export function referenceFindings(
  entries: ResolvedConfig,
  isMeant = (_: string): boolean => true,
): Diagnostic[] {
  const findings: Diagnostic[] = [];
  for (const entry of entries) {
    if (!isMeant(entry.name) && !isDefault(entry)) continue;
    for (const resolved of entry.resolved.values())
      findings.push(...resolved.findings);
  }
  return findings;
}

/** Finds mistakes that only a whole configuration shows: a file that could not be read may hold the missing part. */
function mistakesAcross(
  { entries, values }: WrittenConfig,
  used: ReadonlySet<string>,
): Diagnostic[] {
  const found = entries.flatMap(idleEntry);
  for (const [name, { value, namePlace }] of values) {
    if (value === null || used.has(name)) continue;
    const facts = { of: 'value', name } as const;
    found.push(diagnostic('idle-declaration', facts, namePlace));
  }
  return found;
}

/** The names of the values that options use, in any layer. */
function namesUsedIn({ entries }: WrittenConfig): ReadonlySet<string> {
  const used = new Set<string>();
  for (const { declarations } of entries) {
    for (const { field, value } of declarations) {
      if (field !== 'value' || value === null) continue;
      for (const name of namesIn(value)) used.add(name);
    }
  }
  return used;
}

/** Whether a finding already reports an entry that manages nothing; an unused named value is no entry. */
function isIdleEntry({ code, facts }: Diagnostic): boolean {
  return code === 'idle-declaration' && facts.of !== 'value';
}

/** Files without a declaration, or whose declarations later layers set to null. */
function nothingManaged(
  { entries }: WrittenConfig,
  files: readonly WrittenFile[],
): Diagnostic[] {
  if (files.length === 0 || entries.some(managesAnything)) return [];
  const places = files.map(({ place }) => place);
  return [withPlaces(diagnostic('nothing-managed', {}, places[0]), places)];
}

/** An entry with nothing but `match` and `expect`, or defaults that select only the id that is their name. */
function idleEntry(entry: Entry): Diagnostic[] {
  const { name, place, declarations, match, expect } = entry;
  const isIdle = declarations.every(
    ({ field }) => field === 'match' || field === 'expect',
  );
  if (isIdle) {
    const facts = { of: 'entry', name } as const;
    return [diagnostic('idle-declaration', facts, place)];
  }
  if (!isDefault(entry) || match !== undefined) return [];
  const facts = { of: 'any', name } as const;
  return [diagnostic('idle-declaration', facts, expect?.place)];
}

/** Notes secrets from outside without the day of their last rotation. */
export function secretsWithoutDay(config: WrittenConfig): Diagnostic[] {
  const setters: ValueSetter[] = [];
  for (const { options } of config.entries) {
    for (const declarations of options.values()) {
      const setter = undatedSecret(declarations, config);
      if (setter !== undefined) setters.push(setter);
    }
  }
  if (setters.length === 0) return [];
  setters.sort((one, other) => compareText(nameOf(one), nameOf(other)));
  const subjects = setters.map(valueSubject);
  const undated = setters.map(nameOf);
  const facts = { ...aboutFields(subjects), undated };
  const places = setters.map(({ place }) => place);
  return [withPlaces(diagnostic('secret-aged', facts), places)];
}

/** An option as people type it. */
function nameOf({ entry, option }: ValueSetter): string {
  return `${entry}.${option}`;
}

function valueSubject({
  entry: integration,
  option,
}: ValueSetter | SetterOf<'rotated'>): OptionSubject {
  return { kind: 'value', integration, option };
}

/** The declaration of a secret from outside without the day of its rotation. */
function undatedSecret(
  declarations: readonly Declaration[],
  { values }: WrittenConfig,
): ValueSetter | undefined {
  const setter = setterIn(declarations, 'value');
  if (setter === undefined) return undefined;
  if (!isFromOutside(setter.value, values)) return undefined;
  if (setterIn(declarations, 'rotated') !== undefined) return undefined;
  const isPublic = setterIn(declarations, 'sensitive')?.value === false;
  return isPublic ? undefined : setter;
}

/** Warns of secrets whose last rotation is more than a number of days before `now`, in milliseconds since the epoch. */
export function agedSecrets(
  entries: readonly Entry[],
  days: number,
  now: number,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const { options } of entries) {
    for (const declarations of options.values()) {
      const rotated = setterIn(declarations, 'rotated');
      if (rotated === undefined) continue;
      const { value: day, place } = rotated;
      const age = Math.floor((now - Date.parse(day)) / 86_400_000);
      if (age <= days) continue;
      const about = aboutOptionField(valueSubject(rotated));
      found.push(diagnostic('secret-aged', { ...about, age, days }, place));
    }
  }
  return found;
}
