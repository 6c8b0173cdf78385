import { aboutFields } from '../findings/about.ts';
import type { NotUndone } from '../findings/apply.ts';
import {
  compareText,
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import {
  askedSide,
  type DesiredIntegration,
  type OptionSettings,
  type Setting,
  type Settings,
  type SubscriptionSetting,
  settingOf,
} from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import type { LiveIntegration } from '../model/live.ts';
import { isPermission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import {
  type DeclaredSecrecy,
  declaredSecrecy,
  isSecret,
} from '../model/secrecy.ts';
import { isSameSide } from '../model/side.ts';
import { addressOf, optionOf, type Subject } from '../model/subject.ts';
import { canonicalText, isEmpty, type OptionValue } from '../model/value.ts';
import { type Comparison, compareIntegration } from './compare.ts';
import { formerForm } from './conform.ts';
import { decideUndo } from './decide.ts';
import { reviewOf, secrecyAtReview } from './narrow.ts';
import {
  type ChangeDocument,
  endOf,
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
import { type PlanInput, planServer } from './plan-server.ts';

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
  const live = new Map<string, LiveIntegration>();
  for (const installed of input.live) live.set(installed.id, installed);
  const asked = new Map<string, Settings>();
  for (const { id, settings } of declared ?? []) asked.set(id, settings);
  const undone: UndoneIntegration[] = [];
  let managed = 0;
  for (const reported of selectedIn(report, server.only)) {
    const installed = live.get(reported.id);
    if (installed !== undefined) managed += 1;
    const settings = asked.get(reported.id);
    const integration = undoneIntegration(reported, installed, settings);
    // If it was not read, nothing is known of its fields.
    if (unread?.has(reported.id)) undone.push(withoutFields(integration));
    else if (hasFields(integration)) undone.push(integration);
  }
  const desired = undone.map((integration) => integration.desired);
  const { plan, diagnostics } = planServer({ ...input, desired });
  const integrations = withKept(plan.integrations, undone);
  const summary = { ...plan.summary, managed, unmanagedOptions: 0 };
  const asksAgain = declared && askedAgain(plan.integrations, asked);
  return { plan: { ...plan, summary, integrations, asksAgain }, diagnostics };
}

/** The fields for which the YAML asks something else than an undo writes. */
function askedAgain(
  integrations: readonly IntegrationPlan[],
  asked: ReadonlyMap<string, Settings>,
): ReadonlySet<string> {
  const again = new Set<string>();
  for (const { id, changes } of integrations) {
    const settings = asked.get(id) ?? NOTHING.settings;
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
  const subjects = new Map<string, Subject>();
  const places: Place[] = [];
  let isKnown = true;
  for (const { asksAgain, integrations } of plans) {
    for (const { subject, setting } of integrations.flatMap(writtenIn)) {
      const address = addressOf(subject);
      const isAsked = asksAgain?.has(address);
      if (isAsked === false) continue;
      if (isAsked === undefined) isKnown = false;
      subjects.set(address, subject);
      places.push(setting.place);
    }
  }
  if (subjects.size === 0) return [];
  const facts = { ...aboutFields([...subjects.values()]), isKnown };
  return [withPlaces(diagnostic('still-declared', facts), places)];
}

/** The fields of an integration that were written, or may have been. */
function writtenIn(integration: IntegrationPlan): Comparison[] {
  const written = integration.changes.filter((change) =>
    isWritten(endOf(change, integration)),
  );
  return written.map(({ comparison }) => comparison);
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
interface WrittenFields {
  /** The keys of options. */
  readonly options: readonly string[];
  readonly autosubscribe: boolean;
}

/** Finds what of an integration was written; undefined if nothing was. */
export function writtenFields(
  { name, changes }: IntegrationDocument,
  live: LiveIntegration,
): WrittenFields | undefined {
  const written = changes.filter(isWritten);
  if (written.length === 0) return undefined;
  const subjects = subjectsByAddress(name, live);
  const options = new Set<string>();
  let autosubscribe = false;
  for (const { address } of written) {
    const subject = subjects.get(address);
    if (subject === undefined) continue;
    if (subject.kind === 'autosubscribe') autosubscribe = true;
    else options.add(subject.option);
  }
  return { options: [...options], autosubscribe };
}

/** What is asked of an integration to take it back, and what is left of it. */
interface UndoneIntegration {
  readonly desired: DesiredIntegration;
  readonly status: string | null;
  readonly kept: readonly KeptField[];
}

function hasFields({ desired, kept }: UndoneIntegration): boolean {
  const { options, autosubscribe } = desired.settings;
  return options.size > 0 || autosubscribe !== undefined || kept.length > 0;
}

function withoutFields(integration: UndoneIntegration): UndoneIntegration {
  const { desired } = integration;
  const { settings } = NOTHING;
  return { ...integration, desired: { ...desired, settings }, kept: [] };
}

function undoneIntegration(
  reported: IntegrationDocument,
  live: LiveIntegration | undefined,
  declared: Settings = NOTHING.settings,
): UndoneIntegration {
  const { name, id, source, changes } = reported;
  const subjects = subjectsByAddress(name, live);
  const review = reviewOf(reported);
  const secrecyOf: SecrecyOf = (option) => {
    const { secrecy = {} } = declared.options.get(option) ?? {};
    return declaredSecrecy(secrecy, secrecyAtReview(review, option));
  };
  const fields: UndoneField[] = [];
  const kept: KeptField[] = [];
  for (const change of changes) {
    if (!isWritten(change)) continue;
    const subject = subjects.get(change.address);
    const result = undoneField(change, { subject, live, secrecyOf });
    if ('because' in result) kept.push(result);
    else fields.push(result);
  }
  const place = source ?? changes[0]?.source ?? NOWHERE;
  const settings = settingsOf(fields, secrecyOf);
  return {
    desired: { name, id, place, settings },
    status: live?.status ?? null,
    kept,
  };
}

/** The place of an integration that a report has no line for. */
const NOWHERE: Place = { file: '', line: 1, column: 1 };

/** The fields that an integration has, by the addresses of a report. */
function subjectsByAddress(
  integration: string,
  live: LiveIntegration | undefined,
): ReadonlyMap<string, Subject> {
  const subjects: Subject[] = [{ kind: 'autosubscribe', integration }];
  for (const option of live?.optionKeys ?? []) {
    subjects.push({ kind: 'permission', integration, option });
    subjects.push({ kind: 'value', integration, option });
  }
  const byAddress = new Map<string, Subject>();
  for (const subject of subjects) byAddress.set(addressOf(subject), subject);
  return byAddress;
}

/** A field that is taken back, or was already. */
interface UndoneField {
  readonly subject: Subject;
  readonly setting: Setting;
}

/** Why a report does not tell what a field held; undefined if it does. */
function untoldIn({
  secret,
  hidden,
  before,
}: ChangeDocument): NotUndone | undefined {
  if (secret === true) return before === '' ? 'first-secret' : 'secret';
  return hidden === true ? 'hidden' : undefined;
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
): UndoneField | KeptField {
  const untold = untoldIn(change);
  if (untold !== undefined) return { change, because: untold };
  if (live === undefined) return { change, because: 'gone' };
  if (subject === undefined) return { change, because: 'moved' };
  const { before, after } = change;
  const place = sourceOf(change);
  const field = { subject, place, secrecyOf };
  const written = compared({ ...field, value: after }, live);
  const former = compared({ ...field, value: before }, live);
  const fate = decideUndo(written, former);
  if (fate === 'form') {
    return { change, because: isEmpty(before) ? 'empty' : 'form' };
  }
  const isTakenBack = fate === 'none' || fate === 'change';
  if (isTakenBack && former !== undefined) {
    return { subject, setting: former.setting };
  }
  if (fate === 'hidden') return { change, because: 'hidden' };
  if (written?.isSecret || isOfSecrets(subject, live)) {
    return { change, because: 'moved', isSecret: true };
  }
  return { change, because: 'moved', held: heldText(written ?? former) };
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

/** A field, and a value that a report has for it. */
interface ReportedField {
  readonly subject: Subject;
  readonly value: OptionValue | null;
  readonly place: Place;
  readonly secrecyOf: SecrecyOf;
}

/** Compares a field with a value; undefined if it cannot hold that. */
function compared(
  field: ReportedField,
  live: LiveIntegration,
): Comparison | undefined {
  const { subject, secrecyOf } = field;
  const setting = reportedSetting(field, live);
  if (setting === undefined) return undefined;
  const settings = settingsOf([{ subject, setting }], secrecyOf);
  const asked = { name: subject.integration, settings };
  return compareIntegration(asked, live).comparisons[0];
}

/** What asks for a value that a report has; undefined if it is none. */
function reportedSetting(
  { subject, value, place }: ReportedField,
  live: LiveIntegration,
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
  fields: readonly UndoneField[],
  secrecyOf: SecrecyOf,
): Settings {
  const options = new Map<string, OptionSettings>();
  let autosubscribe: SubscriptionSetting | undefined;
  for (const { subject, setting } of fields) {
    const { place, kind } = setting;
    if (kind === 'autosubscribe') autosubscribe = setting;
    if (subject.kind === 'autosubscribe') continue;
    const { option } = subject;
    const others = options.get(option) ?? {
      option,
      keyPlace: place,
      isDefault: false,
      secrecy: secrecyOf(option),
    };
    options.set(option, { ...others, [kind]: setting });
  }
  return { options: sortedByKey(options), autosubscribe };
}

function sortedByKey<Value>(
  map: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value> {
  return new Map([...map].sort(([one], [other]) => compareText(one, other)));
}

/** Whether an option is one of secrets, whatever a report says of it. */
function isOfSecrets(subject: Subject, { options }: LiveIntegration): boolean {
  const key = optionOf(subject);
  if (key === undefined || subject.kind !== 'value') return false;
  return isSecret({ key, type: options.get(key)?.type });
}

/** Adds to plans what is left of their integrations, and those all left. */
function withKept(
  plans: readonly IntegrationPlan[],
  undone: readonly UndoneIntegration[],
): IntegrationPlan[] {
  const byId = new Map<string, IntegrationPlan>();
  for (const plan of plans) byId.set(plan.id, plan);
  for (const { desired, status, kept } of undone) {
    if (kept.length === 0) continue;
    const { name, id, place } = desired;
    const plan = byId.get(id) ?? { ...NOTHING, name, id, place, status };
    byId.set(id, { ...plan, kept });
  }
  return [...byId.values()].sort((one, other) => {
    return compareText(one.name, other.name) || compareText(one.id, other.id);
  });
}
