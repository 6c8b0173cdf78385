import { aboutField, aboutFields } from '../findings/about.ts';
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
import { type SetterOf, setterIn, type ValueSetter } from './declaration.ts';
import { isDefault, managesAnything, type WrittenConfig } from './entry.ts';
import { mergeLayers } from './layers.ts';
import { parseFile, type WrittenFile } from './read-file.ts';
import { isFromOutside, type ResolvedConfig } from './resolve.ts';
import { mistakesIn } from './rules.ts';

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
  const { value, diagnostics: clashes } = mergeLayers(layers);
  const files = layers.flat();
  const { inParts, across } = mistakesIn(files, value, now);
  const diagnostics: Diagnostic[] = [];
  let isBroken = false;
  for (const file of read.flat()) {
    diagnostics.push(...file.diagnostics);
    isBroken ||= file.value === undefined && hasErrors(file.diagnostics);
  }
  diagnostics.push(...inParts);
  if (isBroken) return { diagnostics };
  diagnostics.push(...clashes, ...across);
  // An entry that manages nothing has its own finding.
  const isIdle = diagnostics.some(({ code }) => code === 'idle-declaration');
  if (files.length > 0 && !isIdle && !value.entries.some(managesAnything)) {
    const places = files.map(({ place }) => place);
    const nothing = diagnostic('nothing-managed', {}, places[0]);
    diagnostics.push(withPlaces(nothing, places));
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

/**
 * Warns of secrets whose last rotation is more than `days` before `now`, in
 * milliseconds since the epoch.
 */
export function agedSecrets(
  { entries }: WrittenConfig,
  days: number,
  now: number,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const about of entries.flatMap(({ options }) => [...options.values()])) {
    const rotated = setterIn(about, 'rotated');
    if (rotated === undefined) continue;
    const age = Math.floor((now - Date.parse(rotated.value)) / 86_400_000);
    if (age <= days) continue;
    const facts = { ...aboutField(valueSubject(rotated)), age, days };
    found.push(diagnostic('secret-aged', facts, rotated.place));
  }
  return found;
}

/** Notes once the secrets from outside that have no day. */
export function undatedSecrets({
  entries,
  values,
}: WrittenConfig): Diagnostic[] {
  const undated: ValueSetter[] = [];
  for (const about of entries.flatMap(({ options }) => [...options.values()])) {
    const value = setterIn(about, 'value');
    const isPublic = setterIn(about, 'sensitive')?.value === false;
    const isDated = setterIn(about, 'rotated') !== undefined;
    if (value === undefined || isPublic || isDated) continue;
    if (isFromOutside(value, values)) undated.push(value);
  }
  if (undated.length === 0) return [];
  const nameOf = ({ entry, option }: ValueSetter) => `${entry}.${option}`;
  undated.sort((one, other) => compareText(nameOf(one), nameOf(other)));
  const about = aboutFields(undated.map(valueSubject));
  const facts = { ...about, undated: undated.map(nameOf) };
  const places = undated.map(({ place }) => place);
  return [withPlaces(diagnostic('secret-aged', facts), places)];
}

function valueSubject({
  entry: integration,
  option,
}: ValueSetter | SetterOf<'rotated'>): OptionSubject {
  return { kind: 'value', integration, option };
}
