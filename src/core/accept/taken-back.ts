import { isReportedAsLikely } from '../config/rules/secret-rules.ts';
import type { NotAccepted } from '../findings/accept.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import { grouped } from '../model/grouped.ts';
import type { LiveOption } from '../model/live.ts';
import { formOf } from '../model/option-form.ts';
import { isPermission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { type OptionValue, textsOf } from '../model/value.ts';
import type { Change, ValueChange } from '../plan/plan.ts';
import type { Policy } from '../plan/risk.ts';
import { writtenForm } from '../plan/written-form.ts';
import { type Around, refusedFor, risksOfTaking } from './accept-risks.ts';
import type { EditedServer, WantedField } from './editing.ts';
import type { NewValue } from './value-edits.ts';

/** The chosen fields of a plan that YAML can hold, and what is said of the others. */
export function takenBack(
  { name: server, planned }: EditedServer,
  desired: readonly DesiredIntegration[],
  { isChosen, isNamed, holdsSecret }: AcceptChoice,
): { readonly wanted: readonly WantedField[]; readonly diagnostics: readonly Diagnostic[] } {
  const live = new Map(planned?.live.map((each) => [each.id, each]));
  const asked = new Map(desired.map((each) => [each.id, each]));
  const fields = (planned?.plan.integrations ?? []).flatMap(
    ({ name, id, changes: all, cannotTell, waived = [] }) => {
      const chosen = <T extends { readonly address: string }>(all: readonly T[], isMeant = isChosen) =>
        all.filter(({ address }) => isMeant(address, name));
      // What the branch itself changed is no drift.
      const isOwn = ({ label }: Change) => planned?.plan.base !== undefined && label === 'change';
      const changes = all.filter((each) => !isOwn(each));
      return [
        ...chosen(all.filter(isOwn), isNamed).map(({ address }) =>
          untaken(address, 'branch', isNamed(address, name)),
        ),
        // One that is named is no longer waived.
        ...chosen(waived.map((address) => ({ address }))).map(({ address }) =>
          untaken(address, 'waived', false),
        ),
        ...chosen(cannotTell).map(({ address, source, reference }) => {
          const reason = address.endsWith('.permission') ? 'unserved' : 'unreadable';
          return untaken(address, reason, isNamed(address, name), source, reference);
        }),
        ...chosen(changes).map((change): WantedField | Untaken => {
          const key = change.field === 'autosubscribe' ? undefined : change.option;
          const option = live.get(id)?.options.get(key ?? '');
          const desiredOption = asked.get(id)?.options.find((each) => each.key === key);
          const around = { option, desired: desiredOption, holdsSecret };
          const made = taken(change, around, planned?.plan.policy);
          const { address, source: place } = change;
          if (typeof made !== 'string')
            return { server, name, id, address, path: pathOf(change), place, ...made };
          const reference = change.field === 'value' ? change.reference : undefined;
          const reason = made === 'secret' && reference !== undefined ? 'referenced' : made;
          return untaken(address, reason, isNamed(address, name), place, reference);
        }),
      ];
    },
  );
  return {
    wanted: fields.flatMap((field) => ('reason' in field ? [] : [field])),
    diagnostics: findingsOf(fields.flatMap((field) => ('reason' in field ? [field] : []))),
  };
}

/** What the YAML is to say and its risks, or why it cannot say it. */
function taken(change: Change, around: Around, policy: Policy | undefined) {
  const { option, desired, holdsSecret } = around;
  const found = newValue(change, option, desired?.sensitive);
  if (typeof found === 'string') return found;
  if (textsOf(found.held).some(holdsSecret)) return 'secret';
  const risks = risksOfTaking(change, found.held, around);
  return refusedFor(risks, policy) ?? { ...found, risks };
}

/** Which fields are taken back, by their addresses and the names of their integrations. */
export interface AcceptChoice {
  readonly isChosen: (address: string, integration: string) => boolean;
  /** Whether a person named it. */
  readonly isNamed: (address: string, integration: string) => boolean;
  /** Whether a text holds a secret of the run, in any form. */
  readonly holdsSecret: (text: string) => boolean;
}

interface Untaken {
  readonly text: string;
  readonly reason: NotAccepted;
  readonly isNamed: boolean;
  readonly place: Place | undefined;
}

function untaken(
  address: string,
  reason: NotAccepted,
  isNamed: boolean,
  place?: Place,
  reference?: string,
): Untaken {
  return { text: reference === undefined ? address : `${address} (${reference})`, reason, isNamed, place };
}

/** A finding for each reason, at the place of its field if it is of one alone; an error for what a person named. */
function findingsOf(fields: readonly Untaken[]): Diagnostic[] {
  const codes = { true: 'named-not-accepted', false: 'not-accepted' } as const;
  return [...grouped(fields, ({ reason, isNamed }) => `${reason} ${isNamed}`).values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const facts = { fields: all.map(({ text }) => text), reason: first.reason };
    return diagnostic(codes[`${first.isNamed}`], facts, all.length === 1 ? first.place : undefined);
  });
}

function pathOf(change: Change): WantedField['path'] {
  return change.field === 'autosubscribe' ? ['autosubscribe'] : ['options', change.option, change.field];
}

/** What the YAML is to say so that a field does not differ, or why it cannot. */
function newValue(
  change: Change,
  option: LiveOption | undefined,
  mark: boolean | undefined,
): NewValue | NotAccepted {
  if (change.field === 'autosubscribe') return { written: change.before, held: change.before };
  if (change.field === 'permission') {
    const { before } = change;
    return isPermission(before) ? { written: before, held: before } : 'form';
  }
  return option === undefined ? 'form' : newOptionValue(change, option, mark);
}

function newOptionValue(
  change: ValueChange,
  option: LiveOption,
  mark: boolean | undefined,
): NewValue | NotAccepted {
  if (change.sensitive) return change.unreadable === true ? 'unreadable' : 'secret';
  const held = change.before ?? nothing(option);
  const written = held === undefined ? undefined : writtenForm(held, option);
  if (held === undefined || written === undefined) return 'form';
  return isReportedAsLikely(option.key, written, mark) ? 'likely-secret' : { written, held };
}

/** How the YAML says that an option holds nothing; undefined where it cannot. */
function nothing(option: LiveOption): OptionValue | undefined {
  const form = formOf(option);
  if (form === 'multi-select') return [];
  return form === 'text' || form === 'any' ? '' : undefined;
}
