import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import { present } from '../model/json.ts';
import { nearNames } from '../model/near-names.ts';
import { fieldAddress } from '../model/place.ts';
import { isChosen, type Planned } from './plan-server.ts';

/** Which integrations to plan, and which hidden fields to write. */
export interface Choice {
  /** A glob on names and ids. */
  readonly only?: string | undefined;
  /** `all`, or addresses. */
  readonly writeHidden?: readonly string[] | undefined;
}

/** The plan of a server, and what errors leave out of it. */
interface Selected extends Pick<Planned, 'plan' | 'desired' | 'installed'> {
  readonly leftOut?: readonly string[];
}

/**
 * Finds an `--only` that selects nothing on any server, and addresses that name no managed field. `entries` are the names of
 * all entries of the configuration.
 */
export function unmetChoices(
  { only, writeHidden = [] }: Choice,
  entries: readonly string[],
  planned: readonly Selected[],
): Diagnostic[] {
  if (planned.length === 0) return [];
  const isEmpty = planned.every(
    ({ plan, leftOut = [] }) => plan.summary.managed === 0 && leftOut.length === 0,
  );
  const managed = planned.flatMap(({ desired }) => desired);
  return [
    ...(only === undefined || !isEmpty ? [] : unmetGlob(only, entries, planned)),
    ...writeHidden.flatMap((word) => unmetAddress(word, managed)),
  ];
}

/** A glob that selects none of the entries; one may select an optional entry that matches nothing. */
function unmetGlob(glob: string, entries: readonly string[], planned: readonly Selected[]): Diagnostic[] {
  const names = [...new Set(entries)];
  if (names.some(globMatcher(glob))) return [];
  const [near] = nearNames(glob, [...names, ...planned.flatMap(({ installed }) => [...installed])]);
  return [diagnostic('unknown-name', { word: glob, of: 'entry', names, ...present({ near }) })];
}

function unmetAddress(address: string, managed: readonly DesiredIntegration[]): Diagnostic[] {
  const fields = managed.flatMap(({ name, settings }) => settings.map((field) => ({ name, field })));
  if (fields.some(({ name, field }) => isChosen([address], name, field))) return [];
  const known = fields.flatMap(({ name, field }) => [
    fieldAddress(name, field),
    ...(field.field === 'value' ? [`${name}.${field.option}`] : []),
  ]);
  const [near] = nearNames(address, known);
  return [diagnostic('unknown-name', { word: address, of: 'managed field', ...present({ near }) })];
}
