import {
  compareText,
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import {
  askedSide,
  type DesiredField,
  type DesiredIntegration,
  type OptionSettings,
  type Setting,
  type Settings,
  type SubscriptionSetting,
  settingOf,
} from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import { byId } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { isPermission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import {
  type DeclaredSecrecy,
  declaredSecrecy,
  isSecret,
} from '../model/secrecy.ts';
import { isSameSide } from '../model/side.ts';
import { addressOf, fieldsWith, type Subject } from '../model/subject.ts';
import { canonicalText, isEmpty, type OptionValue } from '../model/value.ts';
import {
  aboutCompared,
  type Comparison,
  compareIntegration,
} from './compare.ts';
import { formerForm } from './conform.ts';
import { decideUndo } from './decide.ts';
import {
  type ChangeDocument,
  type IntegrationDocument,
  type IntegrationPlan,
  isWritten,
  type KeptField,
  type KeptReason,
  NOTHING,
  type Planned,
  type ServerDocument,
  type ServerPlan,
  sourceOf,
} from './plan.ts';
import { byName, type PlanInput, planServer } from './plan-server.ts';
import { reviewOf, secrecyAtReview } from './review.ts';

/** What the undo of an apply on one server is planned from. */
export interface UndoInput
  extends Pick<PlanInput, 'server' | 'live' | 'unread' | 'reads'> {
  /** What the apply reported of the server. Anybody may have edited it. */
  readonly report: ServerDocument;
  /** What the YAML asks for by now; absent if it cannot be read. */
  readonly declared?: readonly DesiredIntegration[] | undefined;
}

/**
 * Plans how an apply is taken back: for each field that still holds what was
 * written, what was there before is desired.
 */
export function planUndo(input: UndoInput): Planned {
  const { server, report, unread, declared } = input;
  const live = byId(input.live);
  const asked = byId(declared ?? []);
  const desired: DesiredIntegration[] = [];
  const plans = new Map<string, IntegrationPlan>();
  const reports = selectedIn(report, server.only);
  for (const reported of reports) {
    const { name, id, source, changes } = reported;
    const place = source ?? changes[0]?.source ?? NOWHERE;
    // If it was not read, nothing is known of its fields.
    const { settings, kept } = unread?.has(id)
      ? { settings: NOTHING.settings, kept: [] }
      : undoneFields(reported, live.get(id), asked.get(id)?.settings);
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
  return {
    plan: {
      ...plan,
      summary: { ...plan.summary, managed, unmanagedOptions: 0 },
      integrations: [...plans.values()].sort(byName),
      asksAgain: declared && askedAgain(plan.integrations, asked),
    },
    diagnostics,
  };
}

/** The fields for which the YAML asks something else than an undo writes. */
function askedAgain(
  integrations: readonly IntegrationPlan[],
  asked: ReadonlyMap<string, DesiredIntegration>,
): ReadonlySet<string> {
  const again = new Set<string>();
  for (const { id, changes } of integrations) {
    const { settings = NOTHING.settings } = asked.get(id) ?? {};
    for (const { comparison } of changes) {
      const { subject, setting, type } = comparison;
      const wanted = settingOf(settings, subject);
      if (wanted === undefined) continue;
      const isSame = isSameSide(askedSide(wanted), askedSide(setting), type);
      if (!isSame) again.add(addressOf(subject));
    }
  }
  return again;
}

/** Warns that the YAML asks for other values than an undo wrote, or may. */
export function stillDeclared(plans: readonly ServerPlan[]): Diagnostic[] {
  // Servers share fields.
  const fields = new Map<string, Comparison>();
  const places: Place[] = [];
  let isKnown = true;
  for (const { asksAgain, integrations } of plans) {
    if (asksAgain === undefined) isKnown = false;
    const changes = integrations.flatMap((integration) => integration.changes);
    for (const { comparison } of changes.filter(isWritten)) {
      const address = addressOf(comparison.subject);
      if (asksAgain?.has(address) === false) continue;
      fields.set(address, comparison);
      places.push(comparison.setting.place);
    }
  }
  if (fields.size === 0) return [];
  const facts = { ...aboutCompared([...fields.values()]), isKnown };
  return [withPlaces(diagnostic('still-declared', facts), places)];
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

/** The parts of an integration that an apply may have written. */
interface WrittenParts {
  readonly id: string;
  /** The keys of options; `*` for all. */
  readonly keys: readonly string[];
  readonly autosubscribe: boolean;
}

/** Lists the parts of an installed integration that an apply may have written; undefined if it wrote none. */
export function writtenParts(
  { name, id, changes }: IntegrationDocument,
  live: LiveIntegration,
): WrittenParts | undefined {
  const written = changes.filter(isWritten);
  if (written.length === 0) return undefined;
  const subjects = subjectsByAddress(name, live);
  const options = new Set<string>();
  let autosubscribe = false;
  for (const { address } of written) {
    const subject = subjects.get(address);
    if (subject?.kind === 'autosubscribe') autosubscribe = true;
    else if (subject !== undefined) options.add(subject.option);
  }
  // A list without options may belong to any.
  const keys = live.optionKeys.size === 0 ? ['*'] : [...options];
  return { id, keys, autosubscribe };
}

/** The fields of an integration that are taken back, and those that are not. */
function undoneFields(
  reported: IntegrationDocument,
  live: LiveIntegration | undefined,
  declared: Settings = NOTHING.settings,
) {
  const { name: integration, changes } = reported;
  const subjects = subjectsByAddress(integration, live);
  const review = reviewOf(reported);
  const secrecyOf: SecrecyOf = (option) => {
    const { secrecy = {} } = declared.options.get(option) ?? {};
    return declaredSecrecy(secrecy, secrecyAtReview(review, option));
  };
  const fields: DesiredField[] = [];
  const kept: KeptField[] = [];
  for (const change of changes.filter(isWritten)) {
    const { address } = change;
    const subject = subjects.get(address);
    const undone = undoneField(change, { subject, live, secrecyOf });
    if ('subject' in undone) fields.push(undone);
    else kept.push({ ...undone, change, address, integration });
  }
  return { settings: settingsOf(fields, secrecyOf), kept };
}

/** The place of an integration that a report has no line for. */
const NOWHERE: Place = { file: '', line: 1, column: 1 };

/** The fields that an integration has, by the addresses of a report. */
function subjectsByAddress(
  integration: string,
  live: LiveIntegration | undefined,
): ReadonlyMap<string, Subject> {
  const subjects = fieldsWith(integration, live?.optionKeys ?? []);
  return new Map(subjects.map((subject) => [addressOf(subject), subject]));
}

/** What is known of a field that was written. */
interface WrittenField {
  /** Absent if its integration does not have it. */
  readonly subject: Subject | undefined;
  readonly live: LiveIntegration | undefined;
  readonly secrecyOf: SecrecyOf;
}

/** Finds what is known of the secrecy of an option, by its key. */
type SecrecyOf = (option: string) => DeclaredSecrecy;

/** Finds how a field that was written is taken back, or why it is not. */
function undoneField(
  change: ChangeDocument,
  { subject, live, secrecyOf }: WrittenField,
): DesiredField | KeptReason {
  const { before, after, secret, hidden } = change;
  const place = sourceOf(change);
  if (secret) return { because: before === '' ? 'first-secret' : 'secret' };
  if (hidden) return { because: 'hidden' };
  if (live === undefined) return { because: 'gone' };
  if (subject === undefined) return { because: 'moved' };
  const compared = (value: OptionValue | null): Comparison | undefined => {
    const setting = reportedSetting(subject, value, live, place);
    if (setting === undefined) return undefined;
    const settings = settingsOf([{ subject, setting }], secrecyOf);
    const asked = { name: subject.integration, settings };
    return compareIntegration(asked, live).comparisons[0];
  };
  const written = compared(after);
  const former = compared(before);
  const fate = decideUndo(written, former);
  if (fate === 'hidden') return { because: 'hidden' };
  if (fate === 'moved') {
    const isSecretNow = written?.isSecret || isOfSecrets(subject, live);
    if (isSecretNow) return { because: 'moved', isSecret: true };
    return { because: 'moved', held: heldText(written ?? former) };
  }
  // It does not take the old value.
  if (former === undefined) {
    return { because: isEmpty(before) ? 'empty' : 'form' };
  }
  return { subject, setting: former.setting };
}

/** Types of values that hold no secret. */
const PLAIN_TYPES: ReadonlySet<string> = new Set(['number', 'boolean']);

/**
 * What the server holds of a field that moved, in words. No text of an option:
 * it may be a secret by now that nobody marked.
 */
function heldText(comparison: Comparison | undefined): string | undefined {
  if (comparison === undefined) return undefined;
  const { subject, before, type = '', isSecret } = comparison;
  if (subject.kind === 'value' && (isSecret || !PLAIN_TYPES.has(type))) {
    return undefined;
  }
  if (before.kind === 'unset') return 'nothing';
  return before.kind === 'shown' ? canonicalText(before.value) : undefined;
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

/** Joins what is asked of fields; the secrecy of an option is asked by its key. */
function settingsOf(
  fields: readonly DesiredField[],
  secrecyOf: SecrecyOf,
): Settings {
  const options = new Map<string, OptionSettings>();
  let autosubscribe: SubscriptionSetting | undefined;
  for (const { subject, setting } of fields) {
    if (setting.kind === 'autosubscribe') autosubscribe = setting;
    if (subject.kind === 'autosubscribe') continue;
    const { option } = subject;
    const { place: keyPlace, kind } = setting;
    const secrecy = secrecyOf(option);
    const others = { option, keyPlace, isDefault: false, secrecy };
    options.set(option, { ...others, ...options.get(option), [kind]: setting });
  }
  const sorted = [...options].sort(([a], [b]) => compareText(a, b));
  return { options: new Map(sorted), autosubscribe };
}

/** Whether an option is one of secrets, whatever a report says of it. */
function isOfSecrets(subject: Subject, { options }: LiveIntegration): boolean {
  if (subject.kind !== 'value') return false;
  const { option: key } = subject;
  return isSecret({ key, type: options.get(key)?.type });
}
