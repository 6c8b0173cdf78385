import { isLikelySecret } from '../config/rules.ts';
import { leftoverIn } from '../config/text-flaws.ts';
import { type AboutField, aboutField, aboutFields } from '../findings/about.ts';
import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import type { NotAccepted } from '../findings/usage.ts';
import { grouped, present } from '../model/json.ts';
import {
  formOf,
  type LiveIntegration,
  type LiveOption,
} from '../model/live.ts';
import { isPermission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { type DeclaredSecrecy, isSecret } from '../model/secrecy.ts';
import { contentOf } from '../model/side.ts';
import { isNamedBy, optionOf, type Subject } from '../model/subject.ts';
import {
  literalText,
  type OptionValue,
  textsOf,
  type WrittenValue,
} from '../model/value.ts';
import { type Comparison, isShownAsSecret } from '../plan/compare.ts';
import { writtenForm } from '../plan/conform.ts';
import type { IntegrationPlan, ServerPlan } from '../plan/plan.ts';
import { type Risk, risksOf } from '../plan/risk.ts';

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
  readonly subject: Subject;
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
}

/** The plan of a server, and what it holds. */
export interface PlannedServer {
  readonly plan: ServerPlan;
  readonly live: readonly LiveIntegration[];
}

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

/**
 * Finds the chosen fields of a server that drifted and that YAML can hold, and
 * words why others are skipped. The name of an integration means what drifted
 * in it, and the name of an option its value.
 */
export function driftOf(
  { plan, live }: PlannedServer,
  choice: AcceptChoice,
  isInFleet: boolean,
): Drift {
  const installed = new Map(live.map(({ id, options }) => [id, options]));
  const drifted: DriftedField[] = [];
  const skipped: Skipped[] = [];
  for (const integration of plan.integrations) {
    const { id, settings, changes } = integration;
    skipped.push(...leftIn(integration, choice));
    for (const { comparison, label } of changes) {
      const { subject, setting } = comparison;
      const key = optionOf(subject) ?? '';
      const isOfBranch = plan.base !== undefined && label === 'change';
      const value =
        reasonAgainst(subject, isOfBranch, choice) ??
        newValue(comparison, {
          option: installed.get(id)?.get(key),
          secrecy: settings.options.get(key)?.secrecy,
          holdsSecret: choice.holdsSecret,
        });
      if (value === 'unnamed') continue;
      if (typeof value === 'string')
        skipped.push({ subject, reason: value, place: setting.place });
      else drifted.push(driftedField(plan.name, comparison, value));
    }
  }
  const server = isInFleet ? plan.name : undefined;
  return { drifted, diagnostics: findingsOf(skipped, server) };
}

/** The fields that a person named and that a plan leaves as they are. */
function leftIn(
  { name, left }: IntegrationPlan,
  { addresses }: AcceptChoice,
): Skipped[] {
  const skipped: Skipped[] = [];
  for (const { subject, because, comparison } of left) {
    const place = comparison?.setting.place;
    if (because === 'waived' && isNamedByAny(addresses, subject))
      skipped.push({ subject, reason: because });
    if (because !== 'hidden' && because !== 'unread') continue;
    const named = addresses.filter((typed) => typed !== name);
    if (isNamedByAny(named, subject))
      skipped.push({ subject, reason: because, place });
  }
  return skipped;
}

/** Why a field that differs is not accepted, whatever it holds. */
function reasonAgainst(
  subject: Subject,
  isOfBranch: boolean,
  { addresses }: AcceptChoice,
): NotAccepted | 'unnamed' | undefined {
  const { integration } = subject;
  if (isOfBranch) {
    const named = addresses.filter((typed) => typed !== integration);
    return isNamedByAny(named, subject) ? 'branch' : 'unnamed';
  }
  if (addresses.length === 0 || isNamedByAny(addresses, subject))
    return undefined;
  // The name of an option means its value.
  const isBeside =
    subject.kind === 'permission' &&
    addresses.includes(`${integration}.${subject.option}`);
  return isBeside ? 'permission' : 'unnamed';
}

function isNamedByAny(addresses: readonly string[], subject: Subject): boolean {
  return addresses.some((typed) => isNamedBy(typed, subject));
}

function driftedField(
  server: string,
  { subject, setting, after }: Comparison,
  value: NewValue,
): DriftedField {
  return {
    ...aboutField(subject),
    ...value,
    server,
    subject,
    place: setting.place,
    // A secret is skipped before it is shown.
    desired: after.kind === 'shown' ? after.value : '',
    isReference: setting.kind === 'value' && setting.reference !== undefined,
  };
}

function findingsOf(
  skipped: readonly Skipped[],
  server: string | undefined,
): Diagnostic[] {
  const byReason = grouped(skipped, ({ reason }) => reason);
  return [...byReason].map(([reason, alike]) => {
    const places = alike.flatMap(({ place }) => place ?? []);
    const about = aboutFields(alike.map(({ subject }) => subject));
    const place = alike.length === 1 ? places[0] : undefined;
    const finding = diagnostic('not-accepted', { ...about, reason }, place);
    return { ...withPlaces(finding, places), ...present({ server }) };
  });
}

/** What the YAML is to declare in place of what it declares. */
interface NewValue {
  readonly live: OptionValue;
  readonly written: WrittenValue;
  readonly risks: readonly Risk[];
}

/** What decides whether a live value can be declared. */
interface NewValueContext {
  /** The option of the field, if it is of one. */
  readonly option: LiveOption | undefined;
  /** What the configuration says of the secrecy of the option. */
  readonly secrecy: DeclaredSecrecy | undefined;
  readonly holdsSecret: AcceptChoice['holdsSecret'];
}

/** What the YAML is to declare in place of a change, or why it cannot. */
function newValue(
  comparison: Comparison,
  { option, secrecy, holdsSecret }: NewValueContext,
): NewValue | NotAccepted {
  const { setting, before } = comparison;
  const held = contentOf(before);
  if (setting.kind === 'autosubscribe') {
    const { kind, want } = setting;
    const live = held === true;
    const risks = risksOf({ kind, before: want, after: live });
    return { live, written: live, risks };
  }
  if (option === undefined) return 'form';
  if (setting.kind === 'permission') {
    if (!isPermission(held)) return 'form';
    const { kind, want } = setting;
    const { key, type } = option;
    const isExposable = isSecret({ key, type, ...secrecy });
    const risks = risksOf({ kind, before: want, after: held, isExposable });
    return { live: held, written: held, risks };
  }
  if (isShownAsSecret(comparison)) return 'secret';
  const live = held ?? emptyForm(option);
  if (live === undefined) return 'form';
  const written = writtenForm(live, option);
  if (written === undefined) return 'form';
  const texts = textsOf(live);
  if (texts.some(isLeftover)) return 'leftover';
  const isLikely = isLikelySecret(option.key, written, secrecy?.mark);
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
