import { type Choice, isChoice, type OptionValue } from '../../core/model/value.ts';
import type { OptionSpec } from '../catalog/configuration.ts';

/** A value as the store keeps it, or why it does not fit the option. */
type Fit = { readonly value: OptionValue } | { readonly problem: string };

/**
 * Checks a value against the type of an option, as integrations do when they save options. Numbers and booleans may be
 * texts; a select has display and value, and must be one of its choices unless the integration fills those in at run time.
 */
export function fitValue(spec: OptionSpec, raw: unknown): Fit {
  if (spec.type === 'number') return fitNumber(raw);
  if (spec.type === 'boolean') return fitBoolean(raw);
  if (spec.type === 'select') return spec.multiple ? fitList(spec, raw) : fitChoice(spec, raw);
  return typeof raw === 'string' || isFiniteNumber(raw) ? { value: raw } : { problem: 'must be a string' };
}

/** Whether an option with this value counts as empty. */
export function isEmpty(value: OptionValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isChoice(value) ? value.value === '' : value === '';
}

function fitNumber(raw: unknown): Fit {
  const isText = typeof raw === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(raw);
  return isFiniteNumber(raw) || isText ? { value: Number(raw) } : { problem: 'must be a number' };
}

/** JSON can write numbers that overflow to infinity. */
function isFiniteNumber(raw: unknown): raw is number {
  return typeof raw === 'number' && Number.isFinite(raw);
}

function fitBoolean(raw: unknown): Fit {
  if (typeof raw === 'boolean') return { value: raw };
  return raw === 'true' || raw === 'false' ? { value: raw === 'true' } : { problem: 'must be true or false' };
}

function fitList(spec: OptionSpec, raw: unknown): Fit {
  if (!Array.isArray(raw)) return { problem: 'must be a list of objects with display and value' };
  const fits = raw.map((item) => fitChoice(spec, item));
  const misfit = fits.find((each) => 'problem' in each);
  return misfit ?? { value: raw.filter(isChoice).map(plainChoice) };
}

function fitChoice({ choices }: OptionSpec, raw: unknown): Fit {
  if (!isChoice(raw)) return { problem: 'must be an object with display and value' };
  const isOffered = choices.length === 0 || choices.some(({ value }) => value === raw.value);
  return isOffered ? { value: plainChoice(raw) } : { problem: 'must be one of the choices of the option' };
}

/** The choice without other properties. */
function plainChoice({ display, value }: Choice): Choice {
  return { display, value };
}
