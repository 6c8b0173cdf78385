import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { managedOptions, type Settings } from '../model/desired.ts';
import { isPathSafe } from '../model/ids.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import type { DecodedOptions } from './integration.ts';

/** The options of one integration to read. */
export interface Wanted {
  id: string;
  /** The keys of the options that matter; `*` stands for all. */
  keys: readonly string[];
}

/** The options of an integration that a comparison of these settings needs. */
export function wantedBy(id: string, settings: Settings): Wanted {
  return { id, keys: managedOptions(settings) };
}

/** The integrations whose ids would lead a request elsewhere, with why. */
export function unsafeIds(
  integrations: readonly { id: string }[],
): [string, Diagnostic][] {
  const unsafe: [string, Diagnostic][] = [];
  for (const { id } of integrations) {
    if (isPathSafe(id)) continue;
    const problem = `no path can hold the integration id "${id}"`;
    unsafe.push([id, diagnostic('bad-answer', { problem })]);
  }
  return unsafe;
}

/**
 * Counts what is not known yet of the wanted options: of each its value and
 * its permission, and of one that was never listed also whether it exists.
 */
export function missingParts(
  { keys }: Wanted,
  live: LiveIntegration | undefined,
): number {
  // What is not installed lacks nothing.
  if (live === undefined) return 0;
  let missing = 0;
  // Until options are listed, `*` itself stands for one that was not.
  const all = keys.includes('*') ? [...live.optionKeys, ...keys] : keys;
  for (const key of all) missing += missingOf(key, live);
  return missing;
}

function missingOf(key: string, live: LiveIntegration): number {
  const option = live.options.get(key);
  if (option === undefined) return isUnread(key, live) ? 3 : 0;
  const value = hasValue(option) ? 0 : 1;
  const permission = option.permission === 'unknown' ? 1 : 0;
  return value + permission;
}

/** Whether an option may exist although nothing of it was read. */
export function isUnread(
  key: string,
  { options, optionKeys }: LiveIntegration,
): boolean {
  if (options.has(key)) return false;
  // If others are listed without it, it does not exist.
  return optionKeys.size === 0 || optionKeys.has(key);
}

function hasValue({ value }: LiveOption): boolean {
  return value.kind !== 'hidden' || value.reason !== 'absent';
}

/** Completes an integration by another source of it, or of its options. */
export function completed(
  live: LiveIntegration,
  more: LiveIntegration | DecodedOptions,
): LiveIntegration {
  const options = new Map(live.options);
  for (const [key, option] of more.options) {
    const known = live.options.get(key);
    const both = known ? completedOption(known, option) : option;
    options.set(key, both);
  }
  const keys = [...live.optionKeys, ...more.optionKeys].sort();
  return { ...live, ...more, options, optionKeys: new Set(keys) };
}

function completedOption(known: LiveOption, more: LiveOption): LiveOption {
  const value = hasValue(more) ? more.value : known.value;
  const isKnown = more.permission !== 'unknown';
  const permission = isKnown ? more.permission : known.permission;
  const choices = more.choices.length > 0 ? more.choices : known.choices;
  return { ...known, ...more, value, permission, choices };
}
