import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import {
  type DesiredField,
  type DesiredIntegration,
  type DesiredOption,
  type DesiredValue,
  isManaged,
} from '../model/desired.ts';
import type { LiveIntegration, LiveOption, UnreadableReason } from '../model/live.ts';
import type { Permission } from '../model/permission.ts';
import { present } from '../model/present.ts';
import { type Clues, isBareMask, isMask, isSecret } from '../model/secrecy.ts';
import { hide, type Secret } from '../model/secret.ts';
import { differsInForm, equalValues, isEmpty, type OptionValue } from '../model/value.ts';
import { type Conformed, conform } from './conform.ts';
import type { Fingerprint } from './fingerprint.ts';
import { isSkipped, unknownOption } from './known-option.ts';
import type { CannotTell, Change, SecretChange } from './plan.ts';
import { type RiskFacts, risksOf } from './risk.ts';

/** What is known of secrets, beside the types of options. */
export interface SecretKeeping {
  readonly fingerprint: Fingerprint;
  /** Whether a value holds a secret that was seen elsewhere in this run. */
  readonly isKnown: (value: OptionValue) => boolean;
  /** Takes secrets out of the texts that a plan repeats from the YAML: references with a fallback, comments. */
  readonly scrub: (text: string) => string;
  /** Whether to write a value that cannot be read, by its address. */
  readonly writesUnreadable: (address: string) => boolean;
}

/** A managed field that is as desired. */
export interface HeldField {
  readonly address: string;
  readonly value: OptionValue | Secret<OptionValue>;
}

