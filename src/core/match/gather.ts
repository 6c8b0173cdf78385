import {
  addressOf,
  type Entry,
  type Field,
  isDefault,
  OPTION_FIELDS,
  type OptionEntry,
} from '../config/entry.ts';
import type { ResolvedValue } from '../config/resolve.ts';
import { type Checked, compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredIntegration, MarkedOption, Setting, ValueSetting } from '../model/desired.ts';
import { present } from '../model/json.ts';
import { hasSecretForm } from '../model/secrecy.ts';
import { hide, isHidden } from '../model/secret.ts';
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

/** What entries ask of options. */
interface Asked {
  readonly settings: readonly Setting[];
  readonly marked: readonly MarkedOption[];
}

/** What entries ask of an integration. */
interface Gathered extends Asked {
  readonly diagnostics: readonly Diagnostic[];
}

/** Gathers what entries ask of integrations. Those with the same entries share their settings. */
export function gatherer() {
  const numbers = new Map<ResolvedEntry, number>();
  const known = new Map<string, Gathered>();
  const gathered = (name: string, entries: readonly ResolvedEntry[]): Gathered => {
    for (const entry of entries) if (!numbers.has(entry)) numbers.set(entry, numbers.size);
    const key = entries.map((entry) => numbers.get(entry)).join();
    const asked = known.get(key) ?? gather(name, entries);
    known.set(key, asked);
    return asked;
  };
  /** Gathers what all entries for one integration ask of it; no value if they ask nothing, or contradict each other. */
  return (id: string, entries: readonly ResolvedEntry[]): Checked<DesiredIntegration> => {
    const specific = entries.find((entry) => !isDefault(entry));
    const { name, place } = specific ?? { name: id, place: entries[0]?.place };
    if (place === undefined) return { diagnostics: [] };
    const { settings, marked, diagnostics } = gathered(name, entries);
    const isContradictory = diagnostics.some(({ code }) => code === 'duplicate-field');
    if (isContradictory || settings.length + marked.length === 0) return { diagnostics };
    return { value: { name, id, place, settings, marked }, diagnostics };
  };
}

/** What entries ask: specific ones over defaults, field by field. */
function gather(name: string, entries: readonly ResolvedEntry[]): Gathered {
  const ranks = [
    rankOf(entries.filter((entry) => !isDefault(entry))),
    rankOf(entries.filter((entry) => isDefault(entry))),
  ];
  const diagnostics: Diagnostic[] = [];
  const keys = [...new Set(ranks.flatMap(({ byKey }) => [...byKey.keys()]))].sort(compareText);
  const asked = keys.map((key) => askedOption(name, key, ranks, diagnostics));
  const fields = ranks.map((rank) => rank.entries.flatMap((entry) => entry.autosubscribe ?? []));
  const autosubscribe = winner(fields, () => `${name}.autosubscribe`, diagnostics);
  const settings = asked.flatMap((each) => each.settings);
  return {
    settings:
      autosubscribe === undefined
        ? settings
        : [...settings, { ...declared(autosubscribe), field: 'autosubscribe', want: autosubscribe.value }],
    marked: asked.flatMap((each) => each.marked),
    diagnostics,
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

/** A field that is not null. */
type Won<T> = Field<T> & { readonly value: T };

/** The declaration that wins: the first rank with one decides, and a null there sets nothing unless an equal entry does. */
function winner<T>(
  ranks: readonly (readonly Field<T>[])[],
  address: () => string,
  diagnostics: Diagnostic[],
): Won<T> | undefined {
  const fields = ranks.find((rank) => rank.length > 0) ?? [];
  const [first, ...others] = fields.filter((field): field is Won<T> => field.value !== null);
  if (first === undefined) return undefined;
  for (const { place } of others)
    diagnostics.push(diagnostic('duplicate-field', { address: address(), other: first.place }, place));
  return first;
}

/** What is asked of one option. */
function askedOption(name: string, key: string, ranks: readonly Rank[], diagnostics: Diagnostic[]): Asked {
  const asking = ranks.map(({ byKey, stopping }) => [
    ...(byKey.get(key) ?? []),
    ...stopping.filter(({ options }) => !options.has(key)),
  ]);
  const won = <T>(field: string, fieldOf: (option: ResolvedOption) => Field<T> | undefined) => {
    const fields = asking.map((entries) => entries.flatMap((entry) => fieldIn(entry, key, fieldOf) ?? []));
    return winner(fields, () => addressOf(name, ['options', key, field]), diagnostics);
  };
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

const NOTHING: Asked = { settings: [], marked: [] };

/** What an entry says of a field: itself, or by a null for the option or for all options. */
function fieldIn<T>(
  { options, optionsStopped }: ResolvedEntry,
  key: string,
  fieldOf: (option: ResolvedOption) => Field<T> | undefined,
): Field<T> | undefined {
  const option = options.get(key);
  return (option && (fieldOf(option) ?? option.stopped)) ?? optionsStopped;
}

function declared({ place, comment }: Field<unknown>) {
  return { place, ...present({ comment }) };
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
