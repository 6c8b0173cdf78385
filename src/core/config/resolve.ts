import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import { didYouMean } from '../findings/words.ts';
import type { Want } from '../model/desired.ts';
import { present } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { hide, reveal, type Secret } from '../model/secret.ts';
import {
  type Choice,
  isChoice,
  isChoiceList,
  type OptionValue,
  type Scalar,
  type WrittenValue,
} from '../model/value.ts';
import {
  type Entry,
  type Field,
  optionsIn,
  type Template,
  type WrittenConfig,
} from './entry.ts';
import { filled, type Reference, referencesIn, sourceOf } from './template.ts';
import { textFlaws } from './text-flaws.ts';

type NamedValues = WrittenConfig['values'];

/** What the shell found for the references of a configuration, by their names. What it lacks was not read. */
export interface ReferenceTable {
  readonly env: ReadonlyMap<string, Found>;
  readonly file: ReadonlyMap<string, Found>;
}

/** Why there is no text. */
interface Missing {
  readonly reason: string;
  readonly hint?: string | undefined;
  readonly code?: string | undefined;
}

/** The text of a variable or a file, or why there is none. */
type Found = { readonly text: Secret<string> } | Missing;

/** A value with its references replaced; undefined if one is missing: `problems` says which. */
export interface ResolvedValue extends Field<Want | undefined> {
  /** Whether a part came from `env` or `file`, or is a fallback for it. */
  readonly isFromOutside: boolean;
  readonly reference?: string | undefined;
  readonly hasFallback?: boolean | undefined;
  readonly files?: ReadonlyMap<string, string> | undefined;
  readonly members?: readonly Place[] | undefined;
  readonly problems: readonly Diagnostic[];
  /** Warnings of what its references hold. */
  readonly remarks: readonly Diagnostic[];
}

/** The configuration of one server with all values, ordered by name. */
export type ResolvedConfig = readonly Entry<ResolvedValue>[];

/** What references mean, from the environment and the files that were read. An empty variable counts as missing. */
export function referenceTable(
  { env: names }: ReturnType<typeof outsideReferences>,
  env: Readonly<Record<string, string | undefined>>,
  isAllowed: (name: string) => boolean,
  files: readonly (readonly [string, { readonly text: string } | Missing])[],
): ReferenceTable {
  const variable = (name: string): Found => {
    if (!isAllowed(name)) return { reason: 'forbidden' };
    const given = (Object.hasOwn(env, name) && env[name]) || '';
    const text = withoutFrame(given);
    return text === '' ? { reason: 'missing' } : { text: hide(text) };
  };
  return {
    env: new Map([...names.keys()].map((name) => [name, variable(name)])),
    file: new Map(
      files.map(([name, found]) => [
        name,
        'text' in found ? foundFile(found.text) : found,
      ]),
    ),
  };
}

/** A file by its content. A secret that was not filled in must not empty that of the server. */
function foundFile(content: string): Found {
  const text = withoutFrame(content);
  return text === '' ? { reason: 'it is empty' } : { text: hide(text) };
}

/** The text of a variable or a file without a byte order mark and one final line end. */
function withoutFrame(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r?\n$/, '');
}

/** A text as a variable must hold it, so that a reference to it reads the same. */
export function framed(text: string): string {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const end = text.endsWith('\n') ? '\n' : '';
  return `${mark}${text}${end}`;
}

/**
 * The environment variables and files that a configuration refers to, by name; true where one is used elsewhere than under
 * `sensitive: false`, so that its text is masked.
 */
export function outsideReferences({ entries, values }: WrittenConfig) {
  const found = {
    env: new Map<string, boolean>(),
    file: new Map<string, boolean>(),
  };
  for (const { value, sensitive } of optionsIn(entries))
    for (const { kind, name } of outsideParts(value?.value ?? null, values))
      found[kind].set(
        name,
        found[kind].get(name) === true || sensitive?.value !== false,
      );
  return found;
}

/** A reference to something outside the configuration. */
type OutsidePart = Reference & { readonly kind: 'env' | 'file' };

/** The references to the environment and files in a value and in its named values. */
function outsideParts(
  value: WrittenValue | null,
  values: NamedValues,
): OutsidePart[] {
  return referencesIn(value).flatMap(({ kind, ...rest }) =>
    kind === 'value'
      ? outsideParts(values.get(rest.name)?.value ?? null, values)
      : [{ kind, ...rest }],
  );
}

