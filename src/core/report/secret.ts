import type { WrittenValue } from '../model.ts';
import type { Change } from '../plan/plan.ts';
import { type Choice, isChoice, isChoiceList, type OptionValue, type Scalar } from '../value.ts';

/** Takes known secrets out of foreign text. */
export type Scrub = (text: string) => string;

/** Secrets shorter than this are not looked for: they would be found in every word. */
const SHORTEST_SECRET = 4;

/** Shorter secrets are found only as a whole value: as a part of one they would be found by chance. */
const SHORTEST_PART = 8;

const REPLACEMENT = '[secret]';

/** Both sides of a change as text. A sensitive value is never there to be shown: its reference stands for it. */
export function sidesOf(change: Change): { readonly before: string; readonly after: string } {
  if (change.field !== 'value') return { before: String(change.before), after: String(change.after) };
  if (change.sensitive)
    return {
      before: change.unreadable ? '(unreadable)' : '(sensitive)',
      after: change.reference ?? '(sensitive)',
    };
  return { before: valueText(change.before), after: valueText(change.after) };
}

/** A value as people write it: text bare or, where it could be misread, in quotes; selects by their value. */
function valueText(value: OptionValue | null): string {
  if (value === null) return '(none)';
  if (isChoiceList(value)) return `[${value.map((choice) => choice.value).join(', ')}]`;
  if (isChoice(value)) return value.value;
  // Several lines are compared line by line, their ends included.
  if (typeof value === 'string' && /\n./s.test(value)) return value;
  if (typeof value === 'string')
    return /^\s|\s$|^$|^(true|false|null|-?\d+(\.\d+)?)$/.test(value) ? JSON.stringify(value) : value;
  return String(value);
}

/** Makes a scrubber for secrets as they are and as they appear in JSON, in URLs and in Base64. */
export function scrubber(secrets: Iterable<string>): Scrub {
  const forms = hideable(secrets)
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap(encodedForms);
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return (text) => text;
  return (text) => longestFirst.reduce((clean, secret) => clean.replaceAll(secret, REPLACEMENT), text);
}

/** Makes a test for values that hold one of the secrets. */
export function secretDetector(secrets: Iterable<string>): (value: OptionValue) => boolean {
  const all = new Set(hideable(secrets));
  const long = [...all].filter((secret) => secret.length >= SHORTEST_PART);
  return (value) =>
    textsOf(value).some(
      (text) => (text !== '' && all.has(text)) || long.some((secret) => text.includes(secret)),
    );
}

/** A boolean is no secret, wherever it comes from: to hide one would hide every other. */
function hideable(secrets: Iterable<string>): string[] {
  return [...secrets].filter((secret) => secret !== 'true' && secret !== 'false');
}

/** The texts inside a value, for a scrubber. */
export function textsOf(value: OptionValue | WrittenValue): string[] {
  if (isList(value)) return value.flatMap(textsOf);
  return isChoice(value) ? [value.value, value.display] : [String(value)];
}

function isList(value: OptionValue | WrittenValue): value is readonly (Scalar | Choice)[] {
  return Array.isArray(value);
}

function encodedForms(secret: string): string[] {
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(toWellFormed(secret)),
    Buffer.from(secret).toString('base64'),
  ];
}

/** `encodeURIComponent` throws on half of a surrogate pair. */
function toWellFormed(text: string): string {
  return Buffer.from(text).toString();
}
