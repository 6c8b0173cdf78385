import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { WrittenValue } from '../model/desired.ts';
import type { Place } from '../model/place.ts';
import { hasSecretForm, isHarmless, isMask, isSecretOption } from '../model/secrecy.ts';
import { isChoice, isChoiceList, textsOf } from '../model/value.ts';
import type { Field, WrittenConfig } from './entry.ts';
import { Resolver } from './resolve.ts';
import { referencesIn, type Template } from './template.ts';

/** Finds mistakes in a value. The resolver puts named values in; references to the outside stay as they are written. */
type ValueRule = (value: RuledValue, resolver: Resolver) => readonly Diagnostic[];

/** A value that rules look at: that of an option, or a named one. */
interface RuledValue {
  readonly address: string;
  /** The key of the option, or the name of the value. */
  readonly key: string;
  readonly place: Place;
  readonly template: Template;
  /** What its option says with `sensitive:` after all layers. */
  readonly mark: boolean | undefined;
  /** Each text and number in it, with references as written; displays of choices are left out. */
  readonly texts: readonly { readonly text: string; readonly place: Place }[];
}

/** Finds mistakes in values. Secrets are looked for in all layers, other mistakes in the values that count. */
export function valueMistakes(files: readonly WrittenConfig[], merged: WrittenConfig): Diagnostic[] {
  const resolver = new Resolver(merged.values);
  const last = new Map(merged.entries.map((entry) => [entry.name, entry.options]));
  return files.flatMap(({ values, entries }) => [
    ...entries.flatMap(({ name, options }) =>
      [...options.values()].flatMap(({ key, value: field }) => {
        const { value, sensitive } = last.get(name)?.get(key) ?? {};
        const named = { address: `${name}.options.${key}.value`, key, mark: sensitive?.value ?? undefined };
        return mistakesIn(named, field, value, resolver);
      }),
    ),
    ...[...values].flatMap(([key, field]) =>
      mistakesIn({ address: `values.${key}`, key, mark: undefined }, field, merged.values.get(key), resolver),
    ),
  ]);
}

type Named = Pick<RuledValue, 'address' | 'key' | 'mark'>;

/** Finds mistakes in the value of a field. A later layer may have another field instead, which is the last. */
function mistakesIn(
  named: Named,
  field: Field<Template> | undefined,
  last: Field<Template> | undefined,
  resolver: Resolver,
): Diagnostic[] {
  const template = field?.value;
  if (!template) return [];
  const value = { ...named, place: template.place, template, texts: textsIn(template) };
  const rules = template === last?.value ? [...IN_ALL_LAYERS, ...IN_THE_LAST] : IN_ALL_LAYERS;
  return rules.flatMap((rule) => rule(value, resolver));
}

function textsIn({ value, place, members }: Template): RuledValue['texts'] {
  if (isChoiceList(value))
    return value.flatMap((item, index) => textsIn({ value: item, place: members?.[index] ?? place }));
  return [{ text: String(isChoice(value) ? value.value : value), place }];
}

/** A secret in clear text: certain under `sensitive: true`, likely by its key or form where nothing is said. */
const clearSecret: ValueRule = (value, resolver) => {
  const { address, mark, place } = value;
  if (mark === false || !(mark || isSuspect(value))) return [];
  const { value: resolved, isFromOutside } = resolver.resolve(value.template);
  if (isFromOutside || resolved === undefined || resolved === '') return [];
  return [diagnostic(mark ? 'plain-secret' : 'likely-secret', { address }, place)];
};

/** A fallback for a secret: without the variable, the run goes on with a value that everybody can read. */
const secretFallback: ValueRule = (value) => {
  const { address, mark, place, template } = value;
  const hasFallback = referencesIn(template).some(({ fallback }) => fallback !== undefined);
  return hasFallback && isSecretByName(value)
    ? [diagnostic('secret-fallback', { address, isCertain: mark === true }, place)]
    : [];
};

/** A value that was never filled in, is still encrypted, or is a copied mask. */
const placeholder: ValueRule = (value) =>
  value.texts
    .filter(({ text }) => isPlaceholder(text, isSecretByName(value)))
    .map(({ place }) => diagnostic('placeholder', { address: value.address }, place));

/** A URL that cannot be right: by its scheme, or with `//` in its path only once named values are put in. */
const brokenUrl: ValueRule = ({ address, template, place }, resolver) => {
  if (typeof template.value !== 'string') return [];
  const text = resolver.withNamed(template);
  if (typeof text !== 'string') return [];
  const isJoined = PATH_BEGINS_TWICE.test(text) && !PATH_BEGINS_TWICE.test(template.value);
  return BAD_SCHEME.test(text) || isJoined ? [diagnostic('broken-url', { address }, place)] : [];
};

/** A text that was meant as a reference, but has the syntax of another tool. */
const referenceTypo: ValueRule = ({ address, texts }) =>
  texts
    .filter(({ text }) => isReferenceTypo(text))
    .map(({ place }) => diagnostic('reference-typo', { address }, place));

const hiddenInValue: ValueRule = ({ address, texts }) =>
  texts.flatMap(({ text, place }) => hiddenCharacters(address, text, place));

const IN_ALL_LAYERS: readonly ValueRule[] = [clearSecret, secretFallback];

const IN_THE_LAST: readonly ValueRule[] = [placeholder, brokenUrl, referenceTypo, hiddenInValue];

/** Finds controls, and marks that turn the direction of text. */
export function hiddenCharacters(address: string, text: string, place: Place): Diagnostic[] {
  const characters = [...new Set(text.match(HIDDEN))].slice(0, 5).map(codePoint);
  return characters.length === 0 ? [] : [diagnostic('hidden-character', { address, characters }, place)];
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Whether a value is that of a secret by its mark, or by its key where a person has said nothing. */
function isSecretByName({ key, mark }: RuledValue): boolean {
  return mark ?? isSecretOption(key, undefined);
}
/** Whether a value is likely to be a secret. A choice of a select is one of a public list, so it is no secret. */
function isSuspect({ key, template, texts }: RuledValue): boolean {
  return !isChoice(template.value) && texts.some(({ text }) => isSuspectText(key, text));
}

/** Whether a value would be found to be a likely secret in the configuration, by the key of its option and its mark. */
export function isReportedAsLikely(key: string, value: WrittenValue, mark: boolean | undefined): boolean {
  if (mark !== undefined || typeof value === 'boolean') return false;
  return textsOf(value).some((text) => isSuspectText(key, text));
}

/** Whether a text under the key of an option is likely to be a secret. Skips what other rules report. */
function isSuspectText(key: string, text: string): boolean {
  if (text === '' || isReferenceTypo(text) || ENCRYPTED.test(text)) return false;
  if (hasSecretForm(text)) return true;
  return isSecretOption(key, undefined) && !isPlaceholder(text, true) && !isHarmless(key, text);
}

/** How values begin that a tool for secrets encrypted and nobody decrypted. */
const ENCRYPTED = /^\s*(ENC\[AES256_GCM,|\$ANSIBLE_VAULT;|-----BEGIN (AGE ENCRYPTED FILE|PGP MESSAGE)-----)/;

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