/**
 * The table for a run that applies nothing: what is missing here may be there where it is applied, so a value that refers to
 * it counts as unread, whatever its fallback.
 */
export function withoutMissing({ env, file }: ReferenceTable): ReferenceTable {
  const isKnown = ([, found]: readonly [string, Found]) =>
    'text' in found || (found.reason !== 'missing' && found.code !== 'ENOENT');
  return {
    env: new Map([...env].filter(isKnown)),
    file: new Map([...file].filter(isKnown)),
  };
}

/**
 * Replaces the references of all values. A missing one stays with its value, since only matching shows whether the value is
 * needed. Where one was not read, the references of a value stay as they are written. `digests` are those of files, by path.
 */
export function resolveConfig(
  { entries, values }: WrittenConfig,
  table?: ReferenceTable,
  digests?: ReadonlyMap<string, string>,
): ResolvedConfig {
  const resolver = new Resolver(values, table, digests);
  return entries.map((entry) => {
    const options = [...entry.options].map(([key, { value, ...rest }]) => {
      return [
        key,
        { ...rest, ...present({ value: value && resolver.resolve(value) }) },
      ] as const;
    });
    return { ...entry, options: new Map(options) };
  });
}

/** A value to fill, with the places of its members: at the option, and where their texts are written. */
interface Whole {
  readonly value: WrittenValue;
  readonly placeOf: (index: number) => Place;
  readonly writtenAt: (index: number) => Place;
}

/** What is wrong with the text of a reference. */
interface Flaws {
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

const NO_FLAWS: Flaws = { errors: [], warnings: [] };

/** How much text named values may add up to: a few lines can ask for more than there is memory. */
const MOST_COMPOSED = 4 * 1024 * 1024;

/** Puts in named values, and what the references to the outside mean. */
export class Resolver {
  readonly #values: NamedValues;
  readonly #table: ReferenceTable;
  readonly #digests: ReadonlyMap<string, string> | undefined;
  #composed = 0;

  constructor(
    values: NamedValues,
    table = NOTHING_READ,
    digests?: ReadonlyMap<string, string>,
  ) {
    this.#values = values;
    this.#table = table;
    this.#digests = digests;
  }

  resolve(field: Template): ResolvedValue {
    const { value: written, members: own, place } = field;
    if (written === null)
      return {
        ...field,
        value: null,
        isFromOutside: false,
        problems: [],
        remarks: [],
      };
    const reference = sourceOf(written);
    const outside =
      reference === undefined ? [] : outsideParts(written, this.#values);
    const isFromOutside = outside.length > 0;
    const isUnread = outside.some(
      ({ kind, name }) => !this.#table[kind].has(name),
    );
    const named = this.#namedBy(written);
    const { value: whole, members } = named ?? { value: written, members: own };
    const placeOf = (index: number) => members?.[index] ?? place;
    const writtenAt = (index: number) =>
      members?.[index] ?? named?.place ?? place;
    const filling: Whole = { value: whole, placeOf, writtenAt };
    const { value, problems, remarks } = this.#filled(filling, isUnread);
    const digests = this.#digests;
    const known = outside.filter(
      ({ kind, name }) => kind === 'file' && digests?.has(name),
    );
    const files =
      digests &&
      new Map(known.map(({ name }) => [name, digests.get(name) ?? '']));
    const want = (): Want => {
      if (!isFromOutside) return { kind: 'literal', value };
      if (isUnread) return { kind: 'unread', written: value };
      // A base is compared by what is written, and by the content of files.
      const unfilled = digests && this.#filled(filling, true).value;
      return { kind: 'resolved', value: hide(value), written: unfilled };
    };
    // An empty fallback is no secret.
    const hasFallback =
      outside.some(({ fallback = '' }) => fallback !== '') || undefined;
    return {
      ...field,
      problems,
      remarks,
      isFromOutside,
      value: problems.length > 0 ? undefined : want(),
      reference,
      hasFallback,
      members,
      files,
    };
  }

  /** A value as an option could store it: members of a list are choices, by their values if they have no displays. */
  #filled(whole: Whole, isUnread: boolean) {
    const written = whole.value;
    const problems: Diagnostic[] = [];
    const remarks: Diagnostic[] = [];
    /** `writtenAt` is where the reference stands: there or in a named value. */
    const outside = (reference: Reference, at: Place, writtenAt: Place) => {
      const { errors, warnings } = this.#flawsOf(reference, writtenAt);
      problems.push(...errors);
      remarks.push(...warnings);
      if (isUnread) return reference.source;
      const found = this.#outsideText(reference, at);
      if (typeof found === 'string') return found;
      problems.push(found);
      return '';
    };
    const named = (reference: Reference, at: Place): string => {
      const found = this.#namedText(reference, at);
      if (typeof found !== 'string') {
        problems.push(found);
        return '';
      }
      const { place = at } = this.#values.get(reference.name) ?? {};
      return fill(found, at, place);
    };
    const fill = (text: string, at: Place, writtenAt: Place): string =>
      filled(text, (reference) =>
        reference.kind === 'value'
          ? named(reference, at)
          : outside(reference, at, writtenAt),
      );
    const single = (item: Scalar | Choice, index: number): Scalar | Choice => {
      const at = whole.placeOf(index);
      const text = (part: string) => fill(part, at, whole.writtenAt(index));
      if (isChoice(item))
        return { display: text(item.display), value: text(item.value) };
      return typeof item === 'string' ? text(item) : item;
    };
    const value: OptionValue = isChoiceList(written)
      ? written.map((item, index) => asChoice(single(item, index)))
      : single(written, 0);
    return { value, problems, remarks };
  }

