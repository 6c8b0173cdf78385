import { fieldIn } from '../model/address.ts';
import type { DesiredIntegration, DesiredOption, DesiredState } from '../model/desired.ts';
import { optionId } from '../model/ids.ts';
import { type Told, toldOf } from '../model/secrecy.ts';
import { hide, isHidden } from '../model/secret.ts';
import type { ServerDocument } from './document.ts';

/** What the base says of the secrecy of an option, by the id of its integration and its key. */
export type Past = (id: string, key: string) => Told | undefined;

/** What is desired, with what was a secret at the base. */
export function withPast(integrations: readonly DesiredIntegration[], past: Past): DesiredIntegration[] {
  return integrations.map((each) => ({
    ...each,
    options: each.options.map((option) => optionSince(option, past(each.id, option.key))),
  }));
}

/** An option with its past; its value is hidden if it was a secret. */
function optionSince(option: DesiredOption, past: Told | undefined): DesiredOption {
  if (past === undefined) return option;
  const { value } = option;
  const { mark, isFromOutside } = toldOf({ past });
  if (value === undefined || isHidden(value.value) || !(mark || isFromOutside)) return { ...option, past };
  return { ...option, past, value: { ...value, value: hide(value.value) } };
}

/** The past as the configuration at a base has it. */
export function pastAt({ integrations }: DesiredState): Past {
  const known = new Map(
    integrations.map(({ id, options }) => [id, new Map(options.map((each) => [each.key, toldOf(each)]))]),
  );
  return (id, key) => known.get(id)?.get(key) ?? {};
}

/** The past as a reviewed plan tells it: what it kept as a secret still is one. */
export function reviewedPast({ integrations }: ServerDocument): Past {
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
