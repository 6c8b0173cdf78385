import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { nearNames } from '../model/near-names.ts';
import { present } from '../model/present.ts';
import { isHidden } from '../model/secret.ts';
import type { Planned } from './plan-server.ts';

/** The field that each flag writes where the server does not show it. */
const FIELDS = { '--write-secrets': 'value', '--write-flags': 'permission' } as const;

/** Whether a flag chooses a field, by its address, by that of its option, or as one of all. */
export function chosen(which: readonly string[] = []): (address: string) => boolean {
  const addresses = new Set(which);
  return (address) => addresses.has('all') || addresses.has(address) || addresses.has(optionOf(address));
}

/** A finding for each address that a flag names in vain: nothing manages it, or it is a value that everybody sees. */
export function vainChoices(
  flag: keyof typeof FIELDS,
  which: readonly string[],
  planned: readonly Planned[],
): Diagnostic[] {
  const fields = planned.flatMap(managedFields);
  const own = fields.filter(({ address }) => address.endsWith(`.${FIELDS[flag]}`));
  return which.flatMap((address): Diagnostic[] => {
    if (address === 'all') return [];
    const named = own.filter((each) => chosen([address])(each.address));
    if (named.length === 0) return [unmanaged(flag, address, fields)];
    const isInVain = flag === '--write-secrets' && named.every(({ isOpen }) => isOpen);
    return isInVain ? [diagnostic('no-secret-to-write', { address })] : [];
  });
}

function unmanaged(flag: keyof typeof FIELDS, address: string, fields: readonly ManagedField[]): Diagnostic {
  const field = FIELDS[flag];
  const isField = /\.(value|permission)$/.test(address);
  const option = isField ? optionOf(address) : address;
  const own = fields.map((each) => each.address).filter((each) => each.endsWith(`.${field}`));
  const meant = own.map(optionOf).find((each) => each === option || isNear(option, each));
  const near = meant !== undefined && isField ? `${meant}.${field}` : meant;
  const isDeclared = fields.some((each) => optionOf(each.address) === option);
  const facts = isDeclared && meant !== option ? { lacks: field } : present({ near });
  return diagnostic('nothing-to-write', { address, flag, ...facts });
}

/** Whether two addresses differ in one slip: of the key, or of what is before it. */
function isNear(written: string, known: string): boolean {
  const [head, key] = cutAtKey(written);
  const [knownHead, knownKey] = cutAtKey(known);
  const [one, other] = head === knownHead ? [key, knownKey] : [head, knownHead];
  return (head === knownHead || key === knownKey) && nearNames(one, [other]).length > 0;
}

function cutAtKey(option: string): readonly [string, string] {
  const dot = option.lastIndexOf('.');
  return [option.slice(0, Math.max(0, dot)), option.slice(dot + 1)];
}

function optionOf(address: string): string {
  return address.replace(/\.[^.]*$/, '');
}

/** A managed field, and whether it is a value that the server shows and that is no secret. */
interface ManagedField {
  readonly address: string;
  readonly isOpen: boolean;
}

function managedFields({ plan, held }: Planned): ManagedField[] {
  return plan.integrations.flatMap(({ id, changes, cannotTell }) => [
    ...changes.map(({ address, sensitive }) => ({ address, isOpen: !sensitive })),
    ...cannotTell.map(({ address }) => ({ address, isOpen: false })),
    ...(held.get(id) ?? []).map(({ address, value }) => ({ address, isOpen: !isHidden(value) })),
  ]);
}
