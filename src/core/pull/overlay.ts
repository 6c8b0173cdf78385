import { asksAnything, type Entry } from '../config/entry.ts';
import type { DesiredIntegration, OptionSettings } from '../model/desired.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { fieldKey } from '../model/subject.ts';
import { byField, compareIntegration } from '../plan/compare.ts';
import {
  type OptionPart,
  type WrittenEntry,
  type WrittenOption,
  writtenOption,
} from './entry.ts';
import type { Bond } from './identity.ts';
import { flawOf, heldValue, wholeVariable } from './secrets.ts';

/**
 * Writes in what an integration differs from the shared entry that it belongs
 * to; the entry may be empty. `referTo` makes a reference for an option.
 */
export function overlayOf(
  { entry, integration, match }: Bond,
  desired: DesiredIntegration,
  referTo: (entry: string, option: string) => string,
): WrittenEntry {
  const { name } = entry;
  const { autosubscribe: flag } = integration;
  const compared = compareIntegration(desired, integration);
  const comparisons = byField(compared.comparisons);
  const options = absentOptions(entry, integration);
  for (const option of integration.options.values()) {
    const { key } = option;
    const settings = desired.settings.options.get(key);
    const field = fieldKey({ kind: 'value', integration: '', option: key });
    const isSame = comparisons.get(field)?.state === 'same';
    const differing = differingOption(option, settings, isSame, () =>
      referTo(name, key),
    );
    if (differing !== undefined) options.push(differing);
  }
  const isAlike = desired.settings.autosubscribe?.want === flag;
  const autosubscribe = isAlike ? undefined : flag;
  return { name, isOwn: true, isOverlay: true, match, autosubscribe, options };
}

/** Nulls for the options that an entry declares and an integration lacks. */
function absentOptions(
  entry: Entry,
  { optionKeys }: LiveIntegration,
): WrittenOption[] {
  const absent: WrittenOption[] = [];
  for (const [key, about] of entry.options) {
    if (optionKeys.has(key) || !asksAnything(about)) continue;
    absent.push({ key, isStopped: true, remark: 'absent here', notes: [] });
  }
  return absent;
}

/**
 * Writes the fields in which an option differs from what is asked; undefined if
 * none does. `isSame` says that of its value.
 */
function differingOption(
  option: LiveOption,
  settings: OptionSettings | undefined,
  isSame: boolean,
  referTo: () => string,
): WrittenOption | undefined {
  const { key } = option;
  const isKept = keepsValue(option, settings, isSame);
  // A value that is kept must not use up the name of a variable.
  const reference = isKept ? () => '' : referTo;
  const whole = writtenOption(option, reference, settings?.secrecy.mark);
  const value = isKept ? undefined : ownValue(option, settings, whole);
  const permission = ownPermission(whole, settings);
  if (value === undefined && permission === undefined) return undefined;
  const notes = [...(value?.notes ?? []), ...(permission?.notes ?? [])];
  return { key, ...value, ...permission, notes };
}

/** The value that an overlay declares, or a null; undefined for neither. */
function ownValue(
  option: LiveOption,
  settings: OptionSettings | undefined,
  { value, reference, notes }: WrittenOption,
): OptionPart | undefined {
  const isHeld = value !== undefined || reference !== undefined;
  if (settings?.value === undefined)
    return isHeld ? { value, reference } : undefined;
  if (option.permission === 'user-provides')
    return { value: null, remark: "each user's own here" };
  if (isHeld) return { value, reference };
  if (option.value.kind === 'unset')
    return { value: null, remark: 'not set here' };
  if (option.value.kind === 'hidden') return undefined;
  // Without a reference to what is here, that of others must not count.
  return { value: null, notes: notes.filter(({ field }) => field === 'value') };
}

function ownPermission(
  { permission, notes }: WrittenOption,
  settings: OptionSettings | undefined,
): OptionPart | undefined {
  const wanted = settings?.permission?.want;
  if (permission === wanted) return undefined;
  if (permission !== undefined) return { permission };
  const note = notes.find(({ field }) => field === 'permission');
  return note && { permission: null, notes: [note] };
}

/** Whether the value that earlier layers declare is that of this server too. */
function keepsValue(
  option: LiveOption,
  settings: OptionSettings | undefined,
  isSame: boolean,
): boolean {
  const setting = settings?.value;
  if (setting === undefined || option.permission === 'user-provides')
    return false;
  if (setting.want.kind !== 'unread') return isSame;
  // Its reference was not read. A file is the same for all servers.
  const { reference = '' } = setting;
  const isFile = reference.includes('${file:');
  if (option.value.kind === 'hidden') return !isFile;
  const held = heldValue(option.value);
  if (held === undefined || isFile) return false;
  return wholeVariable(reference) === undefined || flawOf(held) === undefined;
}
