import { diagnostic } from '../../findings/diagnostic.ts';
import { isMask, isSecretOption } from '../../model/secrecy.ts';
import { hasSecretForm, isHarmless } from '../../model/secret-form.ts';
import { parseTemplate, type Reference } from '../reference.ts';
import type { Rule, RuleInput, Subject } from './rule.ts';
import { isEncrypted, isReferenceTypo } from './text-rules.ts';

/** A value of an option that is marked as sensitive, in clear, in whatever layer. */
export const plainSecret: Rule = (input) =>
  input.written
    .filter((subject) => input.marked.has(subject.address) && isClear(subject, input))
    .map(({ address, field }) => diagnostic('plain-secret', { address }, field.place));

/**
 * A text in clear under a key that is named like a secret, or one that looks like nothing else. Without the type of the
 * option it can only be suspected.
 */
export const likelySecret: Rule = (input) =>
  input.written
    .filter(({ address }) => !input.marked.has(address))
    .filter((subject) => isSuspect(subject) && isClear(subject, input))
    .map(({ address, field }) => diagnostic('likely-secret', { address }, field.place));

/** A fallback for a secret: where the variable is missing, the run goes on with a value that stands in the file. */
export const secretFallback: Rule = ({ written, marked }) =>
  written
    .filter(({ references }) => references.some(hasFallback))
    .filter(({ key, address }) => marked.has(address) || isSecretOption(key, undefined))
    .map(({ address, field }) => diagnostic('secret-fallback', { address }, field.place));

/** A secret that all users can see. */
export const exposedSecret: Rule = ({ options }) =>
  options.flatMap(({ address, sensitive, permission }) =>
    sensitive && permission?.value === 'lock-and-show'
      ? [diagnostic('exposes-secret', { address }, permission.place)]
      : [],
  );

/** A value for an option whose value each user gives. */
export const userProvidesValue: Rule = ({ options }) =>
  options.flatMap(({ address, value, permission }) =>
    value !== undefined && value.value !== null && permission?.value === 'user-provides'
      ? [diagnostic('user-provides-value', { address }, value.place)]
      : [],
  );

/** A value that was to be replaced, or stars that stood for a value where it was copied from. */
export const placeholder: Rule = ({ winning }) =>
  winning.flatMap(({ address, key, texts }) =>
    texts
      .filter(({ text }) => isPlaceholder(text, isSecretOption(key, undefined)))
      .map(({ place }) => diagnostic('placeholder', { address }, place)),
  );

/** Whether a value stands in the configuration itself, written out or through named values, and is not empty. */
function isClear({ field, references }: Subject, { resolved }: RuleInput): boolean {
  if (references.some(({ kind }) => kind !== 'value')) return false;
  if (typeof field.value === 'string' && parseTemplate(field.value).problems.length > 0) return false;
  if (references.length === 0) return String(field.value) !== '';
  const found = resolved.get(field);
  return found !== undefined && found.unread !== true && String(found.value) !== '';
}

/** Whether a text is likely to be a secret. What other rules speak of is none. */
function isSuspect({ key, field: { value }, texts }: Subject): boolean {
  if (typeof value === 'number') return isSuspectText(key, String(value));
  // A choice of a select is one of those that are listed, and no secret.
  if (typeof value === 'string' || Array.isArray(value))
    return texts.some(({ text }) => isSuspectText(key, text));
  return false;
}

function isSuspectText(key: string, text: string): boolean {
  if (text === '' || isReferenceTypo(text) || isEncrypted(text)) return false;
  if (hasSecretForm(text)) return true;
  return isSecretOption(key, undefined) && !isPlaceholder(text, true) && !isHarmless(key, text);
}

function hasFallback(reference: Reference): boolean {
  return reference.kind === 'env' && reference.fallback !== undefined;
}

/** Whole texts that stand for a value which is still to come. */
const PLACEHOLDERS =
  /^(change[-_ ]?me|fix[-_ ]?me|placeholder|replace[-_ ]?me|your[-_ ]?(api[-_ ]?)?(key|token|password|secret)([-_ ]?here)?|(insert|enter|put|replace[-_ ]with)[-_ ].*[-_ ]here|<(your|my|the|insert|enter|api|key|token|password|secret|url|host|user)\b[^<>]*>|undefined|\[object Object\]|x{8,}|x{3,}(-x{3,})+|[*•●∙⬤█]{6,})$/i;

/** `To Do` is a state of tickets; in capitals it is a note to oneself. */
const NOTES = /^(TODO|TO_DO|TO-DO|TBD|FIXME)$/;

/** What stands for a secret, but may well be a name or a decoration elsewhere. */
const SECRET_PLACEHOLDERS =
  /^(to[-_ ]?do|tbd|x{3,}|my[-_ ]?(api[-_ ]?)?(key|token|password|secret)([-_ ]?here)?|<[^<>]*>)$/i;

/** Whether a whole text stands for another one. Among secrets, what servers show instead of them counts too. */
function isPlaceholder(text: string, isSecret: boolean): boolean {
  if (text.length > LONGEST_PLACEHOLDER || parseTemplate(text).problems.length > 0) return false;
  const whole = text.trim();
  return (
    PLACEHOLDERS.test(whole) ||
    NOTES.test(whole) ||
    (isSecret && (SECRET_PLACEHOLDERS.test(whole) || isMask(text)))
  );
}

const LONGEST_PLACEHOLDER = 80;
