import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { type FieldName, fieldAddress } from '../model/address.ts';
import type { DesiredField, DesiredIntegration, DesiredOption, DesiredValue } from '../model/desired.ts';
import { type LiveIntegration, type LiveOption, type LiveValue, openLive } from '../model/live.ts';
import type { Suggestions } from '../model/near-names.ts';
import type { LivePermission, Permission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import { type Clues, isBareMask, isSecret, isSecretType, shownComment, toldOf } from '../model/secrecy.ts';
import { hide, type Secret } from '../model/secret.ts';
import { isEmpty, type OptionValue, sameContent } from '../model/value.ts';
import { unmasked, unshownOption, withShown, withValues } from './clear-values.ts';
import { conform } from './conform.ts';
import { isSkipped, unknownOption } from './known-option.ts';
import type { CannotTell, Change } from './plan.ts';
import { type RiskFacts, risksOf } from './risk.ts';
import { isUntold, valuePermission } from './value-permission.ts';

/** What an integration is called, here and on the server. */
type Identity = Pick<DesiredIntegration, 'id' | 'name'>;

/** Whether to write a field that the server does not show. */
export type WritesHidden = (integration: Identity, field: FieldName) => boolean;

/** A managed field that is as desired. */
export interface HeldField {
  readonly address: string;
  readonly field: FieldName['field'];
  /** The key of the option; absent for autosubscribe. */
  readonly option?: string;
  readonly source: Place;
  readonly value: OptionValue | Secret<OptionValue>;
  /** The text with references, as far as it may be shown. */
  readonly reference?: string;
  /** The day on which its secret was replaced. */
  readonly rotated?: string;
}

/** The managed fields of one integration: those that differ, those that cannot be compared, and those as desired. */
export interface IntegrationDiff {
  readonly changes: readonly Change[];
  readonly cannotTell: readonly CannotTell[];
  readonly held: readonly HeldField[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compares each managed field of one integration with the live one; ordered by address. Fields at the addresses of `left` are
 * left alone: nothing is said of them, but what they ask for still tells whether the other field of their option is a secret.
 */
export function diffIntegration(
  desired: DesiredIntegration,
  live: LiveIntegration,
  writesHidden: WritesHidden,
  suggestions: Suggestions,
  left: ReadonlySet<string> = NONE,
): IntegrationDiff {
  const { name } = desired;
  const autosubscribe = left.has(`${name}.autosubscribe`) ? undefined : desired.autosubscribe;
  const options = [...desired.options].sort((a, b) => compareText(a.key, b.key));
  const found = [
    ...options.flatMap((option) => {
      const served = live.options.get(option.key) ?? unshownOption(option, live);
      return served === undefined
        ? missingOption(name, option, live, suggestions)
        : diffOption(desired, option, served, writesHidden, left);
    }),
    ...(autosubscribe === undefined
      ? []
      : diffAutosubscribe({ address: `${name}.autosubscribe`, desired: autosubscribe }, live)),
  ];
  return {
    changes: found.flatMap((each) => ('change' in each ? [each.change] : [])),
    cannotTell: found.flatMap((each) => ('cannotTell' in each ? [each.cannotTell] : [])),
    held: found.flatMap((each) => ('held' in each ? [each.held] : [])),
    diagnostics: found.flatMap((each) => ('problem' in each ? [each.problem] : [])),
  };
}

const NONE: ReadonlySet<string> = new Set();

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
  /** The day on which its secret was replaced. */
  readonly rotated?: string | undefined;
}

type AnyField = Omit<Field<DesiredField<unknown>>, 'clues'> & { readonly clues?: Clues };

function diffOption(
  integration: Identity,
  { key, value, permission, ...told }: DesiredOption,
  served: LiveOption,
  writesHidden: WritesHidden,
  left: ReadonlySet<string>,
): Found[] {
  const addressOf = (field: 'value' | 'permission') => fieldAddress(integration.name, { field, option: key });
  const writes = (field: 'value' | 'permission') => writesHidden(integration, { field, option: key });
  const asked = left.has(addressOf('permission')) ? undefined : permission;
  const writesUnknown = writes('permission');
  const flags = { asked: asked?.value, live: served.permission, writesUnknown };
  const origin = { key, type: served.type, ...toldOf({ ...told, value }) };
  const liveOption = isSecret(origin) ? unmasked(served) : served;
  const clues = withValues(origin, value, liveOption);
  const shown = left.has(addressOf('value')) ? undefined : withShown(value, clues);
  const field = <T>(name: 'value' | 'permission', desired: T) => ({
    address: addressOf(name),
    desired,
    clues,
    permission: valuePermission(flags),
    rotated: told.rotated,
  });
  return [
    ...(asked ? diffPermission(field('permission', asked), liveOption, isUntold(flags)) : []),
    ...(shown ? diffValue(field('value', shown), liveOption, writes('value')) : []),
  ];
}

/** An option that the integration does not have: its key is mistyped, unless only defaults ask for it. */
function missingOption(
  name: string,
  option: DesiredOption,
  live: LiveIntegration,
  suggestions: Suggestions,
): Found[] {
  return isSkipped(option, live) ? [] : [{ problem: unknownOption(option, live, suggestions, name) }];
}

function diffValue(field: Field<DesiredValue>, live: LiveOption, writesHidden: boolean): Found[] {
  const { address, desired, clues } = field;
  const { reference } = desired;
  const untold = (reason: CannotTell['reason']): Found[] => [
    { cannotTell: { address, reason, source: desired.place, ...present({ reference }) } },
  ];
  if (desired.hasFallback && (isSecretType(live.type) || clues.mark === true))
    return [{ problem: diagnostic('secret-fallback', { address, isCertain: true }, desired.place) }];
  if (desired.unread === true) return untold('unresolved');
  const conformed = conform(address, desired, live);
  if ('problem' in conformed) return [conformed];
  const after = conformed.value;
  // What servers show in place of a secret is not written back as one.
  if (typeof after === 'string' && isBareMask(after) && isSecret(clues))
    return [{ problem: diagnostic('wrong-value', { address }, desired.place) }];
  const served = live.value;
  if (served.kind === 'unreadable' && !writesHidden) return untold(served.reason);
  const before = openLive(served);
  if (served.kind === 'unreadable' || !sameContent(before ?? null, after, live.type))
    return [{ change: valueChange(field, served, after) }];
  const value = isSecret(clues) ? hide(after) : after;
  const { rotated } = field;
  const held = { ...heldOf(field, 'value', live.key), value, ...present({ reference, rotated }) };
  return [{ held }];
}

function valueChange(field: Field<DesiredValue>, live: LiveValue, after: OptionValue): Change {
  const { desired, clues, permission } = field;
  const { key } = clues;
  const { reference } = desired;
  const before = openLive(live) ?? null;
  const isUnread = live.kind === 'unreadable';
  const unreadable = isUnread || undefined;
  const values = before === null ? [after] : [after, before];
  const isExposable = isSecret({ ...clues, values });
  const sensitive = isUnread || isExposable;
  const riskFacts = { field: 'value', after, isExposable, permission } as const;
  const base = {
    ...changeOf(field, riskFacts),
    field: 'value',
    option: key,
    ...present({ reference }),
  } as const;
  if (!sensitive) return { ...base, sensitive, before, after };
  const hidden = { before: isEmpty(before) ? null : hide(before), after: hide(after) };
  return { ...base, sensitive, ...hidden, ...present({ unreadable, rotated: field.rotated }) };
}

function diffPermission(
  field: Field<DesiredField<Permission>>,
  { key, permission: before }: LiveOption,
  cannotTell: boolean,
): Found[] {
  const { address, desired, clues } = field;
  const after = desired.value;
  if (before === after) return [{ held: { ...heldOf(field, 'permission', key), value: after } }];
  if (cannotTell) return [{ cannotTell: { address, reason: 'absent', source: desired.place } }];
  const facts = { field: 'permission', before, after } as const;
  const base = changeOf(field, { ...facts, isExposable: isSecret(clues) });
  return [{ change: { ...base, ...facts, option: key, sensitive: false } }];
}

function diffAutosubscribe(
  field: Omit<Field<DesiredField<boolean>>, 'clues'>,
  { autosubscribe: before }: LiveIntegration,
): Found[] {
  const { address, desired } = field;
  const after = desired.value;
  if (before === after) return [{ held: { ...heldOf(field, 'autosubscribe'), value: after } }];
  if (before === undefined) return [{ cannotTell: { address, reason: 'absent', source: desired.place } }];
  const facts = { field: 'autosubscribe', before, after } as const;
  return [{ change: { ...changeOf(field, facts), ...facts, sensitive: false } }];
}

/** Where a field is that is as desired. */
function heldOf(of: AnyField, field: FieldName['field'], option?: string) {
  return { address: of.address, field, source: of.desired.place, ...present({ option }) };
}

/** What all changes share. */
function changeOf({ address, desired }: AnyField, facts: RiskFacts) {
  const { place: source } = desired;
  const comment = shownComment(desired.comment);
  return { address, label: 'change', risks: risksOf(facts), source, ...present({ comment }) } as const;
}
