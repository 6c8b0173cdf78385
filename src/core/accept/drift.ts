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
import type { Change, ServerPlan } from '../plan/plan.ts';
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
) {
  const options = new Map(live.map((each) => [each.id, each.options]));
  const isOfBranch = ({ label }: Change) =>
    plan.base !== undefined && label === 'change';
  const all = plan.integrations.flatMap(
    ({ name, id, changes, hidden, waived = [] }) => {
      const isNamed = ({ address }: { address: string }) =>
        choice.addresses.some((typed) => namesField(typed, name, address));
      const left: readonly Skipped[] = [
        ...hidden.map((change) => skipped(change, 'hidden')),
        ...waived.map((address) => ({ address, reason: 'waived' as const })),
        ...changes
          .filter(isOfBranch)
          .map((change) => skipped(change, 'branch')),
      ];
      const drifted = changes
        .filter(
          (change) =>
            !isOfBranch(change) &&
            (choice.addresses.length === 0 || isNamed(change)),
        )
        .map((change): DriftedField | Skipped => {
          const found = newValue(change, options.get(id), choice.holdsSecret);
          if (typeof found === 'string') return skipped(change, found);
          const { address, after, setting } = change;
          // A secret is skipped before it is shown.
          const desired = isHidden(after) ? '' : after;
          const isReference =
            setting.field === 'value' && setting.reference !== undefined;
          const lines = linesOf(name, setting, found.written);
          return {
            server: plan.name,
            address,
            place: setting.place,
            desired,
            isReference,
            ...found,
            lines,
          };
        });
      return [...left.filter(isNamed), ...drifted];
    },
  );
  return {
    drifted: all.flatMap((each) => ('reason' in each ? [] : [each])),
    diagnostics: findingsOf(
      all.flatMap((each) => ('reason' in each ? [each] : [])),
    ),
  };
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
): Pick<DriftedField, 'live' | 'written' | 'risks'> | NotAccepted {
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
