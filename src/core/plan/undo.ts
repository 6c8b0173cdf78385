import {
  compareText,
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import type {
  DesiredField,
  DesiredIntegration,
  OptionSettings,
  Setting,
  Settings,
  SubscriptionSetting,
} from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import { byId } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { isPermission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { isSecret } from '../model/secrecy.ts';
import { addressOf, fieldsWith, type Subject } from '../model/subject.ts';
import type { OptionValue } from '../model/value.ts';
import {
  aboutCompared,
  type Comparison,
  compareIntegration,
  placesOf,
} from './compare.ts';
import { formerForm } from './conform.ts';
import { decideUndo } from './decide.ts';
import {
  type ChangeDocument,
  type IntegrationDocument,
  type IntegrationPlan,
  isWritten,
  type KeptField,
  NOTHING,
  type Planned,
  type ServerDocument,
  type ServerPlan,
  sourceOf,
} from './plan.ts';
import { byName, type PlanInput, planServer } from './plan-server.ts';
import { type Review, reviewOf, secrecyAtReview } from './review.ts';

/** What the undo of an apply on one server is planned from. */
export interface UndoInput
  extends Pick<PlanInput, 'server' | 'live' | 'unread' | 'reads'> {
  /** What the apply reported of the server. Anybody may have edited it. */
  readonly report: ServerDocument;
}

/**
 * Plans how an apply is taken back: for each field that still holds what was
 * written, what was there before is desired.
 */
export function planUndo(input: UndoInput): Planned {
  const { server, report, unread } = input;
  const live = byId(input.live);
  const desired: DesiredIntegration[] = [];
  const plans = new Map<string, IntegrationPlan>();
  const reports = selectedIn(report, server.only);
  for (const reported of reports) {
    const { name, id, source, changes } = reported;
    const [first] = changes.filter(isWritten);
    if (first === undefined) continue;
    const place = source ?? sourceOf(first);
    // If it was not read, nothing is known of its fields.
    const { settings, kept } = unread?.has(id)
      ? { settings: NOTHING.settings, kept: [] }
      : undoneFields(reported, live.get(id));
    desired.push({ name, id, place, settings });
    const status = live.get(id)?.status ?? null;
    const own = { ...NOTHING, name, id, place, status, kept };
    if (kept.length > 0) plans.set(id, own);
  }
  const { plan, diagnostics } = planServer({ ...input, desired });
  for (const own of plan.integrations) {
    const kept = plans.get(own.id)?.kept;
    plans.set(own.id, { ...own, kept });
  }
  const managed = reports.filter(({ id }) => live.has(id)).length;
  const summary = { ...plan.summary, managed, unmanagedOptions: 0 };
  const integrations = [...plans.values()].sort(byName);
  return { plan: { ...plan, summary, integrations }, diagnostics };
}

/** Warns that the YAML asks for other values than an undo wrote, or may have. */
export function stillDeclared(plans: readonly ServerPlan[]): Diagnostic[] {
  const written: Comparison[] = [];
  for (const { changes } of plans.flatMap((plan) => plan.integrations)) {
    const taken = changes.filter(isWritten);
    written.push(...taken.map(({ comparison }) => comparison));
  }
  if (written.length === 0) return [];
  const { addresses, integrations } = aboutCompared(written);
  // Servers share fields.
  const facts = { addresses: [...new Set(addresses)], integrations };
  return [withPlaces(diagnostic('still-declared', facts), placesOf(written))];
}

/** The integrations of a report whose name or id a glob selects. */
export function selectedIn(
  { integrations }: ServerDocument,
  only = '*',
): IntegrationDocument[] {
  const isSelected = globMatcher(only);
  return integrations.filter(({ name, id }) => {
    return isSelected(name) || isSelected(id);
  });
}

/** The fields of an integration that are taken back, and those that are not. */
function undoneFields(
  reported: IntegrationDocument,
  live: LiveIntegration | undefined,
) {
  const { name: integration, changes } = reported;
  const review = reviewOf(reported);
  const keys = live?.optionKeys ?? [];
  const subjects = new Map<string, Subject>();
  for (const subject of fieldsWith(integration, keys)) {
    subjects.set(addressOf(subject), subject);
  }
  const fields: DesiredField[] = [];
  const kept: KeptField[] = [];
  for (const change of changes.filter(isWritten)) {
    const { address } = change;
    const subject = subjects.get(address);
    const undone = undoneField(change, { subject, live, review });
    if (typeof undone === 'object') {
      fields.push(undone);
      continue;
    }
    // By now it may be an option of secrets, whatever the report says of it.
    const key = subject?.kind === 'value' ? subject.option : undefined;
    const type = key === undefined ? undefined : live?.options.get(key)?.type;
    const isHeldSecret = isSecret({ key, type });
    kept.push({
      integration,
      address,
      because: undone,
      change: isHeldSecret ? { ...change, secret: true } : change,
    });
  }
  return { settings: settingsOf(fields, review), kept };
}

/** What is known of a field that was written. */
interface WrittenField {
  /** Absent if its integration does not have it. */
  readonly subject: Subject | undefined;
  readonly live: LiveIntegration | undefined;
  readonly review: Review;
}

/** Finds how a field that was written is taken back, or why it is not. */
function undoneField(
  change: ChangeDocument,
  { subject, live, review }: WrittenField,
): DesiredField | KeptField['because'] {
  const { before, after, secret, hidden } = change;
  const place = sourceOf(change);
  if (secret) return 'secret';
  if (hidden) return 'hidden';
  if (live === undefined) return 'gone';
  if (subject === undefined) return 'moved';
  const compared = (value: OptionValue | null): Comparison | undefined => {
    const setting = reportedSetting(subject, value, live, place);
    if (setting === undefined) return undefined;
    const settings = settingsOf([{ subject, setting }], review);
    const asked = { name: subject.integration, settings };
    return compareIntegration(asked, live).comparisons[0];
  };
  const former = compared(before);
  const fate = decideUndo(compared(after), former);
  if (fate !== 'former') return fate;
  // Undefined if it does not take the old value.
  return former === undefined ? 'hidden' : { subject, setting: former.setting };
}

/** What asks for a value that a report has; undefined if a field cannot hold it. */
function reportedSetting(
  subject: Subject,
  value: OptionValue | null,
  live: LiveIntegration,
  place: Place,
): Setting | undefined {
  const { kind } = subject;
  if (kind === 'autosubscribe') {
    return typeof value === 'boolean'
      ? { kind, want: value, place }
      : undefined;
  }
  if (kind === 'permission') {
    return isPermission(value) ? { kind, want: value, place } : undefined;
  }
  const option = live.options.get(subject.option);
  const form = option === undefined ? value : formerForm(value, option);
  return { kind, want: { kind: 'literal', value: form ?? '' }, place };
}

/** Joins what is asked of fields. What was a secret of an option in the report still is one. */
function settingsOf(fields: readonly DesiredField[], review: Review): Settings {
  const options = new Map<string, OptionSettings>();
  let autosubscribe: SubscriptionSetting | undefined;
  for (const { subject, setting } of fields) {
    if (setting.kind === 'autosubscribe') autosubscribe = setting;
    if (subject.kind === 'autosubscribe') continue;
    const { option } = subject;
    const { place: keyPlace, kind } = setting;
    const secrecy = secrecyAtReview(review, option) ?? {};
    const others = { option, keyPlace, isDefault: false, secrecy };
    options.set(option, { ...others, ...options.get(option), [kind]: setting });
  }
  const sorted = [...options].sort(([a], [b]) => compareText(a, b));
  return { options: new Map(sorted), autosubscribe };
}
