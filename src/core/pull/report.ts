import { selectorOf, selectorText } from '../config/entry.ts';
import { isPathSafe } from '../model/ids.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Subject } from '../model/subject.ts';
import { isDeclared, type WrittenEntry } from './entry.ts';
import { NOT_SET_HERE } from './overlay.ts';
import type { LeftOut, Proven } from './prove.ts';
import { isHeldSecret, showsSecrets, wholeVariable } from './secrets.ts';
import type { NewIntegration, PullState } from './state.ts';

/** What a pull reports of entries. */
export interface EntriesReport {
  /** How many integrations get an entry. */
  readonly adopted: number;
  /** How many options these declare. */
  readonly options: number;
  /** How the server differs from the entries that it shares, at first. */
  readonly overlay?: OverlaySummary | undefined;
  /** The shared entries that a later pull gives another match here. */
  readonly rematched: readonly string[];
  /** Those that it stops, as nothing is installed. */
  readonly notInstalled: readonly string[];
  /** How many integrations the configuration managed before. */
  readonly managed: number;
  /** The variables of the new entries; with the first overlay all. */
  readonly variables: readonly NeededVariable[];
  readonly leftOut: readonly LeftOut[];
  readonly outdated: readonly OutdatedMatch[];
}

/** How many shared entries are alike on a server, differ, or are absent. */
export interface OverlaySummary {
  readonly alike: number;
  readonly differing: number;
  /** How many fields differ. */
  readonly fields: number;
  readonly absent: number;
}

/** A variable that references need. */
export interface NeededVariable {
  readonly variable: string;
  /** The field that reads it. */
  readonly address: string;
  /** Whether the server shows its value, or that it is not set. */
  readonly isShown: boolean;
}

/** An entry that does not match its integration alone, and a match that does. */
interface OutdatedMatch {
  readonly name: string;
  readonly match: string;
  readonly fitting: string;
}

export function reportOf(state: PullState, proof: Proven): EntriesReport {
  const { isFirst, identity, parts } = state;
  const adopted = proof.entries.filter(({ isOverlay }) => !isOverlay);
  const overlaid = proof.entries.filter(({ isOverlay }) => isOverlay);
  const stopped = overlaid.filter(({ stop }) => stop !== undefined);
  const differing = overlaid.filter(({ stop }) => stop === undefined);
  const namesOf = (entries: readonly WrittenEntry[]): string[] =>
    isFirst ? [] : entries.map(({ name }) => name);
  const overlay: OverlaySummary = {
    alike: parts.compared.length - differing.length,
    differing: differing.length,
    fields: sum(differing.map(fieldCount)),
    absent: stopped.length,
  };
  return {
    adopted: adopted.length,
    options: sum(
      adopted.map(({ options }) => options.filter(isDeclared).length),
    ),
    overlay: isFirst ? overlay : undefined,
    rematched: namesOf(differing),
    notInstalled: namesOf(stopped),
    managed: identity.managed,
    variables: variablesOf(state, proof),
    leftOut: leftOutOf(state, proof),
    outdated: parts.outdated.map(({ entry, integration, match }) => ({
      name: entry.name,
      match: selectorText(selectorOf(entry)),
      fitting: match ?? integration.id,
    })),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** How many fields an entry declares; a null for an option is one. */
function fieldCount({ match, autosubscribe, options }: WrittenEntry): number {
  const fields: unknown[] = [match, autosubscribe];
  for (const { value, reference, permission, isStopped } of options)
    fields.push(isStopped, value === undefined ? reference : true, permission);
  return fields.filter((field) => field !== undefined).length;
}

/** The variables of new entries; in the first overlay those of all. */
function variablesOf(
  { isFirst }: PullState,
  { entries, readings, shown }: Proven,
): NeededVariable[] {
  const options = entries.flatMap((entry) => entry.options);
  const references = options.map(({ reference = '' }) => reference);
  const added = new Set(references.map(wholeVariable));
  const addresses = new Map<string, string>();
  for (const { variable, address } of readings)
    if ((isFirst || added.has(variable)) && !addresses.has(variable))
      addresses.set(variable, address);
  return [...addresses].map(([variable, address]) => {
    const kind = shown.get(variable)?.kind;
    const isShown = kind === 'text' || kind === 'unset';
    return { variable, address, isShown };
  });
}

/** All that is not written, and why. */
function leftOutOf(
  { live, parts: { adopted, compared, unseen, nulls } }: PullState,
  { entries, gone, readings, shown }: Proven,
): LeftOut[] {
  const leftOut: LeftOut[] = [];
  const add = (address: string, reason: string): unknown =>
    leftOut.push({ address, reason });
  for (const { id } of live)
    if (!isPathSafe(id)) add(id, 'its id cannot be a part of a path');
  leftOut.push(...gone, ...entries.flatMap(remarksOf));
  for (const { integration, name } of adopted)
    for (const key of integration.optionKeys)
      if (!integration.options.has(key))
        add(`${name}.options.${key}`, NOT_SHOWN);
  const bound = compared.map(({ entry: { name }, integration }) => ({
    name,
    integration,
  }));
  leftOut.push(...[...bound, ...adopted].flatMap(ownedSecrets));
  for (const { entry, place } of nulls)
    add(entry, `null in ${place.file}; remove that to manage it`);
  for (const { name } of unseen)
    add(name, 'this account sees too few integrations to tell');
  for (const { variable, address } of readings) {
    const known = shown.get(variable);
    if (known?.kind === 'unfit') add(address, known.reason);
  }
  return leftOut;
}

const NOT_SHOWN = 'the server lists them, but does not show them';

/** The fields that stand in comments of an entry, or are taken back. */
function remarksOf({ name, options }: WrittenEntry): LeftOut[] {
  const leftOut: LeftOut[] = [];
  for (const { key, notes, remark } of options) {
    const option = `${name}.options.${key}`;
    if (remark === NOT_SET_HERE)
      leftOut.push({ address: `${option}.value`, reason: remark });
    for (const { field, text: reason } of notes)
      leftOut.push({ address: `${option}.${field}`, reason });
  }
  return leftOut;
}

/** The secrets of an integration that are set, but are each user's own. */
function ownedSecrets({
  name,
  integration,
}: Omit<NewIntegration, 'isOwn'>): LeftOut[] {
  const reason = "secrets that are each user's own";
  return [...integration.options.values()]
    .filter((option) => option.permission === 'user-provides')
    .filter(isHeldSecret)
    .map(({ key }) => ({ address: `${name}.options.${key}.value`, reason }));
}

/** The secrets of entries that read as empty; none if the server shows any. */
export function emptySecretsIn(
  entries: readonly WrittenEntry[],
  live: readonly LiveIntegration[],
): Subject[] {
  if (showsSecrets(live)) return [];
  return entries.flatMap(({ name: integration, options }) =>
    options
      .filter(({ unset }) => unset !== undefined)
      .map(
        ({ key: option }): Subject => ({ kind: 'value', integration, option }),
      ),
  );
}
