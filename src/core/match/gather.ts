import {
  contenders,
  type Declaration,
  type FieldName,
  type Ranked,
  type SetterOf,
  setterIn,
  type ValueSetter,
  winner,
} from '../config/declaration.ts';
import {
  aboutOption,
  asksAnything,
  isDefault,
  pathOf,
} from '../config/entry.ts';
import { type ResolvedEntry, resolvedIn } from '../config/resolve.ts';
import { aboutOptionField } from '../findings/about.ts';
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
  Want,
  WantedValue,
} from '../model/desired.ts';
import type { Place } from '../model/place.ts';
import { isSecret } from '../model/secrecy.ts';

/** What entries ask of an integration, and what contradicts itself in it. */
export interface Gathered {
  readonly settings: Settings;
  readonly diagnostics: readonly Diagnostic[];
}

/** What entries ask of an integration, while it is gathered. */
interface Gathering {
  /** Begins the addresses of findings. */
  readonly name: string;
  readonly specific: readonly ResolvedEntry[];
  readonly defaults: readonly ResolvedEntry[];
  /** Whether several entries are equal, so that they may set one field. */
  readonly hasEqual: boolean;
  readonly diagnostics: Diagnostic[];
}

/** Gathers what entries ask: specific ones over defaults, field by field. */
export function gather(
  name: string,
  entries: readonly ResolvedEntry[],
): Gathered {
  const specific = entries.filter((entry) => !isDefault(entry));
  const defaults = entries.filter(isDefault);
  const hasEqual = specific.length > 1 || defaults.length > 1;
  const diagnostics: Diagnostic[] = [];
  const gathering = { name, specific, defaults, hasEqual, diagnostics };
  const options = new Map<string, OptionSettings>();
  for (const option of optionsOf(entries)) {
    const settings = gatherOption(gathering, option);
    if (settings !== undefined) options.set(option, settings);
  }
  const autosubscribe = gatherSubscription(gathering);
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

function gatherSubscription(
  gathering: Gathering,
): SubscriptionSetting | undefined {
  const { specific, defaults } = gathering;
  const ranked = {
    specific: specific.map((entry) => entry.autosubscribe),
    defaults: defaults.map((entry) => entry.autosubscribe),
  };
  const flag = winner(ranked, 'autosubscribe');
  if (flag === undefined) return undefined;
  addClashes(gathering, ranked, 'autosubscribe');
  const { value: want, place, comment } = flag;
  return { kind: 'autosubscribe', want, place, comment };
}

/** Finds equal entries that set the same field: neither overrides the other. */
function addClashes(
  { name, hasEqual, diagnostics }: Gathering,
  ranked: Ranked,
  field: FieldName,
): void {
  if (!hasEqual) return;
  const [first, ...rivals] = contenders(ranked, field);
  for (const rival of rivals) {
    if (first === undefined) break;
    const address = [name, ...pathOf(rival)].join('.');
    const facts = { address, integration: name, other: first.place };
    diagnostics.push(diagnostic('duplicate-field', facts, rival.place));
  }
}

/** The fields of an option that several equal entries cannot set. */
const CONTESTED = ['value', 'permission', 'sensitive'] as const;

/** What is asked of one option; undefined if nothing is. */
function gatherOption(
  gathering: Gathering,
  option: string,
): OptionSettings | undefined {
  const { name, specific, defaults, diagnostics } = gathering;
  const ranked = {
    specific: specific.map((entry) => aboutOption(entry, option)),
    defaults: defaults.map((entry) => aboutOption(entry, option)),
  };
  const ownKey = askedAt(ranked.specific);
  const keyPlace = ownKey ?? askedAt(ranked.defaults);
  if (keyPlace === undefined) return undefined;
  for (const field of CONTESTED) addClashes(gathering, ranked, field);
  const value = winner(ranked, 'value');
  const permission = winner(ranked, 'permission');
  const mark = winner(ranked, 'sensitive')?.value;
  const holder = [...specific, ...defaults].find(
    (entry) => entry.name === value?.entry,
  );
  const resolved = value && holder && resolvedIn(holder, value);
  const wanted = resolved?.wanted;
  if (wanted === undefined) diagnostics.push(...(resolved?.findings ?? []));
  // In one entry, a rule finds it.
  const isSplit = value?.entry !== permission?.entry;
  if (value && permission?.value === 'user-provides' && isSplit) {
    const about = aboutOptionField({
      kind: 'value',
      integration: name,
      option,
    });
    diagnostics.push(diagnostic('user-provides-value', about, value.place));
  }
  return {
    option,
    keyPlace,
    isDefault: ownKey === undefined,
    secrecy: { mark, isSecretByValue: isSecretByValue(wanted?.want) },
    permission: permission && permissionSetting(permission),
    value: value && holder && wanted && valueSetting(value, wanted, holder),
  };
}

/** The key of an option in the first entry that asks anything of it. */
function askedAt(rank: readonly (readonly Declaration[])[]): Place | undefined {
  const about = rank.find(asksAnything);
  return about?.findLast(({ option }) => option !== undefined)?.keyPlace;
}

function permissionSetting({
  value: want,
  place,
  comment,
}: SetterOf<'permission'>): PermissionSetting {
  return { kind: 'permission', want, place, comment };
}

function valueSetting(
  setter: ValueSetter,
  wanted: WantedValue,
  holder: ResolvedEntry,
): ValueSetting {
  const { option, place, comment } = setter;
  // A day belongs to the secret beside it.
  const declarations = aboutOption(holder, option);
  const day = setterIn(declarations, 'rotated');
  return {
    kind: 'value',
    ...wanted,
    place,
    comment,
    rotated: day?.value,
    laterDay: day && placeOfLater(day, setter, declarations),
  };
}

/** The place of a declaration if a later layer has it than another one. */
function placeOfLater(
  later: Declaration,
  earlier: Declaration,
  declarations: readonly Declaration[],
): Place | undefined {
  if (later.place.file === earlier.place.file) return undefined;
  const isLater = declarations.indexOf(later) > declarations.indexOf(earlier);
  return isLater ? later.place : undefined;
}

/** Whether a value comes from outside, or has the form of a credential. */
function isSecretByValue(want: Want | undefined): boolean {
  if (want === undefined) return false;
  return want.kind !== 'literal' || isSecret({ values: [want.value] });
}
