import { type Field, fieldIn, isDefault, type OptionEntry } from '../config/entry.ts';
import type { ResolvedConfig, ResolvedValue } from '../config/resolve.ts';
import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Setting, ValueSetting } from '../model/desired.ts';
import { present } from '../model/json.ts';
import { type DeclaredSecrecy, isSecret } from '../model/secrecy.ts';
import { hide, isHidden } from '../model/secret.ts';

type ResolvedEntry = ResolvedConfig[number];
type ResolvedOption = OptionEntry<ResolvedValue>;

/** What entries ask of an integration, while it is gathered. */
interface Gathering {
  /** Begins the addresses of findings. */
  readonly name: string;
  /** Specific entries, then defaults. */
  readonly ranks: readonly (readonly ResolvedEntry[])[];
  readonly settings: Setting[];
  readonly secrecy: Map<string, DeclaredSecrecy>;
  readonly diagnostics: Diagnostic[];
}

/** Gathers what entries ask: specific ones over defaults, field by field. */
export function gather(
  name: string,
  entries: readonly ResolvedEntry[],
): Pick<Gathering, 'settings' | 'secrecy' | 'diagnostics'> {
  const ranks = [entries.filter((entry) => !isDefault(entry)), entries.filter(isDefault)];
  const asked: Gathering = { name, ranks, settings: [], secrecy: new Map(), diagnostics: [] };
  const keys = new Set(entries.flatMap(({ options }) => [...options.keys()]));
  for (const key of [...keys].sort(compareText)) addOption(asked, key);
  const flag = winner(asked, 'autosubscribe', ({ autosubscribe }) => autosubscribe);
  if (flag !== undefined)
    asked.settings.push({ ...declared(flag), field: 'autosubscribe', want: flag.value });
  const { settings, secrecy, diagnostics } = asked;
  return { settings, secrecy, diagnostics };
}

/** A field that is not null. */
type Won<F extends Field<unknown>> = F & { readonly value: Exclude<F['value'], null> };

/** The declaration that wins: the first rank with one decides, and a null there sets nothing unless an equal entry does. */
function winner<F extends Field<unknown>>(
  { name, ranks, diagnostics }: Gathering,
  path: string,
  fieldOf: (entry: ResolvedEntry) => F | undefined,
): Won<F> | undefined {
  const fields = ranks
    .map((entries) => entries.flatMap((entry) => fieldOf(entry) ?? []))
    .find((each) => each.length > 0);
  const [first, ...others] = (fields ?? []).filter((field): field is Won<F> => field.value !== null);
  if (first !== undefined)
    for (const { place } of others)
      diagnostics.push(
        diagnostic('duplicate-field', { address: `${name}.${path}`, other: first.place }, place),
      );
  return first;
}

/** Adds what is asked of one option. */
function addOption(asked: Gathering, key: string): void {
  const won = <Name extends 'value' | 'permission' | 'sensitive'>(field: Name) =>
    winner<NonNullable<ResolvedOption[Name]> | Field<never>>(asked, `options.${key}.${field}`, (entry) =>
      fieldIn(entry, key, field),
    );
  const [value, permission, mark] = [won('value'), won('permission'), won('sensitive')?.value];
  const options = asked.ranks.map((rank) => rank.flatMap((entry) => entry.options.get(key) ?? []));
  const [own, ofDefaults] = options.map((each) => each.find(isAsked)?.place);
  const keyPlace = own ?? ofDefaults;
  if (keyPlace === undefined) return;
  const holder = options.flat().find((option) => option.value === value);
  if (value !== undefined && permission?.value === 'user-provides' && holder?.permission !== permission) {
    const address = `${asked.name}.options.${key}`;
    asked.diagnostics.push(diagnostic('user-provides-value', { address }, value.place));
  }
  asked.diagnostics.push(...(value?.problems ?? []));
  const secrecy = { mark, isFromOutside: value && isLikelySecret(value) };
  asked.secrecy.set(key, secrecy);
  const isFromDefaults = own === undefined || undefined;
  const shared = { option: key, keyPlace, secrecy, ...present({ isDefault: isFromDefaults }) };
  if (permission !== undefined)
    asked.settings.push({ ...declared(permission), ...shared, field: 'permission', want: permission.value });
  const rotated = holder?.rotated?.value ?? undefined;
  if (value !== undefined)
    asked.settings.push(...valueSetting(value, { ...shared, ...present({ rotated }) }));
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
