import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredOption, DesiredState, DesiredValue, WrittenValue } from '../model/desired.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { Suggestions } from '../model/near-names.ts';
import { formOf, type OptionForm } from '../model/option-form.ts';
import { isSecret } from '../model/secrecy.ts';
import { reveal } from '../model/secret.ts';
import { isChoice, isEmpty } from '../model/value.ts';
import { conform } from './conform.ts';
import { isSkipped, misfitDefaults, unknownOption } from './known-option.ts';

/**
 * Checks what is desired against the integrations' own configuration files: keys, types, choices, and how secrets are
 * treated. Of a value that was not read only the shape is known.
 */
export function checkFit(desired: DesiredState, catalog: readonly LiveIntegration[]): Diagnostic[] {
  const byId = new Map(catalog.map((integration) => [integration.id, integration]));
  const suggestions = new Suggestions();
  const misfits = desired.integrations.flatMap(({ id, name, options }) => {
    const defined = byId.get(id);
    if (defined === undefined) return [];
    return options.flatMap((option) => checkOption(name, option, defined, suggestions));
  });
  return [...misfits, ...misfitDefaults(desired, byId, suggestions).map(({ finding }) => finding)];
}

function checkOption(
  name: string,
  option: DesiredOption,
  defined: LiveIntegration,
  suggestions: Suggestions,
): Diagnostic[] {
  const address = `${name}.options.${option.key}`;
  const found = defined.options.get(option.key);
  if (found === undefined)
    return isSkipped(option, defined) || defined.optionKeys.has(option.key)
      ? []
      : [unknownOption(option, defined, suggestions, name)];
  const { key, sensitive, permission, value } = option;
  const mark = sensitive === false ? false : undefined;
  const isSensitive = isSecret({ key, type: found.type, mark });
  const exposes =
    permission?.value === 'lock-and-show' &&
    isSecret({ key, type: found.type, mark: sensitive, isFromOutside: value?.isFromOutside });
  const isCertain = isSecret({ key, type: found.type, mark: sensitive });
  const fallback = isCertain && value?.hasFallback ? fallbackOf(`${address}.value`, value) : [];
  return [
    ...fallback,
    ...checkValue(`${address}.value`, option, found, isSensitive),
    ...(exposes ? [diagnostic('exposes-secret', { address }, permission.place)] : []),
  ];
}

/** The finding for a fallback of a secret. */
function fallbackOf(address: string, { place }: DesiredValue): Diagnostic[] {
  return [diagnostic('secret-fallback', { address, isCertain: true }, place)];
}

function checkValue(
  address: string,
  { value }: DesiredOption,
  defined: LiveOption,
  isSensitive: boolean,
): Diagnostic[] {
  if (value === undefined) return [];
  if (value.unread === true) {
    const type = formOf(defined);
    const facts = { address, type };
    return fitsShape(reveal(value.value), type) ? [] : [diagnostic('wrong-value', facts, value.place)];
  }
  const conformed = conform(address, value, defined);
  if ('problem' in conformed) return [conformed.problem];
  const isInClear = isSensitive && !isEmpty(conformed.value);
  return isInClear ? [diagnostic('plain-secret', { address }, value.place)] : [];
}

/** Text from outside is never a list, and what is written as a list or a choice is never text. */
function fitsShape(value: WrittenValue, form: OptionForm): boolean {
  if (form === 'any') return true;
  if (Array.isArray(value)) return form === 'multi-select';
  return isChoice(value) ? form === 'select' : form !== 'multi-select';
}
