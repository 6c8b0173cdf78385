import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { isPermission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { isMask, isSecret } from '../model/secrecy.ts';
import { isHidden } from '../model/secret.ts';
import { isChoice, textsOf, type WrittenValue } from '../model/value.ts';
import {
  type Entry,
  optionsIn,
  type Template,
  type WrittenConfig,
} from './entry.ts';
import { type ResolvedValue, Resolver } from './resolve.ts';
import { referencesIn } from './template.ts';

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
const TEXT_CODES = ['placeholder', 'reference-typo'] as const;

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

/** The rules for each text of the values that count. */
const IN_TEXTS: Readonly<
  Record<
    (typeof TEXT_CODES)[number],
    (text: string, value: RuledValue) => boolean
  >
> = {
  placeholder: (text, value) => isPlaceholder(text, isSecretByName(value)),
  'reference-typo': isReferenceTypo,
};

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
  const inValue = VALUE_CODES.filter((code) => IN_VALUES[code](value));
  const inTexts = (wins ? textsIn(field) : []).flatMap(({ text, place }) => [
    ...TEXT_CODES.filter((code) => IN_TEXTS[code](text, value)).map((code) =>
      diagnostic(code, facts, place),
    ),
    ...hiddenCharacters(address, text, place),
  ]);
  return [
    ...inValue.map((code) => diagnostic(code, facts, field.place)),
    ...inTexts,
  ];
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
    ? hiddenCharacters(name, Object.values(match.value).join(), match.place)
    : [];
  const inOptions = [...options.values()].flatMap((option) => {
    const { address, key, place, value, sensitive, permission } = option;
    const hidden = hiddenCharacters(name, key, place);
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

/** Finds controls, and marks that turn the direction of text. */
function hiddenCharacters(
  address: string,
  text: string,
  place: Place,
): Diagnostic[] {
  const characters = [...new Set(text.match(HIDDEN))]
    .slice(0, 5)
    .map(codePoint);
  return characters.length === 0
    ? []
    : [diagnostic('hidden-character', { address, characters }, place)];
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
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

/** Whether a text under the key of an option is likely to be a secret. Skips what other rules report. */
function isSuspectText(key: string, text: string): boolean {
  if (text === '' || isReferenceTypo(text) || ENCRYPTED.test(text))
    return false;
  if (isSecret({ values: [text] })) return true;
  return (
    isSecret({ key }) && !isPlaceholder(text, true) && !isHarmless(key, text)
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

/** How values begin that a tool for secrets encrypted and nobody decrypted. */
const ENCRYPTED =
  /^\s*(ENC\[AES256_GCM,|\$ANSIBLE_VAULT;|-----BEGIN (AGE ENCRYPTED FILE|PGP MESSAGE)-----)/;

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
  if (text.length > 80) return false;
  const whole = text.trim();
  if (PLACEHOLDERS.test(whole) || NOTES.test(whole)) return true;
  return isSecret && (SECRET_PLACEHOLDERS.test(whole) || isMask(text));
}

/** Whether a text looks like a reference in the syntax of another tool. */
function isReferenceTypo(text: string): boolean {
  return TYPO.test(text.replace(NO_TYPO, ' '));
}

/** Joiners belong to words of some languages, and to emoji; texts of several lines end their lines. */
const HIDDEN = /(?!\u200c|\u200d|[\n\r\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** References, their escaped form, and the double braces of the integrations. */
const NO_TYPO = /\$?\$\{[^}]*\}?|\{\{[^{}]*\}\}/g;

const TYPO =
  /\$\((env|file|value):|\$(file:|value:|env:SETPOINT_)|[{[]env:[A-Za-z_]\w*(:-[^{}[\]]*)?[}\]]|\$SETPOINT_[A-Z0-9_]+|%SETPOINT_[A-Z0-9_]+%|^env:[A-Za-z_]\w*$/;

const BAD_SCHEME =
  /^(https?:\/{2,3}https?:\/|https?:\/(?!\/)|https?:\/{3}|https?\/\/|(htttps?|hhttps?|htps?|ttps?):\/\/)/i;

/** A path that begins with a second slash. */
const PATH_BEGINS_TWICE = /^https?:\/\/[^?#]{0,2000}[^:/?#]\/\//i;
