import { type AboutField, aboutField } from '../findings/about.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import { DAY } from '../findings/time.ts';
import { isSecret } from '../model/secrecy.ts';
import { isChoice, textsOf, type WrittenValue } from '../model/value.ts';
import {
  type Declaration,
  partsOf,
  setterIn,
  type Template,
} from './declaration.ts';
import type { Entry, NamedValues, WrittenConfig } from './entry.ts';
import type { WrittenFile } from './parse-file.ts';
import { namedLength, resolveValue } from './resolve.ts';
import {
  isTemplate,
  namesIn,
  referencesIn,
  withoutReferences,
} from './template.ts';
import { textFlaws } from './text-flaws.ts';

/** The codes of the findings on values that keep no file from being read. */
export const RULE_CODES: ReadonlySet<string> = new Set([
  'plain-secret',
  'placeholder',
  'reference-typo',
  'padded-text',
  'exposes-secret',
  'user-provides-value',
]);

/**
 * True for a mistake in a value, which keeps no configuration from being read.
 */
export function isMistakeInValue({ code }: Diagnostic): boolean {
  return RULE_CODES.has(code);
}

/**
 * Finds mistakes in the values of all layers, and in the entries that count.
 */
export function mistakesIn(
  files: readonly WrittenFile[],
  { entries, values: named }: WrittenConfig,
  now = Number.POSITIVE_INFINITY,
): Diagnostic[] {
  const found = entries.flatMap(idleEntry);
  const ofOptions: RuledValue[] = [];
  for (const { name, options } of entries) {
    for (const [key, declarations] of options) {
      found.push(...optionMistakes(name, key, declarations, now));
      ofOptions.push(...optionValues(name, key, declarations));
    }
  }
  let composed = 0;
  for (const value of [...ofOptions, ...namedValues(files, named, ofOptions)]) {
    const { template, wins } = value;
    composed += namedLength(template, named);
    if (composed > MOST_COMPOSED) {
      const facts = { of: 'characters of named values', limit: MOST_COMPOSED };
      return [...found, diagnostic('too-large', facts, template.place)];
    }
    // Without variables and files, named values alone can be missing.
    const { wanted, findings } = resolveValue(template, { values: named });
    const want = wanted?.want;
    const literal = want?.kind === 'literal' ? want.value : undefined;
    found.push(...valueMistakes(value, literal));
    if (wins) found.push(...findings);
  }
  return found;
}

/**
 * How many characters named values may put into all values together: a short
 * file can name a long text often.
 */
const MOST_COMPOSED = 4 * 1024 * 1024;

/** Finds that an entry has nothing but `match` and `expect`. */
function idleEntry({ name, place, declarations }: Entry): Diagnostic[] {
  const isIdle = declarations.every(
    ({ field }) => field === 'match' || field === 'expect',
  );
  if (!isIdle) return [];
  return [diagnostic('idle-declaration', { of: 'entry', name }, place)];
}

/** Finds mistakes in what the fields of an option say together. */
function optionMistakes(
  integration: string,
  option: string,
  declarations: readonly Declaration[],
  now: number,
): Diagnostic[] {
  const rotated = setterIn(declarations, 'rotated');
  const permission = setterIn(declarations, 'permission');
  const found: Diagnostic[] = [];
  // No zone is more than a day ahead.
  if (rotated !== undefined && Date.parse(rotated.value) > now + DAY) {
    found.push(diagnostic('not-allowed', NOT_YET, rotated.place));
  }
  if (permission?.value === 'lock-and-show') {
    if (!setterIn(declarations, 'sensitive')?.value) return found;
    const about = aboutField({ kind: 'permission', integration, option });
    found.push(diagnostic('exposes-secret', about, permission.place));
  } else if (permission?.value === 'user-provides') {
    const value = setterIn(declarations, 'value');
    if (value === undefined) return found;
    const about = aboutField({ kind: 'value', integration, option });
    found.push(diagnostic('user-provides-value', about, value.place));
  }
  return found;
}

const NOT_YET = { expected: ['a day that is not in the future'] };

/** A value that rules look at: that of an option, or a named one. */
interface RuledValue {
  about: AboutField;
  /** The key of the option, or the name of the value. */
  key: string;
  template: Template;
  /** Whether no later layer overrides it. */
  wins: boolean;
  /** The `sensitive:` of its option, after all layers. */
  mark?: boolean | undefined;
  /** Whether it is a secret by that mark, or else by its key. */
  isOfSecret: boolean;
}

/** The values that layers have for an option. */
function optionValues(
  integration: string,
  key: string,
  declarations: readonly Declaration[],
): RuledValue[] {
  const about = aboutField({ kind: 'value', integration, option: key });
  const mark = setterIn(declarations, 'sensitive')?.value;
  const isOfSecret = mark ?? isSecret({ key });
  const last = setterIn(declarations, 'value');
  const values: RuledValue[] = [];
  for (const template of declarations) {
    if (template.field !== 'value' || template.value === null) continue;
    const wins = template === last;
    values.push({ about, key, template, wins, mark, isOfSecret });
  }
  return values;
}