  /** What is wrong with the text of a reference; the finding is at `place`. */
  #flawsOf({ kind, name }: Reference, place: Place): Flaws {
    const found = kind === 'value' ? undefined : this.#table[kind].get(name);
    if (found === undefined || !('text' in found)) return NO_FLAWS;
    const flaws = textFlaws({
      text: reveal(found.text),
      subject: { reference: `\${${kind}:${name}}` },
      place,
      isSecret: true,
    });
    if (flaws.length === 0) return NO_FLAWS;
    const isError = (flaw: Diagnostic) => hasErrors([flaw]);
    return {
      errors: flaws.filter(isError),
      warnings: flaws.filter((flaw) => !isError(flaw)),
    };
  }

  /** The named value that is all of a value. */
  #namedBy(value: WrittenValue) {
    if (typeof value !== 'string') return undefined;
    const [, name = ''] = /^\$\{value:([\w-]+)\}$/.exec(value) ?? [];
    const named = this.#values.get(name);
    if (named === undefined || named.value === null) return undefined;
    return { value: named.value, members: named.members, place: named.place };
  }

  /** The text of a named value, or why it cannot be a part of a text. */
  #namedText({ name, source }: Reference, place: Place): string | Diagnostic {
    const { value = null } = this.#values.get(name) ?? {};
    if (typeof value === 'object' && value !== null)
      return diagnostic('reference-syntax', MISFIT, place);
    if (value === null) {
      const hint = didYouMean(name, [...this.#values.keys()]);
      return diagnostic(
        'reference-missing',
        { reference: source, ...present({ hint }) },
        place,
      );
    }
    const text = String(value);
    this.#composed += text.length;
    return this.#composed > MOST_COMPOSED
      ? diagnostic(
          'too-large',
          { of: 'characters in a value', limit: MOST_COMPOSED },
          place,
        )
      : text;
  }

  /** The text of a reference to the outside or its fallback, or what is wrong with it. */
  #outsideText(
    { kind, name, fallback, source }: Reference,
    place: Place,
  ): string | Diagnostic {
    const found = (kind === 'value'
      ? undefined
      : this.#table[kind].get(name)) ?? { reason: 'missing' };
    if ('text' in found) return reveal(found.text);
    const { reason, hint, code } = {
      ...{ hint: undefined, code: undefined },
      ...found,
    };
    if (kind === 'file')
      return diagnostic(
        'reference-file',
        { reference: source, reason, ...present({ hint, code }) },
        place,
      );
    if (reason === 'forbidden')
      return diagnostic('reference-not-allowed', { name }, place);
    return (
      fallback ?? diagnostic('reference-missing', { reference: source }, place)
    );
  }
}

const NOTHING_READ: ReferenceTable = { env: new Map(), file: new Map() };

function asChoice(item: Scalar | Choice): Choice {
  return isChoice(item) ? item : { display: String(item), value: String(item) };
}

const MISFIT = {
  problem: 'A select or a list cannot be a part of another value.',
  hint: 'Make the reference the whole value.',
};
