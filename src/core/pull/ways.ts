import { isSuspectText } from '../config/rules/secret-rules.ts';
import type { WrittenValue } from '../model/desired.ts';
import type { LiveIntegration, LiveOption, UnreadableReason } from '../model/live.ts';
import { isPermission, type Permission } from '../model/permission.ts';
import { present } from '../model/present.ts';
import { isSecret, isSecretOption } from '../model/secrecy.ts';
import { hide, reveal, type Secret } from '../model/secret.ts';
import {
  canonicalText,
  isChoiceList,
  isEmpty,
  type OptionValue,
  sameContent,
  textsOf,
} from '../model/value.ts';
import { writtenForm } from '../plan/written-form.ts';

/** One way to write the value of an option; a reference without a text is to a secret that cannot be read. */
export type Way =
  | { readonly kind: 'value'; readonly value: WrittenValue }
  | { readonly kind: 'reference'; readonly text?: Secret<string> }
  /** Not at all, and why; without a reason there is nothing to write. `isOffered` where a person may want the reference. */
  | { readonly kind: 'none'; readonly reason?: string; readonly isOffered?: true };

/** How an option can be written: the ways of its value, best first, and its permission. */
export interface WritableOption {
  readonly option: LiveOption;
  readonly ways: readonly [Way, ...Way[]];
  readonly permission?: Permission;
  /** Why its permission is not written. */
  readonly unsaid?: string;
}

/** What decides how options are written. */
export interface Manner {
  /** Whether a text shows a secret of the run. */
  readonly isShowing: (text: string) => boolean;
  /** The options of the integration's own file, with their defaults. */
  readonly defaults?: LiveIntegration['options'] | undefined;
}

const NOTHING: Way = { kind: 'none' };

/** A password that reads as empty, on a server that may hide all of them. */
const READS_EMPTY: Way = {
  kind: 'none',
  reason: 'reads as empty (not set, or not shown)',
  isOffered: true,
};
const UNFIT: Way = { kind: 'none', reason: 'the option does not take what it holds' };
const TOO_LARGE: Way = { kind: 'none', reason: 'too large for a number in YAML' };
const UNKNOWN_FORM: Way = { kind: 'none', reason: 'held in a form that YAML cannot have' };

/** The most characters of a text that a variable can hold on all systems. */
const LONGEST_TEXT = 30_000;

/** How an option can be written, but for what is at its default. */
export function writable(option: LiveOption, manner: Manner): WritableOption {
  const { key, permission } = option;
  const usual = manner.defaults?.get(key);
  const ways = permission === 'user-provides' ? [NOTHING] : waysOf(option, usual, manner);
  const [first = NOTHING, ...rest] = ways;
  const said = isPermission(permission) && usual?.permission !== permission ? permission : undefined;
  const unsaid = permission === 'invalid' ? 'flags contradict each other' : undefined;
  return { option, ways: [first, ...rest], ...present({ permission: said, unsaid }) };
}

/** Whether a permission shows all users what is or may be a secret. */
export function isExposed({ option: { key, type }, permission }: WritableOption, way: Way): boolean {
  return permission === 'lock-and-show' && (way.kind === 'reference' || isSecretOption(key, type));
}

function waysOf(option: LiveOption, usual: LiveOption | undefined, manner: Manner): readonly Way[] {
  const { type, value: live } = option;
  if (live.kind === 'empty') return [NOTHING];
  if (live.kind === 'unreadable') return [unreadable(option, live.reason)];
  const value = reveal(live.value);
  if (usual !== undefined && sameContent(value, usual.initial ?? null, type)) return [NOTHING];
  if (isSecretValue(option, value, manner)) return isEmpty(value) ? [NOTHING] : secretWays(value);
  const written = writtenForm(value, option);
  if (written === undefined) return [type === 'number' && typeof value === 'number' ? TOO_LARGE : UNFIT];
  return [{ kind: 'value', value: written }, ...withDisplays(value), ...referenceTo(value)];
}

function unreadable({ key, type }: LiveOption, reason: UnreadableReason): Way {
  if (reason === 'empty') return READS_EMPTY;
  if (isSecretOption(key, type)) return { kind: 'reference' };
  return reason === 'form' ? UNKNOWN_FORM : NOTHING;
}

/** A secret is written as a reference alone. */
function secretWays(value: OptionValue): readonly Way[] {
  const ways = referenceTo(value);
  return ways.length > 0 ? ways : [{ kind: 'none', reason: 'no variable can hold this secret' }];
}

/** A choice with its display is never taken for a secret: it is one of a public list. */
function withDisplays(value: OptionValue): readonly Way[] {
  return typeof value === 'object' ? [{ kind: 'value', value }] : [];
}

function referenceTo(value: OptionValue): readonly Way[] {
  const text = isChoiceList(value) ? '' : canonicalText(value);
  const isHeld = text !== '' && text.length <= LONGEST_TEXT && !/[\0\p{Surrogate}]/u.test(text);
  return isHeld ? [{ kind: 'reference', text: hide(text) }] : [];
}

function isSecretValue(option: LiveOption, value: OptionValue, { isShowing }: Manner): boolean {
  const { key, type } = option;
  if (isSecret({ key, type, values: [value] }) || isLikelySecret(option, value)) return true;
  return typeof value !== 'boolean' && textsOf(value).some(isShowing);
}

/** Whether the rules of a configuration take a value for a likely secret. */
function isLikelySecret({ key }: LiveOption, value: OptionValue): boolean {
  return typeof value !== 'object' && typeof value !== 'boolean' && isSuspectText(key, String(value));
}

/** The texts of values that nothing but their looks tells as secrets. */
export function likelySecrets(live: readonly LiveIntegration[]): readonly string[] {
  return live.flatMap(({ options }) =>
    [...options.values()].flatMap((option) => {
      const value = option.value.kind === 'readable' ? reveal(option.value.value) : undefined;
      return value !== undefined && isLikelySecret(option, value) ? [String(value)] : [];
    }),
  );
}
