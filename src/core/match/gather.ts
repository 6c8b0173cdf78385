import { addressOf } from '../config/declaration.ts';
import { type Entry, type Field, isDefault, OPTION_FIELDS, type OptionEntry } from '../config/entry.ts';
import type { ResolvedValue } from '../config/resolve.ts';
import { type Checked, compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import type { DesiredIntegration, MarkedOption, Setting, ValueSetting } from '../model/desired.ts';
import { present } from '../model/present.ts';
import { hide, isHidden } from '../model/secret.ts';
import { hasSecretForm } from '../model/secret-form.ts';
import { textsOf } from '../model/value.ts';

type ResolvedEntry = Entry<ResolvedValue>;
type ResolvedOption = OptionEntry<ResolvedValue>;

/** Entries of equal weight. */
interface Rank {
  readonly entries: readonly ResolvedEntry[];
  readonly byKey: ReadonlyMap<string, readonly ResolvedEntry[]>;
  /** Those that stop the management of all options. */
  readonly stopping: readonly ResolvedEntry[];
}

const NO_ENTRIES: Rank = { entries: [], byKey: new Map(), stopping: [] };

/** What entries ask of one option. */
interface AskedOption {
  readonly settings: readonly Setting[];
  readonly marked: readonly MarkedOption[];
}

/** What entries ask of all options. */
interface Asked extends AskedOption {
  readonly byKey: ReadonlyMap<string, AskedOption>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Gathers what entries ask of integrations. Integrations with the same defaults share the settings of these. */
export function gatherer() {
  const numbers = new Map<ResolvedEntry, number>();
  const shared = new Map<string, Asked>();
  const sharedBy = (id: string, defaults: Rank): Asked => {
    for (const entry of defaults.entries) if (!numbers.has(entry)) numbers.set(entry, numbers.size);
    const key = defaults.entries.map((entry) => numbers.get(entry)).join();
    const known = shared.get(key) ?? askedBy(id, [NO_ENTRIES, defaults]);
    shared.set(key, known);
    return known;
  };
  /** Gathers what all entries for one integration ask of it; no value if they ask nothing, or contradict each other. */
  return (id: string, entries: readonly ResolvedEntry[]): Checked<DesiredIntegration> => {
    const own = rankOf(entries.filter((entry) => !isDefault(entry)));
    const defaults = rankOf(entries.filter(isDefault));
    const { name = id, place } = own.entries[0] ?? { ...entries[0], name: id };
    const common = sharedBy(id, defaults);
    // What defaults contradict may be overridden here.
    const reused = common.diagnostics.length === 0 ? common : undefined;
    const asked = own.entries.length === 0 ? common : askedBy(name, [own, defaults], reused);
    const { settings, marked, diagnostics } = asked;
    if (place === undefined || hasErrors(diagnostics) || settings.length + marked.length === 0)
      return { diagnostics };
    return { value: { name, id, place, settings, marked }, diagnostics };
  };
}

function rankOf(entries: readonly ResolvedEntry[]): Rank {
  const byKey = new Map<string, ResolvedEntry[]>();
  for (const entry of entries)
    for (const key of entry.options.keys()) {
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, [entry]);
      else known.push(entry);
    }
  return { entries, byKey, stopping: entries.filter(({ optionsStopped }) => optionsStopped !== undefined) };
}

/** What ranks ask, the specific one first. Options that it does not name are taken from what the defaults ask alone. */
function askedBy(name: string, ranks: readonly Rank[], defaults?: Asked): Asked {
  const [first] = ranks;
  const isUntouched = (key: string) => first?.stopping.length === 0 && !first.byKey.has(key);
  const diagnostics: Diagnostic[] = [];
  const keys = [...new Set(ranks.flatMap(({ byKey }) => [...byKey.keys()]))].sort(compareText);
  const byKey = new Map(
    keys.map((key): [string, AskedOption] => {
      const known = isUntouched(key) ? defaults?.byKey.get(key) : undefined;
      return [key, known ?? askedOption(name, key, ranks, diagnostics)];
    }),
  );
  const fields = ranks.map(({ entries }) => entries.flatMap((entry) => entry.autosubscribe ?? []));
  const autosubscribe = winner(fields, `${name}.autosubscribe`, diagnostics);
  const all = [...byKey.values()];
  const settings = all.flatMap((each) => each.settings);
  return {
    settings: autosubscribe === undefined ? settings : [...settings, autosubscribeSetting(autosubscribe)],
    marked: all.flatMap((each) => each.marked),
    byKey,
    diagnostics,
  };
}

/** A field that is not null. */
type Won<T> = Field<T> & { readonly value: T };

/** The declaration that wins: the first rank with one decides, and a null there sets nothing unless an equal entry does. */
function winner<T>(
  ranks: readonly (readonly Field<T>[])[],
  address: string,
  diagnostics: Diagnostic[],
): Won<T> | undefined {
  const fields = ranks.find((rank) => rank.length > 0) ?? [];
  const [first, ...others] = fields.filter((field): field is Won<T> => field.value !== null);
  if (first === undefined) return undefined;
  for (const { place } of others)
    diagnostics.push(diagnostic('duplicate-field', { address, other: first.place }, place));
  return first;
}

/** What is asked of one option. */
function askedOption(
  name: string,
  key: string,
  ranks: readonly Rank[],
  diagnostics: Diagnostic[],
): AskedOption {
  const asking = ranks.map(({ byKey, stopping }) => [
    ...(byKey.get(key) ?? []),
    ...stopping.filter(({ options }) => !options.has(key)),
  ]);
  const won = <T>(field: string, fieldOf: (option: ResolvedOption) => Field<T> | undefined) =>
    winner(
      asking.map((entries) =>
        entries.flatMap((entry): Field<T>[] => {
          const option = entry.options.get(key);
          const own = option === undefined ? undefined : (fieldOf(option) ?? option.stopped);
          return [own ?? entry.optionsStopped ?? []].flat();
        }),
      ),
      addressOf(name, ['options', key, field]),
      diagnostics,
    );
  const value = won('value', (option) => option.value);
  const permission = won('permission', (option) => option.permission);
  const mark = won('sensitive', (option) => option.sensitive)?.value;
  const options = asking.map((entries) => entries.flatMap((entry) => entry.options.get(key) ?? []));
  const all = options.flat();
  const [own, ofDefaults] = options.map((each) => each.find(isAsked));
  const keyPlace = (own ?? ofDefaults)?.place;
  if (keyPlace === undefined) return NOTHING;
  if (value !== undefined && permission?.value === 'user-provides') {
    const isOfOne = all.some((option) => option.value === value && option.permission === permission);
    const address = addressOf(name, ['options', key]);
    if (!isOfOne) diagnostics.push(diagnostic('user-provides-value', { address }, value.place));
  }
  diagnostics.push(...(value?.value.problems ?? []));
  const secrecy = { mark, isFromOutside: value === undefined ? undefined : isLikelySecret(value.value) };
  const isDefaultOnly = own === undefined || undefined;
  const shared = { option: key, keyPlace, secrecy, ...present({ isDefault: isDefaultOnly }) };
  const rotated = all.find((option) => option.value === value)?.rotated?.value ?? undefined;
  const settings: Setting[] = [
    ...(permission === undefined
      ? []
      : [{ ...declared(permission), ...shared, field: 'permission' as const, want: permission.value }]),
    ...(value === undefined ? [] : valueSetting(value, { ...shared, ...present({ rotated }) }, mark)),
  ];
  return { settings, marked: settings.length > 0 || mark === undefined ? [] : [{ option: key, secrecy }] };
}

const NOTHING: AskedOption = { settings: [], marked: [] };

function declared({ place, comment }: Field<unknown>) {
  return { place, ...present({ comment }) };
}

function autosubscribeSetting(field: Won<boolean>): Setting {
  return { ...declared(field), field: 'autosubscribe', want: field.value };
}

type SharedParts = Pick<ValueSetting, 'option' | 'keyPlace' | 'secrecy' | 'isDefault' | 'rotated'>;

/** The setting of a value; none if a reference in it is missing. */
function valueSetting(
  field: Won<ResolvedValue>,
  shared: SharedParts,
  mark: boolean | undefined,
): ValueSetting[] {
  const { value, problems: _, ...origin } = field.value;
  if (value === undefined) return [];
  const want = mark === true && !isHidden(value) ? hide(value) : value;
  return [{ ...declared(field), ...shared, ...origin, field: 'value', want }];
}

/** Whether a value comes from outside, or has the form of a credential. */
function isLikelySecret({ value, isFromOutside }: ResolvedValue): boolean {
  return isFromOutside || (value !== undefined && !isHidden(value) && textsOf(value).some(hasSecretForm));
}

function isAsked(option: ResolvedOption): boolean {
  return OPTION_FIELDS.some((name) => (option[name]?.value ?? null) !== null);
}
