import {
  type Field,
  fieldIn,
  isDefault,
  type OptionEntry,
} from '../config/entry.ts';
import type { ResolvedConfig, ResolvedValue } from '../config/resolve.ts';
import {
  compareText,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import type { Setting } from '../model/desired.ts';
import { present } from '../model/json.ts';
import { type DeclaredSecrecy, isSecret } from '../model/secrecy.ts';

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
  const ranks = [
    entries.filter((entry) => !isDefault(entry)),
    entries.filter(isDefault),
  ];
  const asked: Gathering = {
    name,
    ranks,
    settings: [],
    secrecy: new Map(),
    diagnostics: [],
  };
  const keys = new Set(entries.flatMap(({ options }) => [...options.keys()]));
  for (const key of [...keys].sort(compareText)) addOption(asked, key);
  const flag = winner(
    asked,
    'autosubscribe',
    ({ autosubscribe }) => autosubscribe,
  );
  if (flag !== undefined) {
    const { value: want, ...declared } = flag;
    asked.settings.push({ ...declared, field: 'autosubscribe', want });
  }
  const { settings, secrecy, diagnostics } = asked;
  return { settings, secrecy, diagnostics };
}

/** A field that is not null. */
type Won<F extends Field<unknown>> = F & {
  readonly value: Exclude<F['value'], null>;
};

/** The declaration that wins: the first rank with one decides, and a null there sets nothing unless an equal entry does. */
function winner<F extends Field<unknown>>(
  { name, ranks, diagnostics }: Gathering,
  path: string,
  fieldOf: (entry: ResolvedEntry) => F | undefined,
): Won<F> | undefined {
  const fields = ranks
    .map((entries) => entries.flatMap((entry) => fieldOf(entry) ?? []))
    .find((each) => each.length > 0);
  const [first, ...others] = (fields ?? []).filter(
    (field): field is Won<F> => field.value !== null,
  );
  if (first !== undefined)
    for (const { place } of others)
      diagnostics.push(
        diagnostic(
          'duplicate-field',
          { address: `${name}.${path}`, other: first.place },
          place,
        ),
      );
  return first;
}

/** Adds what is asked of one option. */
function addOption(asked: Gathering, key: string): void {
  const won = <Name extends 'value' | 'permission' | 'sensitive'>(
    field: Name,
  ) =>
    winner<NonNullable<ResolvedOption[Name]> | Field<never>>(
      asked,
      `options.${key}.${field}`,
      (entry) => fieldIn(entry, key, field),
    );
  const [value, permission, mark] = [
    won('value'),
    won('permission'),
    won('sensitive')?.value,
  ];
  const options = asked.ranks.map((rank) =>
    rank.flatMap((entry) => entry.options.get(key) ?? []),
  );
  const [own, ofDefaults] = options.map((each) => each.find(isAsked)?.place);
  const keyPlace = own ?? ofDefaults;
  if (keyPlace === undefined) return;
  const holder = options.flat().find((option) => option.value === value);
  if (
    value !== undefined &&
    permission?.value === 'user-provides' &&
    holder?.permission !== permission
  ) {
    const address = `${asked.name}.options.${key}`;
    asked.diagnostics.push(
      diagnostic('user-provides-value', { address }, value.place),
    );
  }
  const { isFromOutside, value: held = '' } = value ?? {};
  const secrecy = {
    mark,
    isFromOutside: isSecret({ isFromOutside, values: [held] }),
  };
  asked.secrecy.set(key, secrecy);
  const isFromDefaults = own === undefined || undefined;
  const shared = {
    option: key,
    keyPlace,
    secrecy,
    ...present({ isDefault: isFromDefaults }),
  };
  if (permission !== undefined) {
    const { value: want, ...declared } = permission;
    asked.settings.push({ ...shared, ...declared, field: 'permission', want });
  }
  if (value === undefined) return;
  const { value: want, problems, ...declared } = value;
  asked.diagnostics.push(...problems);
  const rotated = holder?.rotated?.value ?? undefined;
  // Without one a reference is missing.
  if (want !== undefined)
    asked.settings.push({
      ...shared,
      ...declared,
      field: 'value',
      want,
      ...present({ rotated }),
    });
}

/** Whether an entry says something of an option; a value whose reference is missing is said too. */
function isAsked({
  value,
  permission,
  sensitive,
  rotated,
}: ResolvedOption): boolean {
  return [value, permission, sensitive, rotated].some(
    (field) => field !== undefined && field.value !== null,
  );
}
