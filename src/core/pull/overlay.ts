import { setterIn } from '../config/declaration.ts';
import { aboutOption, asksAnything, type Entry } from '../config/entry.ts';
import type { DesiredIntegration, OptionSettings } from '../model/desired.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { fieldKey } from '../model/subject.ts';
import {
  byField,
  type Comparison,
  compareIntegration,
} from '../plan/compare.ts';
import {
  CONTRADICTION,
  leftOut,
  type Note,
  type Referrer,
  type WrittenEntry,
  type WrittenOption,
  writtenOption,
} from './entry.ts';
import type { Pair } from './pair.ts';
import { heldText, wholeVariable } from './variables.ts';

/** Why an overlay takes back a value. */
export const NOT_SET_HERE = 'not set here';

/** An integration that entries of earlier layers mean. */
export interface SharedIntegration {
  readonly integration: LiveIntegration;
  /** What these entries ask of it. */
  readonly desired: DesiredIntegration;
  /** These entries, ordered by name. */
  readonly pairs: readonly Pair[];
}

/** What decides how the secrets of an overlay are written. */
export interface OverlaySecrets {
  /** Finds a new reference for the secret of an option. */
  readonly referrerOf: (entry: string, option: string) => Referrer;
  /** Whether a variable can hold a text: it holds no other one yet. */
  readonly mayHold: (variable: string, text: string) => boolean;
}

/**
 * Writes in what an integration differs from the entries that mean it: an
 * entry for each of these, which may be empty.
 */
