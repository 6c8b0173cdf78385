import type { WrittenValue } from '../model/desired.ts';
import { type Choice, isChoice, isChoiceList, type OptionValue, type Scalar } from '../model/value.ts';
import type { Change } from '../plan/plan.ts';

/** Takes known secrets out of foreign text. */
export type Scrub = (text: string) => string;

/** Secrets shorter than this are not looked for: they would be found in every word. */
const SHORTEST_SECRET = 4;

/** Shorter secrets are found only as whole words and in their very case: otherwise they would be found by chance. */
const SHORTEST_PART = 8;

/** Shorter secrets make no secret of a longer value: a region or a name from the environment is a part of many. */
const SHORTEST_INSIDE = 12;

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

/**
 * Makes a scrubber for secrets as they are and in the forms in which a server may give them back: trimmed, line by line, and
 * as they appear in JSON, URLs, HTML and Base64. Long ones are found whatever the case of their letters.
 */
export function scrubber(secrets: Iterable<string>): Scrub {
  const byStart = new Map<string, Form[]>();
  for (const text of new Set(hideable(secrets).flatMap(formsOf))) {
    if (text.length < SHORTEST_SECRET) continue;
    const form = { text, small: text.length >= SHORTEST_PART ? text.toLowerCase() : undefined };
    const start = text.slice(0, SHORTEST_SECRET).toLowerCase();
    byStart.set(start, [...(byStart.get(start) ?? []), form]);
  }
  for (const forms of byStart.values()) forms.sort((a, b) => b.text.length - a.text.length);
  return byStart.size === 0 ? (text) => text : (text) => scrubbed(text, byStart);
}

/** A form of a secret; in small letters where those do not count. */
interface Form {
  readonly text: string;
  readonly small: string | undefined;
}

/** Goes over a text once, whatever the number of secrets. */
function scrubbed(text: string, byStart: ReadonlyMap<string, readonly Form[]>): string {
  const lower = text.toLowerCase();
  // A few letters change their length: then only the very case is looked for.
  const small = lower.length === text.length ? lower : text;
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at + SHORTEST_SECRET <= text.length; ) {
    const found = byStart
      .get(small.slice(at, at + SHORTEST_SECRET))
      ?.find(
        (form) =>
          (form.small === undefined && isWord(text, form.text, at)) ||
          (form.small !== undefined && small.startsWith(form.small, at)),
      );
    if (found === undefined) at += 1;
    else {
      pieces.push(text.slice(from, at), REPLACEMENT);
      at += found.text.length;
      from = at;
    }
  }
  return from === 0 ? text : [...pieces, text.slice(from)].join('');
}

/** Whether a short text stands there as a word of its own. */
function isWord(text: string, word: string, at: number): boolean {
  const isPart = (character: string | undefined) => character !== undefined && /[A-Za-z0-9]/.test(character);
  return text.startsWith(word, at) && !isPart(text[at - 1]) && !isPart(text[at + word.length]);
}

/** Makes a test for values that hold one of the secrets. */
export function secretDetector(secrets: Iterable<string>): (value: OptionValue) => boolean {
  const all = new Set(hideable(secrets).filter((secret) => secret.length >= SHORTEST_SECRET));
  const long = [...all].filter((secret) => secret.length >= SHORTEST_INSIDE);
  return (value) =>
    textsOf(value).some((text) => all.has(text) || long.some((secret) => text.includes(secret)));
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

/** A secret as it is, trimmed, with its blanks put together, and its lines, each in all its encodings. */
function formsOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  // The first and the last line of a key say only what it is.
  const own =
    lines.length < 2 ? [] : lines.filter((line) => line.length >= SHORTEST_PART && !line.startsWith('-----'));
  const texts = new Set([secret, secret.trim(), lines.join(' ').trim(), ...own]);
  return [...texts].flatMap(encodedForms);
}

function encodedForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const percent = encodeURIComponent(toWellFormed(text));
  const html = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  return [
    text,
    json,
    JSON.stringify(json).slice(1, -1),
    json.replaceAll('/', '\\/'),
    json.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
    percent,
    percent.replaceAll('%20', '+'),
    html,
    html.replaceAll("'", '&#39;'),
    Buffer.from(text).toString('base64'),
  ];
}

/** `encodeURIComponent` throws on half of a surrogate pair. */
function toWellFormed(text: string): string {
  return Buffer.from(text).toString();
}
