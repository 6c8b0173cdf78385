import { isLikelySecret } from '../config/rules.ts';
import { leftoverIn } from '../config/text-flaws.ts';
import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import type { NotAccepted } from '../findings/usage.ts';
import { grouped } from '../model/json.ts';
import {
  formOf,
  type LiveIntegration,
  type LiveOption,
} from '../model/live.ts';
import { isPermission } from '../model/permission.ts';
import { namesField, type Place } from '../model/place.ts';
import { isSecret } from '../model/secrecy.ts';
import { isHidden } from '../model/secret.ts';
import {
  type OptionValue,
  textsOf,
  type WrittenValue,
} from '../model/value.ts';
import { writtenForm } from '../plan/conform.ts';
import type { Change, IntegrationPlan, ServerPlan } from '../plan/plan.ts';
import { type Risk, risksOf } from '../plan/risk.ts';
import { IN_FLOW, valueText } from '../yaml/value-text.ts';

/** Which fields a person chose. */
interface AcceptChoice {
  /** Integrations, options or fields; all drift if there are none. */
  readonly addresses: readonly string[];
  /** Whether a text holds a secret of the run, in any form. */
  readonly holdsSecret: (text: string) => boolean;
}

/** A field that drifted, and its new value. */
interface DriftedField {
  readonly server: string;
  readonly address: string;
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
  readonly address: string;
  readonly reason: NotAccepted;
  readonly place?: Place | undefined;
}

/** The chosen fields of a server that drifted and that YAML can hold, and findings for the others. */
export function driftOf(
  plan: ServerPlan,
  live: readonly LiveIntegration[],
  choice: AcceptChoice,
): { drifted: DriftedField[]; diagnostics: Diagnostic[] } {
  const options = new Map(live.map((each) => [each.id, each.options]));
  const drifted: DriftedField[] = [];
  const left: Skipped[] = [];
  for (const integration of plan.integrations) {
    left.push(...leftIn(plan, integration, choice));
    for (const change of integration.changes) {
      if (isOfBranch(plan, change) || !isChosen(integration, change, choice))
        continue;
      const held = options.get(integration.id);
      const found = newValue(change, held, choice.holdsSecret);
      if (typeof found === 'string') left.push(skipped(change, found));
      else drifted.push(driftedField(plan, integration, change, found));
    }
  }
  return { drifted, diagnostics: findingsOf(left) };
}

/** Whether a field that drifted is meant: without addresses all are. */
function isChosen(
  { name }: IntegrationPlan,
  { address }: Pick<Change, 'address'>,
  { addresses }: AcceptChoice,
): boolean {
  return (
    addresses.length === 0 ||
    addresses.some((typed) => namesField(typed, name, address))
  );
}

/** Whether the branch changed a field, so that it did not drift. */
function isOfBranch(plan: ServerPlan, { label }: Change): boolean {
  return plan.base !== undefined && label === 'change';
}

/**
 * The fields of an integration that a person named and that are left alone. The name of an integration means what drifted in
 * it, and the name of an option its value.
 */
function leftIn(
  plan: ServerPlan,
  integration: IntegrationPlan,
  { addresses }: AcceptChoice,
): Skipped[] {
  const { name, changes, hidden, waived } = integration;
  const fields = addresses.filter((typed) => typed !== name);
  const isNamed = (address: string) =>
    fields.some((typed) => namesField(typed, name, address));
  const left: Skipped[] = [];
  for (const change of hidden)
    if (isNamed(change.address)) left.push(skipped(change, 'hidden'));
  for (const address of waived)
    if (isNamed(address) || addresses.includes(name))
      left.push({ address, reason: 'waived' });
  for (const change of changes)
    if (isOfBranch(plan, change)) {
      if (isNamed(change.address)) left.push(skipped(change, 'branch'));
    } else if (isBesideNamed(integration, change, addresses))
      left.push(skipped(change, 'permission'));
  return left;
}

