import {
  type AboutFields,
  aboutField,
  aboutFields,
} from '../findings/about.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type {
  OptionSettings,
  Setting,
  Settings,
  ValueSetting,
} from '../model/desired.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import {
  type Clues,
  isCertainSecret,
  isMask,
  isSecret,
  isSecretType,
  shownReference,
} from '../model/secrecy.ts';
import { hide, reveal } from '../model/secret.ts';
import {
  contentOf,
  flagSide,
  isSameSide,
  type LiveSide,
  type Side,
  secretSide,
  shownSide,
  UNSET,
} from '../model/side.ts';
import { fieldKey, type Subject } from '../model/subject.ts';
import { isEmpty, type OptionValue } from '../model/value.ts';
import { conform, type Misfit } from './conform.ts';
import { unknownOption } from './unknown-option.ts';

/** Two sides of a field. */
interface FieldSides {
  subject: Subject;
  setting: Setting;
  before: Side;
  after: Side;
  /** Whether the option holds a secret; its permission knows that too. */
  isSecret: boolean;
  /** The type of the option, as the server names it. */
  type?: string | undefined;
}

/** One field: what is, and what should be. Nothing is decided. */
export interface Comparison extends FieldSides {
  state: ComparisonState;
  /** The reference of a value, as far as it may be shown. */
  reference?: string | undefined;
}

/** `hidden`: the server does not show it. `unread`: a reference is not set. */
export type ComparisonState = 'same' | 'differs' | 'hidden' | 'unread';

/** What the comparison of an integration leads to. */
export interface Compared {
  /** Ordered by option, a permission before its value; autosubscribe last. */
  comparisons: readonly Comparison[];
  diagnostics: readonly Diagnostic[];
}

/**
 * What is asked of an integration, under the name that addresses begin with.
 */
export interface Asked {
  name: string;
  settings: Settings;
}

/**
 * Compares all that is asked of an integration with what it holds. Finds
 * values that cannot be written and options that are missing; defaults skip
 * those.
 */
export function compareIntegration(
  { name: integration, settings }: Asked,
  live: LiveIntegration,
): Compared {
  const comparisons: Comparison[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const asked of settings.options.values()) {
    for (const result of compareOption(integration, asked, live)) {
      if ('code' in result) diagnostics.push(result);
      else comparisons.push(result);
    }
  }
  const { autosubscribe: setting } = settings;
  if (setting !== undefined) {
    const subject = { kind: 'autosubscribe', integration } as const;
    const before = flagSide(live.autosubscribe);
    const after = flagSide(setting.want);
    const flags = { subject, setting, before, after, isSecret: false };
    comparisons.push(compareFlags(flags));
  }
  return { comparisons, diagnostics };
}

function compareOption(
  integration: string,
  asked: OptionSettings,
  live: LiveIntegration,
): (Comparison | Diagnostic)[] {
  const { option, permission, value, keyPlace, isDefault } = asked;
  // It is only marked.
  if (permission === undefined && value === undefined) return [];
  const held = liveOption(option, live);
  if (held === undefined) {
    if (isDefault) return [];
    const missing = { key: option, integration };
    return [unknownOption(missing, keyPlace, live.optionKeys)];
  }
  const { type } = held;
  const secrecy = secrecyOf({ key: option, type, ...asked.secrecy });
  const results: (Comparison | Diagnostic)[] = [];
  if (permission !== undefined) {
    const flags = compareFlags({
      subject: { kind: 'permission', integration, option },
      setting: permission,
      before: flagSide(held.permission),
      after: flagSide(permission.want),
      isSecret: holdsSecret(secrecy, held.value),
      type,
    });
    results.push(flags);
  }
  if (value !== undefined) {
    const subject = { kind: 'value', integration, option } as const;
    results.push(compareValue({ subject, setting: value, held, secrecy }));
  }
  return results;
}

/** Finds comparisons of one integration by their fields. */
export function byField(
  comparisons: readonly Comparison[],
): ReadonlyMap<string, Comparison> {
  const found = new Map<string, Comparison>();
  for (const comparison of comparisons) {
    found.set(fieldKey(comparison.subject), comparison);
  }
  return found;
}

/** The facts of a finding about compared fields. */
export function aboutCompared(comparisons: readonly Comparison[]): AboutFields {
  return aboutFields(comparisons.map(({ subject }) => subject));
}