/** The managed fields of one integration: those that differ, those that cannot be told, and those that are as desired. */
export interface IntegrationDiff {
  readonly changes: readonly Change[];
  readonly cannotTell: readonly CannotTell[];
  readonly held: readonly HeldField[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Compares each managed field of one integration with the live one; ordered by address. */
export function diffIntegration(
  desired: DesiredIntegration,
  live: LiveIntegration,
  secrets: SecretKeeping,
): IntegrationDiff {
  const options = [...desired.options].sort((a, b) => compareText(a.key, b.key));
  const found = [
    ...options.flatMap((option) => diffOption(desired, option, live, secrets)),
    ...diffAutosubscribe(desired, live),
  ];
  return {
    changes: found.flatMap((each) => ('change' in each ? [each.change] : [])),
    cannotTell: found.flatMap((each) => ('cannotTell' in each ? [each.cannotTell] : [])),
    held: found.flatMap((each) => ('held' in each ? [each.held] : [])),
    diagnostics: found.flatMap((each) => ('problem' in each ? [each.problem] : [])),
  };
}

type Found =
  | { readonly change: Change }
  | { readonly cannotTell: CannotTell }
  | { readonly held: HeldField }
  | { readonly problem: Diagnostic };

function diffOption(
  desired: DesiredIntegration,
  option: DesiredOption,
  live: LiveIntegration,
  secrets: SecretKeeping,
): Found[] {
  const address = `${desired.name}.options.${option.key}`;
  const told = live.options.get(option.key);
  if (told === undefined) return isSkipped(option, live) ? [] : missingOption(address, option, live);
  const { value, permission } = option;
  const isFromOutside = value?.isFromOutside ?? false;
  const clues = { key: option.key, type: told.type, mark: option.sensitive, isFromOutside };
  const liveOption = isSecret(clues) ? unmasked(told) : told;
  return [
    ...(permission === undefined
      ? []
      : diffPermission(`${address}.permission`, permission, liveOption, clues)),
    ...(value === undefined ? [] : diffValue(`${address}.value`, value, liveOption, clues, secrets)),
  ];
}

/** A secret whose type is not served may be masked all the same: then nothing is known of its value. */
function unmasked(option: LiveOption): LiveOption {
  const { value } = option;
  const isMasked = value.kind === 'readable' && typeof value.value === 'string' && isMask(value.value);
  return isMasked ? { ...option, value: { kind: 'unreadable', reason: 'masked' } } : option;
}

/** An option that is not among those read: known to be there, but not shown; or not there, perhaps mistyped. */
function missingOption(address: string, option: DesiredOption, live: LiveIntegration): Found[] {
  if (!live.optionKeys.includes(option.key)) return [{ problem: unknownOption(option, live) }];
  return isManaged(option) ? [{ cannotTell: { address, reason: 'absent', source: option.place } }] : [];
}

function diffValue(
  address: string,
  desired: DesiredValue,
  live: LiveOption,
  clues: Clues,
  secrets: SecretKeeping,
): Found[] {
  const conformed = writable(address, desired, live, clues);
  if (!conformed.ok) return [{ problem: conformed.problem }];
  const after = conformed.value;
  if (live.value.kind === 'unreadable')
    return diffUnreadable(address, desired, clues, live.value.reason, after, secrets);
  const before = live.value.kind === 'readable' ? live.value.value : undefined;
  if (before === undefined ? isEmpty(after) : equalValues(before, after)) {
    const held = { address, value: isSecret(clues) ? hide(after) : after };
    return [{ held }, ...formNote(address, desired, before, after)];
  }
  const values = before === undefined ? [after] : [after, before];
  if (isSecret({ ...clues, values }, secrets.isKnown)) {
    const beforeFingerprint = isEmpty(before) ? undefined : secrets.fingerprint(address, before);
    const side = { ...secretSide(address, after, secrets), ...present({ beforeFingerprint }) };
    return [{ change: { ...valueBase(address, desired, clues, after), ...side } }];
  }
  const sides = { sensitive: false, before: before ?? null, after } as const;
  return [{ change: { ...valueBase(address, desired, clues, after), ...sides } }];
}

/** The value in the option's form; what servers show in place of a secret is not written back as one. */
function writable(address: string, desired: DesiredValue, live: LiveOption, clues: Clues): Conformed {
  const conformed = conform(address, desired, live);
  const isMaskAlone =
    conformed.ok && typeof conformed.value === 'string' && isBareMask(conformed.value) && isSecret(clues);
  return isMaskAlone
    ? { ok: false, problem: diagnostic('mask-as-value', { address }, desired.place) }
    : conformed;
}

/** Nobody can say whether such a value differs. It is written only where that was asked for, and never shown. */
function diffUnreadable(
  address: string,
  desired: DesiredValue,
  clues: Clues,
  reason: UnreadableReason,
  after: OptionValue,
  secrets: SecretKeeping,
): Found[] {
  const { place: source, reference } = desired;
  if (!secrets.writesUnreadable(address))
    return [{ cannotTell: { address, reason, source, ...present({ reference }) } }];
  const side = { ...secretSide(address, after, secrets), unreadable: true } as const;
  return [{ change: { ...valueBase(address, desired, clues, after), ...side } }];
}

/** What both kinds of value changes have. */
function valueBase(address: string, desired: DesiredValue, { key, type, mark }: Clues, after: OptionValue) {
  const isPlainSecret = !desired.isFromOutside && !isEmpty(after) && isSecret({ key, type, mark });
  const base = changeOf(address, desired, { field: 'value', isPlainSecret });
  return { ...base, field: 'value', option: key, ...present({ reference: desired.reference }) } as const;
}

function secretSide(address: string, value: OptionValue, { fingerprint }: SecretKeeping) {
  const after = hide(value);
  return {
    sensitive: true,
    before: null,
    after,
    fingerprint: fingerprint(address, after),
  } as const satisfies Partial<SecretChange<Secret<OptionValue>>>;
}

function formNote(
  address: string,
  desired: DesiredValue,
  before: OptionValue | undefined,
  after: OptionValue,
): Found[] {
  if (before === undefined || !differsInForm(before, after)) return [];
  const facts = { address, live: typeof before, desired: typeof after };
  return [{ problem: diagnostic('equal-in-other-form', facts, desired.place) }];
}

function diffPermission(
  address: string,
  desired: DesiredField<Permission>,
  { key, permission: before }: LiveOption,
  clues: Clues,
): Found[] {
  const after = desired.value;
  if (before === after) return [{ held: { address, value: after } }];
  if (before === 'unknown') return [{ cannotTell: { address, reason: 'absent', source: desired.place } }];
  const facts = { field: 'permission', before, after } as const;
  const base = changeOf(address, desired, { ...facts, isSecret: isSecret(clues) });
  return [{ change: { ...base, ...facts, option: key, sensitive: false } }];
}

function diffAutosubscribe({ name, autosubscribe }: DesiredIntegration, live: LiveIntegration): Found[] {
  if (autosubscribe === undefined) return [];
  const address = `${name}.autosubscribe`;
  const { value: after, place: source } = autosubscribe;
  const before = live.autosubscribe;
  if (before === after) return [{ held: { address, value: after } }];
  if (before === undefined) return [{ cannotTell: { address, reason: 'absent', source } }];
  const facts = { field: 'autosubscribe', before, after } as const;
  return [{ change: { ...changeOf(address, autosubscribe, facts), ...facts, sensitive: false } }];
}

function changeOf(address: string, { comment, place }: DesiredField<unknown>, facts: RiskFacts) {
  const risks = risksOf(facts);
  return { address, label: 'change', risks, source: place, ...present({ comment }) } as const;
}
