import {
  contenders,
  type Declaration,
  type FieldName,
  type Ranked,
  type SetterOf,
  setterIn,
  type ValueSetter,
} from '../config/declaration.ts';
import {
  aboutOption,
  asksAnything,
  type Entry,
  isDefault,
  pathOf,
} from '../config/entry.ts';
import { type ResolvedEntry, resolvedIn } from '../config/resolve.ts';
import { aboutField } from '../findings/about.ts';
import {
  compareText,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import type {
  OptionSettings,
  Settings,
  SubscriptionSetting,
  ValueSetting,
  Want,
  WantedValue,
} from '../model/desired.ts';
import type { Place } from '../model/place.ts';
import { isSecret } from '../model/secrecy.ts';

/** The settings of an integration, and the findings about them. */
export interface Gathered {
  settings: Settings;
  diagnostics: readonly Diagnostic[];
}

/**
 * Gathers settings from entries: specific ones over defaults, field by field.
 * Findings name the integrations that share these.
 */
export function gather(
  names: readonly string[],
  entries: readonly ResolvedEntry[],
): Gathered {
  const specific = entries.filter((entry) => !isDefault(entry));
  const defaults = entries.filter(isDefault);
  const rank = (about: (entry: Entry) => readonly Declaration[]): Ranked => {
    return { specific: specific.map(about), defaults: defaults.map(about) };
  };
  const diagnostics: Diagnostic[] = [];
  const gathering = { names, entries, diagnostics };
  const options = new Map<string, OptionSettings>();
  for (const option of optionsOf(entries)) {
    const ranked = rank((entry) => aboutOption(entry, option));
    const settings = gatherOption(gathering, option, ranked);
    if (settings !== undefined) options.set(option, settings);
  }
  const flags = rank((entry) => entry.autosubscribe);
  const flag = settle(gathering, flags, 'autosubscribe');
  const autosubscribe: SubscriptionSetting | undefined = flag && {
    kind: 'autosubscribe',
    want: flag.value,
    place: flag.place,
    comment: flag.comment,
  };
  return { settings: { options, autosubscribe }, diagnostics };
}

/** The options that entries declare, in order. */
function optionsOf(entries: readonly ResolvedEntry[]): string[] {
  const keys = new Set<string>();
  for (const { options } of entries) {
    for (const key of options.keys()) keys.add(key);
  }
  return [...keys].sort(compareText);
}

/** The entries of some integrations, and the findings so far. */
interface Gathering {
  names: readonly string[];
  entries: readonly ResolvedEntry[];
  diagnostics: Diagnostic[];
}

/**
 * Returns the setter of a field that counts. Equal entries that set it too are
 * a finding: neither overrides the other.
 */
function settle<Field extends FieldName>(
  { names, diagnostics }: Gathering,
  ranked: Ranked,
  field: Field,
): SetterOf<Field> | undefined {
  const [first, ...rivals] = contenders(ranked, field);
  const [integration] = names;
  for (const rival of rivals) {
    const address = [integration, ...pathOf(rival)].join('.');
    const shared = { address, integration, integrations: names };
    const facts = { ...shared, other: (first ?? rival).place };
    diagnostics.push(diagnostic('duplicate-field', facts, rival.place));
  }
  return first;
}

/** The settings of one option; undefined if it has none. */
function gatherOption(
  gathering: Gathering,
  option: string,
  ranked: Ranked,
): OptionSettings | undefined {
  const { names, entries, diagnostics } = gathering;
  const ownKey = askedAt(ranked.specific);
  const keyPlace = ownKey ?? askedAt(ranked.defaults);
  if (keyPlace === undefined) return undefined;
  const value = settle(gathering, ranked, 'value');
  const permission = settle(gathering, ranked, 'permission');
  const mark = settle(gathering, ranked, 'sensitive')?.value;
  const holder = entries.find((entry) => entry.name === value?.entry);
  const resolved = value && holder && resolvedIn(holder, value);
  const wanted = resolved?.wanted;
  if (wanted === undefined) diagnostics.push(...(resolved?.findings ?? []));
  // In one entry, a rule finds it.
  const isSplit = value?.entry !== permission?.entry;
  if (value && permission?.value === 'user-provides' && isSplit) {
    const [integration = ''] = names;
    const about = aboutField({ kind: 'value', integration, option });
    const facts = { ...about, integrations: names };
    diagnostics.push(diagnostic('user-provides-value', facts, value.place));
  }
  return {
    option,
    keyPlace,
    isDefault: ownKey === undefined,
    secrecy: { mark, isSecretByValue: isSecretByValue(wanted?.want) },
    permission: permission && {
      kind: 'permission',
      want: permission.value,
      place: permission.place,
      comment: permission.comment,
    },
    value: value && holder && wanted && valueSetting(value, wanted, holder),
  };
}

/** The key of an option in the first entry that asks anything of it. */
function askedAt(rank: readonly (readonly Declaration[])[]): Place | undefined {
  const about = rank.find(asksAnything);
  return about?.findLast(({ option }) => option !== undefined)?.keyPlace;
}

function valueSetting(
  { option, place, comment }: ValueSetter,
  { want, reference, hasFallback, files, members }: WantedValue,
  holder: ResolvedEntry,
): ValueSetting {
  // A day belongs to the secret of the same entry.
  const rotated = setterIn(aboutOption(holder, option), 'rotated')?.value;
  return {
    kind: 'value',
    place,
    comment,
    want,
    rotated,
    reference,
    hasFallback,
    files,
    members,
  };
}

/** Whether a value comes from outside, or has the form of a credential. */
function isSecretByValue(want: Want | undefined): boolean {
  if (want === undefined) return false;
  return want.kind !== 'literal' || isSecret({ values: [want.value] });
}