/** The places in the YAML that ask for compared fields. */
export function placesOf(comparisons: readonly Comparison[]): Place[] {
  return comparisons.map(({ setting }) => setting.place);
}

/** Of an option that the server only lists, nothing else is known. */
export function liveOption(
  key: string,
  { options, optionKeys }: LiveIntegration,
): LiveOption | undefined {
  const option = options.get(key);
  if (option !== undefined || !optionKeys.has(key)) return option;
  const value = { kind: 'hidden', reason: 'absent' } as const;
  return { key, value, permission: 'unknown', choices: [] };
}

/** What is known of the secrecy of an option, whatever it holds. */
export interface OptionSecrecy {
  clues: Clues;
  /** Whether it is an option of secrets, so that all its values are some. */
  isOfSecrets: boolean;
}

/** Asks once for an option whether all its values are secrets. */
export function secrecyOf(clues: Clues): OptionSecrecy {
  return { clues, isOfSecrets: isSecret(clues) };
}

/** Compares two sides of a permission or a subscription. */
export function compareFlags(sides: FieldSides): Comparison {
  const { subject, setting, before, after, type } = sides;
  const state = stateOf(before, after);
  // No spread: V8 is slow at these.
  return {
    subject,
    setting,
    before,
    after,
    state,
    isSecret: sides.isSecret,
    type,
  };
}

/** What is wanted of a value, and the option that it meets. */
interface AskedValue {
  subject: Subject;
  setting: ValueSetting;
  held: LiveOption;
  secrecy: OptionSecrecy;
}

function compareValue(asked: AskedValue): Comparison | Diagnostic {
  const { subject, setting, held, secrecy } = asked;
  const wanted = conform(setting, held);
  const problem = secretProblem(wanted, asked);
  if (problem !== undefined) return problem;
  if ('misfit' in wanted) return misfitFinding(wanted, asked);
  const { value } = wanted;
  const after: Side =
    setting.want.kind === 'unread'
      ? { kind: 'unread', written: value }
      : shownSide(value);
  const before = unmasked(held.value, secrecy);
  return compareValues({ subject, setting, before, after, secrecy });
}

/** The two sides of a value, and what is known of its secrecy. */
export interface ValueSides {
  subject: Subject;
  setting: ValueSetting;
  before: Side;
  after: Side;
  secrecy: OptionSecrecy;
}

/** Compares two sides of a value, and hides what they hold of a secret. */
export function compareValues(sides: ValueSides): Comparison {
  const { subject, setting, before, after, secrecy } = sides;
  const { clues } = secrecy;
  const { reference } = setting;
  const state = stateOf(before, after, clues.type);
  const isSecretValue = holdsSecret(secrecy, before, after);
  // Of what the server hides, nobody knows whether it is a secret.
  const isShown = !isSecretValue && state !== 'hidden' && state !== 'unread';
  return {
    subject,
    setting,
    before: isShown ? openSide(before) : hiddenBefore(before),
    after: isShown ? after : hiddenAfter(after),
    state,
    isSecret: isSecretValue,
    type: clues.type,
    reference: reference && shownReference(reference, clues),
  };
}

/** How two sides stand to each other. */
function stateOf(before: Side, after: Side, type?: string): ComparisonState {
  if (before.kind === 'hidden' || after.kind === 'hidden') return 'hidden';
  // Whatever a reference holds, it is more than nothing.
  if (after.kind === 'unread') {
    return before.kind === 'unset' ? 'differs' : 'unread';
  }
  return isSameSide(before, after, type) ? 'same' : 'differs';
}

/** Opens a side that was hidden before the YAML declared it no secret. */
function openSide(side: Side): Side {
  return side.kind === 'secret' ? shownSide(reveal(side.value)) : side;
}

/** Hides what was there; an empty secret is not set. */
function hiddenBefore(side: Side): Side {
  return side.kind === 'shown' ? secretSide(side.value) : side;
}

/** Hides what is wanted; an empty secret is wanted to be empty. */
function hiddenAfter(side: Side): Side {
  if (side.kind !== 'shown') return side;
  return { kind: 'secret', value: hide(side.value) };
}

/**
 * What is live; a secret whose type is not served may still be masked: then
 * nothing is known of its value.
 */
