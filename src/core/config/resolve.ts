import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { didYouMean } from '../findings/words.ts';
import type { ValueSetting } from '../model/desired.ts';
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
import { filled, referencesIn, sourceOf } from './template.ts';

type Reference = ReturnType<typeof referencesIn>[number];

type NamedValues = WrittenConfig['values'];

/** What the shell found for the references of a configuration, by their names. What it lacks was not read. */
interface ReferenceTable {
  readonly env: ReadonlyMap<string, Found>;
  readonly file: ReadonlyMap<string, Found>;
}

/** Why there is no text. */
interface Missing {
  readonly reason: string;
  readonly hint?: string;
  readonly code?: string;
}

/** The text of a variable or a file, or why there is none. */
type Found = { readonly text: Secret<string> } | Missing;

/**
 * A value with its references replaced; hidden if a part of it comes from outside, undefined if a reference is missing:
 * `problems` says which.
 */
export interface ResolvedValue
  extends Field<ValueSetting['want'] | undefined>,
    Pick<
      ValueSetting,
      | 'isFromOutside'
      | 'reference'
      | 'hasFallback'
      | 'unread'
      | 'unresolved'
      | 'files'
      | 'members'
    > {
  readonly problems: readonly Diagnostic[];
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
    const text = (Object.hasOwn(env, name) && env[name]) || '';
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

/** A file by its content without one newline at its end. A secret that was not filled in must not empty that of the server. */
function foundFile(content: string): Found {
  const text = content.replace(/\r?\n$/, '');
  return text === '' ? { reason: 'it is empty' } : { text: hide(text) };
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
      return { ...field, value: null, isFromOutside: false, problems: [] };
    const reference = sourceOf(written);
    const outside =
      reference === undefined ? [] : outsideParts(written, this.#values);
    const isFromOutside = outside.length > 0;
    const isUnread = outside.some(
      ({ kind, name }) => !this.#table[kind].has(name),
    );
    const { value: whole, members } = this.#namedBy(written) ?? {
      value: written,
      members: own,
    };
    const placeOf = (index: number) => members?.[index] ?? place;
    const { value, problems } = this.#filled(whole, placeOf, isUnread);
    const digests = this.#digests;
    // A base is compared by what is written, and by the content of files.
    const unresolved =
      digests && isFromOutside
        ? this.#filled(whole, placeOf, true).value
        : undefined;
    const known = outside.filter(
      ({ kind, name }) => kind === 'file' && digests?.has(name),
    );
    const files =
      digests &&
      new Map(known.map(({ name }) => [name, digests.get(name) ?? '']));
    // An empty fallback is no secret.
    const hasFallback =
      outside.some(({ fallback = '' }) => fallback !== '') || undefined;
    return {
      ...field,
      problems,
      isFromOutside,
      value:
        problems.length > 0 ? undefined : isFromOutside ? hide(value) : value,
      ...present({
        reference,
        hasFallback,
        unread: isUnread || undefined,
        unresolved,
        members,
        files,
      }),
    };
  }

  /** A value as an option could store it: members of a list are choices, by their values if they have no displays. */
  #filled(
    written: WrittenValue,
    placeOf: (index: number) => Place,
    isUnread: boolean,
  ) {
    const problems: Diagnostic[] = [];
    const fill = (text: string, at: Place): string =>
      filled(text, (reference) => {
        const isNamed = reference.kind === 'value';
        if (isUnread && !isNamed) return reference.source;
        const found = isNamed
          ? this.#namedText(reference, at)
          : this.#outsideText(reference, at);
        if (typeof found === 'string') return isNamed ? fill(found, at) : found;
        problems.push(found);
        return '';
      });
    const single = (item: Scalar | Choice, index: number): Scalar | Choice => {
      const at = placeOf(index);
      if (isChoice(item))
        return { display: fill(item.display, at), value: fill(item.value, at) };
      return typeof item === 'string' ? fill(item, at) : item;
    };
    const value: OptionValue = isChoiceList(written)
      ? written.map((item, index) => asChoice(single(item, index)))
      : single(written, 0);
    return { value, problems };
  }

  /** The named value that is all of a value. */
  #namedBy(value: WrittenValue) {
    if (typeof value !== 'string') return undefined;
    const [, name = ''] = /^\$\{value:([\w-]+)\}$/.exec(value) ?? [];
    const { value: named = null, members } = this.#values.get(name) ?? {};
    return named === null ? undefined : { value: named, members };
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
