import { diagnostic } from '../../diagnostic.ts';
import { isMask, isSecretOption } from '../../sensitivity.ts';
import { parseTemplate, type Reference } from '../reference.ts';
import type { Rule, RuleInput, Subject } from './rule.ts';
import { isReferenceTypo } from './text-rules.ts';

/** A value of an option that is marked as sensitive, in clear, in whatever layer. */
export const plainSecret: Rule = (input) =>
  input.written
    .filter((subject) => input.marked.has(subject.address) && isClear(subject, input))
    .map(({ address, field }) => diagnostic('plain-secret', { address }, field.place));

/** A text in clear under a key that is named like a secret. Without the type of the option it can only be suspected. */
export const likelySecret: Rule = (input) =>
  input.written
    .filter(({ key, address }) => isSecretOption(key, undefined) && !input.marked.has(address))
    .filter(({ field }) => typeof field.value === 'string' && !isKnownMistake(field.value))
    .filter((subject) => isClear(subject, input))
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
  if (typeof field.value === 'string' && !parseTemplate(field.value).ok) return false;
  if (references.length === 0) return String(field.value) !== '';
  const found = resolved.get(field);
  return found !== undefined && found.unread !== true && String(found.value) !== '';
}

/** What other rules speak of is no secret. */
function isKnownMistake(text: string): boolean {
  return isPlaceholder(text, true) || isReferenceTypo(text);
}

function hasFallback(reference: Reference): boolean {
  return reference.kind === 'env' && reference.fallback !== undefined;
}

const PLACEHOLDERS =
  /^(change[-_ ]?me|to[-_ ]?do|tbd|fix[-_ ]?me|x{3,}|placeholder|replace[-_ ]?me|(your|my)[-_ ]?(api[-_ ]?)?(key|token|password|secret)([-_ ]?here)?|<(your|my|the|insert|enter|api|key|token|password|secret|url|host|user)\b[^<>]*>|[*•●∙⬤█]{3,})$/i;

/** Whether a whole text stands for another one. Among secrets, what servers show instead of them counts too. */
function isPlaceholder(text: string, isSecret: boolean): boolean {
  if (text.length > LONGEST_PLACEHOLDER || parseTemplate(text).ok === false) return false;
  return PLACEHOLDERS.test(text.trim()) || (isSecret && isMask(text));
}

const LONGEST_PLACEHOLDER = 80;
