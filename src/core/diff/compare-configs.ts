import type { ResolvedConfig } from '../config/resolve.ts';
import {
  askedSide,
  type DesiredField,
  fieldsOf,
  type Setting,
  settingOf,
} from '../model/desired.ts';
import type { Clues } from '../model/secrecy.ts';
import type { Side } from '../model/side.ts';
import { optionOf } from '../model/subject.ts';
import {
  type Comparison,
  compareFlags,
  compareValues,
  secrecyOf,
} from '../plan/compare.ts';
import { declaredEntries, type EntryPair, pairEntries } from './entries.ts';
import { secrecyFinder } from './secrecy.ts';

/** Two configurations with their references open. */
export interface ConfigPair {
  readonly before: ResolvedConfig;
  readonly after: ResolvedConfig;
  /** Another configuration, whose secrets are secrets here too. */
  readonly tip?: ResolvedConfig | undefined;
}

/** An entry at two revisions, and its fields compared. */
export interface EntryComparison {
  readonly pair: EntryPair;
  readonly fields: readonly FieldComparison[];
}

/** A field that one revision declares at least. */
export interface FieldComparison {
  /** What the head asks for is desired, what the base asks for is there. */
  readonly comparison: Comparison;
  readonly base?: Setting | undefined;
  readonly head?: Setting | undefined;
  readonly clues: Clues;
}

/** Compares all fields of two configurations, by the names of the entries. */
export function compareConfigs(configs: ConfigPair): EntryComparison[] {
  const before = declaredEntries(configs.before);
  const after = declaredEntries(configs.after);
  const tip = declaredEntries(configs.tip ?? []);
  const secrecyIn = secrecyFinder({ before, after, tip });
  const entries: EntryComparison[] = [];
  for (const pair of pairEntries(before, after)) {
    const fields: FieldComparison[] = [];
    for (const { subject, setting } of declaredFields(pair)) {
      const option = optionOf(subject);
      const secrecy = option === undefined ? {} : secrecyIn(pair, option);
      const clues = { key: option, ...secrecy };
      const base = pair.base && settingOf(pair.base.settings, subject);
      const head = pair.head && settingOf(pair.head.settings, subject);
      const sides = { before: askedSide(base), after: askedSide(head) };
      const comparison = compareSides({ subject, setting }, sides, clues);
      fields.push({ comparison, base, head, clues });
    }
    entries.push({ pair, fields });
  }
  return entries;
}

/** Lists the fields of an entry that one revision declares at least, with the setting that counts. */
function declaredFields({ name, base, head }: EntryPair): DesiredField[] {
  const then = base === undefined ? [] : fieldsOf(name, base.settings);
  if (head === undefined) return then;
  const released = then.filter(
    ({ subject }) => settingOf(head.settings, subject) === undefined,
  );
  return [...fieldsOf(name, head.settings), ...released];
}

function compareSides(
  { subject, setting }: DesiredField,
  { before, after }: Readonly<Record<'before' | 'after', Side>>,
  clues: Clues,
): Comparison {
  const secrecy = secrecyOf(clues);
  if (setting.kind === 'value') {
    return compareValues({ subject, setting, before, after, secrecy });
  }
  const isSecret = secrecy.isOfSecrets;
  return compareFlags({ subject, setting, before, after, isSecret });
}

/** True for a field that is declared otherwise, or at one revision alone. */
export function isChanged({
  comparison,
  base,
  head,
}: FieldComparison): boolean {
  const isInBoth = base !== undefined && head !== undefined;
  return !isInBoth || comparison.state !== 'same';
}
