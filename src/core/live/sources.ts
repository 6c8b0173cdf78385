import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredIntegration, DesiredState } from '../model/desired.ts';
import { grouped } from '../model/grouped.ts';
import { isPathSafe, sortedKeys } from '../model/ids.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { isSecretOption } from '../model/secrecy.ts';
import { shownTraits, type Trait } from '../model/trait.ts';
import type { DecodedOptions } from './integration.ts';

/** The fields of one integration to read. */
export interface Wanted {
  readonly id: string;
  /** Keys of the options whose values or permissions matter. */
  readonly keys: readonly string[];
  readonly autosubscribe: boolean;
}

/** What a comparison needs of an integration. */
export function wantedBy({ id, settings }: DesiredIntegration): Wanted {
  const keys = settings.flatMap(({ option }) => option ?? []);
  return {
    id,
    keys: [...new Set(keys)],
    autosubscribe: settings.some(({ field }) => field === 'autosubscribe'),
  };
}

/** The finding for an id that would lead a request elsewhere. */
export function unsafeId(id: string): Diagnostic {
  return diagnostic('bad-answer', {
    problem: `no path can hold the integration id "${id}"`,
    hint: 'Nothing is sent under such an id. Install the integration under another one.',
  });
}

/** The integrations that no request can name: they count as ones that cannot be read. */
export function unsafeIds({ integrations }: DesiredState): [string, Diagnostic][] {
  return integrations.flatMap(({ id }) => (isPathSafe(id) ? [] : [[id, unsafeId(id)]]));
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
export type Part = 'autosubscribe' | Extract<Trait, 'options' | 'values' | 'secrets' | 'flags'>;

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
function isUnread(key: string, { options, optionKeys, traits }: LiveIntegration): boolean {
  return !options.has(key) && (!traits.has('options') || optionKeys.has(key));
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
  return { ...live, ...more, ...completedOptions(live, more) };
}

/** An integration, completed by its options from another source. */
export function withOptions(live: LiveIntegration, more: DecodedOptions): LiveIntegration {
  return { ...live, ...completedOptions(live, more) };
}

function completedOptions(live: LiveIntegration, more: DecodedOptions): DecodedOptions {
  const both = [...more.options].map(([key, option]): [string, LiveOption] => {
    const known = live.options.get(key);
    return [key, known === undefined ? option : completedOption(known, option)];
  });
  return {
    options: new Map([...live.options, ...both]),
    optionKeys: sortedKeys(live.optionKeys, more.optionKeys),
    traits: shownTraits([live, more]),
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
