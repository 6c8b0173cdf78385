import {
  type AboutField,
  aboutField,
  aboutOptionField,
} from '../findings/about.ts';
import {
  type Diagnostic,
  type DiagnosticCode,
  diagnostic,
} from '../findings/diagnostic.ts';
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
import {
  isTemplate,
  mayRefer,
  namesIn,
  referencesIn,
  withoutReferences,
} from './template.ts';
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
  /** Whether it is a secret by that mark, or else by its key. */
  readonly isSecret: boolean;
}

const VALUE_CODES = [
  'plain-secret',
  'secret-fallback',
  'broken-url',
] as const satisfies readonly DiagnosticCode[];

/** The rules for whole values. */
const IN_VALUES: Readonly<
  Record<(typeof VALUE_CODES)[number], (value: RuledValue) => boolean>
> = {
  'plain-secret': ({ key, template, mark, literal }) => {
    const isSecretHere =
      mark === true || isLikelySecret(key, template.value, mark);
    return isSecretHere && isClear(literal);
  },
  // Without the variable, the run would go on with a value that everybody can read.
  'secret-fallback': ({ isSecret, template }) =>
    isSecret && hasFallback(template),
  'broken-url': isBrokenUrl,
};

/** The codes of all rules for values and keys. */
export const RULE_CODES: ReadonlySet<string> = new Set([
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
  now?: number,
): Diagnostic[] {
  const rules = new Rules(new Resolver(merged), now);
  for (const entry of entries) rules.checkEntry(entry);
  for (const { values } of files) rules.checkNamed(values, merged);
  return rules.findings;
}

/** Checks the parts of a configuration by all rules. */
class Rules {
  readonly findings: Diagnostic[] = [];
  /** The named values that secrets use. */
  readonly #ofSecrets = new Set<string>();
  readonly #resolver: Resolver;
  readonly #now: number;

  constructor(resolver: Resolver, now = Number.POSITIVE_INFINITY) {
    this.#resolver = resolver;
    this.#now = now;
  }

  checkEntry({ name, match, options }: Entry): void {
    if (match !== undefined) {
      const globs = globsIn(match.value).join();
      this.#checkName(globs, name, match.place);
    }
    for (const [key, declarations] of options) {
      const keyPlace = declarations.at(-1)?.keyPlace;
      if (keyPlace !== undefined) this.#checkName(key, name, keyPlace);
      this.#checkOption(name, key, declarations);
    }
  }

  /** `merged` has the named values that count. */
  checkNamed(values: NamedValues, merged: NamedValues): void {
    for (const [key, named] of values) {
      if (named.value === null) continue;
      const template = { ...named, value: named.value };
      this.#checkValue({
        about: { address: `values.${key}`, integration: undefined },
        key,
        isSecret: this.#ofSecrets.has(key) || isSecret({ key }),
        template,
        literal: this.#literalOf(template),
        wins: named === merged.get(key),
      });
    }
  }

  #checkName(text: string, integration: string, place: Place): void {
    this.findings.push(...hiddenCharacters({ integration }, text, place));
  }

  #checkOption(
    integration: string,
    key: string,
    declarations: readonly Declaration[],
  ): void {
    const last = setterIn(declarations, 'value');
    const mark = setterIn(declarations, 'sensitive')?.value;
    const subject = { kind: 'value', integration, option: key } as const;
    const about = aboutField(subject);
    for (const declaration of declarations) {
      const { field, value } = declaration;
      if (field !== 'value' || value === null) continue;
      this.#checkValue({
        about,
        key,
        mark,
        isSecret: mark ?? isSecret({ key }),
        template: declaration,
        literal: this.#literalOf(declaration),
        wins: declaration === last,
      });
    }
    const rotated = setterIn(declarations, 'rotated');
    // No zone is more than a day ahead.
    if (Date.parse(rotated?.value ?? '') > this.#now + 86_400_000)
      this.findings.push(diagnostic('not-allowed', NOT_YET, rotated?.place));
    const permission = setterIn(declarations, 'permission');
    if (mark === true && permission?.value === 'lock-and-show') {
      const { place } = permission;
      const shown = aboutOptionField({ ...subject, kind: 'permission' });
      this.findings.push(diagnostic('exposes-secret', shown, place));
    } else if (last !== undefined && permission?.value === 'user-provides') {
      const { place } = last;
      const own = aboutOptionField(subject);
      this.findings.push(diagnostic('user-provides-value', own, place));
    }
  }

  #checkValue(value: RuledValue): void {
    const { about, mark, template, wins } = value;
    const flaws = flawsIn(value);
    const used = value.isSecret ? namesIn(template.value) : [];
    for (const name of used) this.#ofSecrets.add(name);
    for (const code of VALUE_CODES) {
      if (!IN_VALUES[code](value)) continue;
      const isCertain = mark === true;
      // A text that stands in place of a secret is none.
      const isNone = isCertain ? hasErrors(flaws) : flaws.some(isStandIn);
      if (code === 'plain-secret' && isNone) continue;
      const facts = { ...about, isCertain };
      this.findings.push(diagnostic(code, facts, template.place));
    }
    if (wins && flaws.length > 0) this.findings.push(...flaws);
  }

  #literalOf(template: Template): WrittenValue | undefined {
    const { value } = template;
    if (!isTemplate(value)) return value;
    const { want } = this.#resolver.resolve(template);
    return want?.kind === 'literal' ? want.value : undefined;
  }
}

