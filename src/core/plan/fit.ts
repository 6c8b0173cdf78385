import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type {
  DesiredIntegration,
  DesiredOption,
  DesiredState,
  DesiredValue,
  WrittenValue,
} from '../model/desired.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { formOf, type OptionForm } from '../model/option-form.ts';
import { isSecret } from '../model/secrecy.ts';
import { reveal } from '../model/secret.ts';
import { isChoice, isEmpty } from '../model/value.ts';
import { conform } from './conform.ts';
import { isSkipped, misfitDefaults, unknownOption } from './known-option.ts';

/**
 * Whether what is desired fits the integrations as their own configuration files define them: keys, types, choices, and
 * what is asked of secrets. Of a value that was not read only its shape is known.
 */
export function checkFit(desired: DesiredState, catalog: readonly LiveIntegration[]): Diagnostic[] {
  const byId = new Map(catalog.map((integration) => [integration.id, integration]));
  const misfits = desired.integrations.flatMap((integration) => {
    const defined = byId.get(integration.id);
    if (defined === undefined) return [];
    return integration.options.flatMap((option) => checkOption(integration, option, defined));
  });
  return [...misfits, ...misfitDefaults(desired, byId)];
}

function checkOption(
  { name }: DesiredIntegration,
  option: DesiredOption,
  defined: LiveIntegration,
): Diagnostic[] {
  const address = `${name}.options.${option.key}`;
  const found = defined.options.get(option.key);
  if (found === undefined) return isSkipped(option, defined) ? [] : [unknownOption(option, defined)];
  return [...checkValue(`${address}.value`, option, found), ...checkPermission(address, option, found)];
}

function checkValue(address: string, option: DesiredOption, defined: LiveOption): Diagnostic[] {
  const { value } = option;
  if (value === undefined) return [];
  if (value.unread === true) return checkShape(address, value, formOf(defined));
  const conformed = conform(address, value, defined);
  if (!conformed.ok) return [conformed.problem];
  const isInClear = isSecretOption(option, defined) && !isEmpty(conformed.value);
  return isInClear ? [diagnostic('plain-secret', { address }, value.place)] : [];
}

/** Text from the environment or a file is never a list, and what is written as a list or a choice is never text. */
function checkShape(address: string, { value, place }: DesiredValue, form: OptionForm): Diagnostic[] {
  if (form === 'any' || fitsShape(reveal(value), form)) return [];
  return [diagnostic('wrong-value-type', { address, type: form }, place)];
}

function fitsShape(value: WrittenValue, form: OptionForm): boolean {
  if (Array.isArray(value)) return form === 'multi-select';
  return isChoice(value) ? form === 'select' : form !== 'multi-select';
}

function checkPermission(address: string, option: DesiredOption, defined: LiveOption): Diagnostic[] {
  const { permission } = option;
  const exposes = permission?.value === 'lock-and-show' && isSecretOption(option, defined);
  return exposes ? [diagnostic('exposes-secret', { address }, permission.place)] : [];
}

function isSecretOption({ sensitive }: DesiredOption, { key, type }: LiveOption): boolean {
  return isSecret({ key, type, mark: sensitive === false ? false : undefined });
}
