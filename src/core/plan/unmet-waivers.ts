import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { nearNames } from '../findings/words.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import { fieldAddress, namesField, type Place } from '../model/place.ts';

/** A waiver, as far as it names a field. */
export interface WaiverName {
  readonly address: string;
  readonly addressPlace: Place;
  /** Absent for all servers. */
  readonly server?: object | undefined;
  /** The names of all servers that it is for. */
  readonly servers: readonly string[];
}

/** A field with the integration or entry that it belongs to. */
export interface NamedField {
  readonly name: string;
  readonly address: string;
}

/** The waivers that name no managed field of one server, with the finding for each. */
export type UnmetWaivers = ReadonlyMap<WaiverName, Diagnostic>;

/** Finds the waivers that name no field of a server: neither one that entries declare, nor one that is desired. */
export function unmetWaivers(
  waivers: readonly WaiverName[],
  declared: readonly NamedField[],
  desired: readonly DesiredIntegration[],
): UnmetWaivers {
  const unmet = new Map<WaiverName, Diagnostic>();
  const fields = [...declared, ...desired.flatMap(fieldsOf)];
  for (const waiver of waivers) {
    const { address: word, addressPlace } = waiver;
    const isMet = fields.some(({ name, address }) =>
      namesField(word, name, address),
    );
    if (isMet) continue;
    const known = nearNames(word, fields.flatMap(spellings));
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

function fieldsOf({ name, settings }: DesiredIntegration): NamedField[] {
  return settings.map((setting) => ({
    name,
    address: fieldAddress(name, setting),
  }));
}

/** The ways in which a person types the address of a field. */
function spellings({ name, address }: NamedField): string[] {
  const short = address.replace(`${name}.options.`, `${name}.`);
  return [address, short.replace(/\.value$/, ''), short];
}
