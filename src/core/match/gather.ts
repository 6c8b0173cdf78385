import { addressOf } from '../config/declaration.ts';
import { type Entry, type Field, isDefault, OPTION_FIELDS, type OptionEntry } from '../config/entry.ts';
import type { ResolvedValue } from '../config/resolve.ts';
import { type Checked, compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredField, DesiredIntegration, DesiredOption, DesiredValue } from '../model/desired.ts';
import { grouped } from '../model/grouped.ts';
import { present } from '../model/present.ts';
import { hide, isHidden } from '../model/secret.ts';

type ResolvedEntry = Entry<ResolvedValue>;

type ResolvedOption = OptionEntry<ResolvedValue>;

/** Gathers what entries ask of integrations; what the same defaults ask of many of them is gathered once. */
export class Gathering {
  readonly #defaults: Shared = { next: new Map() };

  /** What all entries for one integration ask of it; no value where none manages it. */
  of(id: string, entries: readonly ResolvedEntry[]): Checked<DesiredIntegration> {
    const specific = entries.filter((entry) => !isDefault(entry));
    const first = specific[0] ?? entries[0];
    if (first === undefined) return { diagnostics: [] };
    const name = specific[0]?.name ?? id;
    const own = rankOf(specific);
    const { rank, options: shared } = this.#of(entries.filter(isDefault));
    const gatherer = new Gatherer(name, [own, rank]);
    const isShared = shared !== undefined && own.stopped === undefined;
    const untouched = isShared ? without(shared, own.byKey) : [];
    const keys = isShared ? own.byKey.keys() : new Set([...own.byKey.keys(), ...rank.byKey.keys()]);
    const picked = [...keys].sort(compareText).flatMap((key) => gatherer.option(key));
    const options = [...picked, ...untouched].sort((a, b) => compareText(a.key, b.key));
    const autosubscribe = gatherer.pick(['autosubscribe'], [own.autosubscribe, rank.autosubscribe]);
    const { diagnostics } = gatherer;
    if (options.length === 0 && autosubscribe === undefined) return { diagnostics };
    return { value: { name, id, place: first.place, ...present({ autosubscribe }), options }, diagnostics };
  }

  #of(defaults: readonly ResolvedEntry[]): Defaults {
    const leaf = defaults.reduce((node, entry) => nextOf(node, entry), this.#defaults);
    leaf.defaults ??= defaultsOf(defaults);
    return leaf.defaults;
  }
}

/** The defaults that integrations share, as a tree: each step is one more entry. */
interface Shared {
  readonly next: Map<ResolvedEntry, Shared>;
  defaults?: Defaults;
}

/** Default entries that hold for the same integrations. */
interface Defaults {
  readonly rank: Rank;
  /** The options that they ask for where nothing overrides them; undefined where they contradict each other. */
  readonly options: readonly DesiredOption[] | undefined;
}

function nextOf({ next }: Shared, entry: ResolvedEntry): Shared {
  const known = next.get(entry);
  if (known !== undefined) return known;
  const made: Shared = { next: new Map() };
  next.set(entry, made);
  return made;
}

function defaultsOf(entries: readonly ResolvedEntry[]): Defaults {
  const rank = rankOf(entries);
  const gatherer = new Gatherer('', [rankOf([]), rank]);
  const options = [...rank.byKey.keys()].sort(compareText).flatMap((key) => gatherer.option(key));
  return { rank, options: gatherer.diagnostics.length === 0 ? options : undefined };
}

function without(
  options: readonly DesiredOption[],
  keys: ReadonlyMap<string, unknown>,
): readonly DesiredOption[] {
  return keys.size === 0 ? options : options.filter(({ key }) => !keys.has(key));
}

/** The options that an entry asks for, ordered by key. */
export function askedOptions({ options }: ResolvedEntry): ResolvedOption[] {
  return [...options.values()].filter(isAsked).sort((a, b) => compareText(a.key, b.key));
}

function isAsked(option: ResolvedOption): boolean {
  return OPTION_FIELDS.some((name) => (option[name]?.value ?? null) !== null);
}

/** Entries of equal weight. */
interface Rank {
  /** What they ask of each option, without looking through all of them. */
  readonly byKey: ReadonlyMap<string, readonly Asking[]>;
  /** The null with which one of them stops the management of all options. */
  readonly stopped: Field<never> | undefined;
  readonly autosubscribe: readonly Field<boolean>[];
}

