import { type Entry, type Field, isDefault } from '../config/entry.ts';
import { Resolver } from '../config/resolve.ts';
import { namesIn, sourceOf, type Template } from '../config/template.ts';
import { secrecyOf } from '../model/desired.ts';
import { present } from '../model/json.ts';
import { type FieldName, fieldAddress } from '../model/place.ts';
import { type Clues, isSecret, shownReference } from '../model/secrecy.ts';
import { isHidden, type Secret } from '../model/secret.ts';
import { isEmpty, type OptionValue } from '../model/value.ts';
import type { Change } from '../plan/plan.ts';
import type { ShownField, ShownSide } from './shown.ts';
import type { KnownServer, Target } from './targets.ts';

/** One field of a target, as far as it may be shown. */
export function showField(server: KnownServer, target: Target, name: FieldName): ShownField {
  const address = fieldAddress(target.name, name);
  const clues = cluesOf(server, target, name);
  const origins = originsOf(server, target, name).map((origin) => shownOrigin(server, origin, clues));
  const declared = origins.find(({ wins }) => wins)?.declared;
  const { state, change } = declared === undefined ? {} : stateOf(server, target, address);
  const desired = change === undefined || isHidden(change.after) ? declared : { value: change.after };
  const side = liveSide(target, name, clues);
  // A secret that looks like a mask, and was compared, is shown by the server.
  const live =
    side?.hidden === true && state === 'as-desired' ? ({ value: null, secret: true } as const) : side;
  return { address, ...present({ live, state, desired }), origins };
}

/** What decides whether the values of a field may be shown. */
function cluesOf({ live }: KnownServer, { entries, installed }: Target, name: FieldName): Clues {
  if (name.field !== 'value') return { key: '', mark: false };
  const key = name.option;
  const marks = entries.flatMap(({ options }) => options.get(key)?.sensitive?.value ?? []);
  const desired = live?.planned.desired.integrations.find(({ id }) => id === installed?.id);
  const { isFromOutside } = secrecyOf(desired, key);
  const mark = marks.includes(true) ? true : marks[0];
  return { key, type: installed?.options.get(key)?.type, mark, isFromOutside };
}

/** How a field compares, and its change in the plan of its server. What a waiver leaves alone differs too. */
function stateOf(
  { live }: KnownServer,
  { installed }: Target,
  address: string,
): { readonly state?: ShownField['state']; readonly change?: Change } {
  const plan = live?.planned.plan.integrations.find(({ id }) => id === installed?.id);
  const at = (each: { readonly address: string }) => each.address === address;
  const change = plan?.changes.find(at);
  if (change !== undefined) return { state: 'differs', change };
  if (plan?.waived?.includes(address)) return { state: 'differs' };
  const untold = plan?.hidden.find(at);
  if (untold !== undefined) return { state: untold.unreadable === 'unresolved' ? 'unresolved' : 'hidden' };
  const desired = live?.planned.desired.integrations.find(({ id }) => id === installed?.id);
  const isManaged = desired?.settings.some(
    (each) =>
      fieldAddress(desired.name, each) === address &&
      (each.option === undefined || installed?.optionKeys.has(each.option)),
  );
  return isManaged && plan !== undefined && !plan.unplanned ? { state: 'as-desired' } : {};
}

/** What a server holds of a field; undefined if it was not read or has no such field. */
function liveSide({ installed }: Target, name: FieldName, clues: Clues): ShownSide | undefined {
  if (installed === undefined) return undefined;
  if (name.field === 'autosubscribe') return wordSide(installed.autosubscribe);
  const option = installed.options.get(name.option);
  if (option === undefined) return undefined;
  const { permission, value } = option;
  if (name.field === 'permission') return wordSide(permission === 'unknown' ? undefined : permission);
  if (value.kind === 'unreadable') return { value: null, hidden: true };
  const isNothing = value.kind === 'empty' || (!isHidden(value.value) && isEmpty(value.value));
  return isNothing ? { value: null } : shownSide(value.value, clues);
}

function wordSide(word: string | boolean | undefined): ShownSide {
  return word === undefined ? { value: null, hidden: true } : { value: word };
}

/** A value, unless it is a secret. */
function shownSide(value: OptionValue | Secret<OptionValue>, clues: Clues): ShownSide {
  const isOne = isHidden(value) || isSecret({ ...clues, values: [value] });
  return isOne ? { value: null, secret: true } : { value };
}

/** A declaration that sets a field, or a null at it or around it that stops its management. */
interface Origin {
  /** All layers of its entry as one. */
  readonly entry: Entry<Template>;
  readonly field: Field<Template | string | boolean>;
  /** Whether this one counts. */
  readonly wins: boolean;
}

/**
 * All declarations of one field of an integration, in the order in which they override each other: defaults before specific
 * entries, earlier layers before later ones.
 */
function originsOf({ layers }: KnownServer, { entries }: Target, name: FieldName): readonly Origin[] {
  const byRank = [true, false].flatMap((rank) => entries.filter((entry) => isDefault(entry) === rank));
  const found = byRank.flatMap((entry) =>
    layers
      .flat()
      .flatMap((file) => file.entries.filter((each) => each.name === entry.name))
      .flatMap((each) => fieldOf(each, name) ?? [])
      .map((field) => ({ entry, field })),
  );
  // The last declaration of each entry counts, and those of specific entries before defaults. A null counts if it is alone.
  const last = found.filter(({ entry }, at) => found[at + 1]?.entry !== entry);
  const specific = last.filter(({ entry }) => !isDefault(entry));
  const rank = specific.length > 0 ? specific : last;
  const winner = rank.find(({ field }) => field.value !== null) ?? rank.at(-1);
  return found.map((each) => ({ ...each, wins: each === winner }));
}

/** What one entry of one file says of a field: its declaration, or the null around it. */
function fieldOf(entry: Entry<Template>, name: FieldName): Origin['field'] | undefined {
  const { stopped, autosubscribe, optionsStopped, options } = entry;
  if (stopped !== undefined || name.field === 'autosubscribe') return stopped ?? autosubscribe;
  const option = options.get(name.option);
  return optionsStopped ?? option?.stopped ?? option?.[name.field];
}

function shownOrigin(server: KnownServer, origin: Origin, clues: Clues): ShownField['origins'][number] {
  const { entry, wins, field } = origin;
  const { value, place: source } = field;
  const isTemplate = typeof value === 'object' && value !== null;
  const declared = isTemplate ? written(server, value, clues) : value === null ? undefined : { value };
  const values = (isTemplate ? namesIn(value) : []).flatMap((name) => {
    const place = server.merged.values.get(name)?.place;
    return place === undefined ? [] : [{ name, source: place }];
  });
  return { entry: entry.name, isDefault: isDefault(entry), source, wins, ...present({ declared }), values };
}

/** What a declaration says, with its references; a named value is not put in, so nothing is shown that it holds. */
function written(server: KnownServer, template: Template, clues: Clues): ShownSide | undefined {
  const source = sourceOf(template);
  if (source !== undefined) return { value: null, reference: shownReference(source, clues) };
  const value = new Resolver(server.merged.values).withNamed(template);
  return value === undefined ? undefined : shownSide(value, clues);
}
