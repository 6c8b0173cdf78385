import { type Field, fieldIn, isDefault, type OptionEntry } from '../config/entry.ts';
import type { ResolvedConfig, ResolvedValue } from '../config/resolve.ts';
import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredIntegration, Setting, ValueSetting } from '../model/desired.ts';
import { present } from '../model/json.ts';
import { isSecret } from '../model/secrecy.ts';
import { hide, isHidden } from '../model/secret.ts';

type ResolvedEntry = ResolvedConfig[number];
type ResolvedOption = OptionEntry<ResolvedValue>;

/** Specific entries, then defaults. */
type Ranks = readonly (readonly ResolvedEntry[])[];

/** What entries ask of an integration. */
interface Asked extends Pick<DesiredIntegration, 'settings' | 'marked'> {
  readonly diagnostics: readonly Diagnostic[];
}

/** Gathers what entries ask: specific ones over defaults, field by field. `name` begins the addresses of findings. */
export function gather(name: string, entries: readonly ResolvedEntry[]): Asked {
  const ranks = [entries.filter((entry) => !isDefault(entry)), entries.filter(isDefault)];
  const diagnostics: Diagnostic[] = [];
  const keys = [...new Set(entries.flatMap(({ options }) => [...options.keys()]))].sort(compareText);
  const options = keys.map((key) => askedOption(name, key, ranks, diagnostics));
  const flag = winner(ranks, ({ autosubscribe }) => autosubscribe, [name, 'autosubscribe'], diagnostics);
  const own: Setting[] =
    flag === undefined ? [] : [{ ...declared(flag), field: 'autosubscribe', want: flag.value }];
  return {
    settings: [...options.flatMap((each) => each.settings), ...own],
    marked: options.flatMap((each) => each.marked),
    diagnostics,
  };
}

/** A field that is not null. */
type Won<F extends Field<unknown>> = F & { readonly value: Exclude<F['value'], null> };

/** The declaration that wins: the first rank with one decides, and a null there sets nothing unless an equal entry does. */
function winner<F extends Field<unknown>>(
  ranks: Ranks,
  fieldOf: (entry: ResolvedEntry) => F | undefined,
  path: readonly string[],
  diagnostics: Diagnostic[],
): Won<F> | undefined {
  const fields = ranks
    .map((entries) => entries.flatMap((entry) => fieldOf(entry) ?? []))
    .find((each) => each.length > 0);
  const [first, ...others] = (fields ?? []).filter((field): field is Won<F> => field.value !== null);
  if (first !== undefined)
    for (const { place } of others)
      diagnostics.push(diagnostic('duplicate-field', { address: path.join('.'), other: first.place }, place));
  return first;
}

/** What is asked of one option by each rank of entries. */
function askedOption(
  name: string,
  key: string,
  ranks: Ranks,
  diagnostics: Diagnostic[],
): Omit<Asked, 'diagnostics'> {
  const won = <Name extends 'value' | 'permission' | 'sensitive'>(field: Name) => {
    type Found = NonNullable<ResolvedOption[Name]> | Field<never>;
    return winner<Found>(
      ranks,
      (entry) => fieldIn(entry, key, field),
      [name, 'options', key, field],
      diagnostics,
    );
  };
  const [value, permission, mark] = [won('value'), won('permission'), won('sensitive')?.value];
  const options = ranks.map((rank) => rank.flatMap((entry) => entry.options.get(key) ?? []));
  const [own, ofDefaults] = options.map((each) => each.find(isAsked)?.place);
  const keyPlace = own ?? ofDefaults;
  if (keyPlace === undefined) return { settings: [], marked: [] };
  const holder = options.flat().find((option) => option.value === value);
  if (value !== undefined && permission?.value === 'user-provides' && holder?.permission !== permission) {
    const address = `${name}.options.${key}`;
    diagnostics.push(diagnostic('user-provides-value', { address }, value.place));
  }
  diagnostics.push(...(value?.problems ?? []));
  const secrecy = { mark, isFromOutside: value && isLikelySecret(value) };
  const isFromDefaults = own === undefined || undefined;
  const shared = { option: key, keyPlace, secrecy, ...present({ isDefault: isFromDefaults }) };
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
  const { value, isFromOutside, reference, hasFallback, unread, unresolved, files, members } = field;
  if (value === undefined) return [];
  const want = shared.secrecy.mark === true && !isHidden(value) ? hide(value) : value;
  const parts = present({ reference, hasFallback, unread, unresolved, files, members });
  return [{ ...shared, field: 'value', want, isFromOutside, ...declared(field), ...parts }];
}

/** Whether a value comes from outside, or has the form of a credential. */
function isLikelySecret({ value, isFromOutside }: Won<ResolvedValue>): boolean {
  return isSecret({ isFromOutside, values: value === undefined || isHidden(value) ? [] : [value] });
}

function isAsked({ value, permission, sensitive, rotated }: ResolvedOption): boolean {
  return [value, permission, sensitive, rotated].some((field) => (field?.value ?? null) !== null);
}

function declared({ place, comment }: Field<unknown>) {
  return { place, ...present({ comment }) };
}
