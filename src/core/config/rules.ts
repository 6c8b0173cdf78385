import {
  type AboutField,
  aboutField,
  aboutOptionField,
} from '../findings/about.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import { isPermission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { isSecret } from '../model/secrecy.ts';
import {
  type Choice,
  isChoice,
  isChoiceList,
  type Scalar,
  textsOf,
  type WrittenValue,
} from '../model/value.ts';
import { type Declaration, setterIn, type Template } from './declaration.ts';
import {
  type Entry,
  globsIn,
  type NamedValues,
  type WrittenConfig,
} from './entry.ts';
import type { WrittenFile } from './read-file.ts';
import { Resolver } from './resolve.ts';
import { isTemplate, referencesIn, withoutReferences } from './template.ts';
import { hiddenCharacters, isPlaceholder, textFlaws } from './text-flaws.ts';

/** A value that rules look at: that of an option, or a named one. */
interface RuledValue {
  readonly about: AboutField;
  /** The key of the option, or the name of the value. */
  readonly key: string;
  readonly template: Template;
  /** The value with named values put in, if nothing of it comes from outside. */
  readonly literal: WrittenValue | undefined;
  /** Whether no later layer overrides it. */
  readonly wins: boolean;
  /** What its option says with `sensitive:` after all layers. */
  readonly mark?: boolean | undefined;
}

const VALUE_CODES = [
  'plain-secret',
  'likely-secret',
  'secret-fallback',
  'broken-url',
] as const;

/** The rules for whole values. */
const IN_VALUES: Readonly<
  Record<(typeof VALUE_CODES)[number], (value: RuledValue) => boolean>
> = {
  'plain-secret': (value) => value.mark === true && isClear(value),
  'likely-secret': ({ key, template, mark, literal }) =>
    isLikelySecret(key, template.value, mark) && isClear({ literal }),
  // Without the variable, the run would go on with a value that everybody can read.
  'secret-fallback': (value) =>
    isSecretByName(value) && hasFallback(value.template),
  'broken-url': isBrokenUrl,
};

/** The codes of all rules for values and keys. */
const RULE_CODES: ReadonlySet<string> = new Set([
  ...VALUE_CODES,
  'placeholder',
  'reference-typo',
  'padded-text',
  'hidden-character',
  'exposes-secret',
  'user-provides-value',
]);

/** True for a mistake in a value, which keeps no configuration from being read. */
export function isMistakeInValue({ code }: Diagnostic): boolean {
  return RULE_CODES.has(code);
}

/** Finds mistakes that any part of a configuration shows: in the values of all layers, and in the entries that count. */
export function mistakesIn(
  files: readonly WrittenFile[],
  { entries, values: merged }: WrittenConfig,
): Diagnostic[] {
  const resolver = new Resolver(merged);
  return [
    ...entries.flatMap((entry) => mistakesInValues(entry, resolver)),
    ...files.flatMap(({ values }) => mistakesInNamed(values, merged, resolver)),
    ...entries.flatMap(mistakesInEntry),
  ];
}

function mistakesInValues(entry: Entry, resolver: Resolver): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const [key, declarations] of entry.options) {
    const last = setterIn(declarations, 'value');
    const mark = setterIn(declarations, 'sensitive')?.value;
    const integration = entry.name;
    const about = aboutField({ kind: 'value', integration, option: key });
    for (const declaration of declarations) {
      const { field, value } = declaration;
      if (field !== 'value' || value === null) continue;
      const template = declaration;
      const literal = literalOf(template, resolver);
      const wins = declaration === last;
      const ruled = { about, key, mark, template, literal, wins };
      for (const mistake of broken(ruled)) found.push(mistake);
    }
  }
  return found;
}

function mistakesInNamed(
  values: NamedValues,
  merged: NamedValues,
  resolver: Resolver,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const [key, named] of values) {
    if (named.value === null) continue;
    const template = { ...named, value: named.value };
    const literal = literalOf(template, resolver);
    const wins = named === merged.get(key);
    const about = { address: `values.${key}`, integration: undefined };
    found.push(...broken({ about, key, template, literal, wins }));
  }
  return found;
}

function literalOf(
  template: Template,
  resolver: Resolver,
): WrittenValue | undefined {
  const { value } = template;
  if (!isTemplate(value)) return value;
  const { want } = resolver.resolve(template);
  return want?.kind === 'literal' ? want.value : undefined;
}

/** The findings of all rules. */
function broken(value: RuledValue): Diagnostic[] {
  const { about, mark, template, wins } = value;
  const facts = { ...about, isCertain: mark === true };
  const flaws = flawsIn(value);
  const isStandIn = flaws.some(({ code }) => STAND_INS.has(code));
  const isRefused = hasErrors(flaws);
  const found: Diagnostic[] = [];
  for (const code of VALUE_CODES) {
    // A text that stands in place of a secret is none.
    if (code === 'likely-secret' && isStandIn) continue;
    if (code === 'plain-secret' && isRefused) continue;
    if (IN_VALUES[code](value)) {
      found.push(diagnostic(code, facts, template.place));
    }
  }
  return wins ? [...found, ...flaws] : found;
}

/** The codes of texts that stand in place of others. */
const STAND_INS: ReadonlySet<string> = new Set([
  'placeholder',
  'reference-typo',
]);

/** Finds what is wrong with the texts of a value as they are written, and with its fallbacks. */
function flawsIn(value: RuledValue): Diagnostic[] {
  const subject = value.about;
  const isSecret = isSecretByName(value);
  const flaws: Diagnostic[] = [];
  for (const { text: written, place } of textsIn(value.template)) {
    const texts = [withoutReferences(written)];
    for (const { fallback = '' } of referencesIn(written)) {
      if (fallback !== '') texts.push(fallback);
    }
    for (const text of texts) {
      flaws.push(...textFlaws({ text, subject, place, isSecret }));
    }
  }
  return flaws;
}

