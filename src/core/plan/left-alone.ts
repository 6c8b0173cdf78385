import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { optionOf } from '../model/address.ts';
import { grouped } from '../model/grouped.ts';
import { nearNames } from '../model/near-names.ts';
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

/** The fields of a plan that waivers can be about: those that it found, and whether its findings are all there are. */
interface WaivedPlan {
  readonly integrations: readonly IntegrationPlan[];
  /** The addresses of the fields that are as desired. */
  readonly held: readonly string[];
  /** False where some integrations were not selected. */
  readonly isWhole: boolean;
}

/** Warns of waivers whose last day is over while their difference is still there, and notes those that nobody needs. */
export function waiverFindings(
  { integrations, held, isWhole }: WaivedPlan,
  { waivers, today, entries = [] }: LeaveAlone,
  isTouched: IsTouched = () => false,
): Diagnostic[] {
  const seen = [
    ...integrations.flatMap(({ changes, waived = [], leftOut = [], cannotTell }) => [
      ...changes.map(({ address }) => address),
      ...waived.map(({ address }) => address),
      ...leftOut,
      ...cannotTell.map(({ address }) => address),
    ]),
  ];
  const planned = integrations.filter(({ unplanned }) => unplanned !== true).map(({ name }) => name);
  // What is wrong with an integration, or that it is not installed, says nothing of its waivers.
  const unknown = [...integrations.map(({ name }) => name), ...entries].filter(
    (name) => !planned.includes(name),
  );
  const sorted = [...waivers].sort((a, b) => compareText(a.address, b.address));
  return sorted.flatMap((waiver): Diagnostic[] => {
    const { address, until, place } = waiver;
    const isOver = until < today;
    const isDrift = (id: string, field: string) => isFor(address, field) && !isTouched(id, field);
    const isThere = ({ id, changes }: IntegrationPlan) =>
      changes.some((each) => isDrift(id, each.address) && !isUnseen(each));
    if (isOver && integrations.some(isThere)) return [diagnostic('waiver-over', { address, until }, place)];
    if (seen.some((field) => isFor(address, field)) || unknown.some((name) => address.startsWith(`${name}.`)))
      return [];
    if (held.some((field) => isFor(address, field)))
      return [diagnostic('waiver-unneeded', { address }, place)];
    if (!isWhole) return [];
    const known = [...seen, ...held];
    const [near] = nearNames(address, [...known, ...known.flatMap((field) => optionOf(field) ?? [])]);
    return [diagnostic('waiver-in-vain', { address, ...present({ near }) }, place)];
  });
}

/** What is found on one server of a run. */
interface FoundOn {
  readonly server: { readonly waivers: readonly Waiver[] };
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Whether a finding holds for all servers of a run: nobody needs a waiver if no server that it is for does, each of them
 * planned, and it names nothing if it does so on none of the run.
 */
export function holdsOnAll(results: readonly FoundOn[]): (found: Diagnostic) => boolean {
  const waivers = results.flatMap(({ server, diagnostics }) => {
    const idle = diagnostics.filter(({ code }) => IDLE.has(code));
    const codes = new Map(idle.map(({ place, code }) => [place, code]));
    return server.waivers.map(({ place, servers }) => ({ place, servers, code: codes.get(place) }));
  });
  const byPlace = grouped(waivers, ({ place }) => place);
  return ({ code, place }) => {
    const all = place === undefined || !IDLE.has(code) ? undefined : byPlace.get(place);
    if (all === undefined) return true;
    if (code === 'waiver-in-vain') return all.every((each) => each.code === code);
    return all.every((each) => each.code !== undefined && each.servers?.length === all.length);
  };
}

/** The findings of waivers that leave nothing alone. */
const IDLE: ReadonlySet<string> = new Set(['waiver-unneeded', 'waiver-in-vain']);
