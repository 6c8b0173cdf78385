import { isReportedAsLikely } from '../config/rules/secret-rules.ts';
import type { NotAccepted } from '../findings/accept.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { type FieldName, fieldIn, namesField } from '../model/address.ts';
import { secrecyOf, type WrittenValue } from '../model/desired.ts';
import { grouped } from '../model/grouped.ts';
import type { LiveOption } from '../model/live.ts';
import { formOf } from '../model/option-form.ts';
import { isPermission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { isSecret, type Told } from '../model/secrecy.ts';
import { isHidden } from '../model/secret.ts';
import { type OptionValue, textsOf } from '../model/value.ts';
import type { Change } from '../plan/plan.ts';
import { type Risk, risksOf } from '../plan/risk.ts';
import { writtenForm } from '../plan/written-form.ts';
import type { DriftedField } from './editing.ts';
import type { Reading } from './reading.ts';

/** Which fields a person chose. */
export interface AcceptChoice {
  /** Integrations, options or fields; all drift if there are none. */
  readonly addresses: readonly string[];
  /** Whether a text holds a secret of the run, in any form. */
  readonly holdsSecret: (text: string) => boolean;
}

/** A field that is skipped, and why. */
interface Skipped {
  readonly address: string;
  readonly reason: NotAccepted;
  readonly place?: Place | undefined;
}

/** The chosen fields that drifted and that YAML can hold, and a finding for the others. */
export function driftOf(reading: Reading, choice: AcceptChoice) {
  const { plan, live = [] } = reading.server.planned ?? {};
  const options = new Map(live.map((each) => [each.id, each.options]));
  const all = (plan?.integrations ?? []).flatMap(({ name, id, changes, cannotTell, waived = [] }) => {
    const isNamed = (address: string) => isChosen(choice.addresses, name, address);
    const isMeant = ({ address }: { address: string }) => choice.addresses.length === 0 || isNamed(address);
    const skipped =
      (reason: NotAccepted) =>
      ({ address, place }: { address: string; place?: Place }) =>
        isNamed(address) ? [{ address, reason, place }] : [];
    return [
      ...cannotTell.flatMap(({ address, source }) => skipped('hidden')({ address, place: source })),
      ...waived.flatMap((address) => skipped('waived')({ address })),
      ...changes.filter(isMeant).flatMap((change): readonly (DriftedField | Skipped)[] => {
        if (plan?.base !== undefined && change.label === 'change')
          return skipped('branch')({ address: change.address, place: change.setting.place });
        const option = options.get(id)?.get(change.setting.option ?? '');
        const found = newValue(change, option, reading, id, choice.holdsSecret);
        const { address, setting } = change;
        const { place } = setting;
        if (typeof found === 'string') return [{ address, reason: found, place }];
        const path =
          setting.field === 'autosubscribe'
            ? ([setting.field] as const)
            : (['options', setting.option, setting.field] as const);
        return [
          { server: reading.server.name, address, id, path, place, desired: desiredOf(change), ...found },
        ];
      }),
    ];
  });
  return {
    drifted: all.flatMap((each) => ('reason' in each ? [] : [each])),
    diagnostics: findingsOf(all.flatMap((each) => ('reason' in each ? [each] : []))),
  };
}

function isChosen(addresses: readonly string[], integration: string, address: string): boolean {
  const field = fieldIn(integration, address);
  return field !== undefined && addresses.some((typed) => namesField(typed, integration, field));
}

/** The addresses that name no managed field. */
export function unmanaged(
  addresses: readonly string[],
  managed: readonly { readonly integration: string; readonly field: FieldName }[],
): string[] {
  return addresses.filter(
    (typed) => !managed.some(({ integration, field }) => namesField(typed, integration, field)),
  );
}

function findingsOf(skipped: readonly Skipped[]): Diagnostic[] {
  return [...grouped(skipped, ({ reason }) => reason)].map(([reason, all]) => {
    const place = all.length === 1 ? all[0]?.place : undefined;
    return diagnostic('not-accepted', { addresses: all.map(({ address }) => address), reason }, place);
  });
}

function desiredOf(change: Change): OptionValue {
  // A secret is skipped before it is shown.
  return isHidden(change.after) ? '' : change.after;
}

type NewValue = {
  readonly live: OptionValue;
  readonly written: WrittenValue;
  readonly risks: readonly Risk[];
};

function newValue(
  change: Change,
  option: LiveOption | undefined,
  reading: Reading,
  id: string,
  holdsSecret: AcceptChoice['holdsSecret'],
): NewValue | NotAccepted {
  if (change.field === 'autosubscribe') {
    const before = change.before === true;
    return { live: before, written: before, risks: risksOf({ field: change.field, after: before }) };
  }
  if (option === undefined) return 'form';
  const desired = reading.desired.find((each) => each.id === id);
  const told = secrecyOf(desired, option.key);
  return change.field === 'permission'
    ? newPermission(change, option, told)
    : newOptionValue(change, option, told, holdsSecret);
}

function newPermission(
  { before, setting }: Change,
  { key, type }: LiveOption,
  told: Told,
): NewValue | NotAccepted {
  if (!isPermission(before) || setting.field !== 'permission') return 'form';
  const isExposable = isSecret({ key, type, ...told });
  const risks = risksOf({ field: 'permission', before: setting.want, after: before, isExposable });
  return { live: before, written: before, risks };
}

function newOptionValue(
  { before, sensitive }: Change,
  option: LiveOption,
  { mark }: Told,
  holdsSecret: AcceptChoice['holdsSecret'],
): NewValue | NotAccepted {
  if (sensitive || (before !== null && isHidden(before))) return 'secret';
  const live = before ?? nothing(option);
  const written = live === undefined ? undefined : writtenForm(live, option);
  if (live === undefined || written === undefined) return 'form';
  if (isReportedAsLikely(option.key, written, mark) || textsOf(live).some(holdsSecret)) return 'secret';
  return { live, written, risks: [] };
}

/** An option value that is not set, as YAML declares it; undefined if YAML has no form of it. */
function nothing(option: LiveOption): OptionValue | undefined {
  const form = formOf(option);
  if (form === 'multi-select') return [];
  return form === 'text' || form === 'any' ? '' : undefined;
}
