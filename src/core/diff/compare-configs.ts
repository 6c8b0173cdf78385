import type { Selector } from '../config/declaration.ts';
import { selectionKey, selectorOf } from '../config/entry.ts';
import type { ResolvedConfig, ResolvedEntry } from '../config/resolve.ts';
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
import { grouped } from '../model/lists.ts';
import type { LiveIntegration } from '../model/live.ts';
import {
  type Clues,
  type DeclaredSecrecy,
  declaredSecrecy,
  isSecretType,
} from '../model/secrecy.ts';
import { optionOf } from '../model/subject.ts';
import {
  type Comparison,
  compareFlags,
  compareValues,
  secrecyOf,
} from '../plan/compare.ts';

/** Two configurations with their references open. */
export interface ConfigPair {
  before: ResolvedConfig;
  after: ResolvedConfig;
  /** Another configuration, whose secrets are secrets here too. */
  tip?: ResolvedConfig | undefined;
  /**
   * What is known of installed integrations; the types of their options count.
   */
  known?: readonly LiveIntegration[] | undefined;
}

/** An entry at two revisions, and its fields compared. */
export interface EntryComparison {
  pair: EntryPair;
  fields: readonly FieldComparison[];
}

/** A field that one revision declares at least. */
export interface FieldComparison {
  /** What the head asks for is desired, what the base asks for is there. */
  comparison: Comparison;
  base?: Setting | undefined;
  head?: Setting | undefined;
  clues: Clues;
}

/** Compares all fields of two configurations, by the names of the entries. */
export function compareConfigs(configs: ConfigPair): EntryComparison[] {
  const before = declaredEntries(configs.before);
  const after = declaredEntries(configs.after);
  const atTip = declaredEntries(configs.tip ?? []);
  const tips = new Map(atTip.map((tip) => [tip.entry.name, tip]));
  const secrets: Secrets = {
    base: secretsIn(before),
    head: secretsIn(after),
    tip: secretsIn(atTip),
  };
  const index = new LiveIndex(configs.known ?? []);
  const entries: EntryComparison[] = [];
  for (const pair of pairEntries(before, after)) {
    const tip = tips.get(pair.name);
    const fields: FieldComparison[] = [];
    const known = knownFor(index, pair);
    for (const { subject, setting } of declaredFields(pair)) {
      const key = optionOf(subject);
      const since = secrecySince(secrets, { ...pair, tip }, key);
      const clues = { key, type: typeIn(known, key), ...since };
      const base = pair.base && settingOf(pair.base.settings, subject);
      const head = pair.head && settingOf(pair.head.settings, subject);
      const sides = { before: askedSide(base), after: askedSide(head) };
      const secrecy = secrecyOf(clues);
      const isSecret = secrecy.isOfSecrets;
      const comparison =
        setting.kind === 'value'
          ? compareValues({ subject, setting, ...sides, secrecy })
          : compareFlags({ subject, setting, ...sides, isSecret });
      fields.push({ comparison, base, head, clues });
    }
    entries.push({ pair, fields });
  }
  return entries;
}

/**
 * Finds the known integrations that an entry means; an exact id may be of
 * another version than theirs.
 */
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

/**
 * Lists the fields of an entry that one revision declares at least, with the
 * setting that counts.
 */