export function overlayOf(
  shared: SharedIntegration,
  secrets: OverlaySecrets,
): WrittenEntry[] {
  const { integration, desired, pairs } = shared;
  const byEntry = new Map<Entry, WrittenOption[]>();
  for (const { entry } of pairs)
    byEntry.set(entry, absentOptions(entry, integration));
  const entries = [...byEntry.keys()];
  const compared = compareIntegration(desired, integration);
  const comparisons = byField(compared.comparisons);
  for (const option of integration.options.values()) {
    const settings = desired.settings.options.get(option.key);
    const entry = holderOf(option.key, settings, entries);
    if (entry === undefined) continue;
    const context = { entry: entry.name, option, settings, comparisons };
    const differing = differingOption(context, secrets);
    if (differing !== undefined) byEntry.get(entry)?.push(differing);
  }
  const written: WrittenEntry[] = [];
  for (const { entry, match } of pairs) {
    const options = byEntry.get(entry) ?? [];
    const flag = entry === entries[0] ? ownFlag(shared) : undefined;
    const { name } = entry;
    written.push({
      name,
      match,
      autosubscribe: flag,
      options,
      isOverlay: true,
    });
  }
  return written;
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

/** The subscription of an integration if it is not as desired. */
function ownFlag({
  desired,
  integration,
}: SharedIntegration): boolean | undefined {
  const { autosubscribe } = integration;
  const wanted = desired.settings.autosubscribe?.want;
  return wanted === autosubscribe ? undefined : autosubscribe;
}

/** The entry whose declaration of an option counts, or else the first. */
function holderOf(
  option: string,
  settings: OptionSettings | undefined,
  entries: readonly Entry[],
): Entry | undefined {
  const place = settings?.value?.place ?? settings?.permission?.place;
  for (const entry of entries) {
    const about = aboutOption(entry, option);
    const value = setterIn(about, 'value');
    const permission = setterIn(about, 'permission');
    const places = [value?.place, permission?.place];
    if (place !== undefined && places.includes(place)) return entry;
  }
  return entries[0];
}

/** An option, what is asked of it, and how it compares. */
interface OptionContext {
  /** The name of its entry. */
  readonly entry: string;
  readonly option: LiveOption;
  readonly settings: OptionSettings | undefined;
  readonly comparisons: ReadonlyMap<string, Comparison>;
}

/** What an overlay does with a field. */
type Fate =
  /** It leaves what earlier layers say. */
  | { readonly kind: 'kept' }
  /** It declares what is live. */
  | { readonly kind: 'own' }
  /** It takes back what earlier layers say. */
  | { readonly kind: 'null'; readonly remark?: string; readonly note?: Note };

const KEPT: Fate = { kind: 'kept' };
const OWN: Fate = { kind: 'own' };
const NOT_SET: Fate = { kind: 'null', remark: NOT_SET_HERE };
const OF_USERS: Fate = { kind: 'null', remark: "each user's own here" };

/** Writes the fields in which an option differs; undefined if none does. */
function differingOption(
  context: OptionContext,
  secrets: OverlaySecrets,
): WrittenOption | undefined {
  const { entry, option, settings } = context;
  const { key } = option;
  const mark = settings?.secrecy.mark;
  const write = (referTo: Referrer): WrittenOption =>
    writtenOption({ option, referTo, mark });
  // A first look must not use up the name of a variable.
  const draft = write(() => ({ kind: 'env', name: '' }));
  const value = valueFate(context, draft, secrets);
  const permission = permissionFate(draft, settings);
  if (value.kind === 'kept' && permission.kind === 'kept') return undefined;
  const isOwn = value.kind === 'own';
  const whole = isOwn ? write(secrets.referrerOf(entry, key)) : draft;
  return {
    key,
    ...valuePart(value, whole, settings),
    permission: permissionPart(permission, whole),
    remark: value.kind === 'null' ? value.remark : undefined,
    notes: notesOf(value, permission, whole),
  };
}

/** The value that an overlay declares, or a null in its place. */
function valuePart(
  { kind }: Fate,
  whole: WrittenOption,
  settings: OptionSettings | undefined,
): Pick<WrittenOption, 'value' | 'reference'> {
  if (kind === 'kept') return {};
  if (kind === 'own' && holdsValue(whole)) {
    const { value, reference } = whole;
    return { value, reference };
  }
  // Without a reference to what is here, that of others must not count.
  return settings?.value === undefined ? {} : { value: null };
}

function permissionPart(
  { kind }: Fate,
  { permission }: WrittenOption,
): WrittenOption['permission'] {
  if (kind === 'kept') return undefined;
  return kind === 'null' ? null : permission;
}

/** Why fields are not declared, as comments. */
function notesOf(
  value: Fate,
  permission: Fate,
  whole: WrittenOption,
): readonly Note[] {
  const notes: Note[] = [];
  if (value.kind === 'own' && !holdsValue(whole)) notes.push(...whole.notes);
  for (const fate of [value, permission]) {
    if (fate.kind === 'null' && fate.note !== undefined) notes.push(fate.note);
  }
  return notes;
}

function holdsValue({ value, reference }: WrittenOption): boolean {
  return value !== undefined || reference !== undefined;
}

function permissionFate(
  { permission, notes }: WrittenOption,
  settings: OptionSettings | undefined,
): Fate {
  const wanted = settings?.permission?.want;
  if (permission !== undefined) return permission === wanted ? KEPT : OWN;
  const isInvalid = notes.some(({ field }) => field === 'permission');
  if (wanted === undefined || !isInvalid) return KEPT;
  return { kind: 'null', note: leftOut('permission', CONTRADICTION) };
}

function valueFate(
  context: OptionContext,
  draft: WrittenOption,
  secrets: OverlaySecrets,
): Fate {
  const { option, settings, comparisons } = context;
  const setting = settings?.value;
  if (setting === undefined) return holdsValue(draft) ? OWN : KEPT;
  if (option.permission === 'user-provides') return OF_USERS;
  const { want, reference = '' } = setting;
  if (want.kind === 'unread') return unreadFate(option, reference, secrets);
  if (option.value.kind === 'hidden')
    return draft.reference === undefined ? KEPT : OWN;
  const subject = {
    kind: 'value',
    integration: '',
    option: option.key,
  } as const;
  if (comparisons.get(fieldKey(subject))?.state === 'same') return KEPT;
  if (holdsValue(draft)) return OWN;
  const note = draft.notes.find(({ field }) => field === 'value');
  return note?.isLeftOut ? { kind: 'null', note } : NOT_SET;
}

/** The fate of a value whose reference was not read. */
function unreadFate(
  { value }: LiveOption,
  reference: string,
  { mayHold }: OverlaySecrets,
): Fate {
  // A file is the same for all servers.
  const isFile = reference.includes('${file:');
  if (value.kind === 'hidden') return isFile ? OWN : KEPT;
  const held = heldText(value);
  if (held === undefined) return NOT_SET;
  if (isFile) return OWN;
  const variable = wholeVariable(reference);
  if (variable === undefined) return KEPT;
  return mayHold(variable, held) ? KEPT : OWN;
}
