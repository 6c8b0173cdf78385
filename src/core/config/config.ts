import { aboutField } from '../findings/about.ts';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import { DAY } from '../findings/time.ts';
import type { SourceFile } from '../model/place.ts';
import { selectedBy } from '../model/selected.ts';
import { setterIn } from './declaration.ts';
import { isDefault, managesAnything, type WrittenConfig } from './entry.ts';
import { mergeLayers } from './layers.ts';
import { parseFile, type WrittenFile } from './parse-file.ts';
import type { ResolvedConfig } from './resolve.ts';
import { isMistakeInValue, mistakesIn } from './rules.ts';

/**
 * Makes one configuration of layers of files, earliest first; finds all
 * problems of all files.
 */
export function parseConfig(
  layers: readonly (readonly SourceFile[])[],
): Checked<WrittenConfig> {
  return joinFiles(layers.map((files) => files.map(parseFile)));
}

/**
 * Makes one configuration of parsed files; days of rotation are compared with
 * `now`, in milliseconds since the epoch. If a file has an error, there is no
 * configuration, and of the mistakes only those in values are reported.
 */
export function joinFiles(
  read: readonly (readonly Checked<WrittenFile>[])[],
  now?: number,
): Checked<WrittenConfig> {
  const layers = read.map((files) => files.flatMap(({ value }) => value ?? []));
  const { value, diagnostics: clashes } = mergeLayers(layers);
  const files = layers.flat();
  const mistakes = mistakesIn(files, value, now);
  const diagnostics = read.flat().flatMap((file) => file.diagnostics);
  const isBroken = read
    .flat()
    .some((file) => file.value === undefined && hasErrors(file.diagnostics));
  // A file that could not be read may hold what the others lack.
  if (isBroken) {
    diagnostics.push(...mistakes.filter(isMistakeInValue));
    return { diagnostics };
  }
  diagnostics.push(...mistakes, ...clashes);
  // An entry that manages nothing has its own finding.
  const isIdle = diagnostics.some(({ code }) => code === 'idle-declaration');
  if (files.length > 0 && !isIdle && !value.entries.some(managesAnything)) {
    const places = files.map(({ place }) => place);
    const nothing = diagnostic('nothing-managed', {}, places[0]);
    diagnostics.push(withPlaces(nothing, places));
  }
  return { value, diagnostics };
}

/**
 * Finds flaws of references and of their texts: in the entries that `only`
 * selects by name, and in defaults, which may apply to any.
 */
export function referenceFindings(
  entries: ResolvedConfig,
  only?: string,
): Diagnostic[] {
  const isMeant = selectedBy(only);
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
    const age = Math.floor((now - Date.parse(rotated.value)) / DAY);
    if (age <= days) continue;
    const { entry: integration, option } = rotated;
    const subject = { kind: 'value', integration, option } as const;
    const facts = { ...aboutField(subject), age, days };
    found.push(diagnostic('secret-aged', facts, rotated.place));
  }
  return found;
}