function declaredFields({ name, base, head }: EntryPair): DesiredField[] {
  const then = base === undefined ? [] : fieldsOf(name, base.settings);
  if (head === undefined) return then;
  const released = then.filter(
    ({ subject }) => settingOf(head.settings, subject) === undefined,
  );
  return [...fieldsOf(name, head.settings), ...released];
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
export interface DeclaredEntry {
  entry: ResolvedEntry;
  settings: Settings;
}

/** An entry at two revisions; a renamed one has another name at each. */
export interface EntryPair {
  name: string;
  base?: DeclaredEntry | undefined;
  head?: DeclaredEntry | undefined;
}

/** Gathers what each entry of a configuration asks for. */
function declaredEntries(config: ResolvedConfig): DeclaredEntry[] {
  return config.map((entry) => {
    const { settings } = gather([entry.name], [entry]);
    return { entry, settings };
  });
}

/**
 * Pairs entries by their names, and renamed ones by what they select: the only
 * two in the same words. Ordered by name.
 */
function pairEntries(
  before: readonly DeclaredEntry[],
  after: readonly DeclaredEntry[],
): EntryPair[] {
  const bases = new Map(before.map((base) => [base.entry.name, base]));
  const pairs: EntryPair[] = [];
  const added: DeclaredEntry[] = [];
  for (const head of after) {
    const { name } = head.entry;
    const base = bases.get(name);
    if (base === undefined) added.push(head);
    else pairs.push({ name, base, head });
    bases.delete(name);
  }
  const selectionOf = ({ entry }: DeclaredEntry) => selectionKey(entry);
  const gone = grouped([...bases.values()], selectionOf);
  for (const [selection, heads] of grouped(added, selectionOf)) {
    const [base, ...others] = gone.get(selection) ?? [];
    const isRenamed = heads.length === 1 && base && others.length === 0;
    for (const head of heads) {
      const { name } = head.entry;
      pairs.push({ name, base: isRenamed ? base : undefined, head });
    }
    if (isRenamed) gone.delete(selection);
  }
  for (const base of [...gone.values()].flat()) {
    pairs.push({ name: base.entry.name, base });
  }
  return pairs.sort((a, b) => compareText(a.name, b.name));
}

/** An entry that declares an option a secret. */
interface SecretOption {
  selector: Selector;
  option: string;
  /** Whether it marks the option; else its own value is the secret. */
  isMarked: boolean;
}

type Revision = 'base' | 'head' | 'tip';

/**
 * The options that the entries of each revision declare secrets, by their keys.
 */
type Secrets = Readonly<
  Record<Revision, ReadonlyMap<string, readonly SecretOption[]>>
>;

function secretsIn(entries: readonly DeclaredEntry[]): Secrets[Revision] {
  const secrets: SecretOption[] = [];
  for (const { entry, settings } of entries) {
    const selector = selectorOf(entry);
    for (const { option, secrecy } of settings.options.values()) {
      const isMarked = secrecy.mark === true;
      if (!isMarked && secrecy.isSecretByValue !== true) continue;
      secrets.push({ selector, option, isMarked });
    }
  }
  return grouped(secrets, ({ option }) => option);
}

/**
 * Finds the secrecy of an option of an entry at its revisions. A secret at the
 * base or the tip still is one. If an entry does not declare a value at a
 * revision, others that may select the same integrations may: only a server
 * knows which do.
 */
function secrecySince(
  secrets: Secrets,
  entries: Readonly<{ [R in Revision]?: DeclaredEntry | undefined }>,
  option = '',
): DeclaredSecrecy {
  const { base, head } = entries;
  const selectors = [base, head].flatMap((declared) => {
    return declared === undefined ? [] : [selectorOf(declared.entry)];
  });
  const secrecyAt = (revision: Revision): DeclaredSecrecy | undefined => {
    const declared = entries[revision];
    const own = declared?.settings.options.get(option);
    const isSecret = secrets[revision].get(option)?.some((other) => {
      const mayCount = other.isMarked || own?.value === undefined;
      return (
        mayCount && selectors.some((one) => mayMeetIn(one, other.selector))
      );
    });
    if (isSecret) return { ...own?.secrecy, isSecretByValue: true };
    return declared && { ...own?.secrecy };
  };
  // What the base does not declare, it does not call public.
  const since = declaredSecrecy(
    secrecyAt('head') ?? {},
    secrecyAt('base') ?? {},
  );
  return declaredSecrecy(since, secrecyAt('tip'));
}

/** Whether an integration may exist that two selectors match. */
function mayMeetIn(one: Selector, other: Selector): boolean {
  return (
    mayMeet(one.id ?? '*', other.id ?? '*') &&
    mayMeet(one.name ?? '*', other.name ?? '*') &&
    mayMeet(one.acronym ?? '*', other.acronym ?? '*')
  );
}
