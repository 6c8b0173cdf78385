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
import type {
  OptionSettings,
  PermissionSetting,
  Settings,
  SubscriptionSetting,
  ValueSetting,
} from '../model/desired.ts';
import type { Permission } from '../model/permission.ts';
import { isSecret } from '../model/secrecy.ts';

type ResolvedEntry = ResolvedConfig[number];
type ResolvedOption = OptionEntry<ResolvedValue>;

/** What entries ask of an integration, and what contradicts itself in it. */
export interface Gathered {
  readonly settings: Settings;
  readonly diagnostics: readonly Diagnostic[];
}

/** What entries ask of an integration, while it is gathered. */
interface Gathering {
  /** Begins the addresses of findings. */
  readonly name: string;
  /** Specific entries, then defaults. */
  readonly ranks: readonly (readonly ResolvedEntry[])[];
  readonly diagnostics: Diagnostic[];
}

/** Gathers what entries ask: specific ones over defaults, field by field. */
export function gather(
  name: string,
  entries: readonly ResolvedEntry[],
): Gathered {
  const ranks = [
    entries.filter((entry) => !isDefault(entry)),
    entries.filter(isDefault),
  ];
  const diagnostics: Diagnostic[] = [];
  const gathering: Gathering = { name, ranks, diagnostics };
  const keys = new Set(entries.flatMap(({ options }) => [...options.keys()]));
  const options = new Map<string, OptionSettings>();
  for (const key of [...keys].sort(compareText)) {
    const settings = gatherOption(gathering, key);
    if (settings !== undefined) options.set(key, settings);
  }
  const autosubscribe = gatherSubscription(gathering);
  return { settings: { options, autosubscribe }, diagnostics };
}

function gatherSubscription(
  gathering: Gathering,
): SubscriptionSetting | undefined {
  const flag = winner(
    gathering,
    'autosubscribe',
    ({ autosubscribe }) => autosubscribe,
  );
  if (flag === undefined) return undefined;
  const { value: want, place, comment } = flag;
  return { kind: 'autosubscribe', want, place, comment };
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

/** The declarations of an option that win. */
interface Winners {
  readonly value: Won<ResolvedValue> | undefined;
  readonly permission: Won<Field<Permission>> | undefined;
  readonly mark: boolean | undefined;
}

function winnersOf(gathering: Gathering, key: string): Winners {
  const won = <Name extends 'value' | 'permission' | 'sensitive'>(
    field: Name,
  ) =>
    winner<NonNullable<ResolvedOption[Name]> | Field<never>>(
      gathering,
      `options.${key}.${field}`,
      (entry) => fieldIn(entry, key, field),
    );
  return {
    value: won('value'),
    permission: won('permission'),
    mark: won('sensitive')?.value,
  };
}

/** What is asked of one option; undefined if nothing is. */
function gatherOption(
  gathering: Gathering,
  key: string,
): OptionSettings | undefined {
  const { name, ranks, diagnostics } = gathering;
  const { value, permission, mark } = winnersOf(gathering, key);
  const options = ranks.map((rank) =>
    rank.flatMap((entry) => entry.options.get(key) ?? []),
  );
  const [own, ofDefaults] = options.map((each) => each.find(isAsked)?.place);
  const keyPlace = own ?? ofDefaults;
  if (keyPlace === undefined) return undefined;
  const holder = options.flat().find((option) => option.value === value);
  const isForUsers = permission?.value === 'user-provides';
  if (value !== undefined && isForUsers && holder?.permission !== permission) {
    const address = `${name}.options.${key}`;
    diagnostics.push(
      diagnostic('user-provides-value', { address }, value.place),
    );
  }
  diagnostics.push(...(value?.problems ?? []));
  return {
    option: key,
    keyPlace,
    isDefault: own === undefined,
    secrecy: { mark, isSecretByValue: isSecretByValue(value) },
    permission: permission && permissionSetting(permission),
    value: value && valueSetting(value, holder),
  };
}

function permissionSetting({
  value: want,
  place,
  comment,
}: Won<Field<Permission>>): PermissionSetting {
  return { kind: 'permission', want, place, comment };
}

/** What is asked of a value; undefined if a reference in it is missing. */
function valueSetting(
  value: Won<ResolvedValue>,
  holder: ResolvedOption | undefined,
): ValueSetting | undefined {
  const { value: want, place, comment, reference } = value;
  if (want === undefined) return undefined;
  const { hasFallback, files, members } = value;
  const rotated = holder?.rotated?.value ?? undefined;
  return {
    kind: 'value',
    want,
    place,
    comment,
    reference,
    rotated,
    hasFallback,
    files,
    members,
  };
}

/** Whether a value comes from outside, or has the form of a credential. */
function isSecretByValue(value: Won<ResolvedValue> | undefined): boolean {
  if (value === undefined) return false;
  if (value.isFromOutside) return true;
  const { value: want } = value;
  if (want?.kind !== 'literal') return false;
  return isSecret({ values: [want.value] });
}

/** Whether an entry says something of an option; a value whose reference is missing is said too. */
function isAsked(option: ResolvedOption): boolean {
  const { value, permission, sensitive, rotated } = option;
  return [value, permission, sensitive, rotated].some(
    (field) => field !== undefined && field.value !== null,
  );
}
