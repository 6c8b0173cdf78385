import {
  type Declaration,
  decisive,
  setterIn,
  speaksOf,
} from '../config/declaration.ts';
import {
  aboutOption,
  decidingEntries,
  type Entry,
  isDefault,
  managesAnything,
  stopOf,
  type WrittenConfig,
} from '../config/entry.ts';
import { isFromOutside, Resolver } from '../config/resolve.ts';
import { namesIn, sourceOf } from '../config/template.ts';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import { type DesiredIntegration, settingOf } from '../model/desired.ts';
import { baseOfId } from '../model/ids.ts';
import { present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import { type Clues, isSecret, shownReference } from '../model/secrecy.ts';
import { isHidden, type Secret } from '../model/secret.ts';
import {
  addressOf,
  fieldKey,
  optionOf,
  type Subject,
} from '../model/subject.ts';
import { type Choice, isEmpty, type OptionValue } from '../model/value.ts';
import type { Change, LeftReason, ServerPlan } from '../plan/plan.ts';
import { findTargets, type NamedTarget, type Target } from './targets.ts';

/** A server with its configuration, and what was read of it. */
export interface ServerToShow {
  readonly name: string;
  readonly url: string;
  readonly config: WrittenConfig;
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

/** What a word names on each server. */
export interface Shown {
  readonly servers: readonly ShownServer[];
}

export interface ShownServer {
  readonly name: string;
  readonly url: string;
  readonly isRead: boolean;
  readonly integrations: readonly ShownIntegration[];
}

/** An installed integration with some of its fields, or an entry that means none; then it has no id. */
export interface ShownIntegration {
  readonly name: string;
  readonly id?: string;
  readonly displayName?: string;
  readonly acronym?: string;
  readonly description?: string;
  readonly status?: string;
  readonly errors?: number;
  /** The entries that hold for it; specific ones override defaults. */
  readonly entries: readonly ShownEntry[];
  readonly autosubscribe?: ShownField;
  readonly options: readonly ShownOption[];
}

export interface ShownEntry {
  readonly entry: string;
  readonly isDefault: boolean;
  readonly source: Place;
  /** Set if a null takes back the whole entry; then that is the source. */
  readonly isNull?: true;
}

export interface ShownOption {
  readonly option: string;
  readonly type?: string;
  readonly multiple?: boolean;
  readonly title?: string;
  readonly description?: string;
  readonly choices?: readonly Choice[];
  readonly value?: ShownField;
  readonly permission?: ShownField;
}

/** A field, as far as it may be shown. */
export interface ShownField {
  readonly address: string;
  readonly live?: ShownSide;
  readonly state?: FieldState;
  readonly desired?: ShownSide;
  /** When its secret was replaced, by the line that counts. */
  readonly rotated?: ShownRotation;
  /** All that declares it: defaults before specific entries, earlier layers before later ones. */
  readonly origins: readonly ShownOrigin[];
}

interface ShownRotation {
  readonly day: string;
  readonly source: Place;
}

/** How a field compares. `unresolved`: its reference has no value in this run. */
type FieldState = 'as-desired' | 'differs' | 'hidden' | 'unresolved';

/** A value; null if it is not set, a secret, hidden by the server, or a reference. */
export interface ShownSide {
  readonly value: OptionValue | null;
  readonly secret?: true;
  readonly hidden?: true;
  readonly reference?: string;
}

/** A line that declares a field, or a null that stops its management. */
export interface ShownOrigin {
  readonly entry: string;
  readonly isDefault: boolean;
  readonly source: Place;
  readonly wins: boolean;
  readonly declared?: ShownSide;
  /** The named values in it. */
  readonly values: readonly ShownName[];
}

/** A named value, and where it is. */
interface ShownName {
  readonly name: string;
  readonly source: Place;
}

/** Shows what a word names on each server, and everything that declares it. */
export function show(
  given: readonly ServerToShow[],
  word: string,
): Required<Checked<Shown>> {
  const servers: ShownServer[] = [];
  const targets: (readonly Target[])[] = [];
  for (const server of given) {
    const { name, url, config, live } = server;
    const { all, named } = findTargets(word, config, live?.installed ?? []);
    targets.push(all);
    const integrations = named.map((target) => showTarget(server, target));
    servers.push({ name, url, isRead: live !== undefined, integrations });
  }
  const isNothing = servers.every(
    ({ integrations }) => integrations.length === 0,
  );
  const diagnostics = isNothing ? [unknownWord(word, targets.flat())] : [];
  return { value: { servers }, diagnostics };
}

function unknownWord(word: string, targets: readonly Target[]): Diagnostic {
  const names = new Set<string>();
  const known: string[] = [];
  for (const { name, installed, keys } of targets) {
    names.add(name);
    if (installed !== undefined) {
      names.add(installed.id).add(`${baseOfId(installed.id)}_*`);
    }
    known.push(`${name}.autosubscribe`);
    for (const key of keys) known.push(`${name}.${key}`);
    for (const key of keys) {
      known.push(`${name}.options.${key}.value`);
      known.push(`${name}.options.${key}.permission`);
    }
  }
  const of = 'integration or field';
  return diagnostic('unknown-name', { word, of, names: [...names], known });
}

function showTarget(
  server: ServerToShow,
  { target, fields }: NamedTarget,
): ShownIntegration {
  const { name, entries, installed } = target;
  const specificFirst = entries.toSorted(
    (a, b) => Number(isDefault(a)) - Number(isDefault(b)),
  );
  const shown = new Map<string, ShownField>();
  for (const field of fields) {
    shown.set(fieldKey(field), showField(server, target, field));
  }
  const flag = fieldKey({ kind: 'autosubscribe', integration: name });
  return {
    name,
    ...aboutInstalled(installed),
    entries: specificFirst.map(showEntry),
    ...present({ autosubscribe: shown.get(flag) }),
    options: showOptions(target, shown),
  };
}

/** What a server says of an integration itself. */
function aboutInstalled(
  installed: LiveIntegration | undefined,
): Partial<ShownIntegration> {
  if (installed === undefined) return {};
  const { id, name, acronym, description, status, errorCount } = installed;
  return {
    id,
    ...present({
      displayName: name,
      acronym,
      description,
      status,
      errors: errorCount,
    }),
  };
}

function showEntry(entry: Entry): ShownEntry {
  const { name, match, place } = entry;
  const head = { entry: name, isDefault: isDefault(entry) };
  const stop = stopOf(entry);
  if (stop !== undefined) return { ...head, source: stop.place, isNull: true };
  return { ...head, source: match?.place ?? place };
}

function showOptions(
  { name: integration, keys, installed }: Target,
  shown: ReadonlyMap<string, ShownField>,
): ShownOption[] {
  const options: ShownOption[] = [];
  for (const option of keys) {
    const value = shown.get(fieldKey({ kind: 'value', integration, option }));
    const permission = shown.get(
      fieldKey({ kind: 'permission', integration, option }),
    );
    if (value === undefined && permission === undefined) continue;
    const { type, multiple, title, description, choices } =
      installed?.options.get(option) ?? {};
    const about = { type, multiple, title, description, choices };
    options.push({ option, ...present({ ...about, value, permission }) });
  }
  return options;
}

function showField(
  server: ServerToShow,
  target: Target,
  subject: Subject,
): ShownField {
  const clues = cluesOf(server, target, subject);
  const declaring = originsOf(target, subject);
  const origins = declaring.map((origin) =>
    showOrigin(server.config, origin, clues),
  );
  const declared = origins.find(({ wins }) => wins)?.declared;
  const compared = declared && stateOf(server, target, subject);
  const after = compared?.change?.comparison.after;
  const desired = after?.kind === 'shown' ? { value: after.value } : declared;
  const side = liveSide(target, subject, clues);
  const state = compared?.state;
  // A secret that looks like a mask, and was compared, is shown by the server.
  const isShownMask = side?.hidden === true && state === 'as-desired';
  const live = isShownMask ? SECRET : side;
  const address = addressOf(subject);
  const rotated = rotationOf(declaring, subject);
  return { address, ...present({ live, state, desired, rotated }), origins };
}

/** When a secret was replaced, as the entry says whose value counts. */
function rotationOf(
  origins: readonly Origin[],
  subject: Subject,
): ShownRotation | undefined {
  const winning = origins.find(({ wins }) => wins);
  if (subject.kind !== 'value' || winning === undefined) return undefined;
  if (winning.declaration.value === null) return undefined;
  const about = aboutOption(winning.entry, subject.option);
  const setter = setterIn(about, 'rotated');
  return setter && { day: setter.value, source: setter.place };
}

const SECRET: ShownSide = { value: null, secret: true };

/** What decides whether the values of a field may be shown. */
function cluesOf(
  { live, config }: ServerToShow,
  { entries, installed }: Target,
  subject: Subject,
): Clues {
  if (subject.kind !== 'value') return { key: '', mark: false };
  const key = subject.option;
  const desired = live?.planned.desired.find(({ id }) => id === installed?.id);
  // Of an integration that errors leave out it is not known.
  const isAsked = decidingEntries(entries).some(managesAnything);
  const isLeftOut = installed !== undefined && desired === undefined && isAsked;
  const secrecy = desired?.settings.options.get(key)?.secrecy;
  const isUncertain = isLeftOut || wasSecretIn(entries, key, config);
  return {
    key,
    type: installed?.options.get(key)?.type,
    mark: markIn(entries, key),
    isSecretByValue: isUncertain || secrecy?.isSecretByValue,
  };
}

/**
 * Whether nulls take back a value from outside, or the mark of a secret: the
 * server may still hold what was applied.
 */
function wasSecretIn(
  entries: readonly Entry[],
  key: string,
  config: WrittenConfig,
): boolean {
  for (const entry of entries) {
    const about = aboutOption(entry, key);
    if (setterIn(about, 'value') !== undefined) continue;
    if (about.some((declaration) => saysSecret(declaration, config)))
      return true;
  }
  return false;
}

/** Whether a declaration marks a secret, or has a value from outside. */
function saysSecret(
  { field, value }: Declaration,
  { values }: WrittenConfig,
): boolean {
  if (field === 'sensitive') return value === true;
  if (field !== 'value' || value === null) return false;
  return isFromOutside(value, values);
}

/** What entries say of an option with `sensitive:`: true if any does, else what the first says. */
function markIn(entries: readonly Entry[], key: string): boolean | undefined {
  let first: boolean | undefined;
  for (const entry of entries) {
    const mark = setterIn(aboutOption(entry, key), 'sensitive')?.value;
    if (mark === true) return true;
    first ??= mark;
  }
  return first;
}

/** How a field compares, and its change in a plan. */
interface Compared {
  readonly state?: FieldState;
  readonly change?: Change;
}

/** How a field compares, and its change in the plan of its server. What a waiver leaves alone differs too. */
function stateOf(
  { live }: ServerToShow,
  { installed }: Target,
  subject: Subject,
): Compared {
  const isOfTarget = ({ id }: { readonly id: string }) => id === installed?.id;
  const plan = live?.planned.plan.integrations.find(isOfTarget);
  if (plan === undefined || plan.unplanned) return {};
  const key = fieldKey(subject);
  const change = plan.changes.find(
    ({ comparison }) => fieldKey(comparison.subject) === key,
  );
  if (change !== undefined) return { state: 'differs', change };
  const left = plan.left.find((each) => fieldKey(each.subject) === key);
  const state = left && LEFT_STATES[left.because];
  if (state !== undefined) return { state };
  const desired = live?.planned.desired.find(isOfTarget);
  if (desired === undefined) return {};
  if (settingOf(desired.settings, subject) === undefined) return {};
  const option = optionOf(subject);
  const isThere = option === undefined || installed?.optionKeys.has(option);
  return isThere ? { state: 'as-desired' } : {};
}

/** How a field that is left alone compares, unless it is as desired or not declared. */
const LEFT_STATES: Readonly<Partial<Record<LeftReason, FieldState>>> = {
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

/** A declaration of a field by an entry that holds for it. */
interface Origin {
  readonly entry: Entry;
  readonly declaration: Declaration;
  readonly wins: boolean;
}

/**
 * Lists all declarations of a field, and nulls that stop its management, in
 * the order of precedence: defaults before specific entries, earlier layers
 * before later ones.
 */
function originsOf({ entries }: Target, subject: Subject): Origin[] {
  const defaults = entries.filter(isDefault);
  const specific = entries.filter((entry) => !isDefault(entry));
  const about = (entry: Entry) => aboutSubject(entry, subject);
  const ranked = {
    specific: specific.map(about),
    defaults: defaults.map(about),
  };
  const winning = decisive(ranked, subject.kind);
  const origins: Origin[] = [];
  for (const entry of [...defaults, ...specific]) {
    for (const declaration of about(entry)) {
      if (!speaksOf(declaration, subject.kind)) continue;
      const wins = declaration === winning;
      origins.push({ entry, declaration, wins });
    }
  }
  return origins;
}

function aboutSubject(entry: Entry, subject: Subject): readonly Declaration[] {
  if (subject.kind === 'autosubscribe') return entry.autosubscribe;
  return aboutOption(entry, subject.option);
}

function showOrigin(
  config: WrittenConfig,
  { entry, declaration, wins }: Origin,
  clues: Clues,
): ShownOrigin {
  const declared = declaredSide(config, declaration, clues);
  return {
    entry: entry.name,
    isDefault: isDefault(entry),
    source: declaration.place,
    wins,
    ...present({ declared }),
    values: namedIn(config, declaration),
  };
}

function namedIn(
  { values }: WrittenConfig,
  { field, value }: Declaration,
): ShownName[] {
  if (field !== 'value' || value === null) return [];
  const named: ShownName[] = [];
  for (const name of namesIn(value)) {
    const source = values.get(name)?.place;
    if (source !== undefined) named.push({ name, source });
  }
  return named;
}

/** What a declaration says, with its references; a named value is not put in, so nothing is shown that it holds. */
function declaredSide(
  { values }: WrittenConfig,
  declaration: Declaration,
  clues: Clues,
): ShownSide | undefined {
  switch (declaration.field) {
    case 'autosubscribe':
    case 'permission':
      return declaration.value === null
        ? undefined
        : { value: declaration.value };
    case 'value': {
      if (declaration.value === null) return undefined;
      const source = sourceOf(declaration.value);
      if (source !== undefined) {
        return { value: null, reference: shownReference(source, clues) };
      }
      const want = new Resolver(values).resolve(declaration).wanted?.want;
      return want?.kind === 'literal'
        ? shownSide(want.value, clues)
        : undefined;
    }
    default:
      return undefined;
  }
}
