import { optionKeysOf, optionPath, type WrittenField } from '../config/entry.ts';
import { addressOf, fieldOf, isDefault, type MergedEntry, OPTION_ATTRIBUTES } from '../config/layers.ts';
import type { ResolvedValue } from '../config/resolve.ts';
import { type Checked, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredField, DesiredIntegration, DesiredOption, DesiredValue } from '../model/desired.ts';
import type { Permission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import { hide } from '../model/secret.ts';

/** What all entries that mean one integration ask of it; nothing where none manages it. */
export function gather(
  id: string,
  entries: readonly MergedEntry[],
  resolved: ReadonlyMap<WrittenField, ResolvedValue>,
): Checked<DesiredIntegration> {
  const specific = entries.filter((entry) => !isDefault(entry));
  const ranks = [specific, entries.filter(isDefault)];
  const first = specific[0] ?? entries[0];
  if (first === undefined) return { diagnostics: [] };
  const name = specific[0]?.name ?? id;
  const winner = new FieldPicker(name, ranks);
  const keys = optionKeysOf(entries.flatMap((entry) => [...entry.fields.keys()]));
  const options = keys.flatMap((key) => desiredOption(key, winner, resolved));
  const autosubscribe = desiredField(winner.pick('autosubscribe'), (value) => value === true);
  const { diagnostics } = winner;
  if (options.length === 0 && autosubscribe === undefined) return { diagnostics };
  return { value: { name, id, place: first.place, ...present({ autosubscribe }), options }, diagnostics };
}

/** Picks the declaration that wins for each field, and finds fields that two equal entries set. */
class FieldPicker {
  readonly diagnostics: Diagnostic[] = [];
  readonly #name: string;
  readonly #ranks: readonly (readonly MergedEntry[])[];

  constructor(name: string, ranks: readonly (readonly MergedEntry[])[]) {
    this.#name = name;
    this.#ranks = ranks;
  }

  /**
   * The first rank that speaks of a field decides. A null there sets nothing: it hides what the rank below says, and gives
   * way to an equal entry that sets the field.
   */
  pick(path: string): WrittenField | undefined {
    const spoken = this.#ranks
      .map((rank) => rank.flatMap((entry) => fieldOf(entry, path) ?? []))
      .find((rank) => rank.length > 0);
    const [winner, ...others] = (spoken ?? []).filter(({ value }) => value !== null);
    if (winner === undefined) return undefined;
    const address = addressOf(this.#name, path);
    for (const { place } of others)
      this.diagnostics.push(diagnostic('duplicate-field', { address, other: winner.place }, place));
    return winner;
  }

  /** The first field of an option that a specific entry declares; undefined where only defaults ask for it. */
  specific(path: string): WrittenField | undefined {
    const [entries = []] = this.#ranks;
    return entries.flatMap((entry) => askedFields(entry, path))[0];
  }

  /** Finds a value for an option whose value each user gives, where no entry by itself says both. */
  checkTogether(path: string, value: WrittenField | undefined, permission: WrittenField | undefined): void {
    if (value === undefined || permission?.value !== 'user-provides') return;
    const isOfOne = this.#ranks
      .flat()
      .some(
        (entry) =>
          fieldOf(entry, `${path}/value`) === value && fieldOf(entry, `${path}/permission`) === permission,
      );
    const address = addressOf(this.#name, path);
    if (!isOfOne) this.diagnostics.push(diagnostic('user-provides-value', { address }, value.place));
  }
}

function desiredOption(
  key: string,
  winner: FieldPicker,
  resolved: ReadonlyMap<WrittenField, ResolvedValue>,
): DesiredOption | [] {
  const path = optionPath(key);
  const mark = winner.pick(`${path}/sensitive`);
  const sensitive = mark === undefined ? undefined : mark.value === true;
  const written = winner.pick(`${path}/value`);
  const permissionField = winner.pick(`${path}/permission`);
  winner.checkTogether(path, written, permissionField);
  const permission = desiredField(permissionField, asPermission);
  const value = written === undefined ? undefined : desiredValue(written, sensitive === true, resolved);
  const specific = winner.specific(path);
  const isDefault = specific === undefined || undefined;
  const [first] = [written, permissionField, mark].flatMap((field) => field ?? []);
  return first === undefined
    ? []
    : { key, place: keyPlaceOf(specific ?? first), ...present({ sensitive, isDefault, value, permission }) };
}

/** The options that an entry asks for, each at the place of its key. */
export function askedOptions(entry: MergedEntry): { readonly key: string; readonly place: Place }[] {
  return optionKeysOf(entry.fields.keys()).flatMap((key) => {
    const [first] = askedFields(entry, optionPath(key));
    return first === undefined ? [] : [{ key, place: keyPlaceOf(first) }];
  });
}

/** What an entry declares of one option. */
function askedFields({ fields }: MergedEntry, path: string): WrittenField[] {
  return OPTION_ATTRIBUTES.flatMap((attribute) => {
    const field = fields.get(`${path}/${attribute}`);
    return field === undefined || field.value === null ? [] : [field];
  });
}

function keyPlaceOf(field: WrittenField): Place {
  return field.key ?? field.place;
}

function desiredValue(
  field: WrittenField,
  isMarked: boolean,
  resolved: ReadonlyMap<WrittenField, ResolvedValue>,
): DesiredValue | undefined {
  const found = resolved.get(field);
  if (found === undefined) return undefined;
  const { reference, unread, sensitive: isFromOutside } = found;
  return {
    ...placed(field),
    value: isMarked || isFromOutside ? hide(found.value) : found.value,
    isFromOutside,
    ...present({ reference, unread, members: field.members }),
  };
}

function desiredField<T>(
  field: WrittenField | undefined,
  decode: (value: unknown) => T,
): DesiredField<T> | undefined {
  return field === undefined ? undefined : { ...placed(field), value: decode(field.value) };
}

function placed(field: WrittenField): Pick<DesiredField<never>, 'place' | 'comment'> {
  return { place: field.place, ...present({ comment: field.comment }) };
}

/** The schema lets only these words through. */
function asPermission(value: unknown): Permission {
  return value as Permission;
}
