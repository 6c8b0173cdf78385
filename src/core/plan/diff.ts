import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredField, DesiredIntegration, DesiredOption, DesiredValue } from '../model/desired.ts';
import type { LiveIntegration, LiveOption, LiveValue } from '../model/live.ts';
import type { Suggestions } from '../model/near-names.ts';
import type { LivePermission, Permission } from '../model/permission.ts';
import { present } from '../model/present.ts';
import { type Clues, isBareMask, isExposing, isMask, isSecret, mayBeSecret } from '../model/secrecy.ts';
import { hide, isHidden, reveal, type Secret } from '../model/secret.ts';
import { differsInForm, isEmpty, type OptionValue, sameContent } from '../model/value.ts';
import { conform } from './conform.ts';
import type { Fingerprints } from './fingerprint.ts';
import { isSkipped, unknownOption } from './known-option.ts';
import { nearlyEqual } from './normalised.ts';
import type { CannotTell, Change } from './plan.ts';
import { type RiskFacts, risksOf } from './risk.ts';
import { isUntold, valuePermission } from './value-permission.ts';

/** How a run treats secrets. */
export interface SecretKeeping {
  /** Undefined without a key that cannot be guessed: then no plan has fingerprints. */
  readonly fingerprints: Fingerprints | undefined;
  /** Whether a value holds a secret that was seen elsewhere in this run. */
  readonly isKnown: (value: OptionValue) => boolean;
  /** Whether to write a value that cannot be read, by its address. */
  readonly writesUnreadable: (address: string) => boolean;
  /** Whether to write permission flags that the server does not show, by their address. */
  readonly writesUnknownFlags: (address: string) => boolean;
  /** Whether an empty password is taken for empty, though the server may hide all of its passwords. */
  readonly takesEmptyAsUnset?: boolean;
}

/** A managed field that is as desired. */
export interface HeldField {
  readonly address: string;
  readonly value: OptionValue | Secret<OptionValue>;
  /** The text with references, as written. */
  readonly reference?: string;
}

