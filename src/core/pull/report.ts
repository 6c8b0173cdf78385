import { isPathSafe } from '../model/ids.ts';
import { isDeclared, isManaging, type WrittenEntry } from './entry.ts';
import type { Proven } from './prove.ts';
import {
  isHeldSecret,
  showsSecrets,
  UNSET,
  UNSHOWN,
  wholeVariable,
} from './secrets.ts';
import type { LeftOut, NewIntegration, PullState } from './state.ts';

/** What a pull reports of entries. */
export interface EntriesReport {
  /** How many integrations get an entry. */
  adopted: number;
  /** How many options these declare. */
  options: number;
  /**
   * The shared entries in which the server differs; later, only by their match.
   */
  differing: readonly string[];
  /** Those that it stops, as nothing is installed. */
  notInstalled: readonly string[];
  /** How many integrations the configuration managed before. */
  managed: number;
  /** The variables of the new entries; with the first overlay all. */
  variables: readonly NeededVariable[];
  leftOut: readonly LeftOut[];
}

/** A variable that references need. */
interface NeededVariable {
  variable: string;
  /** The field that reads it. */
  address: string;
  /** Whether the server shows its value, or that it is not set. */
  isShown: boolean;
}

export function reportOf(state: PullState, proof: Proven): EntriesReport {
  const entries = proof.entries.filter(isManaging);
  const adopted = entries.filter(({ isOverlay }) => !isOverlay);
  const overlaid = entries.filter(({ isOverlay }) => isOverlay);
  const options = adopted.flatMap((entry) => entry.options.filter(isDeclared));
  const namesOf = (isStopped: boolean): string[] =>
    overlaid
      .filter(({ stop }) => (stop !== undefined) === isStopped)
      .map(({ name }) => name);
  return {
    adopted: adopted.length,
    options: options.length,
    differing: namesOf(false),
    notInstalled: namesOf(true),
    managed: state.identity.managed,
    variables: variablesOf(state, proof),
    leftOut: leftOutOf(state, proof),
  };
}

/** The variables of new entries; in the first overlay those of all. */
function variablesOf(
  { isFirst }: PullState,
  { entries, readings, shown }: Proven,
): NeededVariable[] {
  const options = entries.flatMap((entry) => entry.options);
  const references = options.map(({ reference = '' }) => reference);
  const added = new Set(references.map(wholeVariable));
  const variables = new Map<string, NeededVariable>();
  for (const { variable, address } of readings) {
    if (variables.has(variable) || !(isFirst || added.has(variable))) continue;
    const text = shown.get(variable);
    const isShown = typeof text !== 'string' || text === UNSET;
    variables.set(variable, { variable, address, isShown });
  }
  return [...variables.values()];
}

/** All that is not written, and why. */
function leftOutOf(state: PullState, proof: Proven): LeftOut[] {
  const { live, left, adopted, compared } = state;
  const unsafe = live.filter(({ id }) => !isPathSafe(id));
  const reason = 'its id cannot be a part of a path';
  const bound = compared.map(({ entry: { name }, integration }) => ({
    name,
    integration,
  }));
  return [
    ...unsafe.map(({ id }) => ({ address: id, reason })),
    ...proof.entries.flatMap((entry) => notesOf(entry, showsSecrets(live))),
    ...adopted.flatMap(unshownOptions),
    ...[...bound, ...adopted].flatMap(ownedSecrets),
    ...left,
    ...unwrittenTexts(proof),
  ];
}

/**
 * The fields that stand in comments of an entry, or why all of it is left out.
 */
function notesOf(
  { name, options, flaw }: WrittenEntry,
  isTelling: boolean,
): LeftOut[] {
  if (flaw !== undefined) return [{ address: name, reason: flaw }];
  const leftOut: LeftOut[] = [];
  for (const { key, notes } of options)
    for (const { field, text } of notes) {
      const address = `${name}.options.${key}.${field}`;
      const mayBeHidden = text === UNSET && !isTelling;
      leftOut.push({ address, reason: mayBeHidden ? MAY_BE_HIDDEN : text });
    }
  return leftOut;
}

const MAY_BE_HIDDEN =
  'not set, or hidden (if this server hides secrets, delete the new files, write hidesSecrets: true at the server in setpoint.yaml, and pull again)';

/** The options that the server lists, and does not show. */
function unshownOptions({ name, integration }: NewIntegration): LeftOut[] {
  const { optionKeys, options } = integration;
  const reason = 'the server lists them, but does not show them';
  return [...optionKeys]
    .filter((key) => !options.has(key))
    .map((key) => ({ address: `${name}.options.${key}`, reason }));
}

/** The fields that show a text which their variable cannot have. */
function unwrittenTexts({ readings, shown }: Proven): LeftOut[] {
  const leftOut: LeftOut[] = [];
  for (const { variable, address } of readings) {
    const reason = shown.get(variable);
    if (typeof reason === 'string' && reason !== UNSET && reason !== UNSHOWN)
      leftOut.push({ address, reason });
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