/** An option as one entry has it, and the null that holds for all options of the entry. */
interface Asking {
  readonly option: ResolvedOption;
  readonly stopped: Field<never> | undefined;
}

function rankOf(entries: readonly ResolvedEntry[]): Rank {
  const asking = entries.flatMap(({ options, optionsStopped: stopped }) =>
    [...options.values()].map((option): Asking => ({ option, stopped })),
  );
  const stopped = entries.find(({ optionsStopped }) => optionsStopped !== undefined)?.optionsStopped;
  const autosubscribe = entries.flatMap((entry) => entry.autosubscribe ?? []);
  return { byKey: grouped(asking, ({ option }) => option.key), stopped, autosubscribe };
}

/** Picks the declaration that wins for each field, and finds fields that two equal entries set. */
class Gatherer {
  readonly diagnostics: Diagnostic[] = [];
  readonly #name: string;
  /** The specific entries, then the defaults. */
  readonly #ranks: readonly Rank[];

  constructor(name: string, ranks: readonly Rank[]) {
    this.#name = name;
    this.#ranks = ranks;
  }

  /**
   * The declaration of a field that wins. The first rank with one decides: a null there hides the rank below and sets
   * nothing, unless an equal entry sets the field.
   */
  pick<T>(path: readonly string[], ranks: readonly (readonly Field<T>[])[]): DesiredField<T> | undefined {
    const fields = ranks.find((rank) => rank.length > 0) ?? [];
    const [winner, ...others] = fields.filter((field): field is DesiredField<T> => field.value !== null);
    if (winner === undefined) return undefined;
    const address = addressOf(this.#name, path);
    for (const { place } of others)
      this.diagnostics.push(diagnostic('duplicate-field', { address, other: winner.place }, place));
    return winner;
  }

  /** What is asked of one option; nothing where no entry asks for it. */
  option(key: string): DesiredOption[] {
    const ranks = this.#ranks.map(({ byKey, stopped }) => ({ asking: byKey.get(key) ?? [], stopped }));
    const pick = <T>(name: string, fieldOf: (option: ResolvedOption) => Field<T> | undefined) =>
      this.pick<T>(
        ['options', key, name],
        ranks.map(({ asking, stopped }) => {
          const fields = asking.flatMap(
            (each) => fieldOf(each.option) ?? each.option.stopped ?? each.stopped ?? [],
          );
          return stopped === undefined || fields.length > 0 ? fields : [stopped];
        }),
      );
    const value = pick('value', (option) => option.value);
    const permission = pick('permission', (option) => option.permission);
    const sensitive = pick('sensitive', (option) => option.sensitive)?.value;
    const ownOf = ({ asking }: (typeof ranks)[number]) =>
      asking.filter(({ option }) => option.value !== undefined);
    const rotated = ranks.flatMap(ownOf).find(({ option }) => option.value?.place === value?.place)?.option
      .rotated?.value;
    this.#checkTogether(key, value, permission);
    if (value === undefined && permission === undefined && sensitive === undefined) return [];
    const [own, ofDefaults] = ranks.map(({ asking }) => asking.find(({ option }) => isAsked(option))?.option);
    const place = (own ?? ofDefaults)?.place;
    if (place === undefined) return [];
    const isMarked = sensitive === true;
    const desired = value && this.#value(value, isMarked);
    const isDefault = own === undefined || undefined;
    return [
      {
        key,
        place,
        ...present({ isDefault, sensitive, rotated: rotated ?? undefined, value: desired, permission }),
      },
    ];
  }

  #value(field: DesiredField<ResolvedValue>, isMarked: boolean): DesiredValue | undefined {
    const { value, problems, ...origin } = field.value;
    this.diagnostics.push(...problems);
    if (value === undefined) return undefined;
    return { ...field, ...origin, value: isMarked && !isHidden(value) ? hide(value) : value };
  }

  /** Finds a value for an option whose value each user sets, unless one entry alone says both. */
  #checkTogether(
    key: string,
    value: DesiredField<ResolvedValue> | undefined,
    permission: DesiredField<string> | undefined,
  ): void {
    if (value === undefined || permission?.value !== 'user-provides') return;
    const asking = this.#ranks.flatMap(({ byKey }) => byKey.get(key) ?? []);
    const isOfOne = asking.some(
      ({ option }) => option.value?.place === value.place && option.permission?.place === permission.place,
    );
    const address = addressOf(this.#name, ['options', key]);
    if (!isOfOne) this.diagnostics.push(diagnostic('user-provides-value', { address }, value.place));
  }
}
