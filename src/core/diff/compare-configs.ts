import type { ResolvedConfig } from '../config/resolve.ts';
import {
  askedSide,
  fieldsOf,
  type Setting,
  type Settings,
  settingOf,
} from '../model/desired.ts';
import type { Clues } from '../model/secrecy.ts';
import { optionOf, type Subject } from '../model/subject.ts';
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
  const secrecyOf = secrecyFinder({ before, after, tip });
  const entries: EntryComparison[] = [];
  for (const pair of pairEntries(before, after)) {
    const fields: FieldComparison[] = [];
    for (const field of declaredFields(pair)) {
      const option = optionOf(field.subject);
      const secrecy = option === undefined ? {} : secrecyOf(pair, option);
      const clues = { key: option, ...secrecy };
      const comparison = compareField(field, clues);
      fields.push({ comparison, base: field.base, head: field.head, clues });
    }
    entries.push({ pair, fields });
  }
  return entries;
}

/** A field, and what is asked of it at two revisions. */
interface DeclaredField {
  readonly subject: Subject;
  readonly setting: Setting;
  readonly base?: Setting | undefined;
  readonly head?: Setting | undefined;
}

const NOTHING_ASKED: Settings = { options: new Map() };

/** Lists the fields of an entry that one revision declares at least. */
function declaredFields({ name, base, head }: EntryPair): DeclaredField[] {
  const then = base?.settings ?? NOTHING_ASKED;
  const now = head?.settings ?? NOTHING_ASKED;
  const fields: DeclaredField[] = [];
  for (const { subject, setting } of fieldsOf(name, now)) {
    const was = settingOf(then, subject);
    fields.push({ subject, setting, base: was, head: setting });
  }
  for (const { subject, setting } of fieldsOf(name, then)) {
    const isReleased = settingOf(now, subject) === undefined;
    if (isReleased) fields.push({ subject, setting, base: setting });
  }
  return fields;
}

function compareField(field: DeclaredField, clues: Clues): Comparison {
  const { subject, setting } = field;
  const before = askedSide(field.base);
  const after = askedSide(field.head);
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
