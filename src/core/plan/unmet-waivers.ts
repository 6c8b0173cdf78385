import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { nearNames } from '../findings/words.ts';
import { type DesiredIntegration, fieldsOf } from '../model/desired.ts';
import type { Place } from '../model/place.ts';
import { addressOf, isNamedBy, type Subject } from '../model/subject.ts';

/** A waiver, as far as it names a field. */
export interface WaiverName {
  readonly address: string;
  readonly addressPlace: Place;
  /** Absent for all servers. */
  readonly server?: object | undefined;
  /** The names of all servers that it is for. */
  readonly servers: readonly string[];
}

/** The waivers that name no managed field of one server, with the finding for each. */
export type UnmetWaivers = ReadonlyMap<WaiverName, Diagnostic>;

/** Finds the waivers that name no field of a server: neither one that entries declare, nor one that is desired. */
export function unmetWaivers(
  waivers: readonly WaiverName[],
  declared: readonly Subject[],
  desired: readonly DesiredIntegration[],
): UnmetWaivers {
  const unmet = new Map<WaiverName, Diagnostic>();
  const subjects = [...declared];
  for (const { name, settings } of desired) {
    for (const { subject } of fieldsOf(name, settings)) subjects.push(subject);
  }
  for (const waiver of waivers) {
    const { address: word, addressPlace } = waiver;
    const isMet = subjects.some((subject) => isNamedBy(word, subject));
    if (isMet) continue;
    const known = nearNames(word, subjects.flatMap(spellings));
    const on = waiver.server && waiver.servers;
    const facts = { word, of: 'managed field', known, on } as const;
    const severity = 'warning';
    unmet.set(
      waiver,
      diagnostic('unknown-name', { ...facts, severity }, addressPlace),
    );
  }
  return unmet;
}

/** One finding for each waiver that names no field on any of its servers. Nothing is known if one of them was not planned. */
export function unmetEverywhere(
  planned: readonly {
    readonly plan: { readonly name: string };
    readonly unmet: UnmetWaivers;
  }[],
): Diagnostic[] {
  const byServer = new Map(
    planned.map(({ plan, unmet }) => [plan.name, unmet]),
  );
  const found = new Map<WaiverName, Diagnostic>();
  for (const { unmet } of planned)
    for (const [waiver, finding] of unmet) {
      const isNowhere = waiver.servers.every((name) =>
        byServer.get(name)?.has(waiver),
      );
      if (isNowhere && !found.has(waiver)) found.set(waiver, finding);
    }
  return [...found.values()];
}

/** The ways in which a person types the address of a field. */
function spellings(subject: Subject): string[] {
  const address = addressOf(subject);
  if (subject.kind === 'autosubscribe') return [address];
  const { integration, option, kind } = subject;
  const typed = [address, `${integration}.${option}.${kind}`];
  if (kind === 'value') typed.push(`${integration}.${option}`);
  return typed;
}
