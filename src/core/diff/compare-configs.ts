import type { Selector, ValueSetter } from '../config/declaration.ts';
import { selectionKey, selectorOf } from '../config/entry.ts';
import type {
  ResolvedConfig,
  ResolvedEntry,
  ResolvedValue,
} from '../config/resolve.ts';
import { compareText } from '../findings/diagnostic.ts';
import { gather } from '../match/gather.ts';
import { LiveIndex } from '../match/live-index.ts';
import {
  askedSide,
  type DesiredField,
  fieldsOf,
  type Setting,
  type Settings,
  settingOf,
} from '../model/desired.ts';
import { mayMeet } from '../model/glob.ts';
import { globOfId } from '../model/ids.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import {
  type Clues,
  type DeclaredSecrecy,
  declaredSecrecy,
  isSecretType,
} from '../model/secrecy.ts';
import type { Side } from '../model/side.ts';
import { optionOf } from '../model/subject.ts';
import {
  type Comparison,
  compareFlags,
  compareValues,
  secrecyOf,
} from '../plan/compare.ts';

/** Two configurations with their references open. */
export interface ConfigPair {
  readonly before: ResolvedConfig;
  readonly after: ResolvedConfig;
  /** Another configuration, whose secrets are secrets here too. */
  readonly tip?: ResolvedConfig | undefined;
  /** What is known of installed integrations; the types of their options count. */
  readonly known?: readonly LiveIntegration[] | undefined;
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
  const secrets = {
    before: new DeclaredSecrets(before),
    after: new DeclaredSecrets(after),
    tip: new DeclaredSecrets(declaredEntries(configs.tip ?? [])),
  };
  const index = new LiveIndex(configs.known ?? []);
  const entries: EntryComparison[] = [];
  for (const pair of pairEntries(before, after)) {
    const fields: FieldComparison[] = [];
    const known = knownFor(index, pair);
    for (const { subject, setting } of declaredFields(pair)) {
      const option = optionOf(subject);
      const secrecy =
        option === undefined ? {} : secrecySince(secrets, pair, option);
      const type = typeIn(known, option);
      const clues = { key: option, type, ...secrecy };
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

/** Finds the known integrations that an entry means; an exact id may be of another version than theirs. */
function knownFor(
  index: LiveIndex,
  { base, head }: EntryPair,
): LiveIntegration[] {
  return [base, head].flatMap((declared) => {
    if (declared === undefined) return [];
    const { id = '*', ...others } = selectorOf(declared.entry);
    return [...index.found({ id: globOfId(id), ...others })];
  });
}

/** The type of an option in some integrations; one of secrets counts first. */
function typeIn(
  integrations: readonly LiveIntegration[],
  option = '',
): string | undefined {
  const types = integrations.map(({ options }) => options.get(option)?.type);
  return types.find(isSecretType) ?? types.find((type) => type !== undefined);
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

/** An entry, and what it alone asks of an integration. */
interface DeclaredEntry {
  readonly entry: ResolvedEntry;
  readonly settings: Settings;
}

/** An entry at two revisions; a renamed one has another name at each. */
export interface EntryPair {
  readonly name: string;
  readonly base?: DeclaredEntry | undefined;
  readonly head?: DeclaredEntry | undefined;
}

/** Gathers what each entry of a configuration asks for. */
function declaredEntries(config: ResolvedConfig): DeclaredEntry[] {
  return config.map((entry) => {
    const { settings } = gather(entry.name, [withoutGaps(entry)]);
    return { entry, settings };
  });
}

/** An entry in which a value counts as empty if its named value is missing. */
function withoutGaps(entry: ResolvedEntry): ResolvedEntry {
  const resolved = new Map<ValueSetter, ResolvedValue>();
  for (const [setter, value] of entry.resolved) {
    const { wanted = { want: { kind: 'literal', value: '' } } } = value;
    resolved.set(setter, { ...value, wanted });
  }
  return { ...entry, resolved };
}

/** Pairs entries by their names, and renamed ones by what they select; ordered by name. */
function pairEntries(
  before: readonly DeclaredEntry[],
  after: readonly DeclaredEntry[],
): EntryPair[] {
  const bases = new Map(before.map((base) => [base.entry.name, base]));
  const heads = new Set(after.map(({ entry }) => entry.name));
  const gone = before.filter(({ entry }) => !heads.has(entry.name));
  const added = after.filter(({ entry }) => !bases.has(entry.name));
  const origins = originsOf(added, gone);
  const pairs: EntryPair[] = [];
  for (const head of after) {
    const { name } = head.entry;
    pairs.push({ name, base: bases.get(name) ?? origins.get(head), head });
  }
  const renamed = new Set(origins.values());
  for (const base of gone) {
    if (!renamed.has(base)) pairs.push({ name: base.entry.name, base });
  }
  return pairs.sort((a, b) => compareText(a.name, b.name));
}

/** Finds which new entries are old ones under another name: the only two that select in the same words. */
function originsOf(
  added: readonly DeclaredEntry[],
  gone: readonly DeclaredEntry[],
): ReadonlyMap<DeclaredEntry, DeclaredEntry> {
  const selectionOf = ({ entry }: DeclaredEntry) => selectionKey(entry);
  const goneBySelection = grouped(gone, selectionOf);
  const origins = new Map<DeclaredEntry, DeclaredEntry>();
  for (const [selection, [head, ...others]] of grouped(added, selectionOf)) {
    const [base, ...more] = goneBySelection.get(selection) ?? [];
    const isClear = others.length + more.length === 0;
    if (base !== undefined && isClear) origins.set(head, base);
  }
  return origins;
}

/** The secrets that the configurations of a diff declare. */
interface SecretsSince {
  readonly before: DeclaredSecrets;
  readonly after: DeclaredSecrets;
  /** Those of another revision, which are secrets here too. */
  readonly tip: DeclaredSecrets;
}

/**
 * Finds the secrecy of an option of an entry at two revisions. A secret at the
 * base or the tip still is one. If an entry does not declare a value at a
 * revision, others that may select the same integrations may: only a server
 * knows which do.
 */
function secrecySince(
  { before, after, tip }: SecretsSince,
  { name, base, head }: EntryPair,
  option: string,
): DeclaredSecrecy {
  const declared = [base, head].filter((entry) => entry !== undefined);
  const selectors = declared.map(({ entry }) => selectorOf(entry));
  const now = after.secrecyOf(head, option, selectors) ?? {};
  // What the base does not declare, it does not call public.
  const then = before.secrecyOf(base, option, selectors) ?? {};
  const atTip = tip.secrecyOf(tip.named(name), option, selectors);
  return declaredSecrecy(declaredSecrecy(now, then), atTip);
}

/** An entry that says something of the secrecy of an option. */
interface Telling {
  readonly selector: Selector;
  readonly option: string;
  readonly secrecy: DeclaredSecrecy;
}

/** The secrets that the entries of one revision declare. */
class DeclaredSecrets {
  readonly #byName = new Map<string, DeclaredEntry>();
  /** The entries that mark an option, by its key. */
  readonly #marking: ReadonlyMap<string, readonly Telling[]>;
  /** Those that give an option a secret value. */
  readonly #holding: ReadonlyMap<string, readonly Telling[]>;

  constructor(entries: readonly DeclaredEntry[]) {
    const all: Telling[] = [];
    for (const declared of entries) {
      const { entry, settings } = declared;
      this.#byName.set(entry.name, declared);
      const selector = selectorOf(entry);
      for (const { option, secrecy } of settings.options.values()) {
        all.push({ selector, option, secrecy });
      }
    }
    const marking = all.filter(({ secrecy }) => secrecy.mark === true);
    const holding = all.filter(
      ({ secrecy }) => secrecy.isSecretByValue === true,
    );
    this.#marking = grouped(marking, ({ option }) => option);
    this.#holding = grouped(holding, ({ option }) => option);
  }

  named(name: string): DeclaredEntry | undefined {
    return this.#byName.get(name);
  }

  /**
   * What an entry says of an option; what it leaves open, entries may say that
   * mean the same integrations as `selectors`. Undefined if none says anything.
   */
  secrecyOf(
    declared: DeclaredEntry | undefined,
    option: string,
    selectors: readonly Selector[],
  ): DeclaredSecrecy | undefined {
    const own = declared?.settings.options.get(option);
    const mark =
      own?.secrecy.mark ?? meetsAny(selectors, this.#marking.get(option));
    const isSecretByValue =
      own?.value === undefined
        ? meetsAny(selectors, this.#holding.get(option))
        : own.secrecy.isSecretByValue;
    const isOpen = mark === undefined && isSecretByValue === undefined;
    if (declared === undefined && isOpen) return undefined;
    return { mark, isSecretByValue };
  }
}

/** True if an integration may exist that one of each list matches. */
function meetsAny(
  selectors: readonly Selector[],
  telling: readonly Telling[] = [],
): true | undefined {
  const meets = telling.some(({ selector: other }) =>
    selectors.some((selector) => mayMeetIn(selector, other)),
  );
  return meets || undefined;
}

/** Whether an integration may exist that two selectors match. */
function mayMeetIn(one: Selector, other: Selector): boolean {
  return (
    mayMeet(one.id ?? '*', other.id ?? '*') &&
    mayMeet(one.name ?? '*', other.name ?? '*') &&
    mayMeet(one.acronym ?? '*', other.acronym ?? '*')
  );
}
