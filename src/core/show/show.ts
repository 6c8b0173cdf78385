import {
  type Entry,
  fieldIn,
  isDefault,
  type Template,
  type WrittenConfig,
} from '../config/entry.ts';
import type { WrittenLayers } from '../config/read-file.ts';
import { Resolver } from '../config/resolve.ts';
import { namesIn, sourceOf } from '../config/template.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import { baseOfId } from '../model/ids.ts';
import { present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { fieldAddress, pathOf } from '../model/place.ts';
import { type Clues, isSecret, shownReference } from '../model/secrecy.ts';
import { isHidden, type Secret } from '../model/secret.ts';
import { isEmpty, type OptionValue } from '../model/value.ts';
import type { Change, ServerPlan } from '../plan/plan.ts';
import { findTargets } from './targets.ts';

type FieldName = Parameters<typeof pathOf>[0];

/** A server with its configuration, and what was read of it. */
interface ServerToShow {
  readonly name: string;
  readonly url: string;
  readonly layers: WrittenLayers;
  /** Its layers as one. */
  readonly merged: WrittenConfig;
  /** What is installed, compared with the configuration; absent if the server was not read. */
  readonly live?: Read | undefined;
}

interface Read {
  readonly installed: readonly LiveIntegration[];
  readonly planned: {
    readonly plan: ServerPlan;
    readonly desired: readonly DesiredIntegration[];
  };
}

type Target = ReturnType<typeof findTargets>['all'][number];

/** Shows what a word names on each server, and everything that declares it. */
export function show(given: readonly ServerToShow[], word: string) {
  const found = given.map((server) => {
    return {
      server,
      ...findTargets(word, server.merged, server.live?.installed ?? []),
    };
  });
  const servers = found.map(({ server, named }) => {
    const integrations = named.map(({ target, fields }) =>
      showIntegration(server, target, fields),
    );
    return {
      name: server.name,
      url: server.url,
      isRead: server.live !== undefined,
      integrations,
    };
  });
  const isNothing = servers.every(
    ({ integrations }) => integrations.length === 0,
  );
  const all = found.flatMap((each) => each.all);
  return {
    value: { servers },
    diagnostics: isNothing ? [unknownWord(word, all)] : [],
  };
}

function unknownWord(word: string, targets: readonly Target[]): Diagnostic {
  const names = targets.flatMap(({ name, installed }) =>
    installed === undefined
      ? [name]
      : [name, installed.id, `${baseOfId(installed.id)}_*`],
  );
  const known = targets.flatMap(({ name, keys }) => {
    const inFull = keys.flatMap((key) => [
      `options.${key}.value`,
      `options.${key}.permission`,
    ]);
    return ['autosubscribe', ...keys, ...inFull].map(
      (path) => `${name}.${path}`,
    );
  });
  return diagnostic('unknown-name', {
    word,
    of: 'integration or field',
    names: [...new Set(names)],
    known,
  });
}

/** An installed integration with some of its fields, or an entry that means none; then it has no id. */
function showIntegration(
  server: ServerToShow,
  target: Target,
  fields: readonly FieldName[],
) {
  const live: Partial<LiveIntegration> = target.installed ?? {};
  const {
    id,
    name: displayName,
    acronym,
    description,
    status,
    errorCount: errors,
  } = live;
  const shown = new Map(
    fields.map((field) => [pathOf(field), showField(server, target, field)]),
  );
  const specificFirst = target.entries.toSorted(
    (a, b) => Number(isDefault(a)) - Number(isDefault(b)),
  );
  return {
    name: target.name,
    ...present({ id, displayName, acronym, description, status, errors }),
    /** The entries that hold for it; specific ones override defaults. */
    entries: specificFirst.map((entry) => ({
      ...{
        entry: entry.name,
        isDefault: isDefault(entry),
        source: entry.match?.place ?? entry.place,
      },
    })),
    ...present({ autosubscribe: shown.get('autosubscribe') }),
    options: target.keys.flatMap((option) => {
      const { type, multiple, title, description, choices } =
        target.installed?.options.get(option) ?? {};
      const value = shown.get(pathOf({ field: 'value', option }));
      const permission = shown.get(pathOf({ field: 'permission', option }));
      const about = present({
        type,
        multiple,
        title,
        description,
        choices,
        value,
        permission,
      });
      return value || permission ? [{ option, ...about }] : [];
    }),
  };
}

/** How a field compares. `unresolved`: its reference has no value in this run. */
type FieldState = 'as-desired' | 'differs' | 'hidden' | 'unresolved';

/** A value; null if it is not set, a secret, hidden by the server, or a reference. */
interface ShownSide {
  readonly value: OptionValue | null;
  readonly secret?: true;
  readonly hidden?: true;
  readonly reference?: string;
}

/** One field of a target, as far as it may be shown. */
function showField(server: ServerToShow, target: Target, name: FieldName) {
  const address = fieldAddress(target.name, name);
  const clues = cluesOf(server, target, name);
  const origins = originsOf(server, target, name).map((origin) =>
    shownOrigin(server, origin, clues),
  );
  const declared = origins.find(({ wins }) => wins)?.declared;
  const { state, change } =
    declared === undefined ? {} : stateOf(server, target, address);
  const desired =
    change === undefined || isHidden(change.after)
      ? declared
      : { value: change.after };
  const side = liveSide(target, name, clues);
  // A secret that looks like a mask, and was compared, is shown by the server.
  const live =
    side?.hidden === true && state === 'as-desired'
      ? ({ value: null, secret: true } as const)
      : side;
  return { address, ...present({ live, state, desired }), origins };
}

/** What decides whether the values of a field may be shown. */
function cluesOf(
  { live }: ServerToShow,
  { entries, installed }: Target,
  name: FieldName,
): Clues {
  if (name.field !== 'value') return { key: '', mark: false };
  const key = name.option;
  const marks = entries.flatMap(
    ({ options }) => options.get(key)?.sensitive?.value ?? [],
  );
  const desired = live?.planned.desired.find(({ id }) => id === installed?.id);
  const mark = marks.includes(true) ? true : marks[0];
  // Of an integration that errors leave out it is not known.
  const isLeftOut =
    installed !== undefined && desired === undefined && entries.length > 0;
  const isFromOutside = isLeftOut || desired?.secrecy.get(key)?.isFromOutside;
  return { key, type: installed?.options.get(key)?.type, mark, isFromOutside };
}

/** How a field compares, and its change in the plan of its server. What a waiver leaves alone differs too. */
function stateOf(
  { live }: ServerToShow,
  { installed }: Target,
  address: string,
): { readonly state?: FieldState; readonly change?: Change } {
  const plan = live?.planned.plan.integrations.find(
    ({ id }) => id === installed?.id,
  );
  const at = (each: { readonly address: string }) => each.address === address;
  const change = plan?.changes.find(at);
  if (change !== undefined) return { state: 'differs', change };
  if (plan?.waived?.includes(address)) return { state: 'differs' };
  const untold = plan?.hidden.find(at);
  if (untold !== undefined)
    return {
      state: untold.unreadable === 'unresolved' ? 'unresolved' : 'hidden',
    };
  const desired = live?.planned.desired.find(({ id }) => id === installed?.id);
  const isManaged = desired?.settings.some(
    (each) =>
      fieldAddress(desired.name, each) === address &&
      (each.option === undefined || installed?.optionKeys.has(each.option)),
  );
  return isManaged && plan !== undefined && !plan.unplanned
    ? { state: 'as-desired' }
    : {};
}

/** What a server holds of a field; undefined if it was not read or has no such field. */
function liveSide(
  { installed }: Target,
  name: FieldName,
  clues: Clues,
): ShownSide | undefined {
  if (installed === undefined) return undefined;
  if (name.field === 'autosubscribe') return wordSide(installed.autosubscribe);
  const option = installed.options.get(name.option);
  if (option === undefined) return undefined;
  const { permission, value } = option;
  if (name.field === 'permission')
    return wordSide(permission === 'unknown' ? undefined : permission);
  if (value.kind === 'unreadable') return { value: null, hidden: true };
  const isNothing =
    value.kind === 'empty' || (!isHidden(value.value) && isEmpty(value.value));
  return isNothing ? { value: null } : shownSide(value.value, clues);
}

function wordSide(word: string | boolean | undefined): ShownSide {
  return word === undefined ? { value: null, hidden: true } : { value: word };
}

/** A value, unless it is a secret. */
function shownSide(
  value: OptionValue | Secret<OptionValue>,
  clues: Clues,
): ShownSide {
  const isOne = isHidden(value) || isSecret({ ...clues, values: [value] });
  return isOne ? { value: null, secret: true } : { value };
}

/**
 * All declarations of a field, or nulls that stop its management, in the order in which they override each other: defaults
 * before specific entries, earlier layers before later ones.
 */
function originsOf(
  { layers }: ServerToShow,
  { entries }: Target,
  name: FieldName,
) {
  const byRank = [true, false].flatMap((rank) =>
    entries.filter((entry) => isDefault(entry) === rank),
  );
  const fieldOf = (entry: Entry<Template>) =>
    name.field === 'autosubscribe'
      ? entry.autosubscribe
      : fieldIn(entry, name.option, name.field);
  const found = byRank.flatMap((entry) =>
    layers
      .flat()
      .flatMap((file) =>
        file.entries.filter((each) => each.name === entry.name),
      )
      .flatMap((each) => fieldOf(each) ?? [])
      .map((field) => ({ entry, field })),
  );
  // The last declaration of each entry counts, and those of specific entries before defaults. A null counts if it is alone.
  const last = found.filter(({ entry }, at) => found[at + 1]?.entry !== entry);
  const specific = last.filter(({ entry }) => !isDefault(entry));
  const rank = specific.length > 0 ? specific : last;
  const winner = rank.find(({ field }) => field.value !== null) ?? rank.at(-1);
  return found.map((each) => ({ ...each, wins: each === winner }));
}

function shownOrigin(
  server: ServerToShow,
  origin: ReturnType<typeof originsOf>[number],
  clues: Clues,
) {
  const { entry, wins, field } = origin;
  const { value, place: source } = field;
  const declared = written(server, field, clues);
  const values = namesIn(value).flatMap((name) => {
    const place = server.merged.values.get(name)?.place;
    return place === undefined ? [] : [{ name, source: place }];
  });
  return {
    entry: entry.name,
    isDefault: isDefault(entry),
    source,
    wins,
    ...present({ declared }),
    values,
  };
}

/** What a declaration says, with its references; a named value is not put in, so nothing is shown that it holds. */
function written(
  server: ServerToShow,
  field: Template,
  clues: Clues,
): ShownSide | undefined {
  const source = field.value === null ? undefined : sourceOf(field.value);
  if (source !== undefined)
    return { value: null, reference: shownReference(source, clues) };
  const { value = null } = new Resolver(server.merged.values).resolve(field);
  return value === null ? undefined : shownSide(value, clues);
}
