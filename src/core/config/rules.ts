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
  isChoice,
  isChoiceList,
  textsOf,
  type WrittenValue,
} from '../model/value.ts';
import { type Declaration, setterIn, type Template } from './declaration.ts';
import {
  type Entry,
  globsIn,
  isDefault,
  type NamedValues,
  type WrittenConfig,
} from './entry.ts';
import type { WrittenFile } from './read-file.ts';
import { Resolver } from './resolve.ts';
import {
  isTemplate,
  namesIn,
  type Reference,
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
  /** Whether no later layer overrides it. */
  readonly wins: boolean;
  /** The `sensitive:` of its option, after all layers. */
  readonly mark?: boolean | undefined;
  /** Whether it is a secret by that mark, or else by its key. */
  readonly isSecret: boolean;
}

/** The codes of all rules for values and keys. */
export const RULE_CODES: ReadonlySet<string> = new Set([
  'plain-secret',
  'secret-fallback',
  'broken-url',
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

/** The mistakes in a configuration. */
export interface Mistakes {
  /** Those that any part of it shows. */
  readonly inParts: readonly Diagnostic[];
  /** Those that only the whole shows: a file that could not be read may hold the missing part. */
  readonly across: readonly Diagnostic[];
}

/** Finds mistakes in the values of all layers, and in the entries that count. */
export function mistakesIn(
  files: readonly WrittenFile[],
  { entries, values: merged }: WrittenConfig,
  now?: number,
): Mistakes {
  const rules = new Rules(merged, now);
  for (const entry of entries) rules.checkEntry(entry);
  for (const { values } of files) rules.checkNamed(values);
  return rules;
}

/** Checks the parts of a configuration by all rules. */
class Rules implements Mistakes {
  readonly inParts: Diagnostic[] = [];
  readonly across: Diagnostic[] = [];
  /** The named values that options use; true if secrets do. */
  readonly #used = new Map<string, boolean>();
  /** The named values that count. */
  readonly #named: NamedValues;
  readonly #resolver: Resolver;
  readonly #now: number;

  constructor(named: NamedValues, now = Number.POSITIVE_INFINITY) {
    this.#named = named;
    // Without variables and files, named values alone can be missing.
    this.#resolver = new Resolver(named);
    this.#now = now;
  }

  checkEntry(entry: Entry): void {
    const { name, match, options } = entry;
    this.across.push(...idleEntry(entry));
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

  /** Checks the named values of a file, once all entries are. */
  checkNamed(values: NamedValues): void {
    for (const [key, named] of values) {
      if (named.value === null) continue;
      const wins = named === this.#named.get(key);
      this.#checkValue({
        about: { address: `values.${key}`, integration: undefined },
        key,
        isSecret: this.#used.get(key) === true || isSecret({ key }),
        template: { ...named, value: named.value },
        wins,
      });
      if (!wins || this.#used.has(key)) continue;
      const facts = { of: 'value', name: key } as const;
      const { namePlace } = named;
      this.across.push(diagnostic('idle-declaration', facts, namePlace));
    }
  }

  #checkName(text: string, integration: string, place: Place): void {
    this.inParts.push(...hiddenCharacters({ integration }, text, place));
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
        wins: declaration === last,
      });
    }
    const rotated = setterIn(declarations, 'rotated');
    // No zone is more than a day ahead.
    if (Date.parse(rotated?.value ?? '') > this.#now + 86_400_000)
      this.inParts.push(diagnostic('not-allowed', NOT_YET, rotated?.place));
    const permission = setterIn(declarations, 'permission');
    if (mark === true && permission?.value === 'lock-and-show') {
      const { place } = permission;
      const shown = aboutOptionField({ ...subject, kind: 'permission' });
      this.inParts.push(diagnostic('exposes-secret', shown, place));
    } else if (last !== undefined && permission?.value === 'user-provides') {
      const { place } = last;
      const own = aboutOptionField(subject);
      this.inParts.push(diagnostic('user-provides-value', own, place));
    }
  }

  #checkValue(value: RuledValue): void {
    const { about, key, mark, template, wins } = value;
    const { value: written, place } = template;
    const { wanted, findings } = this.#resolver.resolve(template);
    const want = wanted?.want;
    // What is written here, or in named values, if nothing of it comes from outside.
    const literal = want?.kind === 'literal' ? want.value : undefined;
    for (const name of namesIn(written)) {
      this.#used.set(name, value.isSecret || this.#used.get(name) === true);
    }
    const flaws = flawsIn(value);
    const isCertain = mark === true;
    const facts = { ...about, isCertain };
    const isPlain = literal !== undefined && literal !== '';
    if (isPlain && (isCertain || isLikelySecret(key, written, mark))) {
      // A text that stands in place of a secret is none.
      const isNone = isCertain ? hasErrors(flaws) : flaws.some(isStandIn);
      if (!isNone) this.inParts.push(diagnostic('plain-secret', facts, place));
    }
    // Without the variable, the run would go on with a value that everybody can read.
    const isInGit = ({ fallback }: Reference) => fallback !== undefined;
    if (value.isSecret && referencesIn(written).some(isInGit)) {
      this.inParts.push(diagnostic('secret-fallback', facts, place));
    }
    if (!wins) return;
    if (isBrokenUrl(written, literal)) {
      this.inParts.push(diagnostic('broken-url', facts, place));
    }
    this.inParts.push(...flaws);
    this.across.push(...findings);
  }
}