/** A text in a value, and where it is. */
interface WrittenText {
  readonly text: string;
  readonly place: Place;
}

/** Each text and number in a value, with references as written; displays of choices are left out. */
function textsIn({ value, place, members }: Template): WrittenText[] {
  if (!isChoiceList(value)) return [{ text: bareText(value), place }];
  return value.map((member, index) => {
    return { text: bareText(member), place: members?.[index] ?? place };
  });
}

function bareText(value: Scalar | Choice): string {
  return String(isChoice(value) ? value.value : value);
}

/** Whether a value is written in the configuration, directly or through named values, and is not empty. */
function isClear({ literal }: Pick<RuledValue, 'literal'>): boolean {
  return literal !== undefined && literal !== '';
}

function hasFallback({ value }: Template): boolean {
  return referencesIn(value).some(({ fallback }) => fallback !== undefined);
}

/** Whether a URL cannot be right: by its scheme, or with `//` in its path only once named values are put in. */
function isBrokenUrl({ template, literal, wins }: RuledValue): boolean {
  const { value: written } = template;
  if (typeof written !== 'string' || !wins) return false;
  const text = literal === undefined ? written : String(literal);
  if (BAD_SCHEME.test(text)) return true;
  return PATH_BEGINS_TWICE.test(text) && !PATH_BEGINS_TWICE.test(written);
}

/** Invisible characters in keys and globs, secrets that all users see, and values that each user sets for themselves. */
function mistakesInEntry({ name, match, options }: Entry): Diagnostic[] {
  const subject = { integration: name };
  const found: Diagnostic[] = [];
  if (match !== undefined) {
    const globs = globsIn(match.value).join();
    found.push(...hiddenCharacters(subject, globs, match.place));
  }
  for (const [key, about] of options) {
    const keyPlace = about.at(-1)?.keyPlace;
    if (keyPlace !== undefined) {
      found.push(...hiddenCharacters(subject, key, keyPlace));
    }
    const misuse = misuseOf(name, key, about);
    if (misuse !== undefined) found.push(misuse);
  }
  return found;
}

/** A secret that all users see, or a value that each user sets; undefined for any other option. */
function misuseOf(
  integration: string,
  option: string,
  about: readonly Declaration[],
): Diagnostic | undefined {
  const permission = setterIn(about, 'permission');
  if (permission === undefined) return undefined;
  const isMarked = setterIn(about, 'sensitive')?.value === true;
  if (isMarked && permission.value === 'lock-and-show') {
    const shown = aboutOptionField({ kind: 'permission', integration, option });
    return diagnostic('exposes-secret', shown, permission.place);
  }
  if (permission.value !== 'user-provides') return undefined;
  const value = setterIn(about, 'value');
  if (value === undefined) return undefined;
  const own = aboutOptionField({ kind: 'value', integration, option });
  return diagnostic('user-provides-value', own, value.place);
}

/** Whether a value is that of a secret by its mark, or by its key where a person has said nothing. */
function isSecretByName({ key, mark }: RuledValue): boolean {
  return mark ?? isSecret({ key });
}

/** Whether an unmarked value is likely to be a secret, by the key of its option or its form. Choices are of a public list. */
export function isLikelySecret(
  key: string,
  value: WrittenValue,
  mark: boolean | undefined,
): boolean {
  if (mark !== undefined || typeof value === 'boolean' || isChoice(value)) {
    return false;
  }
  return textsOf(value).some((text) => isSuspectText(key, text));
}

/** Whether a text under the key of an option is likely to be a secret. */
function isSuspectText(key: string, text: string): boolean {
  if (text === '') return false;
  if (isSecret({ values: [text] })) return true;
  return (
    isSecret({ key }) &&
    !isPlaceholder(text.trim(), true) &&
    !isHarmless(key, text)
  );
}

/** Whether a text is not a secret, although its key is named like one. */
function isHarmless(key: string, text: string): boolean {
  const rest = text.replace(/\{\{[^{}]*\}\}/g, ' ').trim();
  // The integration fills in double braces; a scheme and marks beside them are not secret.
  const words = rest.split(/[^A-Za-z0-9]/).filter((word) => word !== '');
  const isTemplate =
    rest !== text.trim() && words.every((word) => HOW_IT_IS_USED.test(word));
  const isCount = /tokens$/i.test(key) && /^\d{1,7}$/.test(text);
  const isScheme = HOW_IT_IS_USED.test(text.trim());
  return (
    isTemplate ||
    isCount ||
    isPermission(text) ||
    isScheme ||
    PUBLIC_HALF.test(text)
  );
}

/** Values of keys named like secrets that say how one is used, or that there is none. */
const HOW_IT_IS_USED =
  /^(bearer|basic|digest|token|oauth ?2?|api[-_ ]?key|jwt|hmac|ntlm|negotiate|kerberos|header|query|cookie|body|none|no|yes|true|false|off|on|null|n\/a|enabled|disabled)$/i;

/** The public half of a pair of keys, or a certificate. */
const PUBLIC_HALF =
  /^\s*(-----BEGIN ([A-Z0-9]+ )*(PUBLIC KEY|CERTIFICATE)-----|(ssh-(rsa|ed25519)|ecdsa-sha2-\S+) AAAA)/;

const BAD_SCHEME =
  /^(https?:\/{2,3}https?:\/|https?:\/(?!\/)|https?:\/{3}|https?\/\/|(htttps?|hhttps?|htps?|ttps?):\/\/)/i;

/** A path that begins with a second slash. */
const PATH_BEGINS_TWICE = /^https?:\/\/[^?#]{0,2000}[^:/?#]\/\//i;