/** The managed fields of one integration: those that differ, those that cannot be compared, and those as desired. */
interface IntegrationDiff {
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
  suggestions: Suggestions,
): IntegrationDiff {
  const { name, autosubscribe } = desired;
  const options = [...desired.options].sort((a, b) => compareText(a.key, b.key));
  const found = [
    ...options.flatMap((option) => {
      const address = `${name}.options.${option.key}`;
      const served = live.options.get(option.key) ?? unshownOption(option, live);
      return served === undefined
        ? missingOption(option, live, suggestions)
        : diffOption(address, option, served, secrets);
    }),
    ...(autosubscribe === undefined
      ? []
      : diffAutosubscribe({ address: `${name}.autosubscribe`, desired: autosubscribe, secrets }, live)),
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

/** A desired field, and what its comparison needs. */
interface Field<T> {
  readonly address: string;
  readonly desired: T;
  readonly clues: Clues;
  /** The permission that counts for the risks of the value. */
  readonly permission?: LivePermission | undefined;
  readonly secrets: SecretKeeping;
}

function diffOption(
  address: string,
  { key, value, permission, sensitive: mark }: DesiredOption,
  served: LiveOption,
  secrets: SecretKeeping,
): Found[] {
  const writesUnknown = secrets.writesUnknownFlags(`${address}.permission`);
  const flags = { asked: permission?.value, live: served.permission, writesUnknown };
  const origin = { key, type: served.type, mark, isFromOutside: value?.isFromOutside };
  const liveOption = isSecret(origin) ? unmasked(served) : served;
  const isMasked = plainLive(liveOption).some((each) => typeof each === 'string' && isBareMask(each));
  const clues = { ...origin, values: [...plainValue(value), ...plainLive(liveOption)], isMasked };
  const field = <T>(name: string, desired: T) => ({
    address: `${address}.${name}`,
    desired,
    clues,
    permission: valuePermission(flags),
    secrets,
  });
  return [
    ...(permission ? diffPermission(field('permission', permission), liveOption, isUntold(flags)) : []),
    ...(value ? diffValue(field('value', value), liveOption) : []),
  ];
}

/** A secret whose type is not served may still be masked: then nothing is known of its value. */
function unmasked(option: LiveOption): LiveOption {
  const value = option.value.kind === 'readable' ? reveal(option.value.value) : undefined;
  const isMasked = typeof value === 'string' && isMask(value);
  return isMasked ? { ...option, value: { kind: 'unreadable', reason: 'masked' } } : option;
}

/** What a configuration writes in clear. */
function plainValue(value: DesiredValue | undefined) {
  return value === undefined || isHidden(value.value) ? [] : [value.value];
}

function plainLive({ value }: LiveOption): OptionValue[] {
  return value.kind === 'readable' ? [reveal(value.value)] : [];
}

/** An option that the server lists by its key alone: it shows nothing of it. */
function unshownOption({ key }: DesiredOption, { optionKeys }: LiveIntegration): LiveOption | undefined {
  if (!optionKeys.has(key)) return undefined;
  return { key, value: { kind: 'unreadable', reason: 'absent' }, permission: 'unknown', choices: [] };
}

/** An option that the integration does not have: its key is mistyped, unless only defaults ask for it. */
function missingOption(option: DesiredOption, live: LiveIntegration, suggestions: Suggestions): Found[] {
  return isSkipped(option, live) ? [] : [{ problem: unknownOption(option, live, suggestions) }];
}

function diffValue(field: Field<DesiredValue>, live: LiveOption): Found[] {
  const { address, desired, clues, secrets } = field;
  const conformed = conform(address, desired, live);
  if ('problem' in conformed) return [conformed];
  const after = conformed.value;
  // What servers show in place of a secret is not written back as one.
  if (typeof after === 'string' && isBareMask(after) && isSecret(clues))
    return [{ problem: diagnostic('mask-as-value', { address }, desired.place) }];
  const isUnset =
    live.value.kind === 'unreadable' && live.value.reason === 'empty' && secrets.takesEmptyAsUnset;
  const served: LiveValue = isUnset ? { kind: 'empty' } : live.value;
  const { reference } = desired;
  if (served.kind === 'unreadable' && !secrets.writesUnreadable(address)) {
    const { reason } = served;
    return [{ cannotTell: { address, reason, source: desired.place, ...present({ reference }) } }];
  }
  const before = served.kind === 'readable' ? reveal(served.value) : undefined;
  const isEqual = before === undefined ? isEmpty(after) : sameContent(before, after, live.type);
  if (served.kind === 'unreadable' || !isEqual)
    return [{ change: valueChange(field, served, after) }, ...nearlyEqual(field, live, before, after)];
  const held = { address, value: isSecret(clues) ? hide(after) : after, ...present({ reference }) };
  if (before === undefined || live.bareChoice || !differsInForm(before, after)) return [{ held }];
  const facts = { address, live: typeof before, desired: typeof after };
  return [{ held }, { problem: diagnostic('equal-in-other-form', facts, desired.place) }];
}

function valueChange(field: Field<DesiredValue>, live: LiveValue, after: OptionValue): Change {
  const { address, desired, clues, permission, secrets } = field;
  const { key, type, mark } = clues;
  const { isFromOutside, reference } = desired;
  const before = live.kind === 'readable' ? reveal(live.value) : null;
  const unreadable = live.kind === 'unreadable' || undefined;
  const values = before === null ? [after] : [after, before];
  const sensitive = unreadable === true || isSecret({ ...clues, values }, secrets.isKnown);
  const isSecretOption = isSecret({ key, type, mark });
  const isExposable = isExposing({ ...clues, values }, secrets.isKnown);
  const riskFacts = {
    field: 'value',
    after,
    isFromOutside,
    isSecretOption,
    isExposable,
    permission,
  } as const;
  const base = {
    ...changeOf(field, riskFacts),
    field: 'value',
    option: key,
    ...present({ reference }),
  } as const;
  if (!sensitive) return { ...base, sensitive, before, after };
  const { fingerprints } = secrets;
  const facts = {
    fingerprint: fingerprints?.of(address, after),
    beforeFingerprint: isEmpty(before) ? undefined : fingerprints?.of(address, before),
    unreadable,
    empty: (!unreadable && isEmpty(before)) || undefined,
  };
  const hidden = { before: isEmpty(before) ? null : hide(before), after: hide(after) };
  return { ...base, sensitive, ...hidden, ...present(facts) };
}

function diffPermission(
  field: Field<DesiredField<Permission>>,
  { key, permission: before }: LiveOption,
  cannotTell: boolean,
): Found[] {
  const { address, desired, clues, secrets } = field;
  const after = desired.value;
  if (before === after) return [{ held: { address, value: after } }];
  if (cannotTell) return [{ cannotTell: { address, reason: 'absent', source: desired.place } }];
  const facts = { field: 'permission', before, after } as const;
  const base = changeOf(field, { ...facts, isExposable: isExposing(clues, secrets.isKnown) });
  return [{ change: { ...base, ...facts, option: key, sensitive: false } }];
}

function diffAutosubscribe(
  field: Omit<Field<DesiredField<boolean>>, 'clues'>,
  { autosubscribe: before }: LiveIntegration,
): Found[] {
  const { address, desired } = field;
  const after = desired.value;
  if (before === after) return [{ held: { address, value: after } }];
  if (before === undefined) return [{ cannotTell: { address, reason: 'absent', source: desired.place } }];
  const facts = { field: 'autosubscribe', before, after } as const;
  return [{ change: { ...changeOf(field, facts), ...facts, sensitive: false } }];
}

/** What all changes share. */
function changeOf({ address, desired }: Omit<Field<DesiredField<unknown>>, 'clues'>, facts: RiskFacts) {
  const { place: source } = desired;
  // As in excerpts: a comment may be a value that was commented out.
  const comment = mayBeSecret('', desired.comment ?? '') ? undefined : desired.comment;
  return { address, label: 'change', risks: risksOf(facts), source, ...present({ comment }) } as const;
}
