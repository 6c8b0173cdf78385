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
  isMask,
  isSecret,
  shownReference,
} from '../model/secrecy.ts';
import { hide } from '../model/secret.ts';
import {
  contentOf,
  flagSide,
  isSameSide,
  type LiveSide,
  type Side,
  secretSide,
} from '../model/side.ts';
import { addressOf, fieldKey, type Subject } from '../model/subject.ts';
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
  /** The reference of a value, as far as it may be shown. */
  readonly reference?: string | undefined;
}

/** `hidden`: the server does not show it. `unread`: a reference was not read. */
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
function liveOption(
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
  /** All that is known of its secrecy, except for its values. */
  readonly clues: Clues;
  /** Whether it is an option of secrets, whatever its value is. */
  readonly isOfSecrets: boolean;
  /** Whether it is one, or holds one. */
  readonly holdsSecret: boolean;
}

function contextOf(
  integration: string,
  option: LiveOption,
  { secrecy }: OptionSettings,
): Context {
  const { key, type } = option;
  const { mark, isSecretByValue } = secrecy;
  const clues = { key, type, mark, isSecretByValue };
  const isOfSecrets = isSecret(clues);
  const holdsSecret = isOfSecrets || isSecretHeld(option.value, mark);
  return { integration, option, clues, isOfSecrets, holdsSecret };
}

/** Whether a live value is a secret; a snapshot leaves secrets out. */
function isSecretHeld(live: LiveSide, mark: boolean | undefined): boolean {
  if (live.kind === 'hidden')
    return live.reason === 'snapshot' && mark !== false;
  const held = contentOf(live);
  return held !== undefined && isSecret({ mark, values: [held] });
}

function comparePermission(
  setting: PermissionSetting,
  context: Context,
): Comparison {
  const { integration, option, holdsSecret } = context;
  return {
    subject: { kind: 'permission', integration, option: option.key },
    setting,
    before: flagSide(option.permission),
    after: flagSide(setting.want),
    state: flagState(option.permission, setting.want),
    isSecret: holdsSecret,
  };
}

function compareSubscription(
  setting: SubscriptionSetting,
  integration: string,
  live: LiveIntegration,
): Comparison {
  const { autosubscribe } = live;
  return {
    subject: { kind: 'autosubscribe', integration },
    setting,
    before: flagSide(autosubscribe),
    after: flagSide(setting.want),
    state: flagState(autosubscribe, setting.want),
    isSecret: false,
  };
}

function flagState(
  held: LiveOption['permission'] | boolean | undefined,
  wanted: string | boolean,
): ComparisonState {
  if (held === undefined || held === 'unknown') return 'hidden';
  return held === wanted ? 'same' : 'differs';
}

function compareValue(
  setting: ValueSetting,
  context: Context,
): Comparison | Diagnostic {
  const { integration, option, clues } = context;
  const subject: Subject = { kind: 'value', integration, option: option.key };
  const wanted = conform(setting, option);
  const problem = problemOf(wanted, subject, setting, context);
  if (problem !== undefined) return problem;
  if ('misfit' in wanted) return misfitFinding(wanted, subject, setting, clues);

  const { value } = wanted;
  const live = unmasked(context);
  const isSecretValue = isSecretWith(value, context);
  const state = valueState(live, value, setting, option.type);
  // Of what the server hides, nobody knows whether it is a secret.
  const isShown = !isSecretValue && state !== 'hidden' && state !== 'unread';
  return {
    subject,
    setting,
    before: liveSide(live, isShown),
    after: wantedSide(value, setting, isShown),
    state,
    isSecret: isSecretValue,
    reference: referenceShown(setting, clues),
  };
}

/** Whether an option holds a secret, or would if a value were written. */
function isSecretWith(value: OptionValue, context: Context): boolean {
  const { option, clues, holdsSecret } = context;
  if (holdsSecret || value === contentOf(option.value)) return holdsSecret;
  return isSecret({ mark: clues.mark, values: [value] });
}

/** How a value stands to what is live. */
function valueState(
  live: LiveSide,
  value: OptionValue,
  { want }: ValueSetting,
  type: string | undefined,
): ComparisonState {
  // Whatever a reference holds, it is more than nothing.
  if (want.kind === 'unread') {
    return live.kind === 'unset' ? 'differs' : 'unread';
  }
  if (live.kind === 'hidden') return 'hidden';
  const isSame = isSameSide(live, { kind: 'shown', value }, type);
  return isSame ? 'same' : 'differs';
}

function wantedSide(
  value: OptionValue,
  { want }: ValueSetting,
  isShown: boolean,
): Side {
  if (want.kind === 'unread') return { kind: 'unread', written: value };
  if (isShown) return { kind: 'shown', value };
  return { kind: 'secret', value: hide(value) };
}

/** What is live, as far as it may be shown. */
function liveSide(live: LiveSide, isShown: boolean): Side {
  const value = contentOf(live);
  if (value === undefined) return live;
  return isShown ? { kind: 'shown', value } : secretSide(value);
}

function referenceShown(
  { reference }: ValueSetting,
  clues: Clues,
): string | undefined {
  return reference === undefined ? undefined : shownReference(reference, clues);
}

/** What is live; a secret whose type is not served may still be masked: then nothing is known of its value. */
function unmasked({ option, isOfSecrets }: Context): LiveSide {
  const { value: live } = option;
  const text = contentOf(live);
  if (typeof text !== 'string' || !isOfSecrets) return live;
  return isMask(text) ? { kind: 'hidden', reason: 'masked' } : live;
}

/** Why a value must not be written, though it may fit its option. */
function problemOf(
  wanted: { readonly value: OptionValue } | Misfit,
  subject: Subject,
  setting: ValueSetting,
  { clues, isOfSecrets }: Context,
): Diagnostic | undefined {
  if (!isOfSecrets) return undefined;
  const { place, hasFallback, want } = setting;
  const { type, mark } = clues;
  if (hasFallback && isSecret({ type, mark: mark === true })) {
    const facts = { address: addressOf(subject), isCertain: true };
    return diagnostic('secret-fallback', facts, place);
  }
  if ('misfit' in wanted || isEmpty(wanted.value)) return undefined;
  if (isBareMask(wanted.value)) {
    return diagnostic('wrong-value', { address: addressOf(subject) }, place);
  }
  if (want.kind !== 'literal' || !isSecret({ type })) return undefined;
  return diagnostic('plain-secret', { address: addressOf(subject) }, place);
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
  const address = addressOf(subject);
  const showsText = mayShow(setting, clues) || undefined;
  const facts = { address, ...present({ type, choices, showsText }) };
  return diagnostic('wrong-value', facts, place);
}

/** Whether excerpts may show what is written: a literal in an option of a known type, and no secret. */
function mayShow({ want, reference }: ValueSetting, clues: Clues): boolean {
  if (clues.type === undefined || reference !== undefined) return false;
  if (want.kind !== 'literal') return false;
  return !isSecret({ ...clues, values: [want.value] });
}
