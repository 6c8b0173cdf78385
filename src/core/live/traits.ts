import { permissionOf } from '../model/permission.ts';
import { isSecretOption } from '../model/secrecy.ts';
import { TRAITS, type Trait } from '../model/trait.ts';
import { attribute, booleanAttribute, type Resource, textAttribute } from './resource.ts';

/** Traits as bits, in the order of `TRAITS`: a server has hundreds of thousands of options. */
type Bits = number;

const BIT: Readonly<Record<Trait, Bits>> = {
  options: 1,
  values: 2,
  secrets: 4,
  flags: 8,
  'hidden-options': 16,
  'bare-choices': 32,
  'integration-options': 64,
  'integration-option': 128,
};

/** What one option shows of itself. */
export function traitsOf(key: string, option: Resource): Bits {
  const type = textAttribute(option, 'type');
  const value = attribute(option, 'value');
  const permission = permissionOf(
    booleanAttribute(option, 'admin-only'),
    booleanAttribute(option, 'user-can-edit'),
  );
  return (
    BIT.options |
    (value === undefined ? 0 : BIT[isSecretOption(key, type) ? 'secrets' : 'values']) |
    (permission === 'unknown' ? 0 : BIT.flags) |
    (permission === 'lock-and-hide' ? BIT['hidden-options'] : 0) |
    (isBareChoice(value, type) ? BIT['bare-choices'] : 0) |
    (option.type === 'integration-options' || option.type === 'integration-option' ? BIT[option.type] : 0)
  );
}

/** Whether a select, or a list of choices, comes without displays. */
export function isBareChoice(raw: unknown, type: string | undefined): boolean {
  if (type !== 'select' && !Array.isArray(raw)) return false;
  const first = Array.isArray(raw) ? raw[0] : raw;
  return typeof first === 'string' && first !== '';
}

const sets = new Map<Bits, ReadonlySet<Trait>>();

/** Bits as the set of their traits, which all integrations with the same ones share. */
export function traitSet(bits: Bits): ReadonlySet<Trait> {
  const known = sets.get(bits) ?? new Set(TRAITS.filter((trait) => (bits & BIT[trait]) !== 0));
  sets.set(bits, known);
  return known;
}
