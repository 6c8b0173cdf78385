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

/** What all entries for one integration ask of it; no value where none manages it. */
export function gather(id: string, entries: readonly ResolvedEntry[]): Checked<DesiredIntegration> {
  const specific = entries.filter((entry) => !isDefault(entry));
  const first = specific[0] ?? entries[0];
  if (first === undefined) return { diagnostics: [] };
  const name = specific[0]?.name ?? id;
  const ranks = [specific, entries.filter(isDefault)].map(rankOf);
  const gatherer = new Gatherer(name, ranks);
  const keys = new Set(ranks.flatMap(({ byKey }) => [...byKey.keys()]));
  const options = [...keys].sort(compareText).flatMap((key) => gatherer.option(key));
  const autosubscribe = gatherer.pick(
    ['autosubscribe'],
    ranks.map((rank) => rank.entries.flatMap((entry) => entry.autosubscribe ?? [])),
  );
  const { diagnostics } = gatherer;
  if (options.length === 0 && autosubscribe === undefined) return { diagnostics };
  return { value: { name, id, place: first.place, ...present({ autosubscribe }), options }, diagnostics };
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
  readonly entries: readonly ResolvedEntry[];
  /** What they ask of each option, without looking through all of them. */
  readonly byKey: ReadonlyMap<string, readonly Asking[]>;
  /** The null with which one of them stops the management of all options. */
  readonly stopped: Field<never> | undefined;
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
  return { entries, byKey: grouped(asking, ({ option }) => option.key), stopped };
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
    this.#checkTogether(key, value, permission);
    if (value === undefined && permission === undefined && sensitive === undefined) return [];
    const [own, ofDefaults] = ranks.map(({ asking }) => asking.find(({ option }) => isAsked(option))?.option);
    const place = (own ?? ofDefaults)?.place;
    if (place === undefined) return [];
    const isMarked = sensitive === true;
    const desired = value && this.#value(value, isMarked);
    const isDefault = own === undefined || undefined;
    return [{ key, place, ...present({ isDefault, sensitive, value: desired, permission }) }];
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
