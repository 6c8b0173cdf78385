import { asksAnything, type Entry, settersOf } from '../config/entry.ts';
import type { DesiredIntegration, OptionSettings } from '../model/desired.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { fieldKey } from '../model/subject.ts';
import { byField, compareIntegration } from '../plan/compare.ts';
import {
  type OptionPart,
  type Referrer,
  type WrittenEntry,
  type WrittenOption,
  writtenOption,
} from './entry.ts';
import type { Bond } from './identity.ts';
import { heldValue, type SecretWriting, wholeVariable } from './secrets.ts';

/** Why an overlay takes back a value. */
export const NOT_SET_HERE = 'not set here';

/**
 * Writes in what an integration differs from the shared entries that it belongs
 * to: an entry for each of these, which may be empty.
 */
export function overlayOf(
  bonds: readonly Bond[],
  desired: DesiredIntegration,
  secrets: SecretWriting,
): WrittenEntry[] {
  const [first] = bonds;
  if (first === undefined) return [];
  const { integration } = first;
  const entries = bonds.map(({ entry }) => entry);
  const byEntry = new Map<Entry, WrittenOption[]>();
  for (const entry of entries)
    byEntry.set(entry, absentOptions(entry, integration));
  const compared = compareIntegration(desired, integration);
  const comparisons = byField(compared.comparisons);
  for (const option of integration.options.values()) {
    const { key } = option;
    const settings = desired.settings.options.get(key);
    const entry = holderOf(settings, entries) ?? first.entry;
    const field = fieldKey({ kind: 'value', integration: '', option: key });
    const isSame = comparisons.get(field)?.state === 'same';
    const context = { entry: entry.name, option, settings, isSame };
    const differing = differingOption(context, secrets);
    if (differing !== undefined) byEntry.get(entry)?.push(differing);
  }
  const { autosubscribe: flag } = integration;
  const isSubscribed = desired.settings.autosubscribe?.want === flag;
  return bonds.map(({ entry, match }, index) => ({
    name: entry.name,
    match,
    autosubscribe: index > 0 || isSubscribed ? undefined : flag,
    options: byEntry.get(entry) ?? [],
  }));
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

/** The entry whose declaration of an option counts. */
function holderOf(
  settings: OptionSettings | undefined,
  entries: readonly Entry[],
): Entry | undefined {
  const place = (settings?.value ?? settings?.permission)?.place;
  return entries.find((entry) =>
    settersOf(entry).some((setter) => setter.place === place),
  );
}

/** An option, and what is asked of it. */
interface OptionContext {
  /** The name of its entry. */
  readonly entry: string;
  readonly option: LiveOption;
  readonly settings: OptionSettings | undefined;
  /** Whether its value is as it should be. */
  readonly isSame: boolean;
}

/** Writes the fields in which an option differs; undefined if none does. */
function differingOption(
  context: OptionContext,
  secrets: SecretWriting,
): WrittenOption | undefined {
  const { entry, option, settings } = context;
  const { key } = option;
  const isKept = keepsValue(context, secrets);
  // A value that is kept must not use up the name of a variable.
  const referTo: Referrer = isKept
    ? () => ({ reference: '' })
    : secrets.referrerOf(entry, key);
  const mark = settings?.secrecy.mark;
  const whole = writtenOption({ option, referTo, mark });
  const value = isKept ? undefined : ownValue(context, whole);
  const permission = ownPermission(whole, settings);
  if (value === undefined && permission === undefined) return undefined;
  const notes = [...(value?.notes ?? []), ...(permission?.notes ?? [])];
  return { key, ...value, ...permission, notes };
}

/** The value that an overlay declares, or a null; undefined for neither. */
function ownValue(
  { option, settings }: OptionContext,
  { value, reference, notes, unset }: WrittenOption,
): OptionPart | undefined {
  const isHeld = value !== undefined || reference !== undefined;
  if (settings?.value === undefined)
    return isHeld ? { value, reference } : undefined;
  if (option.permission === 'user-provides')
    return { value: null, remark: "each user's own here" };
  if (isHeld) return { value, reference };
  if (option.value.kind === 'hidden') return undefined;
  const note = notes.find(({ field }) => field === 'value');
  // Without a reference to what is here, that of others must not count.
  if (note !== undefined) return { value: null, notes: [note] };
  return { value: null, remark: NOT_SET_HERE, unset };
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
  { option, settings, isSame }: OptionContext,
  { mayHold }: SecretWriting,
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
  const variable = wholeVariable(reference);
  return variable === undefined || mayHold(variable, held);
}
