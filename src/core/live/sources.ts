import { grouped } from '../model/grouped.ts';
import { sortedKeys } from '../model/ids.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { isSecretOption } from '../model/secrecy.ts';

/** The fields of one integration to read. */
export interface Wanted {
  readonly id: string;
  /** Keys of the options whose values or permissions matter. */
  readonly keys: readonly string[];
  readonly autosubscribe: boolean;
}

/** What is wanted of each integration, once, whoever wants it. */
export function eachOnce(wanted: readonly Wanted[]): readonly Wanted[] {
  return [...grouped(wanted, ({ id }) => id)].map(([id, all]) => ({
    id,
    keys: all.flatMap(({ keys }) => keys),
    autosubscribe: all.some(({ autosubscribe }) => autosubscribe),
  }));
}

/** What a source of live state may leave out: all of an option, or a part of it. */
export type Part = 'autosubscribe' | 'options' | 'values' | 'secrets' | 'flags';

/** What is not known yet of a wanted integration. */
export function lackingParts(wanted: Wanted, live: LiveIntegration): ReadonlySet<Part> {
  const options = wanted.keys.flatMap((key) => live.options.get(key) ?? []);
  const lacksOption = wanted.keys.some((key) => isUnread(key, live));
  return new Set<Part>([
    ...(wanted.autosubscribe && live.autosubscribe === undefined ? (['autosubscribe'] as const) : []),
    ...(lacksOption ? (['options'] as const) : []),
    ...options.filter((option) => !hasValue(option)).map(valuePart),
    ...(options.some(({ permission }) => permission === 'unknown') ? (['flags'] as const) : []),
  ]);
}

/** An option that is missing beside others, and not linked either, does not exist: no reading finds it. */
function isUnread(key: string, { options, optionKeys }: LiveIntegration): boolean {
  return !options.has(key) && (options.size === 0 || optionKeys.has(key));
}

/** The parts that any option of these integrations shows. */
export function shownParts(live: readonly LiveIntegration[]): ReadonlySet<Part> {
  const shown = new Set<Part>();
  for (const { options } of live)
    for (const option of options.values()) {
      for (const part of partsOf(option)) shown.add(part);
      if (shown.size === OF_OPTIONS) return shown;
    }
  return shown;
}

/** How many parts options have: themselves, their values, secrets and flags. */
const OF_OPTIONS = 4;

function partsOf(option: LiveOption): readonly Part[] {
  return [
    'options',
    ...(hasValue(option) ? [valuePart(option)] : []),
    ...(option.permission === 'unknown' ? [] : (['flags'] as const)),
  ];
}

function hasValue({ value }: LiveOption): boolean {
  return value.kind !== 'unreadable' || value.reason !== 'absent';
}

/** A server may keep its secrets elsewhere than other values, or to itself. */
function valuePart({ key, type }: LiveOption): Part {
  return isSecretOption(key, type) ? 'secrets' : 'values';
}

/** What one source has of an integration, completed by what another has. */
export function completed(live: LiveIntegration, more: LiveIntegration): LiveIntegration {
  return { ...live, ...more, ...completedOptions(live, more.options, more.optionKeys) };
}

/** An integration, completed by its options from another source. */
export function withOptions(
  live: LiveIntegration,
  options: ReadonlyMap<string, LiveOption>,
): LiveIntegration {
  return { ...live, ...completedOptions(live, options, new Set(options.keys())) };
}

function completedOptions(
  live: LiveIntegration,
  options: ReadonlyMap<string, LiveOption>,
  keys: ReadonlySet<string>,
): Pick<LiveIntegration, 'options' | 'optionKeys'> {
  const both = [...options].map(([key, option]): [string, LiveOption] => {
    const known = live.options.get(key);
    return [key, known === undefined ? option : completedOption(known, option)];
  });
  return {
    options: new Map([...live.options, ...both]),
    optionKeys: sortedKeys(live.optionKeys, keys),
  };
}

function completedOption(known: LiveOption, more: LiveOption): LiveOption {
  return {
    ...known,
    ...more,
    value: hasValue(more) ? more.value : known.value,
    permission: more.permission === 'unknown' ? known.permission : more.permission,
    choices: more.choices.length > 0 ? more.choices : known.choices,
  };
}
