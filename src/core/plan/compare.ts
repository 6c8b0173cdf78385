import { aboutField } from '../findings/about.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type {
  OptionSettings,
  PermissionSetting,
  Setting,
  Settings,
  SubscriptionSetting,
  ValueSetting,
} from '../model/desired.ts';
import { present } from '../model/json.ts';
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
} from '../model/side.ts';
import { fieldKey, type Subject } from '../model/subject.ts';
import { isEmpty, type OptionValue } from '../model/value.ts';
import { conform, type Misfit } from './conform.ts';
import { unknownOption } from './unknown-option.ts';

/** One field: what is, and what should be. Nothing is decided. */
export interface Comparison {
  readonly subject: Subject;
  readonly setting: Setting;
  readonly before: Side;
  readonly after: Side;
  readonly state: ComparisonState;
  /** Whether the option holds a secret; its permission knows that too. */
  readonly isSecret: boolean;
  /** The type of the option, as the server names it. */
  readonly type?: string | undefined;
  /** The reference of a value, as far as it may be shown. */
  readonly reference?: string | undefined;
}

/** `hidden`: the server does not show it. `unread`: a reference is not set. */
export type ComparisonState = 'same' | 'differs' | 'hidden' | 'unread';

/** What the comparison of an integration leads to. */
export interface Compared {
  /** Ordered by option, a permission before its value; autosubscribe last. */
  readonly comparisons: readonly Comparison[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What is asked of an integration, under the name that addresses begin with. */
export interface Asked {
  readonly name: string;
  readonly settings: Settings;
}

/**
 * Compares all that is asked of an integration with what it holds. Finds
 * values that cannot be written and options that are missing; defaults skip
 * those. `mistyped` has the findings for keys that no integration has.
 */
export function compareIntegration(
  { name: integration, settings }: Asked,
  live: LiveIntegration,
  mistyped?: ReadonlyMap<Place, Diagnostic>,
): Compared {
  const comparisons: Comparison[] = [];
  const diagnostics: Diagnostic[] = [];
  const addValue = (setting: ValueSetting, context: Context) => {
    const result = compareValue(setting, context);
    if ('code' in result) diagnostics.push(result);
    else comparisons.push(result);
  };
  for (const option of settings.options.values()) {
    if (!asksAnything(option)) continue;
    const held = liveOption(option.option, live);
    if (held === undefined) {
      const missing = missingOption(option, integration, live, mistyped);
      if (missing !== undefined) diagnostics.push(missing);
      continue;
    }
    const context = contextOf(integration, held, option);
    const { permission, value } = option;
    if (permission !== undefined) {
      comparisons.push(comparePermission(permission, context));
    }
    if (value !== undefined) addValue(value, context);
  }
  const { autosubscribe } = settings;
  if (autosubscribe !== undefined) {
    comparisons.push(compareSubscription(autosubscribe, integration, live));
  }
  return { comparisons, diagnostics };
}

/** The finding for an option that the integration does not have: its key is mistyped, unless defaults ask for what others have. */
function missingOption(
  { option: key, keyPlace, isDefault }: OptionSettings,
  integration: string,
  live: LiveIntegration,
  mistyped: ReadonlyMap<Place, Diagnostic> | undefined,
): Diagnostic | undefined {
  if (isDefault) return mistyped?.get(keyPlace);
  return unknownOption({ key, integration }, keyPlace, [...live.optionKeys]);
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

/** False for an option that is only marked. */
function asksAnything({ permission, value }: OptionSettings): boolean {
  return permission !== undefined || value !== undefined;
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

/** What the settings of an option meet. */
interface Context {
  readonly integration: string;
  readonly option: LiveOption;
  readonly secrecy: OptionSecrecy;
}

function contextOf(
  integration: string,
  option: LiveOption,
  settings: OptionSettings,
): Context {
  const { key, type } = option;
  const { mark, isSecretByValue } = settings.secrecy;
  const secrecy = secrecyOf({ key, type, mark, isSecretByValue });
  return { integration, option, secrecy };
}

/** What is known of the secrecy of an option, whatever it holds. */
export interface OptionSecrecy {
  readonly clues: Clues;
  /** Whether it is an option of secrets, so that all its values are some. */
  readonly isOfSecrets: boolean;
}

/** Asks once for an option whether all its values are secrets. */
export function secrecyOf(clues: Clues): OptionSecrecy {
  return { clues, isOfSecrets: isSecret(clues) };
}

function comparePermission(
  setting: PermissionSetting,
  context: Context,
): Comparison {
  const { integration, option, secrecy } = context;
  return compareFlags({
    subject: { kind: 'permission', integration, option: option.key },
    setting,
    before: flagSide(option.permission),
    after: flagSide(setting.want),
    isSecret: holdsSecret(secrecy, option.value),
    type: option.type,
  });
}

function compareSubscription(
  setting: SubscriptionSetting,
  integration: string,
  live: LiveIntegration,
): Comparison {
  return compareFlags({
    subject: { kind: 'autosubscribe', integration },
    setting,
    before: flagSide(live.autosubscribe),
    after: flagSide(setting.want),
    isSecret: false,
  });
}

/** The two sides of a permission or a subscription. */
export interface FlagSides {
  readonly subject: Subject;
  readonly setting: PermissionSetting | SubscriptionSetting;
  readonly before: Side;
  readonly after: Side;
  /** Whether the option holds a secret. */
  readonly isSecret: boolean;
  /** The type of the option, as the server names it. */
  readonly type?: string | undefined;
}

/** Compares two sides of a permission or a subscription. */
export function compareFlags(sides: FlagSides): Comparison {
  const { before, after } = sides;
  return { ...sides, state: stateOf(before, after) };
}

function compareValue(
  setting: ValueSetting,
  context: Context,
): Comparison | Diagnostic {
  const { integration, option, secrecy } = context;
  const subject: Subject = { kind: 'value', integration, option: option.key };
  const wanted = conform(setting, option);
  const problem = secretProblem(wanted, subject, setting, secrecy);
  if (problem !== undefined) return problem;
  if ('misfit' in wanted) {
    return misfitFinding(wanted, subject, setting, secrecy.clues);
  }
  const before = unmasked(option.value, secrecy);
  const after = wantedSide(wanted.value, setting);
  return compareValues({ subject, setting, before, after, secrecy });
}

/** The two sides of a value, and what is known of its secrecy. */
export interface ValueSides {
  readonly subject: Subject;
  readonly setting: ValueSetting;
  readonly before: Side;
  readonly after: Side;
  readonly secrecy: OptionSecrecy;
}

/** Compares two sides of a value, and hides what they hold of a secret. */
export function compareValues(sides: ValueSides): Comparison {
  const { subject, setting, before, after, secrecy } = sides;
  const { clues } = secrecy;
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
    reference: referenceShown(setting, clues),
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

/** What is wanted of an option. */
function wantedSide(value: OptionValue, { want }: ValueSetting): Side {
  if (want.kind === 'unread') return { kind: 'unread', written: value };
  return shownSide(value);
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

function referenceShown(
  { reference }: ValueSetting,
  clues: Clues,
): string | undefined {
  return reference === undefined ? undefined : shownReference(reference, clues);
}

/** What is live; a secret whose type is not served may still be masked: then nothing is known of its value. */
export function unmasked(
  live: LiveSide,
  { isOfSecrets }: OptionSecrecy,
): LiveSide {
  const text = contentOf(live);
  if (typeof text !== 'string' || !isOfSecrets) return live;
  return isMask(text) ? { kind: 'hidden', reason: 'masked' } : live;
}

/** Whether an option holds a secret on one of two sides; a snapshot leaves secrets out. */
function holdsSecret(
  { clues, isOfSecrets }: OptionSecrecy,
  before: Side,
  after?: Side,
): boolean {
  if (isOfSecrets) return true;
  const { mark } = clues;
  const isLeftOut = before.kind === 'hidden' && before.reason === 'snapshot';
  if (isLeftOut && mark !== false) return true;
  const old = contentOf(before);
  if (old !== undefined && isSecret({ mark, values: [old] })) return true;
  const now = after && writtenIn(after);
  if (now === undefined || now === old) return false;
  return isSecret({ mark, values: [now] });
}

/** What a side holds, or its text if a reference in it is not set. */
function writtenIn(side: Side): OptionValue | undefined {
  return side.kind === 'unread' ? side.written : contentOf(side);
}

/** Finds a secret that is not to be written as the YAML has it, in an option of secrets. */
function secretProblem(
  wanted: { readonly value: OptionValue } | Misfit,
  subject: Subject,
  setting: ValueSetting,
  { clues, isOfSecrets }: OptionSecrecy,
): Diagnostic | undefined {
  if (!isOfSecrets) return undefined;
  const { place, hasFallback, want } = setting;
  // A secret in git matters more than whether it fits.
  const facts = { ...aboutField(subject), isCertain: true };
  if (hasFallback && isCertainSecret(clues)) {
    return diagnostic('secret-fallback', facts, place);
  }
  if ('misfit' in wanted || isEmpty(wanted.value)) return undefined;
  if (isBareMask(wanted.value)) {
    return diagnostic('wrong-value', aboutField(subject), place);
  }
  if (want.kind !== 'literal' || !isSecretType(clues.type)) return undefined;
  return diagnostic('plain-secret', facts, place);
}

/** Whether a value is what servers show in place of a secret. A password may have stars inside. */
function isBareMask(value: OptionValue): boolean {
  if (typeof value !== 'string' || !isMask(value)) return false;
  return !/^[\p{L}\p{N}]|[\p{L}\p{N}]$/u.test(value.trim());
}

function misfitFinding(
  misfit: Misfit,
  subject: Subject,
  setting: ValueSetting,
  clues: Clues,
): Diagnostic {
  const { type, choices, place } = misfit;
  const showsText = mayShow(setting, clues) || undefined;
  const written = showsText ? misfit.written : undefined;
  const parts = present({ type, choices, written, showsText });
  const facts = { ...aboutField(subject), ...parts };
  return diagnostic('wrong-value', facts, place);
}

/** Whether excerpts may show what is written: a literal in an option of a known type, and no secret. */
function mayShow({ want, reference }: ValueSetting, clues: Clues): boolean {
  if (clues.type === undefined || reference !== undefined) return false;
  if (want.kind !== 'literal') return false;
  return !isSecret({ ...clues, values: [want.value] });
}