export function unmasked(
  live: LiveSide,
  { isOfSecrets }: OptionSecrecy,
): LiveSide {
  const text = contentOf(live);
  if (typeof text !== 'string' || !isOfSecrets) return live;
  return isMask(text) ? { kind: 'hidden', reason: 'masked' } : live;
}

/**
 * Whether an option holds a secret on one of two sides; a snapshot leaves
 * secrets out.
 */
function holdsSecret(
  { clues, isOfSecrets }: OptionSecrecy,
  before: Side,
  after: Side = UNSET,
): boolean {
  if (isOfSecrets) return true;
  const { mark } = clues;
  const isLeftOut = before.kind === 'hidden' && before.reason === 'snapshot';
  if (isLeftOut && mark !== false) return true;
  // Of a value with references, its declaration has decided.
  const old = contentOf(before) ?? '';
  const now = contentOf(after) ?? '';
  return isSecret({ mark, values: now === old ? [old] : [old, now] });
}

/**
 * Finds a secret that is not to be written as the YAML has it, in an option of
 * secrets.
 */
function secretProblem(
  wanted: { value: OptionValue } | Misfit,
  { subject, setting, secrecy }: AskedValue,
): Diagnostic | undefined {
  const { clues, isOfSecrets } = secrecy;
  if (!isOfSecrets) return undefined;
  const { place, hasFallback, want } = setting;
  const about = aboutField(subject);
  const plain = diagnostic(
    'plain-secret',
    { ...about, isCertain: true },
    place,
  );
  // A secret in git matters more than whether it fits.
  if (hasFallback && isCertainSecret(clues)) return plain;
  if ('misfit' in wanted || isEmpty(wanted.value)) return undefined;
  if (isBareMask(wanted.value)) return diagnostic('wrong-value', about, place);
  const isPlain = want.kind === 'literal' && isSecretType(clues.type);
  return isPlain ? plain : undefined;
}

/**
 * Whether a value is what servers show in place of a secret. A password may
 * have stars inside.
 */
function isBareMask(value: OptionValue): boolean {
  if (typeof value !== 'string' || !isMask(value)) return false;
  return !/^[\p{L}\p{N}]|[\p{L}\p{N}]$/u.test(value.trim());
}

/**
 * The finding for a misfit. Excerpts show what is written only if it is a
 * literal, not a secret, and the type of its option is known.
 */
function misfitFinding(
  { type, choices, place, written: text }: Misfit,
  { subject, setting, secrecy }: AskedValue,
): Diagnostic {
  const { clues, isOfSecrets } = secrecy;
  const isPlain = setting.reference === undefined && !isOfSecrets;
  const showsText = (isPlain && clues.type !== undefined) || undefined;
  const written = showsText && text;
  const about = aboutField(subject);
  const facts = { ...about, type, choices, written, showsText };
  return diagnostic('wrong-value', facts, place);
}

/** Both sides of a field as a document has them, without a secret. */
export interface ShownSides {
  /**
   * Null if nothing is set or shown; empty text for a secret that is not set.
   */
  before: OptionValue | null;
  /** Null for a secret. */
  after: OptionValue | null;
  secret?: true | undefined;
  hidden?: true | undefined;
  reference?: string | undefined;
  /** In a diff: that of the base. */
  beforeReference?: string | undefined;
  rotated?: string | undefined;
}

/** What a document shows of a comparison. */
export function sidesOf(comparison: Comparison): ShownSides {
  const { setting, before, after, reference } = comparison;
  const hidden = before.kind === 'hidden' || undefined;
  if (!isShownAsSecret(comparison)) {
    return {
      before: shownValue(before),
      after: shownValue(after),
      hidden,
      reference,
    };
  }
  return {
    before: before.kind === 'unset' ? '' : null,
    after: null,
    secret: true,
    hidden,
    rotated: setting.kind === 'value' ? setting.rotated : undefined,
    reference,
  };
}

/** Whether a field is shown as a secret: it is one, or nobody can tell. */
export function isShownAsSecret(comparison: Comparison): boolean {
  const { kind } = comparison.after;
  return kind === 'secret' || kind === 'unread';
}

/** What a document shows of a side: nothing of a secret. */
export function shownValue(side: Side): OptionValue | null {
  if (side.kind === 'unread' || side.kind === 'written') return side.written;
  return side.kind === 'shown' ? side.value : null;
}
