import { isChoice, type OptionValue } from '../../core/model/value.ts';
import type { Option } from '../state/integration.ts';

/** A value as the store keeps it, or why it does not fit the option. */
type Fit = { readonly value: OptionValue } | { readonly problem: string };

type Spec = Pick<Option, 'type' | 'choices' | 'multiple'>;

/**
 * Checks a value against the type of an option, as integrations do. Numbers and booleans may be texts; a select must be
 * one of its choices, unless the integration fills those in at run time.
 */
export function fitValue(option: Spec, raw: unknown): Fit {
  switch (option.type) {
    case 'number':
      return fitNumber(raw);
    case 'boolean':
      return /^(true|false)$/.test(String(raw))
        ? { value: String(raw) === 'true' }
        : { problem: 'must be true or false' };
    case 'select':
      return option.multiple ? fitList(option, raw) : fitChoice(option, raw);
    default:
      return typeof raw === 'string' || isFiniteNumber(raw)
        ? { value: raw }
        : { problem: 'must be a string' };
  }
}

function fitNumber(raw: unknown): Fit {
  const isText = typeof raw === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(raw);
  return isFiniteNumber(raw) || isText ? { value: Number(raw) } : { problem: 'must be a number' };
}

/** JSON can write numbers that overflow to infinity. */
function isFiniteNumber(raw: unknown): raw is number {
  return typeof raw === 'number' && Number.isFinite(raw);
}

function fitList(option: Spec, raw: unknown): Fit {
  if (!Array.isArray(raw)) return { problem: 'must be a list of objects with display and value' };
  const fits = raw.map((item) => fitChoice(option, item));
  const misfit = fits.find((each) => 'problem' in each);
  return (
    misfit ?? { value: fits.flatMap((each) => ('value' in each && isChoice(each.value) ? each.value : [])) }
  );
}

function fitChoice({ choices }: Spec, raw: unknown): Fit {
  if (!isChoice(raw)) return { problem: 'must be an object with display and value' };
  const isOffered = choices.length === 0 || choices.some(({ value }) => value === raw.value);
  return isOffered
    ? { value: { display: raw.display, value: raw.value } }
    : { problem: 'must be one of the choices of the option' };
}
