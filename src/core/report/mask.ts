import { isRecord } from '../model/json.ts';
import { grouped } from '../model/lists.ts';
import { HIDDEN } from '../model/secret.ts';
import { forXml } from './escape.ts';

/**
 * The least characters of a secret that is masked, and of an encoding that is
 * searched.
 */
const SHORTEST = 8;

/**
 * Characters by which encodings are found: the cost does not grow with their
 * number.
 */
const START = 4;

/** What stays as it is: people and programs find things by it. */
const KEPT: ReadonlySet<string> = new Set([
  'name',
  'id',
  'url',
  'server',
  'integrations',
  'address',
  'addresses',
  'repository',
  'only',
  'ref',
  'commit',
  'sameSecrets',
  'code',
  'formatVersion',
  'version',
  'takenAt',
  'createdAt',
]);

/**
 * Whether a secret is masked: shorter ones, a plain word and a number would
 * garble reports and prove nothing.
 */
function isMasked(secret: string): boolean {
  return (
    secret.length >= SHORTEST &&
    !/^(?:[A-Z]?[a-z]{0,15}|-?\d+(?:\.\d+)?)$/.test(secret)
  );
}

/** Takes secrets out of what a run writes. */
export interface Masker {
  text: (text: string) => string;
  /**
   * Masks every text in plain data except keys and the fields that `KEPT`
   * names. Only texts change, so it keeps its type.
   */
  data: <T>(data: T) => T;
}

/** Makes a masker of secrets, as they are and as programs encode them. */
export function masker(secrets: Iterable<string>): Masker {
  const forms = [...new Set([...secrets].filter(isMasked).flatMap(formsOf))];
  const longestFirst = forms.sort((a, b) => b.length - a.length);
  const byStart = grouped(longestFirst, (form) => form.slice(0, START));
  // Few positions of a text begin with the first character of a form.
  const first = new Set(forms.map((form) => form.charCodeAt(0)));
  const text = (from: string) => {
    if (forms.length === 0) return from;
    const parts: string[] = [];
    let end = 0;
    for (let at = 0; at + SHORTEST <= from.length; at += 1) {
      if (!first.has(from.charCodeAt(at))) continue;
      const found = byStart
        .get(from.slice(at, at + START))
        ?.find((form) => from.startsWith(form, at));
      if (found === undefined) continue;
      parts.push(from.slice(end, at), HIDDEN);
      end = at + found.length;
      at = end - 1;
    }
    return `${parts.join('')}${from.slice(end)}`;
  };
  return {
    text,
    data: <T>(data: T) => mapTexts(data, '', text) as T,
  };
}

/**
 * Plain data with other texts, except under the keys that are kept. What has no
 * other text is not copied: a document may be large.
 */
function mapTexts(
  value: unknown,
  key: string,
  text: (from: string) => string,
): unknown {
  if (typeof value === 'string') return KEPT.has(key) ? value : text(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts(item, key, text));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isRecord(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const mapped = mapTexts(value[name], name, text);
    if (mapped === value[name]) continue;
    copy ??= { ...value };
    copy[name] = mapped;
  }
  return copy ?? value;
}

/** A secret and its lines in the encodings that programs print. */
function formsOf(secret: string): string[] {
  const whole = secret.trim();
  const lines = whole
    .split(/\r?\n/)
    .filter((line) => isMasked(line) && !line.startsWith('-----'));
  return [whole, ...lines]
    .flatMap(encodings)
    .filter(({ length }) => length >= SHORTEST);
}

function encodings(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const bytes = Buffer.from(text);
  const url = encodeURIComponent(bytes.toString());
  const html = forXml(text);
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].map((shift) => base64At(bytes, shift));
  return [
    text,
    json,
    JSON.stringify(json).slice(1, -1),
    json.replaceAll('/', '\\/'),
    url,
    url.replaceAll('%20', '+'),
    html,
    html.replaceAll("'", '&#39;'),
    hex,
    hex.toUpperCase(),
    ...base64.flatMap((each) => [
      each,
      each.replaceAll('+', '-').replaceAll('/', '_'),
    ]),
  ];
}

/**
 * The Base64 of bytes after others, without the characters that hold bits of a
 * neighbour.
 */
function base64At(bytes: Buffer, shift: number): string {
  const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString(
    'base64',
  );
  return encoded.slice(
    Math.ceil((shift * 4) / 3),
    Math.floor(((shift + bytes.length) * 4) / 3),
  );
}
