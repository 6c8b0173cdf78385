import { grouped } from '../model/grouped.ts';
import { isChoice, isChoiceList, type OptionValue, textsOf } from '../model/value.ts';
import type { Change } from '../plan/plan.ts';

/** Removes known secrets from foreign text. */
export type Scrub = (text: string) => string;

/** Shorter secrets are not looked for: every word would hold one. */
const SHORTEST_SECRET = 4;

/** Shorter secrets are found only as whole words in their exact case, not by chance. */
const SHORTEST_PART = 8;

const REPLACEMENT = '[secret]';

/** Both sides of a change as text without secrets: a sensitive value shows as its reference. For a sink it has to be escaped. */
export function sidesOf(change: Change, scrub: Scrub): { readonly before: string; readonly after: string } {
  if (change.field !== 'value') return { before: String(change.before), after: String(change.after) };
  if (change.sensitive)
    return {
      before: change.unreadable ? '(unreadable)' : '(sensitive)',
      after: change.reference ?? '(sensitive)',
    };
  return { before: scrub(valueText(change.before)), after: scrub(valueText(change.after)) };
}

/** A value as people write it: text in quotes only where it could be misread, selects by their value. */
function valueText(value: OptionValue | null): string {
  if (value === null) return '(none)';
  if (isChoiceList(value)) return `[${value.map((choice) => choice.value).join(', ')}]`;
  if (isChoice(value)) return value.value;
  // Several lines are compared line by line, their ends included.
  if (typeof value !== 'string' || /\n./s.test(value)) return String(value);
  return /^\s|\s$|^$|^(true|false|null|-?\d+(\.\d+)?)$/.test(value) ? JSON.stringify(value) : value;
}

/**
 * Makes a scrubber for secrets and the forms in which a server may return them: trimmed, line by line, and as they appear
 * in JSON, URLs, HTML and Base64. Finds long ones whatever their case.
 */
export function scrubber(secrets: Iterable<string>): Scrub {
  const texts = [...new Set(hideable(secrets).flatMap(formsOf))].filter(
    ({ length }) => length >= SHORTEST_SECRET,
  );
  const forms = texts
    .sort((a, b) => b.length - a.length)
    .map((text): Form => ({ text, small: text.length >= SHORTEST_PART ? text.toLowerCase() : undefined }));
  const byStart = grouped(forms, ({ text }) => text.slice(0, SHORTEST_SECRET).toLowerCase());
  return byStart.size === 0 ? (text) => text : (text) => scrubbed(text, byStart);
}

interface Form {
  readonly text: string;
  /** In lower case; undefined where the case counts. */
  readonly small: string | undefined;
}

/** Reads a text once, however many secrets there are. */
function scrubbed(text: string, byStart: ReadonlyMap<string, readonly Form[]>): string {
  const lower = text.toLowerCase();
  // A few letters change their length in lower case: then only the exact case is found.
  const small = lower.length === text.length ? lower : text;
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at + SHORTEST_SECRET <= text.length; ) {
    const found = byStart
      .get(small.slice(at, at + SHORTEST_SECRET))
      ?.find((form) =>
        form.small === undefined ? isWord(text, form.text, at) : small.startsWith(form.small, at),
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

/** Whether a short text is a whole word there. */
function isWord(text: string, word: string, at: number): boolean {
  const isPart = (index: number) => /[A-Za-z0-9]/.test(text.charAt(index));
  return text.startsWith(word, at) && !isPart(at - 1) && !isPart(at + word.length);
}

/** Makes a test for values that hold a secret: those that the scrubber would change, so that no format shows more than text. */
export function secretDetector(scrub: Scrub): (value: OptionValue) => boolean {
  return (value) => textsOf(value).some((text) => scrub(text) !== text);
}

/** A boolean is never a secret: hiding one would hide all. */
function hideable(secrets: Iterable<string>): string[] {
  return [...secrets].filter((secret) => secret !== 'true' && secret !== 'false');
}

/** A secret as it is, trimmed, joined to one line, and by its lines, each in all encodings. */
function formsOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  // The first and last line of a PEM key only say what it is.
  const own =
    lines.length < 2 ? [] : lines.filter((line) => line.length >= SHORTEST_PART && !line.startsWith('-----'));
  const texts = new Set([secret, secret.trim(), lines.join(' ').trim(), ...own]);
  return [...texts].flatMap(encodedForms);
}

function encodedForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const bytes = Buffer.from(text);
  // `encodeURIComponent` throws on half of a surrogate pair, which bytes cannot hold.
  const percent = encodeURIComponent(bytes.toString());
  const html = text.replace(/[&<>"]/g, (mark) => ENTITIES[mark] ?? mark);
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
    bytes.toString('base64'),
  ];
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
