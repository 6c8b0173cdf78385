import { Resolver } from '../config/resolve.ts';
import { namesIn, sourceOf, type Template } from '../config/template.ts';
import { secrecyOf, type WrittenValue } from '../model/desired.ts';
import { present } from '../model/json.ts';
import { type FieldName, fieldAddress } from '../model/place.ts';
import { type Clues, isSecret, shownReference } from '../model/secrecy.ts';
import { isHidden, type Secret } from '../model/secret.ts';
import { isEmpty } from '../model/value.ts';
import type { Change } from '../plan/plan.ts';
import { type Origin, originsOf } from './origins.ts';
import type { KnownServer } from './server.ts';
import type { FieldState, ShownField, ShownOrigin, ShownSide } from './shown.ts';
import type { Target } from './targets.ts';

/** One field of a target, as far as it may be shown. */
export function showField(server: KnownServer, target: Target, name: FieldName): ShownField {
  const address = fieldAddress(target.name, name);
  const clues = cluesOf(server, target, name);
  const origins = originsOf(server.layers, target.holding, name).map((origin) =>
    shownOrigin(server, origin, clues),
  );
  const declared = origins.find(({ wins }) => wins)?.declared;
  const { state, change } = declared === undefined ? {} : stateOf(server, target, address);
  const desired = change === undefined || isHidden(change.after) ? declared : { value: change.after };
  const side = liveSide(server, target, name, clues);
  // A secret that looks like a mask, and was compared, is shown by the server.
  const live =
    side?.hidden === true && state === 'as-desired' ? ({ value: null, secret: true } as const) : side;
  return { address, ...present({ live, state, desired }), origins };
}

/** What decides whether the values of a field may be shown. */
function cluesOf({ live, merged }: KnownServer, { holding, installed }: Target, name: FieldName): Clues {
  if (name.field !== 'value') return { key: '', mark: false };
  const key = name.option;
  const names = new Set(holding.map(({ entry }) => entry));
  const marks = merged.entries
    .filter((entry) => names.has(entry.name))
    .flatMap(({ options }) => options.get(key)?.sensitive?.value ?? []);
  const desired = live?.planned.desired.find(({ id }) => id === installed?.id);
  const { isFromOutside } = secrecyOf(desired, key);
  const mark = marks.includes(true) ? true : marks[0];
  return { key, type: installed?.options.get(key)?.type, mark, isFromOutside };
}

/** How a field compares, and its change in the plan. */
interface Compared {
  readonly state?: FieldState;
  readonly change?: Change;
}

/** Finds a field in the plan of its server. What a waiver leaves alone differs too. */
function stateOf({ live }: KnownServer, { installed }: Target, address: string): Compared {
  const plan = live?.planned.plan.integrations.find(({ id }) => id === installed?.id);
  const at = (each: { readonly address: string }) => each.address === address;
  const change = plan?.changes.find(at);
  if (change !== undefined) return { state: 'differs', change };
  if (plan?.waived?.includes(address)) return { state: 'differs' };
  const untold = plan?.cannotTell.find(at);
  if (untold !== undefined) return { state: untold.reason === 'unresolved' ? 'unresolved' : 'hidden' };
  const desired = live?.planned.desired.find(({ id }) => id === installed?.id);
  const isManaged = desired?.settings.some(
    (each) =>
      fieldAddress(desired.name, each) === address &&
      (each.option === undefined || installed?.optionKeys.has(each.option)),
  );
  return isManaged && plan !== undefined && !plan.unplanned ? { state: 'as-desired' } : {};
}

/** What a server holds of a field. */
function liveSide(
  { live }: KnownServer,
  { installed }: Target,
  name: FieldName,
  clues: Clues,
): ShownSide | undefined {
  if (live === undefined || installed === undefined) return undefined;
  if (name.field === 'autosubscribe') return wordSide(installed.autosubscribe);
  const option = installed.options.get(name.option);
  if (option === undefined) return undefined;
  if (name.field === 'permission')
    return wordSide(option.permission === 'unknown' ? undefined : option.permission);
  const { value } = option;
  if (value.kind === 'unreadable') return { value: null, hidden: true };
  if (value.kind === 'empty') return { value: null };
  const isNothing = !isHidden(value.value) && isEmpty(value.value);
  return isNothing ? { value: null } : shownSide(value.value, clues);
}

function wordSide(word: string | boolean | undefined): ShownSide {
  return word === undefined ? { value: null, hidden: true } : { value: word };
}

/** A value, unless it is a secret. */
function shownSide(value: WrittenValue | Secret<WrittenValue>, clues: Clues): ShownSide {
  const isOne = isHidden(value) || isSecret({ ...clues, values: [value] });
  return isOne ? { value: null, secret: true } : { value };
}

function shownOrigin(server: KnownServer, origin: Origin, clues: Clues): ShownOrigin {
  const { layer, entry, isDefault, wins, field } = origin;
  const { value, place: source } = field;
  const isTemplate = typeof value === 'object' && value !== null;
  const declared = isTemplate ? written(server, value, clues) : value === null ? undefined : { value };
  const values = (isTemplate ? namesIn(value) : []).flatMap((name) => {
    const place = server.merged.values.get(name)?.place;
    return place === undefined ? [] : [{ name, source: place }];
  });
  const layerName = server.layerNames[layer] ?? '';
  return { layer: layerName, entry, isDefault, source, wins, ...present({ declared }), values };
}

/** What a declaration says, with its references; a named value is not put in, so nothing is shown that it holds. */
function written(server: KnownServer, template: Template, clues: Clues): ShownSide | undefined {
  const source = sourceOf(template);
  if (source !== undefined) return { value: null, reference: shownReference(source, clues) };
  const value = new Resolver(server.merged.values).withNamed(template);
  return value === undefined ? undefined : shownSide(value, clues);
}