const NOT_YET = { expected: ['a day that is not in the future'] };

function isStandIn({ code }: Diagnostic): boolean {
  return STAND_INS.has(code);
}

/** The codes of texts that stand in place of others. */
const STAND_INS: ReadonlySet<string> = new Set([
  'placeholder',
  'reference-typo',
]);

/** Finds what is wrong with the texts of a value as they are written, and with its fallbacks. */
function flawsIn(value: RuledValue): readonly Diagnostic[] {
  const { about: subject, key, mark, template } = value;
  const { value: written } = template;
  // Most of thousands of values are these, and need no list.
  if (typeof written === 'number' || typeof written === 'boolean') return NONE;
  // A fallback stands for what comes from outside.
  const isSecretByValue = isTemplate(written);
  const clues = { key, mark, isSecretByValue, values: [written] };
  const isOfSecret = value.isSecret || isSecret(clues);
  if (typeof written === 'string' && !mayRefer(written)) {
    const { place } = template;
    return textFlaws({ text: written, subject, place, isSecret: isOfSecret });
  }
  const flaws: Diagnostic[] = [];
  for (const { text: whole, place } of textsIn(template)) {
    for (const text of literalParts(whole)) {
      flaws.push(...textFlaws({ text, subject, place, isSecret: isOfSecret }));
    }
  }
  return flaws;
}

const NONE: readonly Diagnostic[] = [];

/** A text with letters in place of its references, and the fallbacks of these. */
function literalParts(written: string): string[] {
  if (!mayRefer(written)) return [written];
  const parts = [withoutReferences(written)];
  for (const { fallback } of referencesIn(written)) {
    if (fallback !== undefined) parts.push(fallback);
  }
  return parts;
}

/** A text in a value, and where it is. */
interface WrittenText {
  readonly text: string;
  readonly place: Place;
}

/** Each text in a value, with references as written; displays of choices are left out. */
function textsIn({ value, place, members }: Template): WrittenText[] {
  const texts: WrittenText[] = [];
  if (!isChoiceList(value)) {
    const text = bareText(value);
    if (text !== undefined) texts.push({ text, place });
    return texts;
  }
  for (const [index, member] of value.entries()) {
    const text = bareText(member);
    if (text === undefined) continue;
    texts.push({ text, place: members?.[index] ?? place });
  }
  return texts;
}

/** The text of a value; undefined for a number or a boolean, which has no flaws. */
function bareText(value: Scalar | Choice): string | undefined {
  if (isChoice(value)) return value.value;
  return typeof value === 'string' ? value : undefined;
}

/** Whether a value is written in the configuration, directly or through named values, and is not empty. */
function isClear(literal: WrittenValue | undefined): boolean {
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

/** Whether an unmarked value is likely to be a secret, by the key of its option or its form. Choices are of a public list. */
export function isLikelySecret(
  key: string,
  value: WrittenValue,
  mark: boolean | undefined,
): boolean {
  if (mark !== undefined || isChoice(value)) return false;
  // Most of thousands of values are no lists.
  if (typeof value === 'boolean') return false;
  if (typeof value === 'string') return isSuspectText(key, value);
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