/** An entry with nothing but `match` and `expect`, or defaults that select only the id that is their name. */
function idleEntry(entry: Entry): Diagnostic[] {
  const { name, place, declarations, match, expect } = entry;
  const isIdle = declarations.every(
    ({ field }) => field === 'match' || field === 'expect',
  );
  if (isIdle) {
    const facts = { of: 'entry', name } as const;
    return [diagnostic('idle-declaration', facts, place)];
  }
  if (!isDefault(entry) || match !== undefined) return [];
  const facts = { of: 'any', name } as const;
  return [diagnostic('idle-declaration', facts, expect?.place)];
}

const NOT_YET = { expected: ['a day that is not in the future'] };

/** True for a text that stands in place of another one. */
function isStandIn({ code }: Diagnostic): boolean {
  return code === 'placeholder' || code === 'reference-typo';
}

/** Finds flaws in the texts of a value as they are written, and in its fallbacks; the displays of choices have none. */
function flawsIn(value: RuledValue): readonly Diagnostic[] {
  const { about: subject, key, mark, template } = value;
  const { value: written, place, members } = template;
  // A fallback stands in for a text from outside.
  const isSecretByValue = isTemplate(written);
  const clues = { key, mark, isSecretByValue, values: [written] };
  const flaws: Diagnostic[] = [];
  const parts = isChoiceList(written) ? written : [written];
  for (const [index, part] of parts.entries()) {
    const whole = isChoice(part) ? part.value : part;
    // Numbers and booleans, of which there are thousands, have none.
    if (typeof whole !== 'string') continue;
    const isOfSecret = value.isSecret || isSecret(clues);
    const judged = { subject, place: members?.[index] ?? place };
    // With letters in place of references, beside the fallbacks of these.
    const texts = [withoutReferences(whole)];
    for (const { fallback } of referencesIn(whole)) {
      if (fallback !== undefined) texts.push(fallback);
    }
    for (const text of texts) {
      flaws.push(...textFlaws({ ...judged, text, isSecret: isOfSecret }));
    }
  }
  return flaws;
}

/** Whether a URL cannot be right: by its scheme, or with `//` in its path only once named values are put in. */
function isBrokenUrl(
  written: WrittenValue,
  literal: WrittenValue | undefined,
): boolean {
  if (typeof written !== 'string') return false;
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
  return textsOf(value).some((text) => isSuspectText(key, text));
}

/** Whether a text under the key of an option is likely to be a secret. */
function isSuspectText(key: string, text: string): boolean {
  if (text === '') return false;
  if (isSecret({ values: [text] })) return true;
  if (!isSecret({ key })) return false;
  return !isPlaceholder(text.trim(), true) && !isHarmless(key, text);
}

/** Whether a text is not a secret, although its key is named like one. */
function isHarmless(key: string, text: string): boolean {
  if (isPermission(text) || PUBLIC_HALF.test(text)) return true;
  if (HOW_IT_IS_USED.test(text.trim())) return true;
  const isCount = /tokens$/i.test(key) && /^\d{1,7}$/.test(text);
  // The integration fills in double braces; a scheme and marks around them are not secret.
  const rest = text.replace(/\{\{[^{}]*\}\}/g, ' ').trim();
  const words = rest.split(/[^A-Za-z0-9]/).filter((word) => word !== '');
  const isFilledIn = rest !== text.trim();
  return (
    isCount || (isFilledIn && words.every((word) => HOW_IT_IS_USED.test(word)))
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
