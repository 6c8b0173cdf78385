import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import {
  type DesiredIntegration,
  managedOptions,
  type Settings,
} from '../model/desired.ts';
import { isPathSafe } from '../model/ids.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';

/** The fields of one integration to read. */
export interface Wanted {
  readonly id: string;
  /** Keys of the options whose values or permissions matter; `*` stands for all. */
  readonly keys: readonly string[];
  readonly autosubscribe: boolean;
}

/** What a comparison of these settings needs of an integration. */
export function wantedBy(id: string, settings: Settings): Wanted {
  return {
    id,
    keys: managedOptions(settings),
    autosubscribe: settings.autosubscribe !== undefined,
  };
}

/** The integrations whose ids would lead a request elsewhere: they count as ones that cannot be read. */
export function unsafeIds(
  integrations: readonly DesiredIntegration[],
): [string, Diagnostic][] {
  const unsafe = integrations.filter(({ id }) => !isPathSafe(id));
  const problem = (id: string) => `no path can hold the integration id "${id}"`;
  return unsafe.map(({ id }) => [
    id,
    diagnostic('bad-answer', { problem: problem(id) }),
  ]);
}

/** Counts the wanted parts that are not known yet. */
export function missingParts(
  { keys, autosubscribe }: Wanted,
  live: LiveIntegration | undefined,
): number {
  if (live === undefined) return 0;
  const wanted = keys.includes('*') ? [...live.optionKeys, ...keys] : keys;
  const missing = wanted.map((key) => {
    const option = live.options.get(key);
    if (option === undefined) return isUnread(key, live) ? 3 : 0;
    return Number(!hasValue(option)) + Number(option.permission === 'unknown');
  });
  const own = Number(autosubscribe && live.autosubscribe === undefined);
  return missing.reduce<number>((sum, each) => sum + each, own);
}

/** Whether an option may exist although nothing of it was read. If others are listed without it, it does not. */
export function isUnread(
  key: string,
  { options, optionKeys }: LiveIntegration,
): boolean {
  return !options.has(key) && (optionKeys.size === 0 || optionKeys.has(key));
}

function hasValue({ value }: LiveOption): boolean {
  return value.kind !== 'hidden' || value.reason !== 'absent';
}

/** An integration completed by what another source has of it, or of its options alone. */
export function completed(
  live: LiveIntegration,
  more: Pick<LiveIntegration, 'options' | 'optionKeys'>,
): LiveIntegration {
  const both = [...more.options].map(([key, option]): [string, LiveOption] => {
    const known = live.options.get(key);
    return [key, known === undefined ? option : completedOption(known, option)];
  });
  return {
    ...live,
    ...more,
    options: new Map([...live.options, ...both]),
    optionKeys: new Set([...live.optionKeys, ...more.optionKeys].sort()),
  };
}

function completedOption(known: LiveOption, more: LiveOption): LiveOption {
  return {
    ...known,
    ...more,
    value: hasValue(more) ? more.value : known.value,
    permission:
      more.permission === 'unknown' ? known.permission : more.permission,
    choices: more.choices.length > 0 ? more.choices : known.choices,
  };
}
