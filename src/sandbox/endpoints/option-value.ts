import { type Choice, isChoice, type OptionValue } from '../../core/model/value.ts';
import type { OptionSpec } from '../catalog/configuration.ts';
import type { SandboxSettings } from '../settings.ts';

type SelectForm = SandboxSettings['selects'];

/** A value as the store keeps it, or why it does not fit the option. */
type Fit = { readonly value: OptionValue } | { readonly problem: string };

/**
 * Checks a value against the type of an option, as integrations do when they save options. Numbers and booleans may be
 * texts; a select has display and value, or is a text, as the settings say, and must be one of its choices unless the integration fills those in at run time.
 */
export function fitValue(spec: OptionSpec, raw: unknown, selects: SelectForm): Fit {
  if (spec.type === 'number') return fitNumber(raw);
  if (spec.type === 'boolean') return fitBoolean(raw);
  if (spec.type === 'select')
    return spec.multiple ? fitList(spec, raw, selects) : fitChoice(spec, raw, selects);
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

/** What a select must be, by the setting. */
const FORMS: Record<SelectForm, readonly [one: string, several: string]> = {
  objects: ['an object with display and value', 'a list of objects with display and value'],
  strings: ['a string, or an object with display and value', 'a list of strings'],
  'strings-only': ['a string, not an object with display and value', 'a list of strings, not of objects'],
};

function fitList(spec: OptionSpec, raw: unknown, selects: SelectForm): Fit {
  if (!Array.isArray(raw)) return { problem: `must be ${FORMS[selects][1]}` };
  const fits = raw.map((item) => fitChoice(spec, item, selects));
  const misfit = fits.find((each) => 'problem' in each);
  return (
    misfit ?? { value: fits.flatMap((each) => ('value' in each && isChoice(each.value) ? each.value : [])) }
  );
}

function fitChoice({ choices }: OptionSpec, raw: unknown, selects: SelectForm): Fit {
  const choice = selects === 'objects' ? raw : choiceOfText(choices, raw);
  const takesForm = isChoice(choice) && (selects !== 'strings-only' || typeof raw === 'string');
  if (!takesForm) return { problem: `must be ${FORMS[selects][0]}` };
  const isOffered = choices.length === 0 || choices.some(({ value }) => value === choice.value);
  return isOffered
    ? { value: { display: choice.display, value: choice.value } }
    : { problem: 'must be one of the choices of the option' };
}

/** The choice with a text as its value; anything but a text as it is. */
function choiceOfText(choices: readonly Choice[], raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  return choices.find(({ value }) => value === raw) ?? { display: raw, value: raw };
}
