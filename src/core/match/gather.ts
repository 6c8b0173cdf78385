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
import type { DesiredIntegration, Setting, ValueSetting } from '../model/desired.ts';
import { present } from '../model/json.ts';
import { isSecret } from '../model/secrecy.ts';
import { hide, isHidden } from '../model/secret.ts';

type ResolvedEntry = Entry<ResolvedValue>;
type ResolvedOption = OptionEntry<ResolvedValue>;

/** What entries ask of an integration. */
interface Asked extends Pick<DesiredIntegration, 'settings' | 'marked'> {
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Gathers what all entries for one integration ask of it; no value if they ask nothing, or contradict each other.
 * Integrations with the same entries share their settings.
 */
export function gatherer() {
  const numbers = new Map<ResolvedEntry, number>();
  const known = new Map<string, Asked>();
  return (id: string, entries: readonly ResolvedEntry[]): Checked<DesiredIntegration> => {
    const specific = entries.find((entry) => !isDefault(entry));
    const { name, place } = specific ?? { name: id, place: entries[0]?.place };
    if (place === undefined) return { diagnostics: [] };
    for (const entry of entries) if (!numbers.has(entry)) numbers.set(entry, numbers.size);
    const key = entries.map((entry) => numbers.get(entry)).join();
    const asked = known.get(key) ?? gather(name, entries);
    known.set(key, asked);
    const { settings, marked, diagnostics } = asked;
    const isContradictory = diagnostics.some(({ code }) => code === 'duplicate-field');
    if (isContradictory || settings.length + marked.length === 0) return { diagnostics };
    return { value: { name, id, place, settings, marked }, diagnostics };
  };
}

/** What entries ask: specific ones over defaults, field by field. */
function gather(name: string, entries: readonly ResolvedEntry[]): Asked {
  const ranks = [entries.filter((entry) => !isDefault(entry)), entries.filter(isDefault)];
  const diagnostics: Diagnostic[] = [];
  const keys = [...new Set(entries.flatMap(({ options }) => [...options.keys()]))].sort(compareText);
  const options = keys.map((key) => askedOption(name, key, ranks, diagnostics));
  const flag = winner(
    ranks,
    ({ autosubscribe }) => autosubscribe,
    () => `${name}.autosubscribe`,
    diagnostics,
  );
  const own: Setting[] =
    flag === undefined ? [] : [{ ...declared(flag), field: 'autosubscribe', want: flag.value }];
  return {
    settings: [...options.flatMap((each) => each.settings), ...own],
    marked: options.flatMap((each) => each.marked),
    diagnostics,
  };
}

/** A field that is not null. */
type Won<T> = Field<T> & { readonly value: T };

/** The declaration that wins: the first rank with one decides, and a null there sets nothing unless an equal entry does. */
function winner<T>(
  ranks: readonly (readonly ResolvedEntry[])[],
  fieldOf: (entry: ResolvedEntry) => Field<T> | undefined,
  address: () => string,
  diagnostics: Diagnostic[],
): Won<T> | undefined {
  for (const entries of ranks) {
    const fields = entries.flatMap((entry) => fieldOf(entry) ?? []);
    if (fields.length === 0) continue;
    const [first, ...others] = fields.filter((field): field is Won<T> => field.value !== null);
    if (first === undefined) return undefined;
    for (const { place } of others)
      diagnostics.push(diagnostic('duplicate-field', { address: address(), other: first.place }, place));
    return first;
  }
  return undefined;
}

/** What is asked of one option by each rank of entries. */
function askedOption(
  name: string,
  key: string,
  ranks: readonly (readonly ResolvedEntry[])[],
  diagnostics: Diagnostic[],
): Omit<Asked, 'diagnostics'> {
  const won = <T>(field: string, fieldOf: (option: ResolvedOption) => Field<T> | undefined) =>
    winner(
      ranks,
      (entry) => fieldIn(entry, key, fieldOf),
      () => addressOf(name, ['options', key, field]),
      diagnostics,
    );
  const value = won('value', (option) => option.value);
  const permission = won('permission', (option) => option.permission);
  const mark = won('sensitive', (option) => option.sensitive)?.value;
  const options = ranks.map((rank) => rank.flatMap((entry) => entry.options.get(key) ?? []));
  const [own, ofDefaults] = options.map((each) => each.find(isAsked)?.place);
  const keyPlace = own ?? ofDefaults;
  if (keyPlace === undefined) return { settings: [], marked: [] };
  const holder = options.flat().find((option) => option.value === value);
  if (value !== undefined && permission?.value === 'user-provides' && holder?.permission !== permission) {
    const address = addressOf(name, ['options', key]);
    diagnostics.push(diagnostic('user-provides-value', { address }, value.place));
  }
  diagnostics.push(...(value?.value.problems ?? []));
  const secrecy = { mark, isFromOutside: value && isLikelySecret(value.value) };
  const shared = {
    option: key,
    keyPlace,
    secrecy,
    ...(own === undefined ? { isDefault: true as const } : {}),
  };
  const settings: Setting[] = [];
  if (permission !== undefined)
    settings.push({ ...declared(permission), ...shared, field: 'permission', want: permission.value });
  const rotated = holder?.rotated?.value ?? undefined;
  if (value !== undefined) settings.push(...valueSetting(value, { ...shared, ...present({ rotated }) }));
  return { settings, marked: settings.length > 0 || mark === undefined ? [] : [{ option: key, secrecy }] };
}

/** The setting of a value; none if a reference in it is missing. Each part is named: collecting the rest takes long. */
function valueSetting(
  field: Won<ResolvedValue>,
  shared: Pick<ValueSetting, 'option' | 'keyPlace' | 'secrecy' | 'isDefault' | 'rotated'>,
): ValueSetting[] {
  const { value, isFromOutside, reference, hasFallback, unread, files, members } = field.value;
  if (value === undefined) return [];
  const want = shared.secrecy.mark === true && !isHidden(value) ? hide(value) : value;
  const { place, comment } = field;
  const parts = present({ comment, reference, hasFallback, unread, files, members });
  return [{ ...shared, field: 'value', want, isFromOutside, place, ...parts }];
}

/** Whether a value comes from outside, or has the form of a credential. */
function isLikelySecret({ value, isFromOutside }: ResolvedValue): boolean {
  return isSecret({ isFromOutside, values: value === undefined || isHidden(value) ? [] : [value] });
}

function isAsked(option: ResolvedOption): boolean {
  return OPTION_FIELDS.some((name) => (option[name]?.value ?? null) !== null);
}

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
