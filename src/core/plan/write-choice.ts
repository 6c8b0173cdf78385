import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { optionOf } from '../model/address.ts';
import { globMatcher } from '../model/glob.ts';
import { nearNames } from '../model/near-names.ts';
import { present } from '../model/present.ts';
import { isHidden } from '../model/secret.ts';
import type { Planned } from './plan-server.ts';

/** Which integrations to plan, and which fields to write that the server does not show. */
export interface Choice {
  /** A glob on names and ids. */
  readonly only?: string | undefined;
  /** `all`, `changed`, or addresses. */
  readonly writeSecrets?: readonly string[] | undefined;
  /** `all`, or addresses. */
  readonly writeFlags?: readonly string[] | undefined;
}

/** The field that each flag writes where the server does not show it. */
const FIELDS = { '--write-secrets': 'value', '--write-flags': 'permission' } as const;

/** Whether a flag chooses a field, by its address, by that of its option, or as one of all. */
export function chosen(which: readonly string[] = []): (address: string) => boolean {
  const addresses = new Set(which);
  return (address) =>
    addresses.has('all') || addresses.has(address) || addresses.has(optionOf(address) ?? '');
}

/**
 * Finds an `--only` that selects nothing on any server, and addresses of fields to write that name nothing to write. `entries`
 * are the names of all entries of the configuration.
 */
export function unmetChoices(
  { only, writeSecrets = [], writeFlags = [] }: Choice,
  entries: readonly string[],
  planned: readonly Planned[],
): Diagnostic[] {
  if (planned.length === 0) return [];
  const isEmpty = planned.every(({ plan }) => plan.summary.managed === 0);
  return [
    ...(only === undefined || !isEmpty ? [] : unmetGlob(only, entries, planned)),
    ...vainChoices('--write-secrets', writeSecrets, planned),
    ...vainChoices('--write-flags', writeFlags, planned),
  ];
}

/** A glob that selects none of the entries; one may select an optional entry that matches nothing. */
function unmetGlob(glob: string, entries: readonly string[], planned: readonly Planned[]): Diagnostic[] {
  const names = [...new Set(entries)];
  if (names.some(globMatcher(glob))) return [];
  const [near] = nearNames(glob, [...names, ...planned.flatMap(({ installed }) => [...installed])]);
  return [diagnostic('unknown-name', { word: glob, of: 'entry', names, ...present({ near }) })];
}

/** A finding for each address that a flag names in vain: nothing manages it, or it is a value that everybody sees. */
function vainChoices(
  flag: keyof typeof FIELDS,
  which: readonly string[],
  planned: readonly Planned[],
): Diagnostic[] {
  const fields = planned.flatMap(managedFields);
  const own = fields.filter(({ address }) => address.endsWith(`.${FIELDS[flag]}`));
  return which.flatMap((address): Diagnostic[] => {
    if (address === 'all' || (address === 'changed' && flag === '--write-secrets')) return [];
    const named = own.filter((each) => chosen([address])(each.address));
    if (named.length === 0) return [unmanaged(flag, address, fields)];
    return [];
  });
}

function unmanaged(flag: keyof typeof FIELDS, address: string, fields: readonly ManagedField[]): Diagnostic {
  const field = FIELDS[flag];
  const named = optionOf(address);
  const option = named ?? address;
  const own = fields.map((each) => each.address).filter((each) => each.endsWith(`.${field}`));
  const options = own.flatMap((each) => optionOf(each) ?? []);
  const meant = options.find((each) => each === option || isNear(option, each));
  const near = meant !== undefined && named !== undefined ? `${meant}.${field}` : meant;
  return diagnostic('unknown-name', { word: address, of: 'field', ...present({ near }) });
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
