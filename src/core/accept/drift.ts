import { isLikelySecret } from '../config/rules.ts';
import { leftoverIn } from '../config/text-flaws.ts';
import { type AboutField, aboutField, aboutFields } from '../findings/about.ts';
import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import type { NotAccepted } from '../findings/usage.ts';
import type {
  PermissionSetting,
  SubscriptionSetting,
} from '../model/desired.ts';
import { grouped } from '../model/json.ts';
import {
  formOf,
  type LiveIntegration,
  type LiveOption,
} from '../model/live.ts';
import { isPermission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { type DeclaredSecrecy, isSecret } from '../model/secrecy.ts';
import { contentOf } from '../model/side.ts';
import { isNamedBy, type Subject } from '../model/subject.ts';
import {
  literalText,
  type OptionValue,
  textsOf,
  type WrittenValue,
} from '../model/value.ts';
import { type Comparison, isShownAsSecret } from '../plan/compare.ts';
import { writtenForm } from '../plan/conform.ts';
import {
  type Change,
  type IntegrationPlan,
  leftBecause,
  type ServerPlan,
} from '../plan/plan.ts';
import { type Risk, risksOf } from '../plan/risk.ts';
import { IN_FLOW, valueText } from '../yaml/value-text.ts';

/** Which fields a person chose. */
export interface AcceptChoice {
  /** Integrations, options or fields; all drift if there are none. */
  readonly addresses: readonly string[];
  /** Whether a text holds a secret of the run, in any form. */
  readonly holdsSecret: (text: string) => boolean;
}

/** A field that drifted, and its new value. */
export interface DriftedField extends AboutField {
  readonly server: string;
  /** Where it is declared. */
  readonly place: Place;
  readonly desired: OptionValue;
  readonly live: OptionValue;
  /** Whether its declaration has a reference. */
  readonly isReference: boolean;
  /** The live value as the YAML declares it. */
  readonly written: WrittenValue;
  /** The risks of declaring it. */
  readonly risks: readonly Risk[];
  /** The YAML below `integrations:` that declares it for its integration alone. */
  readonly lines: string;
}

/** What the YAML is to declare in place of what it declares. */
type NewValue = Pick<DriftedField, 'live' | 'written' | 'risks'>;

/** A field that is skipped, and why. */
interface Skipped {
  readonly subject: Subject;
  readonly reason: NotAccepted;
  readonly place?: Place | undefined;
}

/** What drifted on a server, and findings for what is skipped. */
export interface Drift {
  readonly drifted: readonly DriftedField[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The chosen fields of a server that drifted and that YAML can hold, and findings for the others. */
export function driftOf(
  plan: ServerPlan,
  live: readonly LiveIntegration[],
  choice: AcceptChoice,
): Drift {
  const installed = new Map(live.map(({ id, options }) => [id, options]));
  const drifted: DriftedField[] = [];
  const left: Skipped[] = [];
  for (const integration of plan.integrations) {
    left.push(...leftIn(plan, integration, choice));
    const options = installed.get(integration.id);
    for (const change of integration.changes) {
      const { comparison } = change;
      if (isOfBranch(plan, change)) continue;
      if (!isChosen(comparison.subject, choice)) continue;
      const secrecy = secrecyOf(integration, comparison);
      const context = { options, secrecy, holdsSecret: choice.holdsSecret };
      const found = newValue(comparison, context);
      if (typeof found === 'string') left.push(skipped(comparison, found));
      else drifted.push(driftedField(plan.name, comparison, found));
    }
  }
  return { drifted, diagnostics: findingsOf(left) };
}

/** Whether a field that drifted is meant: without addresses all are. */
function isChosen(subject: Subject, { addresses }: AcceptChoice): boolean {
  return addresses.length === 0 || isNamedByAny(addresses, subject);
}

function isNamedByAny(addresses: readonly string[], subject: Subject): boolean {
  return addresses.some((typed) => isNamedBy(typed, subject));
}

/** Whether the branch changed a field, so that it did not drift. */
function isOfBranch(plan: ServerPlan, { label }: Change): boolean {
  return plan.base !== undefined && label === 'change';
}

/** What the configuration says of the secrecy of the option of a field. */
function secrecyOf(
  { settings }: IntegrationPlan,
  { subject }: Comparison,
): DeclaredSecrecy {
  if (subject.kind === 'autosubscribe') return {};
  return settings.options.get(subject.option)?.secrecy ?? {};
}

/**
 * The fields of an integration that a person named and that are left alone.
 * The name of an integration means what drifted in it, and the name of an
 * option its value.
 */
function leftIn(
  plan: ServerPlan,
  integration: IntegrationPlan,
  { addresses }: AcceptChoice,
): Skipped[] {
  const { name, changes } = integration;
  const fields = addresses.filter((typed) => typed !== name);
  const left = uncomparedIn(integration, fields);
  for (const { subject } of leftBecause(integration, 'waived')) {
    if (!isNamedByAny(addresses, subject)) continue;
    left.push({ subject, reason: 'waived' });
  }
  for (const change of changes) {
    const { comparison } = change;
    const reason = isOfBranch(plan, change) ? 'branch' : 'permission';
    const isLeft =
      reason === 'branch'
        ? isNamedByAny(fields, comparison.subject)
        : isBesideNamed(comparison.subject, addresses);
    if (isLeft) left.push(skipped(comparison, reason));
  }
  return left;
}

/** The named fields that the server hides, or whose references are not set. */
function uncomparedIn(
  integration: IntegrationPlan,
  named: readonly string[],
): Skipped[] {
  const uncompared: Skipped[] = [];
  for (const reason of ['hidden', 'unread'] as const) {
    for (const comparison of leftBecause(integration, reason)) {
      if (!isNamedByAny(named, comparison.subject)) continue;
      uncompared.push(skipped(comparison, reason));
    }
  }
  return uncompared;
}

/** Whether a permission drifted of which a person named only the option, which means its value. */
function isBesideNamed(
  subject: Subject,
  addresses: readonly string[],
): boolean {
  if (subject.kind !== 'permission') return false;
  const option = `${subject.integration}.${subject.option}`;
  return addresses.includes(option) && !isNamedByAny(addresses, subject);
}

function driftedField(
  server: string,
  { subject, setting, after }: Comparison,
  found: NewValue,
): DriftedField {
  return {
    ...aboutField(subject),
    server,
    place: setting.place,
    // A secret is skipped before it is shown.
    desired: after.kind === 'shown' ? after.value : '',
    isReference: setting.kind === 'value' && setting.reference !== undefined,
    live: found.live,
    written: found.written,
    risks: found.risks,
    lines: linesOf(subject, found.written),
  };
}

function skipped(
  { subject, setting }: Comparison,
  reason: NotAccepted,
): Skipped {
  return { subject, reason, place: setting.place };
}

function findingsOf(skipped: readonly Skipped[]): Diagnostic[] {
  return [...grouped(skipped, ({ reason }) => reason)].map(([reason, all]) => {
    const places = all.flatMap((each) => each.place ?? []);
    const about = aboutFields(all.map(({ subject }) => subject));
    const place = all.length === 1 ? places[0] : undefined;
    const found = diagnostic('not-accepted', { ...about, reason }, place);
    return withPlaces(found, places);
  });
}

/** An entry with one field, in one line. */
function linesOf(subject: Subject, written: WrittenValue): string {
  const { integration, kind } = subject;
  let lines = `${kind}: ${valueText(written, IN_FLOW)}`;
  if (subject.kind !== 'autosubscribe') {
    lines = `options: { ${valueText(subject.option, IN_FLOW)}: { ${lines} } }`;
  }
  return `${valueText(integration, IN_FLOW)}: { ${lines} }`;
}

/** What decides whether a live value can be declared. */
interface NewValueContext {
  readonly options: ReadonlyMap<string, LiveOption> | undefined;
  readonly secrecy: DeclaredSecrecy;
  readonly holdsSecret: AcceptChoice['holdsSecret'];
}

/** What the YAML is to declare in place of a change, or why it cannot. */
function newValue(
  comparison: Comparison,
  context: NewValueContext,
): NewValue | NotAccepted {
  const { subject, setting, before } = comparison;
  const held = contentOf(before);
  if (setting.kind === 'autosubscribe') {
    return newFlag(held === true, setting);
  }
  if (subject.kind === 'autosubscribe') return 'form';
  const option = context.options?.get(subject.option);
  if (option === undefined) return 'form';
  if (setting.kind === 'permission') {
    const { key, type } = option;
    const isExposable = isSecret({ key, type, ...context.secrecy });
    return newPermission(held, setting, isExposable);
  }
  return newOptionValue(comparison, option, context);
}

function newFlag(live: boolean, { want }: SubscriptionSetting): NewValue {
  const facts = { kind: 'autosubscribe', before: want, after: live } as const;
  return { live, written: live, risks: risksOf(facts) };
}

function newPermission(
  held: OptionValue | undefined,
  { want }: PermissionSetting,
  isExposable: boolean,
): NewValue | NotAccepted {
  if (!isPermission(held)) return 'form';
  const kind = 'permission';
  const risks = risksOf({ kind, before: want, after: held, isExposable });
  return { live: held, written: held, risks };
}

function newOptionValue(
  comparison: Comparison,
  option: LiveOption,
  { secrecy, holdsSecret }: NewValueContext,
): NewValue | NotAccepted {
  if (isShownAsSecret(comparison)) return 'secret';
  const live = contentOf(comparison.before) ?? emptyForm(option);
  if (live === undefined) return 'form';
  const written = writtenForm(live, option);
  if (written === undefined) return 'form';
  const texts = textsOf(live);
  if (texts.some(isLeftover)) return 'leftover';
  const isLikely = isLikelySecret(option.key, written, secrecy.mark);
  if (isLikely || texts.some(holdsSecret)) return 'secret';
  return { live, written, risks: [] };
}

/** Whether a text is a leftover as YAML writes it, where `$${` is a literal `${`. */
function isLeftover(text: string): boolean {
  return leftoverIn(literalText(text)) !== undefined;
}

/** An option value that is not set, as YAML declares it; undefined if YAML has no form of it. */
function emptyForm(option: LiveOption): OptionValue | undefined {
  const form = formOf(option);
  if (form === 'multi-select') return [];
  return form === 'text' || form === 'any' ? '' : undefined;
}