/** Whether a permission drifted of which a person named only the option, which means its value. */
function isBesideNamed(
  { name }: IntegrationPlan,
  { address, setting }: Change,
  addresses: readonly string[],
): boolean {
  if (setting.field !== 'permission') return false;
  const option = `${name}.${setting.option}`;
  return (
    addresses.includes(option) &&
    !addresses.some((typed) => namesField(typed, name, address))
  );
}

function driftedField(
  { name: server }: ServerPlan,
  { name }: IntegrationPlan,
  { address, after, setting }: Change,
  found: NewValue,
): DriftedField {
  // A secret is skipped before it is shown.
  const desired = isHidden(after) ? '' : after;
  const isReference =
    setting.field === 'value' && setting.reference !== undefined;
  const lines = linesOf(name, setting, found.written);
  const { place } = setting;
  return { server, address, place, desired, isReference, ...found, lines };
}

function skipped(
  { address, setting: { place } }: Change,
  reason: NotAccepted,
): Skipped {
  return { address, reason, place };
}

function findingsOf(skipped: readonly Skipped[]): Diagnostic[] {
  return [...grouped(skipped, ({ reason }) => reason)].map(([reason, all]) => {
    const places = all.flatMap((each) => each.place ?? []);
    const addresses = all.map(({ address }) => address);
    const place = all.length === 1 ? places[0] : undefined;
    const found = diagnostic('not-accepted', { addresses, reason }, place);
    return withPlaces(found, places);
  });
}

/** An entry with one field, in one line. */
function linesOf(
  name: string,
  setting: Change['setting'],
  written: WrittenValue,
): string {
  const path =
    setting.field === 'autosubscribe' ? [] : ['options', setting.option];
  const field = `${setting.field}: ${valueText(written, IN_FLOW)}`;
  const inner = path.reduceRight(
    (text, key) => `${valueText(key, IN_FLOW)}: { ${text} }`,
    field,
  );
  return `${valueText(name, IN_FLOW)}: { ${inner} }`;
}

/** What the YAML is to declare in place of a change, or why it cannot. */
function newValue(
  { before, after, setting }: Change,
  options: ReadonlyMap<string, LiveOption> | undefined,
  holdsSecret: AcceptChoice['holdsSecret'],
): NewValue | NotAccepted {
  if (setting.field === 'autosubscribe') {
    const live = before === true;
    const risks = risksOf({
      field: setting.field,
      before: setting.want,
      after: live,
    });
    return { live, written: live, risks };
  }
  const option = options?.get(setting.option);
  if (option === undefined) return 'form';
  const { key, type } = option;
  if (setting.field === 'permission') {
    if (!isPermission(before)) return 'form';
    const isExposable = isSecret({ key, type, ...setting.secrecy });
    const risks = risksOf({
      field: setting.field,
      before: setting.want,
      after: before,
      isExposable,
    });
    return { live: before, written: before, risks };
  }
  if (isHidden(after) || (before !== null && isHidden(before))) return 'secret';
  const live = before ?? nothing(option);
  const written = live === undefined ? undefined : writtenForm(live, option);
  if (live === undefined || written === undefined) return 'form';
  if (textsOf(live).some(isLeftover)) return 'leftover';
  const isLikely = isLikelySecret(key, written, setting.secrecy.mark);
  return isLikely || textsOf(live).some(holdsSecret)
    ? 'secret'
    : { live, written, risks: [] };
}

/** Whether a text is a leftover as YAML writes it, where `$${` is a literal `${`. */
function isLeftover(text: string): boolean {
  const written = text.replaceAll('${', () => '$${');
  return leftoverIn(written) !== undefined;
}

/** An option value that is not set, as YAML declares it; undefined if YAML has no form of it. */
function nothing(option: LiveOption): OptionValue | undefined {
  const form = formOf(option);
  if (form === 'multi-select') return [];
  return form === 'text' || form === 'any' ? '' : undefined;
}
