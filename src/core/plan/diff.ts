import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import {
  type DesiredField,
  type DesiredIntegration,
  type DesiredOption,
  type DesiredValue,
  isManaged,
} from '../model/desired.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import type { Permission } from '../model/permission.ts';
import { isBareMask, isMask, isSecretOption } from '../model/secrecy.ts';
import { canonicalText, differsInForm, equalValues, type OptionValue } from '../model/value.ts';
import { type Conformed, conform } from './conform.ts';
import { isSkipped, unknownOption } from './known-option.ts';
import type { AutosubscribeChange, CannotTell, Change, PermissionChange, ValueChange } from './plan.ts';
import { autosubscribeRisks, permissionRisks, valueRisks } from './risk.ts';
import { type Fingerprint, withheldSide } from './withheld.ts';

/** What is known about secrets, beside the types of options. */
export interface SecretKeeping {
  readonly fingerprint: Fingerprint;
  /** Whether a value holds a secret that was seen elsewhere in this run. */
  readonly holdsSecret: (value: OptionValue) => boolean;
  /** Takes secrets out of the texts that a plan repeats from the YAML: references with a fallback, comments. */
  readonly scrub: (text: string) => string;
  /** Whether a value that cannot be read is to be written all the same, by its address. */
  readonly writesUnreadable: (address: string) => boolean;
}

/** What one integration's fields come to. */
export interface IntegrationDiff {
  readonly changes: readonly Change[];
  readonly cannotTell: readonly CannotTell[];
  readonly diagnostics: readonly Diagnostic[];
  /** The values of the sensitive changes, by address: they are kept out of the plan. */
  readonly withheld: ReadonlyMap<string, OptionValue>;
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
    diagnostics: found.flatMap((each) => ('problem' in each ? [each.problem] : [])),
    withheld: new Map(
      found.flatMap((each): [string, OptionValue][] =>
        'withheld' in each && each.withheld !== undefined ? [[each.change.address, each.withheld]] : [],
      ),
    ),
  };
}

type Found =
  | { readonly change: Change; readonly withheld?: OptionValue }
  | { readonly cannotTell: CannotTell }
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
  const sensitive =
    isSecretOption(option.key, told.type) || option.sensitive || (option.value?.sensitive ?? false);
  const liveOption = sensitive ? unmasked(told) : told;
  const { value, permission } = option;
  return [
    ...(permission === undefined
      ? []
      : diffPermission(`${address}.permission`, permission, liveOption, sensitive)),
    ...(value === undefined ? [] : diffValue(`${address}.value`, value, liveOption, sensitive, secrets)),
  ];
}

/** A secret whose type is not served may be masked all the same: then nothing is known of its value. */
function unmasked(option: LiveOption): LiveOption {
  const { value } = option;
  const isMasked = value.kind === 'readable' && typeof value.value === 'string' && isMask(value.value);
  return isMasked ? { ...option, value: { kind: 'unreadable', reason: 'masked' } } : option;
}

/** An option that is not among those read: known to be there, but not told; or not there, perhaps mistyped. */
function missingOption(address: string, option: DesiredOption, live: LiveIntegration): Found[] {
  if (!live.optionKeys.includes(option.key)) return [{ problem: unknownOption(option, live) }];
  return isManaged(option) ? [{ cannotTell: { address, reason: 'absent', source: option.place } }] : [];
}

function diffValue(
  address: string,
  desired: DesiredValue,
  live: LiveOption,
  marked: boolean,
  secrets: SecretKeeping,
): Found[] {
  const { fingerprint, holdsSecret } = secrets;
  const conformed = writable(address, desired, live, marked);
  if (!conformed.ok) return [{ problem: conformed.problem }];
  const after = conformed.value;
  if (live.value.kind === 'unreadable')
    return diffUnreadable(address, desired, live, live.value.reason, after, secrets);
  const before = live.value.kind === 'readable' ? live.value.value : undefined;
  if (before === undefined ? canonicalText(after) === '' : equalValues(before, after)) {
    return formNote(address, desired, before, after);
  }
  const sensitive = marked || holdsSecret(after) || (before !== undefined && holdsSecret(before));
  const change: ValueChange = {
    ...changeOf(address, desired, valueRisks(desired, after, isSecretOption(live.key, live.type))),
    field: 'value',
    option: live.key,
    before: sensitive ? null : (before ?? null),
    after: sensitive ? null : after,
    sensitive,
    ...referenceOf(desired),
    ...(sensitive ? withheldSide(address, desired, after, fingerprint) : {}),
    ...(sensitive && before !== undefined && canonicalText(before) !== ''
      ? { beforeFingerprint: fingerprint(address, before) }
      : {}),
  };
  return [sensitive ? { change, withheld: after } : { change }];
}

/** The value in the option's form; what servers show in place of a secret is not written back as one. */
function writable(address: string, desired: DesiredValue, live: LiveOption, marked: boolean): Conformed {
  const conformed = conform(address, desired, live);
  const isMaskAlone =
    marked && conformed.ok && typeof conformed.value === 'string' && isBareMask(conformed.value);
  return isMaskAlone
    ? { ok: false, problem: diagnostic('mask-as-value', { address }, desired.place) }
    : conformed;
}

/** Nobody can say whether such a value differs. It is written only where that was asked for, and never shown. */
function diffUnreadable(
  address: string,
  desired: DesiredValue,
  live: LiveOption,
  reason: CannotTell['reason'],
  after: OptionValue,
  { fingerprint, writesUnreadable }: SecretKeeping,
): Found[] {
  if (!writesUnreadable(address)) {
    return [{ cannotTell: { address, reason, source: desired.place, ...referenceOf(desired) } }];
  }
  const change: ValueChange = {
    ...changeOf(address, desired, valueRisks(desired, after, isSecretOption(live.key, live.type))),
    field: 'value',
    option: live.key,
    before: null,
    after: null,
    sensitive: true,
    unreadable: true,
    ...referenceOf(desired),
    ...withheldSide(address, desired, after, fingerprint),
  };
  return [{ change, withheld: after }];
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
  live: LiveOption,
  sensitive: boolean,
): Found[] {
  const before = live.permission;
  if (before === desired.value) return [];
  if (before === 'unknown') return [{ cannotTell: { address, reason: 'absent', source: desired.place } }];
  const change: PermissionChange = {
    ...changeOf(address, desired, permissionRisks(before, desired.value, sensitive)),
    field: 'permission',
    option: live.key,
    before,
    after: desired.value,
    sensitive: false,
  };
  return [{ change }];
}

function diffAutosubscribe(desired: DesiredIntegration, live: LiveIntegration): Found[] {
  const field = desired.autosubscribe;
  const before = live.autosubscribe;
  if (field === undefined || field.value === before) return [];
  const address = `${desired.name}.autosubscribe`;
  if (before === undefined) return [{ cannotTell: { address, reason: 'absent', source: field.place } }];
  const change: AutosubscribeChange = {
    ...changeOf(address, field, autosubscribeRisks(field.value)),
    field: 'autosubscribe',
    before,
    after: field.value,
    sensitive: false,
  };
  return [{ change }];
}

function changeOf(address: string, desired: DesiredField<unknown>, risks: Change['risks']) {
  const comment = desired.comment === undefined ? {} : { comment: desired.comment };
  return { address, label: 'change', risks, source: desired.place, ...comment } as const;
}

function referenceOf(desired: DesiredValue): { reference?: string } {
  return desired.reference === undefined ? {} : { reference: desired.reference };
}
