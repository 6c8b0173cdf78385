import type { DesiredIntegration, DesiredState } from '../model/desired.ts';
import { optionId } from '../model/ids.ts';
import { fieldIn } from '../model/place.ts';
import { type Told, toldOf } from '../model/secrecy.ts';
import type { ServerDocument } from './document.ts';

/** What the base says of the secrecy of an option, by the id of its integration and its key. */
export type BaseSecrecy = (id: string, key: string) => Told | undefined;

/** What is desired, with what was a secret at the base. */
export function withBaseSecrecy(
  integrations: readonly DesiredIntegration[],
  base: BaseSecrecy,
): DesiredIntegration[] {
  const secrecySince = (id: string, key: string, { mark, isFromOutside = false }: Told) =>
    toldOf({ sensitive: mark, value: { isFromOutside }, past: base(id, key) });
  return integrations.map((each) => ({
    ...each,
    settings: each.settings.map((setting) =>
      setting.field === 'autosubscribe'
        ? setting
        : { ...setting, secrecy: secrecySince(each.id, setting.option, setting.secrecy) },
    ),
  }));
}

/** The secrecy as the configuration at a base has it. */
export function baseSecrecyIn({ integrations }: DesiredState): BaseSecrecy {
  const known = new Map(
    integrations.map(({ id, settings, marked }) => {
      const ofOptions = settings.flatMap((each) => (each.field === 'autosubscribe' ? [] : [each]));
      return [id, new Map([...ofOptions, ...marked].map(({ option, secrecy }) => [option, secrecy]))];
    }),
  );
  return (id, key) => known.get(id)?.get(key) ?? {};
}

/** The secrecy as a reviewed plan has it: what it kept as a secret still is one. */
export function reviewedSecrecy({ integrations }: ServerDocument): BaseSecrecy {
  const secrets = new Set(
    integrations.flatMap(({ name, id, changes }) =>
      changes.flatMap(({ address, secret, risks }) => {
        const field = secret || risks.includes('exposes-secret') ? fieldIn(name, address) : undefined;
        return field === undefined || field.field === 'autosubscribe' ? [] : [optionId(id, field.option)];
      }),
    ),
  );
  return (id, key) => (secrets.has(optionId(id, key)) ? { isFromOutside: true } : undefined);
}
