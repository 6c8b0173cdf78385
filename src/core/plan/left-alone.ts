import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { optionOf } from '../model/address.ts';
import { present } from '../model/present.ts';
import type { Waiver } from '../model/waiver.ts';
import type { Label } from './label.ts';
import { type Change, type IntegrationPlan, isUnseen, type ServerPlan, type WaivedField } from './plan.ts';

/** What decides which differences of a server are left alone. */
export interface LeaveAlone {
  /** The waivers for the server. */
  readonly waivers: readonly Waiver[];
  /** The day of the run, in UTC: `2026-11-22`. */
  readonly today: string;
  /** The labels to plan; undefined for all. */
  readonly onlyLabels?: readonly Label[] | undefined;
  /** The reviewed plan that the run applies: what it left alone is left alone again. */
  readonly reviewed?: ServerPlan<null> | undefined;
  /** The names of the entries of the configuration. */
  readonly entries?: readonly string[];
}

/** The differences of one integration that are left alone. */
interface LeftAlone {
  readonly waived: readonly WaivedField[];
  readonly leftOut: readonly string[];
}

/** Whether this branch changed what is declared at an address of an integration; where nothing tells, it did not. */
type IsTouched = (id: string, address: string) => boolean;

/**
 * Finds what to leave alone: differences that a waiver allows, but none that this branch made, and those whose labels were not
 * asked for.
 */
export function leaver(
  { waivers, today, onlyLabels, reviewed }: LeaveAlone,
  isTouched: IsTouched = () => false,
) {
  const open = waivers.filter(({ until }) => until >= today);
  const before = reviewed?.integrations ?? [];
  const leftBefore = new Set(
    before.flatMap(({ leftOut = [], waived = [] }) => [...leftOut, ...waived.map(({ address }) => address)]),
  );
  return (changes: readonly Change[], id: string): LeftAlone => {
    const waived = changes.flatMap((change) => {
      const waiver = open.find(({ address }) => isFor(address, change.address));
      return waiver === undefined || isTouched(id, change.address) ? [] : [waivedField(change, waiver)];
    });
    const isWaived = new Set(waived.map(({ address }) => address));
    const leftOut = changes.filter(
      ({ address, label }) =>
        !isWaived.has(address) && (leftBefore.has(address) || onlyLabels?.includes(label) === false),
    );
    return { waived, leftOut: leftOut.map(({ address }) => address) };
  };
}

/** Whether an address is that of a field, or of the option of a field. */
function isFor(address: string, field: string): boolean {
  return field === address || optionOf(field) === address;
}

function waivedField(change: Change, { until, reason, owner }: Waiver): WaivedField {
  const { address, field, label, source } = change;
  const option = change.field === 'autosubscribe' ? undefined : change.option;
  return {
    address,
    field,
    label,
    source,
    ...present({ option }),
    waiver: { until, reason, ...present({ owner }) },
  };
}

/** Warns of waivers whose last day is over while their difference is still there. */
export function waiverFindings(
  integrations: readonly IntegrationPlan[],
  { waivers, today }: LeaveAlone,
  isTouched: IsTouched = () => false,
): Diagnostic[] {
  const isThere = (address: string) =>
    integrations.some(({ id, changes }) =>
      changes.some((each) => isFor(address, each.address) && !isTouched(id, each.address) && !isUnseen(each)),
    );
  return [...waivers]
    .sort((a, b) => compareText(a.address, b.address))
    .filter(({ address, until }) => until < today && isThere(address))
    .map(({ address, until, place }) => diagnostic('waiver-over', { address, until }, place));
}
