import { type Diagnostic, diagnostic } from '../../findings/diagnostic.ts';
import type { WrittenValue } from '../../model/desired.ts';
import { hasSecretForm, isHarmless, isMask, isSecretOption } from '../../model/secrecy.ts';
import { isChoice, textsOf } from '../../model/value.ts';
import type { Entry } from '../entry.ts';
import { outsideParts, referencesIn } from '../template.ts';
import { optionsOf, type RuledValue, type ValueRule } from './rule.ts';
import { isReferenceTypo } from './text-rules.ts';

/** A secret in clear text: certain under `sensitive: true`, likely by its key or form where nothing is said. */
const clearSecret: ValueRule = (value) => {
  const { address, mark, place } = value;
  if (mark === false || !(mark || isSuspect(value)) || !isClear(value)) return [];
  return [diagnostic(mark ? 'plain-secret' : 'likely-secret', { address }, place)];
};

/** A fallback for a secret: without the variable, the run goes on with a value that everybody can read. */
const secretFallback: ValueRule = (value) => {
  const { address, mark, place, template } = value;
  const hasFallback = referencesIn(template).some(({ fallback }) => fallback !== undefined);
  return hasFallback && isSecretByName(value)
    ? [diagnostic('secret-fallback', { address, isCertain: mark === true }, place)]
    : [];
};

/** A value that was never filled in, is still encrypted, or is a copied mask. */
export const placeholder: ValueRule = (value) =>
  value.texts
    .filter(({ text }) => isPlaceholder(text, isSecretByName(value)))
    .map(({ place }) => diagnostic('placeholder', { address: value.address }, place));

/** A secret that all users can see, or a value for an option whose value each user sets. */
export function permissionMistakes(entries: readonly Entry<unknown>[]): Diagnostic[] {
  return optionsOf(entries).flatMap(({ address, option: { value, sensitive, permission } }) => {
    if (sensitive?.value === true && permission?.value === 'lock-and-show')
      return [diagnostic('exposes-secret', { address }, permission.place)];
    return value?.value && permission?.value === 'user-provides'
      ? [diagnostic('user-provides-value', { address }, value.place)]
      : [];
  });
}

/** Whether a value is that of a secret by its mark, or by its key where a person has said nothing. */
function isSecretByName({ key, mark }: RuledValue): boolean {
  return mark ?? isSecretOption(key, undefined);
}

/** Whether a value is written in the configuration, directly or through named values, and is not empty. */
function isClear({ link }: RuledValue): boolean {
  const linked = link();
  return linked !== undefined && linked.value !== '' && outsideParts(linked).length === 0;
}

/** Whether a value is likely to be a secret. A choice of a select is one of a public list, so it is no secret. */
function isSuspect({ key, template, texts }: RuledValue): boolean {
  return !isChoice(template.value) && texts.some(({ text }) => isSuspectText(key, text));
}

/** Whether a value would be found to be a likely secret in the configuration, by the key of its option and its mark. */
export function isReportedAsLikely(key: string, value: WrittenValue, mark: boolean | undefined): boolean {
  if (mark !== undefined || typeof value === 'boolean') return false;
  return textsOf(value).some((text) => isSuspectText(key, text));
}

/** Whether a text under the key of an option is likely to be a secret. Skips what other rules report. */
function isSuspectText(key: string, text: string): boolean {
  if (text === '' || isReferenceTypo(text) || ENCRYPTED.test(text)) return false;
  if (hasSecretForm(text)) return true;
  return isSecretOption(key, undefined) && !isPlaceholder(text, true) && !isHarmless(key, text);
}

/** How values begin that a tool for secrets encrypted and nobody decrypted. */
const ENCRYPTED = /^\s*(ENC\[AES256_GCM,|\$ANSIBLE_VAULT;|-----BEGIN (AGE ENCRYPTED FILE|PGP MESSAGE)-----)/;

/** Whole texts that are placeholders for a value. */
const PLACEHOLDERS =
  /^(change[-_ ]?me|fix[-_ ]?me|placeholder|replace[-_ ]?me|your[-_ ]?(api[-_ ]?)?(key|token|password|secret)([-_ ]?here)?|(insert|enter|put|replace[-_ ]with)[-_ ].*[-_ ]here|<(your|my|the|insert|enter|api|key|token|password|secret|url|host|user)\b[^<>]*>|undefined|\[object Object\]|x{8,}|x{3,}(-x{3,})+|[*•●∙⬤█]{6,})$/i;

/** `To Do` is a state of tickets; in capitals it is a note to oneself. */
const NOTES = /^(TODO|TO_DO|TO-DO|TBD|FIXME)$/;

/** Placeholders for a secret, which may well be a name or a decoration elsewhere. */
const SECRET_PLACEHOLDERS =
  /^(to[-_ ]?do|tbd|x{3,}|my[-_ ]?(api[-_ ]?)?(key|token|password|secret)([-_ ]?here)?|<[^<>]*>)$/i;

/** Whether a whole text is a placeholder. For a secret, what servers show instead of it counts too. */
function isPlaceholder(text: string, isSecret: boolean): boolean {
  if (ENCRYPTED.test(text)) return true;
  if (text.length > 80) return false;
  const whole = text.trim();
  if (PLACEHOLDERS.test(whole) || NOTES.test(whole)) return true;
  return isSecret && (SECRET_PLACEHOLDERS.test(whole) || isMask(text));
}

/** Mistakes with secrets in the values of any layer. */
export const SECRET_RULES: readonly ValueRule[] = [clearSecret, secretFallback];
