import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { optionOf } from '../model/address.ts';
import { nearNames } from '../model/near-names.ts';
import { present } from '../model/present.ts';
import type { Waiver } from '../model/waiver.ts';
import type { Planned } from '../plan/plan-server.ts';
import type { AcceptChoice } from './taken-back.ts';

/** Chooses the fields with some addresses: of integrations, options or fields; all without any. */
export function acceptChoice(
  addresses: readonly string[],
  holdsSecret: AcceptChoice['holdsSecret'],
): AcceptChoice {
  const names = new Set(addresses);
  const isNamed = (address: string, integration: string) =>
    names.has(address) || names.has(optionOf(address) ?? '') || names.has(integration);
  return { isNamed, holdsSecret, isChosen: names.size === 0 ? () => true : isNamed };
}

/** The waivers that hold for a run: a difference is only taken back against one where its option or field is named. */
export function heldWaivers(waivers: readonly Waiver[], addresses: readonly string[]): readonly Waiver[] {
  const isNamed = (waived: string) =>
    addresses.some(
      (address) => address === waived || optionOf(address) === waived || optionOf(waived) === address,
    );
  return waivers.filter(({ address }) => !isNamed(address));
}

/** Whether an address is written with an id: that of the integration or of something in it. */
function isUnder(address: string, id: string): boolean {
  return address === id || address.startsWith(`${id}.`);
}

/** A finding for each address that nothing managed has. */
export function unknownAddresses(addresses: readonly string[], planned: readonly Planned[]): Diagnostic[] {
  const integrations = planned.flatMap(({ plan }) => plan.integrations);
  const fields = [
    ...integrations.flatMap(({ changes, cannotTell }) =>
      [...changes, ...cannotTell].map(({ address }) => address),
    ),
    ...integrations.flatMap(({ waived = [] }) => waived),
    ...planned.flatMap(({ held }) => [...held.values()].flatMap((all) => all.map(({ address }) => address))),
  ];
  const known = new Set([
    ...integrations.map(({ name }) => name),
    ...fields.flatMap((field) => [optionOf(field) ?? field, field]),
  ]);
  const only = planned.find(({ plan }) => plan.only !== undefined)?.plan.only;
  return addresses
    .filter((address) => !known.has(address))
    .map((address) => {
      const { id = '', name } = integrations.find((each) => isUnder(address, each.id)) ?? {};
      const near = name === undefined ? nearNames(address, [...known])[0] : address.replace(id, name);
      return diagnostic('nothing-to-accept', { address, ...present({ near, only }) });
    });
}
