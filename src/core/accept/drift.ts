import { isLikelySecret } from '../config/rules.ts';
import { type AboutField, aboutField, aboutFields } from '../findings/about.ts';
import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import type { NotAccepted } from '../findings/usage.ts';
import type { Settings } from '../model/desired.ts';
import { byId, grouped } from '../model/lists.ts';
import {
  formOf,
  type LiveIntegration,
  type LiveOption,
} from '../model/live.ts';
import { isPermission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { contentOf } from '../model/side.ts';
import { isNamedBy, optionOf, type Subject } from '../model/subject.ts';
import {
  type OptionValue,
  textsOf,
  type WrittenValue,
} from '../model/value.ts';
import { type Comparison, isShownAsSecret } from '../plan/compare.ts';
import { writtenForm } from '../plan/conform.ts';
import type { IntegrationPlan, ServerPlan } from '../plan/plan.ts';

/** Which fields a person chose. */
export interface AcceptChoice {
  /** Integrations, options or fields; all drift if there are none. */
  addresses: readonly string[];
  /** Whether a text holds a secret of the run, in any form. */
  holdsSecret: (text: string) => boolean;
}

/** The plan of a server, and what it holds. */
export interface PlannedServer {
  plan: ServerPlan;
  live: readonly LiveIntegration[];
}

/** What a server holds of a field. */
interface NewValue {
  live: OptionValue;
  /** The same as the YAML declares it. */
  written: WrittenValue;
}

/** A field that drifted, and its new value. */
export interface DriftedField extends AboutField, NewValue {
  subject: Subject;
  /** Where it is declared. */
  place: Place;
  /** Whether its declaration has a reference. */
  isReference: boolean;
  desired: OptionValue;
}

/** What drifted on a server, and findings for what is skipped. */
export interface Drift {
  drifted: readonly DriftedField[];
  diagnostics: readonly Diagnostic[];
}

/** A field that is skipped, and why. */
interface Skipped {
  subject: Subject;
  reason: NotAccepted;
  place: Place | undefined;
}

/**
 * Finds the chosen fields of a server that drifted and that YAML can hold, and
 * words why others are skipped. The name of an integration means what drifted
 * in it; all else must be named by its field.
 */
export function driftOf(
  { plan, live }: PlannedServer,
  { addresses, holdsSecret }: AcceptChoice,
): Drift {
  const hasBase = plan.base !== undefined;
  const installed = byId(live);
  const drifted: DriftedField[] = [];
  const skipped: Skipped[] = [];
  for (const integration of plan.integrations) {
    const { id, name, settings, changes } = integration;
    const fields = addresses.filter((typed) => typed !== name);
    skipped.push(...keptIn(integration, fields, hasBase));
    for (const { comparison, label } of changes) {
      const { subject, setting } = comparison;
      if (hasBase && label === 'change') continue;
      if (addresses.length > 0 && !isNamedByAny(addresses, subject)) continue;
      const value = newValue(
        comparison,
        settings,
        installed.get(id),
        holdsSecret,
      );
      if (typeof value === 'string')
        skipped.push({ subject, reason: value, place: setting.place });
      else drifted.push(driftedField(comparison, value));
    }
  }
  return { drifted, diagnostics: findingsOf(skipped) };
}

/** The fields that a person named and that did not drift as far as is known. */
function keptIn(
  { left, changes }: IntegrationPlan,
  fields: readonly string[],
  hasBase: boolean,
): Skipped[] {
  const kept: Skipped[] = [];
  for (const { subject, because, comparison } of left) {
    const place = comparison?.setting.place;
    if (because === 'hidden' || because === 'unread' || because === 'waived')
      kept.push({ subject, reason: because, place });
  }
  for (const { comparison, label } of changes) {
    const { subject, setting } = comparison;
    if (hasBase && label === 'change')
      kept.push({ subject, reason: 'branch', place: setting.place });
  }
  return kept.filter(({ subject }) => isNamedByAny(fields, subject));
}

function isNamedByAny(addresses: readonly string[], subject: Subject): boolean {
  return addresses.some((typed) => isNamedBy(typed, subject));
}

function driftedField(
  { subject, setting, after }: Comparison,
  value: NewValue,
): DriftedField {
  return {
    ...aboutField(subject),
    ...value,
    subject,
    place: setting.place,
    isReference: setting.kind === 'value' && setting.reference !== undefined,
    // A secret is skipped before it is shown.
    desired: after.kind === 'shown' ? after.value : '',
  };
}

/** Words why fields are skipped, once for each reason. */
function findingsOf(skipped: readonly Skipped[]): Diagnostic[] {
  const byReason = grouped(skipped, ({ reason }) => reason);
  return [...byReason].map(([reason, alike]) => {
    const places = alike.flatMap(({ place }) => place ?? []);
    const about = aboutFields(alike.map(({ subject }) => subject));
    const place = alike.length === 1 ? places[0] : undefined;
    const finding = diagnostic('not-accepted', { ...about, reason }, place);
    return withPlaces(finding, places);
  });
}

/** What the YAML is to declare in place of a change, or why it cannot. */
function newValue(
  comparison: Comparison,
  settings: Settings,
  integration: LiveIntegration | undefined,
  holdsSecret: (text: string) => boolean,
): NewValue | NotAccepted {
  const { subject, setting, before } = comparison;
  const held = contentOf(before);
  if (setting.kind === 'autosubscribe') {
    const live = held === true;
    return { live, written: live };
  }
  if (setting.kind === 'permission')
    return isPermission(held) ? { live: held, written: held } : 'form';
  const option = integration?.options.get(optionOf(subject) ?? '');
  if (option === undefined) return 'form';
  if (isShownAsSecret(comparison)) return 'secret';
  const live = held ?? emptyForm(option);
  const written = live === undefined ? undefined : writtenForm(live, option);
  if (live === undefined || written === undefined) return 'form';
  const { mark } = settings.options.get(option.key)?.secrecy ?? {};
  const isLikely = isLikelySecret(option.key, written, mark);
  if (isLikely || textsOf(live).some(holdsSecret)) return 'secret';
  return { live, written };
}

/**
 * An option value that is not set, as YAML declares it; undefined if YAML has
 * no form of it.
 */
function emptyForm(option: LiveOption): OptionValue | undefined {
  const form = formOf(option);
  if (form === 'multi-select') return [];
  return form === 'text' || form === 'any' ? '' : undefined;
}
