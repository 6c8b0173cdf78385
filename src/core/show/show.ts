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
import { type DesiredIntegration, settingOf } from '../model/desired.ts';
import { baseOfId } from '../model/ids.ts';
import { present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { type Clues, isSecret, shownReference } from '../model/secrecy.ts';
import { isHidden, type Secret } from '../model/secret.ts';
import {
  addressOf,
  fieldKey,
  optionOf,
  type Subject,
} from '../model/subject.ts';
import { isEmpty, type OptionValue } from '../model/value.ts';
import type { Comparison } from '../plan/compare.ts';
import type { Reason } from '../plan/decide.ts';
import type { Change, ServerPlan } from '../plan/plan.ts';
import { findTargets, type Target } from './targets.ts';

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
  fields: readonly Subject[],
) {
  const integration = target.name;
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
    fields.map((field) => [fieldKey(field), showField(server, target, field)]),
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
    ...present({
      autosubscribe: shown.get(
        fieldKey({ kind: 'autosubscribe', integration }),
      ),
    }),
    options: target.keys.flatMap((option) => {
      const { type, multiple, title, description, choices } =
        target.installed?.options.get(option) ?? {};
      const value = shown.get(fieldKey({ kind: 'value', integration, option }));
      const permission = shown.get(
        fieldKey({ kind: 'permission', integration, option }),
      );
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
function showField(server: ServerToShow, target: Target, subject: Subject) {
  const clues = cluesOf(server, target, subject);
  const origins = originsOf(server, target, subject).map((origin) =>
    shownOrigin(server, origin, clues),
  );
  const declared = origins.find(({ wins }) => wins)?.declared;
  const { state, change } =
    declared === undefined ? {} : stateOf(server, target, subject);
  const after = change?.comparison.after;
  const desired = after?.kind === 'shown' ? { value: after.value } : declared;
  const side = liveSide(target, subject, clues);
  // A secret that looks like a mask, and was compared, is shown by the server.
  const isShownMask = side?.hidden === true && state === 'as-desired';
  const live = isShownMask ? SECRET : side;
  const address = addressOf(subject);
  return { address, ...present({ live, state, desired }), origins };
}

const SECRET: ShownSide = { value: null, secret: true };

/** What decides whether the values of a field may be shown. */
function cluesOf(
  { live }: ServerToShow,
  { entries, installed }: Target,
  subject: Subject,
): Clues {
  if (subject.kind !== 'value') return { key: '', mark: false };
  const key = subject.option;
  const marks = entries.flatMap(
    ({ options }) => options.get(key)?.sensitive?.value ?? [],
  );
  const desired = live?.planned.desired.find(({ id }) => id === installed?.id);
  const mark = marks.includes(true) ? true : marks[0];
  // Of an integration that errors leave out it is not known.
  const isLeftOut =
    installed !== undefined && desired === undefined && entries.length > 0;
  const secrecy = desired?.settings.options.get(key)?.secrecy;
  return {
    key,
    type: installed?.options.get(key)?.type,
    mark,
    isSecretByValue: isLeftOut || secrecy?.isSecretByValue,
  };
}

/** How a field compares, and its change in the plan of its server. What a waiver leaves alone differs too. */
function stateOf(
  { live }: ServerToShow,
  { installed }: Target,
  subject: Subject,
): { readonly state?: FieldState; readonly change?: Change } {
  const isOfTarget = ({ id }: { readonly id: string }) => id === installed?.id;
  const plan = live?.planned.plan.integrations.find(isOfTarget);
  if (plan === undefined || plan.unplanned) return {};
  const key = fieldKey(subject);
  const isField = ({ comparison }: { readonly comparison: Comparison }) =>
    fieldKey(comparison.subject) === key;
  const change = plan.changes.find(isField);
  if (change !== undefined) return { state: 'differs', change };
  const left = plan.left.find(isField);
  if (left !== undefined) return { state: LEFT_STATES[left.because] };
  const desired = live?.planned.desired.find(isOfTarget);
  if (desired === undefined) return {};
  if (settingOf(desired.settings, subject) === undefined) return {};
  const option = optionOf(subject);
  const isThere = option === undefined || installed?.optionKeys.has(option);
  return isThere ? { state: 'as-desired' } : {};
}

/** How a field that is left alone compares. */
const LEFT_STATES: Readonly<Record<Reason, FieldState>> = {
  hidden: 'hidden',
  unread: 'unresolved',
  waived: 'differs',
  'not-reviewed': 'differs',
};

/** What a server holds of a field; undefined if it was not read or has no such field. */
function liveSide(
  { installed }: Target,
  subject: Subject,
  clues: Clues,
): ShownSide | undefined {
  if (installed === undefined) return undefined;
  if (subject.kind === 'autosubscribe') {
    return wordSide(installed.autosubscribe);
  }
  const option = installed.options.get(subject.option);
  if (option === undefined) return undefined;
  const { permission, value: side } = option;
  if (subject.kind === 'permission') {
    return wordSide(permission === 'unknown' ? undefined : permission);
  }
  if (side.kind === 'hidden') return { value: null, hidden: true };
  if (side.kind === 'unset') return { value: null };
  const isNothing = side.kind === 'shown' && isEmpty(side.value);
  return isNothing ? { value: null } : shownSide(side.value, clues);
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
  subject: Subject,
) {
  const byRank = [true, false].flatMap((rank) =>
    entries.filter((entry) => isDefault(entry) === rank),
  );
  const fieldOf = (entry: Entry<Template>) =>
    subject.kind === 'autosubscribe'
      ? entry.autosubscribe
      : fieldIn(entry, subject.option, subject.kind);
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
  const { value: want } = new Resolver(server.merged.values).resolve(field);
  // A flag or a permission is declared as it is.
  return want?.kind === 'literal' ? shownSide(want.value, clues) : undefined;
}
