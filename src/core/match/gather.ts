import { addressOf } from '../config/declaration.ts';
import type { Entry, Field, OptionField } from '../config/entry.ts';
import { isDefault, OPTION_FIELDS, type OptionEntry, optionField } from '../config/entry.ts';
import type { ResolvedValue } from '../config/resolve.ts';
import { type Checked, compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredField, DesiredIntegration, DesiredOption, DesiredValue } from '../model/desired.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import { hide } from '../model/secret.ts';

type ResolvedEntry = Entry<ResolvedValue>;

/** What all entries that mean one integration ask of it; no value where none manages it. */
export function gather(id: string, entries: readonly ResolvedEntry[]): Checked<DesiredIntegration> {
  const specific = entries.filter((entry) => !isDefault(entry));
  const first = specific[0] ?? entries[0];
  if (first === undefined) return { diagnostics: [] };
  const [name, place] = [specific[0]?.name ?? id, first.place];
  const gatherer = new Gatherer(name, [specific, entries.filter(isDefault)]);
  const keys = new Set(entries.flatMap(({ options }) => [...options.keys()]));
  const options = [...keys].sort(compareText).flatMap((key) => gatherer.option(key));
  const autosubscribe = gatherer.autosubscribe();
  const { diagnostics } = gatherer;
  if (options.length === 0 && autosubscribe === undefined) return { diagnostics };
  return { value: { name, id, place, ...present({ autosubscribe }), options }, diagnostics };
}

/** The options that an entry asks for, each at the place of its key. */
export function askedOptions({ options }: ResolvedEntry): { readonly key: string; readonly place: Place }[] {
  return [...options.values()]
    .filter(isAsked)
    .map(({ key, place }) => ({ key, place }))
    .sort((a, b) => compareText(a.key, b.key));
}

function isAsked(option: OptionEntry<ResolvedValue> | undefined): boolean {
  return OPTION_FIELDS.some((name) => (option?.[name]?.value ?? null) !== null);
}

/** Picks the declaration that wins for each field, and finds fields that two equal entries set. */
class Gatherer {
  readonly diagnostics: Diagnostic[] = [];
  readonly #name: string;
  /** The specific entries, then the defaults. */
  readonly #ranks: readonly (readonly ResolvedEntry[])[];

  constructor(name: string, ranks: readonly (readonly ResolvedEntry[])[]) {
    this.#name = name;
    this.#ranks = ranks;
  }

  autosubscribe(): DesiredField<boolean> | undefined {
    return desiredField(this.#pick(['autosubscribe'], (entry) => entry.autosubscribe));
  }

  option(key: string): DesiredOption[] {
    const at = (name: OptionField) => ['options', key, name];
    const value = this.#pick(at('value'), (entry) => optionField(entry, key, 'value'));
    const permission = this.#pick(at('permission'), (entry) => optionField(entry, key, 'permission'));
    const mark = this.#pick(at('sensitive'), (entry) => optionField(entry, key, 'sensitive'));
    this.#checkTogether(key, value, permission);
    if (value === undefined && permission === undefined && mark === undefined) return [];
    const [own, ofDefaults] = this.#ranks.map(
      (rank) => rank.map(({ options }) => options.get(key)).find(isAsked)?.place,
    );
    const isDefault = own === undefined || undefined;
    const place = own ?? ofDefaults;
    if (place === undefined) return [];
    return [
      {
        key,
        place,
        ...present({
          isDefault,
          sensitive: mark?.value,
          value: value === undefined ? undefined : this.#value(value, mark?.value === true),
          permission: desiredField(permission),
        }),
      },
    ];
  }

  /**
   * The first rank that speaks of a field decides. A null there sets nothing: it hides what the rank below says, and gives
   * way to an equal entry that sets the field.
   */
  #pick<T>(
    path: readonly string[],
    said: (entry: ResolvedEntry) => Field<T> | undefined,
  ): SetField<T> | undefined {
    const spoken = this.#ranks
      .map((rank) => rank.flatMap((entry) => said(entry) ?? []))
      .find((rank) => rank.length > 0);
    const [winner, ...others] = (spoken ?? []).filter((field): field is SetField<T> => field.value !== null);
    if (winner === undefined) return undefined;
    const address = addressOf(this.#name, path);
    for (const { place } of others)
      this.diagnostics.push(diagnostic('duplicate-field', { address, other: winner.place }, place));
    return winner;
  }

  #value(field: SetField<ResolvedValue>, isMarked: boolean): DesiredValue | undefined {
    const { value, problems, reference, members, isFromOutside, isUnread } = field.value;
    this.diagnostics.push(...problems);
    if (value === undefined) return undefined;
    return {
      ...placed(field),
      value: isMarked || isFromOutside ? hide(value) : value,
      isFromOutside,
      ...present({ reference, members, unread: isUnread }),
    };
  }

  /** Finds a value for an option whose value each user sets, where no entry by itself says both. */
  #checkTogether(
    key: string,
    value: SetField<ResolvedValue> | undefined,
    permission: SetField<string> | undefined,
  ): void {
    if (value === undefined || permission?.value !== 'user-provides') return;
    const isOfOne = this.#ranks.flat().some((entry) => {
      const option = entry.options.get(key);
      return option?.value?.place === value.place && option.permission?.place === permission.place;
    });
    const address = addressOf(this.#name, ['options', key]);
    if (!isOfOne) this.diagnostics.push(diagnostic('user-provides-value', { address }, value.place));
  }
}

/** A field with a value: no null. */
type SetField<T> = Field<T> & { readonly value: T };

function desiredField<T>(field: SetField<T> | undefined): DesiredField<T> | undefined {
  return field === undefined ? undefined : { ...placed(field), value: field.value };
}

function placed({ place, comment }: Field<unknown>): Pick<DesiredField<never>, 'place' | 'comment'> {
  return { place, ...present({ comment }) };
}
