import { diagnostic } from '../../findings/diagnostic.ts';
import type { WrittenValue } from '../../model/desired.ts';
import { isMask, isSecretOption } from '../../model/secrecy.ts';
import { hasSecretForm, isHarmless } from '../../model/secret-form.ts';
import { textsOf } from '../../model/value.ts';
import { type LinkedPart, partsOf } from '../template.ts';
import { optionsOf, type Rule, type Subject } from './rule.ts';
import { isReferenceTypo } from './text-rules.ts';

/** A value in clear text of an option that is marked as sensitive, in any layer. */
const plainSecret: Rule = ({ written }) =>
  written
    .filter((subject) => subject.mark === true && isClear(subject))
    .map(({ address, place }) => diagnostic('plain-secret', { address }, place));

/**
 * A text in clear under a key that is named like a secret, or that looks like nothing else. Without the type of the option
 * it can only be suspected.
 */
const likelySecret: Rule = ({ written }) =>
  written
    .filter((subject) => subject.mark === undefined && isSuspect(subject) && isClear(subject))
    .map(({ address, place }) => diagnostic('likely-secret', { address }, place));

/** A fallback for a secret: without the variable, the run goes on with a value that everybody can read. */
const secretFallback: Rule = ({ written }) =>
  written
    .filter(({ template }) => partsOf(template).some((part) => 'fallback' in part))
    .filter(isSecretByName)
    .map(({ address, mark, place }) =>
      diagnostic('secret-fallback', { address, isCertain: mark === true }, place),
    );

/** A secret that all users can see. */
const exposedSecret: Rule = ({ entries }) =>
  optionsOf(entries).flatMap(({ address, option: { sensitive, permission } }) =>
    sensitive?.value === true && permission?.value === 'lock-and-show'
      ? [diagnostic('exposes-secret', { address }, permission.place)]
      : [],
  );

/** A value for an option whose value each user sets. */
const userProvidesValue: Rule = ({ entries }) =>
  optionsOf(entries).flatMap(({ address, option: { value, permission } }) =>
    value?.value && permission?.value === 'user-provides'
      ? [diagnostic('user-provides-value', { address }, value.place)]
      : [],
  );

/** A value that was never filled in, is still encrypted, or is a copied mask. */
const placeholder: Rule = ({ winning }) =>
  winning.flatMap((subject) =>
    subject.texts
      .filter(({ text }) => isPlaceholder(text, isSecretByName(subject)))
      .map(({ place }) => diagnostic('placeholder', { address: subject.address }, place)),
  );

/** Whether a value is that of a secret by its mark, or by its key where a person has said nothing. */
function isSecretByName({ key, mark }: Subject): boolean {
  return mark ?? isSecretOption(key, undefined);
}

/** Whether a value is written in the configuration, directly or through named values, and is not empty. */
function isClear({ linked }: Subject): boolean {
  if (linked === undefined || partsOf<LinkedPart>(linked).some(({ kind }) => kind !== 'text')) return false;
  if (linked.kind === 'text') return linked.parts.length > 0;
  return linked.kind !== 'literal' || linked.value !== '';
}

/** Whether a value would be found to be a likely secret in the configuration, by the key of its option and its mark. */
export function isReportedAsLikely(key: string, value: WrittenValue, mark: boolean | undefined): boolean {
  if (mark !== undefined || typeof value === 'boolean') return false;
  return textsOf(value).some((text) => isSuspectText(key, text));
}

/** Whether a text is likely to be a secret. A choice of a select is one of a public list, so it is no secret. */
function isSuspect({ key, template, texts }: Subject): boolean {
  if (template.kind === 'choice') return false;
  if (template.kind === 'literal' && typeof template.value === 'number')
    return isSuspectText(key, String(template.value));
  return texts.some(({ text }) => isSuspectText(key, text));
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
  if (text.length > LONGEST_PLACEHOLDER) return false;
  const whole = text.trim();
  if (PLACEHOLDERS.test(whole) || NOTES.test(whole)) return true;
  return isSecret && (SECRET_PLACEHOLDERS.test(whole) || isMask(text));
}

const LONGEST_PLACEHOLDER = 80;

/** Mistakes with secrets, in any part of a configuration. */
export const SECRET_RULES: readonly Rule[] = [
  plainSecret,
  likelySecret,
  secretFallback,
  exposedSecret,
  userProvidesValue,
  placeholder,
];
