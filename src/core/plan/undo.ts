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
import { byId, grouped } from '../model/lists.ts';
import type { LiveIntegration } from '../model/live.ts';
import { isPermission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { selectedBy } from '../model/selected.ts';
import { addressOf, fieldsWith, type Subject } from '../model/subject.ts';
import type { OptionValue } from '../model/value.ts';
import {
  aboutCompared,
  type Comparison,
  compareIntegration,
  placesOf,
} from './compare.ts';
import { formerForm } from './conform.ts';
import { decideUndo, type UndoFate } from './decide.ts';
import { isWritten } from './outcome.ts';
import { comparisonsOf, type Planned, type ServerPlan } from './plan.ts';
import {
  type ChangeDocument,
  type IntegrationDocument,
  requiredSource,
  type ServerDocument,
} from './plan-document.ts';
import { type PlanInput, planServer } from './plan-server.ts';
import { type Review, reviewOf, secrecyAtReview } from './review.ts';

/** What the undo of an apply on one server is planned from. */
export interface UndoInput
  extends Pick<PlanInput, 'server' | 'live' | 'unread' | 'reads'> {
  /** What the apply reported of the server. Anybody may have edited it. */
  report: ServerDocument;
}

/** A field that an undo leaves as it is. */
interface KeptField {
  address: string;
  integration: string;
  fate: UndoFate;
  place: Place;
}

/**
 * Plans how an apply is taken back: for each field that still holds what was
 * written, what was there before is desired. Finds those that are left.
 */
export function planUndo(input: UndoInput): Planned {
  const { server, report, unread } = input;
  const live = byId(input.live);
  const desired: DesiredIntegration[] = [];
  const kept: KeptField[] = [];
  const reports = selectedIn(report, server.only);
  for (const reported of reports) {
    const { name, id, source, changes } = reported;
    const written = changes.filter(isWritten);
    const [first] = written;
    if (first === undefined) continue;
    const review = reviewOf(reported);
    const fields: DesiredField[] = [];
    // If it was not read, nothing is known of its fields.
    const known = unread?.has(id) ? [] : written;
    for (const change of known) {
      const undone = undoneField(change, review, live.get(id));
      if (typeof undone === 'object') {
        fields.push(undone);
        continue;
      }
      const { address } = change;
      const place = requiredSource(change);
      kept.push({ address, integration: name, place, fate: undone });
    }
    const place = source ?? requiredSource(first);
    desired.push({ name, id, place, settings: settingsOf(fields, review) });
  }
  const { plan, diagnostics } = planServer({ ...input, desired });
  const managed = reports.filter(({ id }) => live.has(id)).length;
  const summary = { ...plan.summary, managed, unmanagedOptions: 0 };
  return {
    plan: { ...plan, summary },
    diagnostics: [...diagnostics, ...keptFindings(kept)],
  };
}

/**
 * One finding for all that moved, one for all of which the old value is
 * unknown.
 */
function keptFindings(kept: readonly KeptField[]): Diagnostic[] {
  const findings: Diagnostic[] = [];
  for (const [fate, fields] of grouped(kept, (field) => field.fate)) {
    const code = fate === 'moved' ? 'stale' : 'not-attempted';
    const names = new Set(fields.map(({ integration }) => integration));
    const addresses = fields.map(({ address }) => address);
    const finding = diagnostic(code, { addresses, integrations: [...names] });
    const places = fields.map(({ place }) => place);
    findings.push(withPlaces(finding, places));
  }
  return findings;
}

/**
 * Warns that the YAML asks for other values than an undo wrote, or may have.
 */
export function stillDeclared(plans: readonly ServerPlan[]): Diagnostic[] {
  const all = plans.flatMap(({ integrations }) => integrations);
  const changes = all.flatMap((integration) => integration.changes);
  const written = comparisonsOf(changes.filter(isWritten));
  if (written.length === 0) return [];
  const { addresses, integrations } = aboutCompared(written);
  // Servers share fields.
  const facts = { addresses: [...new Set(addresses)], integrations };
  return [withPlaces(diagnostic('still-declared', facts), placesOf(written))];
}

/** The integrations of a report that `--only` selects. */
export function selectedIn(
  { integrations }: ServerDocument,
  only: string | undefined,
): IntegrationDocument[] {
  const isSelected = selectedBy(only);
  return integrations.filter(({ id, name }) => isSelected(id, name));
}

/** Finds how a field that was written is taken back, or why it is not. */
function undoneField(
  change: ChangeDocument,
  review: Review,
  live: LiveIntegration | undefined,
): DesiredField | UndoFate {
  const { address, before, after, secret, hidden } = change;
  if (secret || hidden) return 'unknown';
  const { name: integration } = review.document;
  const subject = fieldsWith(integration, live?.optionKeys ?? []).find(
    (field) => addressOf(field) === address,
  );
  // It is not installed any more, or does not have it.
  if (live === undefined || subject === undefined) return 'moved';
  const compared = (value: OptionValue | null): Comparison | undefined => {
    const place = requiredSource(change);
    const setting = reportedSetting(subject, value, live, place);
    if (setting === undefined) return undefined;
    const settings = settingsOf([{ subject, setting }], review);
    const asked = { name: integration, settings };
    return compareIntegration(asked, live).comparisons[0];
  };
  const former = compared(before);
  const fate = decideUndo(compared(after), former);
  if (former === undefined || fate !== 'former') return fate;
  return { subject, setting: former.setting };
}

/**
 * What asks for a value that a report has; undefined if a field cannot hold it.
 */
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

/**
 * Joins what is asked of fields. What was a secret of an option in the report
 * still is one.
 */
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
