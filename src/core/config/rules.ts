import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import { isPermission } from '../model/permission.ts';
import { isSecret } from '../model/secrecy.ts';
import { isHidden } from '../model/secret.ts';
import { isChoice, textsOf, type WrittenValue } from '../model/value.ts';
import {
  type Entry,
  optionsIn,
  type Template,
  type WrittenConfig,
} from './entry.ts';
import { type ResolvedValue, Resolver } from './resolve.ts';
import { referencesIn, withoutReferences } from './template.ts';
import { hiddenCharacters, isPlaceholder, textFlaws } from './text-flaws.ts';

/** A value that rules look at: that of an option, or a named one. */
interface RuledValue {
  readonly address: string;
  /** The key of the option, or the name of the value. */
  readonly key: string;
  readonly field: Template;
  /** With named values put in; hidden if a part comes from outside. */
  readonly resolved: ResolvedValue;
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
  'likely-secret': (value) =>
    isLikelySecret(value.key, value.field.value, value.mark) && isClear(value),
  // Without the variable, the run would go on with a value that everybody can read.
  'secret-fallback': (value) =>
    isSecretByName(value) &&
    referencesIn(value.field.value).some(
      ({ fallback }) => fallback !== undefined,
    ),
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

/** Finds mistakes that any part of a configuration shows: in the values of all files, and in the entries that count. */
export function mistakesIn(
  files: readonly WrittenConfig[],
  merged: WrittenConfig,
): Diagnostic[] {
  const resolver = new Resolver(merged.values);
  const last = new Map(
    optionsIn(merged.entries).map((option) => [option.address, option]),
  );
  const found = files.flatMap(({ values, entries }) => [
    ...optionsIn(entries).flatMap(({ address, key, value: field }) => {
      if (field === undefined) return [];
      const winner = last.get(address);
      const mark = winner?.sensitive?.value ?? undefined;
      return broken(
        {
          address: `${address}.value`,
          key,
          mark,
          field,
          wins: field === winner?.value,
        },
        resolver,
      );
    }),
    ...[...values].flatMap(([key, field]) =>
      broken(
        {
          address: `values.${key}`,
          key,
          field,
          wins: field === merged.values.get(key),
        },
        resolver,
      ),
    ),
  ]);
  return [...found, ...merged.entries.flatMap(mistakesInEntry)];
}

/** The findings of all rules. */
function broken(
  given: Omit<RuledValue, 'resolved'>,
  resolver: Resolver,
): Diagnostic[] {
  const { address, mark, field, wins } = given;
  if (field.value === null) return [];
  const value = { ...given, resolved: resolver.resolve(field) };
  const facts = { address, isCertain: mark === true };
  const flaws = flawsIn(value);
  const isStandIn = flaws.some(({ code }) => STAND_INS.has(code));
  const isRefused = hasErrors(flaws);
  const found: Diagnostic[] = [];
  for (const code of VALUE_CODES) {
    // A text that stands in place of a secret is none.
    if (code === 'likely-secret' && isStandIn) continue;
    if (code === 'plain-secret' && isRefused) continue;
    if (IN_VALUES[code](value))
      found.push(diagnostic(code, facts, field.place));
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
  const subject = { address: value.address };
  const isSecret = isSecretByName(value);
  const flaws: Diagnostic[] = [];
  for (const { text, place } of textsIn(value.field)) {
    const texts = [withoutReferences(text)];
    for (const { fallback = '' } of referencesIn(text))
      if (fallback !== '') texts.push(fallback);
    for (const each of texts)
      flaws.push(...textFlaws({ text: each, subject, place, isSecret }));
  }
  return flaws;
}

/** Each text and number in a value, with references as written; displays of choices are left out. */
function textsIn({ value, place, members }: Template) {
  return [value ?? []].flat().map((item, index) => ({
    text: String(isChoice(item) ? item.value : item),
    place: members?.[index] ?? place,
  }));
}

/** Whether a value is written in the configuration, directly or through named values, and is not empty. */
function isClear({ resolved: { value, isFromOutside } }: RuledValue): boolean {
  return !isFromOutside && value !== undefined && value !== '';
}

/** Whether a URL cannot be right: by its scheme, or with `//` in its path only once named values are put in. */
function isBrokenUrl({
  field: { value: written },
  resolved,
  wins,
}: RuledValue): boolean {
  if (typeof written !== 'string' || !wins) return false;
  const value = resolved.value ?? '';
  const text = isHidden(value) ? written : String(value);
  return (
    BAD_SCHEME.test(text) ||
    (PATH_BEGINS_TWICE.test(text) && !PATH_BEGINS_TWICE.test(written))
  );
}

/** Invisible characters in keys and globs, secrets that all users see, and values that each user sets for themselves. */
function mistakesInEntry({ name, match, options }: Entry): Diagnostic[] {
  const globs = match?.value
    ? hiddenCharacters(
        { address: name },
        Object.values(match.value).join(),
        match.place,
      )
    : [];
  const inOptions = [...options.values()].flatMap((option) => {
    const { address, key, place, value, sensitive, permission } = option;
    const hidden = hiddenCharacters({ address: name }, key, place);
    if (sensitive?.value === true && permission?.value === 'lock-and-show')
      return [
        ...hidden,
        diagnostic('exposes-secret', { address }, permission.place),
      ];
    return value !== undefined &&
      value.value !== null &&
      permission?.value === 'user-provides'
      ? [...hidden, diagnostic('user-provides-value', { address }, value.place)]
      : hidden;
  });
  return [...globs, ...inOptions];
}

/** Whether a value is that of a secret by its mark, or by its key where a person has said nothing. */
function isSecretByName({ key, mark }: RuledValue): boolean {
  return mark ?? isSecret({ key });
}

/** Whether an unmarked value is likely to be a secret, by the key of its option or its form. Choices are of a public list. */
export function isLikelySecret(
  key: string,
  value: WrittenValue | null,
  mark: boolean | undefined,
): boolean {
  if (
    mark !== undefined ||
    value === null ||
    typeof value === 'boolean' ||
    isChoice(value)
  )
    return false;
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