/** The named values of all files, after the values of options. */
function namedValues(
  files: readonly WrittenFile[],
  named: NamedValues,
  ofOptions: readonly RuledValue[],
): RuledValue[] {
  const ofSecrets = new Set<string>();
  for (const { isOfSecret, template } of ofOptions) {
    if (!isOfSecret) continue;
    for (const name of namesIn(template.value)) ofSecrets.add(name);
  }
  const values: RuledValue[] = [];
  for (const [key, template] of files.flatMap((file) => [...file.values])) {
    if (template.value === null) continue;
    const about = { address: `values.${key}`, integration: undefined };
    const wins = template === named.get(key);
    const isOfSecret = ofSecrets.has(key) || isSecret({ key });
    values.push({ about, key, template, wins, isOfSecret });
  }
  return values;
}

/**
 * Finds secrets in clear text, and flaws of texts. `literal` is the value with
 * named values put in, if nothing of it comes from outside.
 */
function valueMistakes(
  value: RuledValue,
  literal: WrittenValue | undefined,
): Diagnostic[] {
  const { about, key, mark, template, wins, isOfSecret } = value;
  const { value: written, place } = template;
  const flaws = flawsIn(value);
  const isCertain = mark === true;
  const found: Diagnostic[] = [];
  const isClear = (literal ?? '') !== '';
  let isPlain = isClear && (isCertain || isLikelySecret(key, written, mark));
  // A text that stands in place of a secret is none.
  if (isCertain ? hasErrors(flaws) : flaws.some(isStandIn)) isPlain = false;
  // Without the variable, the run would go on with a value that everybody can
  // read.
  const references = isOfSecret ? referencesIn(written) : [];
  const hasFallback = references.some(({ fallback }) => fallback !== undefined);
  if (isPlain || hasFallback) {
    const facts = { ...about, isCertain };
    found.push(diagnostic('plain-secret', facts, place));
  }
  return wins ? [...found, ...flaws] : found;
}

/** True for a text that stands in place of another one. */
function isStandIn({ code }: Diagnostic): boolean {
  return code === 'placeholder' || code === 'reference-typo';
}

/**
 * Finds flaws in the texts of a value as they are written, and in its
 * fallbacks; the displays of choices have none.
 */
function flawsIn(value: RuledValue): Diagnostic[] {
  const { about: subject, key, mark, template } = value;
  const { value: written } = template;
  const flaws: Diagnostic[] = [];
  for (const { part, place } of partsOf(template)) {
    const whole = isChoice(part) ? part.value : part;
    // Numbers and booleans, of which there are thousands, have none.
    if (typeof whole !== 'string') continue;
    // A fallback stands in for a text from outside.
    const isSecretByValue = isTemplate(written);
    const clues = { key, mark, isSecretByValue, values: [written] };
    const judged = {
      subject,
      place,
      isSecret: () => value.isOfSecret || isSecret(clues),
    };
    // With letters in place of references, beside the fallbacks of these.
    flaws.push(...textFlaws(withoutReferences(whole), judged));
    for (const { fallback } of referencesIn(whole)) {
      if (fallback !== undefined) flaws.push(...textFlaws(fallback, judged));
    }
  }
  return flaws;
}

/**
 * Whether an unmarked value is likely to be a secret, by the key of its option
 * or its form. Choices are of a public list.
 */
export function isLikelySecret(
  key: string,
  value: WrittenValue,
  mark: boolean | undefined,
): boolean {
  if (mark !== undefined || isChoice(value)) return false;
  if (isSecret({ values: [value] })) return true;
  if (!isSecret({ key })) return false;
  return textsOf(value).some((text) => !isHarmless(key, text.trim()));
}

/** Whether a text is not a secret, although its key is named like one. */
function isHarmless(key: string, text: string): boolean {
  if (/tokens$/i.test(key) && /^\d{1,7}$/.test(text)) return true;
  return HARMLESS.some((form) => form.test(text));
}

const HARMLESS: readonly RegExp[] = [
  /^$/,
  // How a secret is used, or that there is none.
  /^(bearer|basic|digest|token|oauth ?2?|api[-_ ]?key|jwt|hmac|ntlm|negotiate|kerberos|header|query|cookie|body|none|no|yes|true|false|off|on|null|n\/a|enabled|disabled)$/i,
  // What the integration fills in.
  /^((bearer|basic|token) )?\{\{[^{}]*\}\}$/i,
  // The public half of a pair of keys, or a certificate.
  /^(-----BEGIN ([A-Z0-9]+ )*(PUBLIC KEY|CERTIFICATE)-----|(ssh-(rsa|ed25519)|ecdsa-sha2-\S+) AAAA)/,
];
