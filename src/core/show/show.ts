import {
  type Declaration,
  decisive,
  isSetterOf,
  type Ranked,
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
import { isFromOutside, resolveValue } from '../config/resolve.ts';
import { namesIn, sourceOf } from '../config/template.ts';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import { type DesiredIntegration, settingOf } from '../model/desired.ts';
import { baseOfId } from '../model/ids.ts';
import type { Place } from '../model/place.ts';
import { type Clues, isSecret, shownReference } from '../model/secrecy.ts';
import { isHidden, type Secret } from '../model/secret.ts';
import { flagSide, type Side } from '../model/side.ts';
import {
  addressOf,
  fieldKey,
  optionOf,
  type Subject,
} from '../model/subject.ts';
import { type Choice, isEmpty, type OptionValue } from '../model/value.ts';
import type { IntegrationPlan, LeftReason, SourcedPlan } from '../plan/plan.ts';
import { namedBy, type Target, targetsOf } from './targets.ts';

/** A server with its configuration, and what was read of it. */
export interface ServerToShow {
  readonly name: string;
  readonly url: string;
  readonly config: WrittenConfig;
  /** Absent if the server was not read. */
  readonly planned?: SourcedPlan | undefined;
}

/** What a word names on each server: the JSON of `show`. */
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
  readonly id?: string | undefined;
  readonly displayName?: string | undefined;
  readonly acronym?: string | undefined;
  readonly description?: string | undefined;
  readonly status?: string | undefined;
  readonly errors?: number | undefined;
  /** The entries that hold for it; specific ones override defaults. */
  readonly entries: readonly ShownEntry[];
  readonly autosubscribe?: ShownField | undefined;
  readonly options: readonly ShownOption[];
}

interface ShownEntry {
  readonly entry: string;
  readonly isDefault: boolean;
  readonly source: Place;
  /** Set if a null takes back the whole entry; then that is the source. */
  readonly isNull?: true | undefined;
}

export interface ShownOption {
  readonly option: string;
  readonly type?: string | undefined;
  readonly multiple?: boolean | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly choices?: readonly Choice[] | undefined;
  readonly value?: ShownField | undefined;
  readonly permission?: ShownField | undefined;
}

/** A field, as far as it may be shown. */
export interface ShownField {
  readonly address: string;
  readonly live?: ShownSide | undefined;
  readonly state?: FieldState | undefined;
  readonly desired?: ShownSide | undefined;
  /** When its secret was replaced, by the line that counts. */
  readonly rotated?:
    | { readonly day: string; readonly source: Place }
    | undefined;
  /** All that declares it: defaults before specific entries, earlier layers before later ones. */
  readonly origins: readonly ShownOrigin[];
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
interface ShownOrigin {
  readonly entry: string;
  readonly isDefault: boolean;
  readonly source: Place;
  readonly wins: boolean;
  readonly declared?: ShownSide | undefined;
  /** The named values in it. */
  readonly values: readonly { readonly name: string; readonly source: Place }[];
}

/** Shows what a word names on each server, and everything that declares it. */
export function show(
  given: readonly ServerToShow[],
  word: string,
): Required<Checked<Shown>> {
  const servers: ShownServer[] = [];
  const all: Target[] = [];
  for (const server of given) {
    const { name, url, config, planned } = server;
    const targets = targetsOf(config, planned?.live ?? []);
    all.push(...targets);
    const integrations = namedBy(word, targets).map((target) =>
      showTarget(server, target),
    );
    servers.push({ name, url, isRead: planned !== undefined, integrations });
  }
  const isFound = servers.some(({ integrations }) => integrations.length > 0);
  const diagnostics = isFound ? [] : [unknownWord(word, all)];
  return { value: { servers }, diagnostics };
}

function unknownWord(word: string, targets: readonly Target[]): Diagnostic {
  const names = new Set<string>();
  const known: string[] = [];
  for (const { name, installed, keys, fields } of targets) {
    names.add(name);
    if (installed !== undefined) {
      names.add(installed.id).add(`${baseOfId(installed.id)}_*`);
    }
    for (const key of keys) known.push(`${name}.${key}`);
    known.push(...fields.map(addressOf));
  }
  const of = 'integration or field';
  return diagnostic('unknown-name', { word, of, names: [...names], known });
}

/** A target with what is known of it on its server. */
interface TargetOn extends Target {
  readonly config: WrittenConfig;
  /** What is asked of it; absent if errors leave it out, or nothing is. */
  readonly desired?: DesiredIntegration | undefined;
  /** Absent if it is not planned. */
  readonly plan?: IntegrationPlan | undefined;
}

function showTarget(
  { config, planned }: ServerToShow,
  target: Target,
): ShownIntegration {
  const { name, installed, specific, defaults } = target;
  const isOfTarget = ({ id }: { readonly id: string }) => id === installed?.id;
  const desired = planned?.desired.find(isOfTarget);
  const plan = planned?.plan.integrations.find(isOfTarget);
  const onServer = { ...target, config, desired, plan };
  let autosubscribe: ShownField | undefined;
  const options = new Map<string, ShownOption>();
  for (const subject of target.fields) {
    const field = showField(onServer, subject);
    if (subject.kind === 'autosubscribe') {
      autosubscribe = field;
      continue;
    }
    const { option, kind } = subject;
    const { type, multiple, title, description, choices } =
      installed?.options.get(option) ?? {};
    const about = { option, type, multiple, title, description, choices };
    options.set(option, { ...about, ...options.get(option), [kind]: field });
  }
  return {
    name,
    id: installed?.id,
    displayName: installed?.name,
    acronym: installed?.acronym,
    description: installed?.description,
    status: installed?.status,
    errors: installed?.errorCount,
    entries: [...specific, ...defaults].map(showEntry),
    autosubscribe,
    options: [...options.values()],
  };
}

function showEntry(entry: Entry): ShownEntry {
  const { name, match, place } = entry;
  const stop = stopOf(entry);
  const source = stop?.place ?? match?.place ?? place;
  return {
    entry: name,
    isDefault: isDefault(entry),
    source,
    isNull: stop && true,
  };
}

/** How a field that is left alone compares, unless it is as desired or not declared. */
const LEFT_STATES: Readonly<Partial<Record<LeftReason, FieldState>>> = {
  hidden: 'hidden',
  unread: 'unresolved',
  // What a waiver leaves alone differs too.
  waived: 'differs',
  'not-reviewed': 'differs',
};

/** How a field compares, and what a plan would write. */
interface ComparedField {
  readonly state?: FieldState | undefined;
  readonly after?: Side;
}

/** How a field compares that is asked for; empty if nobody knows, or its server does not have it. */
function comparedField(
  { installed, desired, plan }: TargetOn,
  subject: Subject,
): ComparedField {
  if (plan === undefined || plan.unplanned) return {};
  const key = fieldKey(subject);
  for (const { comparison } of plan.changes) {
    const { after } = comparison;
    if (fieldKey(comparison.subject) === key)
      return { state: 'differs', after };
  }
  for (const field of plan.left) {
    const state = LEFT_STATES[field.because];
    if (state && fieldKey(field.subject) === key) return { state };
  }
  const option = optionOf(subject);
  const isThere = option === undefined || installed?.optionKeys.has(option);
  const isAsked = desired && settingOf(desired.settings, subject);
  return isThere && isAsked ? { state: 'as-desired' } : {};
}

function showField(target: TargetOn, subject: Subject): ShownField {
  const { config } = target;
  const declared = declaredIn(target, subject);
  const winning = decisive(declared, subject.kind);
  const clues = cluesOf(target, subject, declared);
  const originsIn = (
    list: readonly Declaration[],
    isOfDefault: boolean,
  ): ShownOrigin[] => {
    const own = list.filter((each) => speaksOf(each, subject.kind));
    return own.map((declaration) => ({
      entry: declaration.entry,
      isDefault: isOfDefault,
      source: declaration.place,
      wins: declaration === winning,
      declared: declaredSide(config, declaration, clues),
      values: namedIn(config, declaration),
    }));
  };
  const wanted = winning && declaredSide(config, winning, clues);
  const { state, after } = wanted ? comparedField(target, subject) : {};
  const live = liveSide(target, subject, clues);
  // A secret that looks like a mask, and was compared, is shown by the server.
  const isShownMask = live?.hidden === true && state === 'as-desired';
  return {
    address: addressOf(subject),
    live: isShownMask ? { value: null, secret: true } : live,
    state,
    desired: after?.kind === 'shown' ? { value: after.value } : wanted,
    rotated: rotationOf(winning, declared),
    origins: [
      ...declared.defaults.flatMap((list) => originsIn(list, true)),
      ...declared.specific.flatMap((list) => originsIn(list, false)),
    ],
  };
}

/** When a secret was replaced, if the entry whose value counts says it. */
function rotationOf(
  winning: Declaration | undefined,
  { specific, defaults }: Ranked,
): ShownField['rotated'] {
  if (winning === undefined || !isSetterOf(winning, 'value')) return undefined;
  const lists = [...specific, ...defaults];
  const own = lists.find((list) => list.includes(winning)) ?? [];
  const rotation = setterIn(own, 'rotated');
  return rotation && { day: rotation.value, source: rotation.place };
}

/** What the entries of a target declare about a field, and around it. */
function declaredIn({ specific, defaults }: Target, subject: Subject): Ranked {
  const about = (entry: Entry) =>
    subject.kind === 'autosubscribe'
      ? entry.autosubscribe
      : aboutOption(entry, subject.option);
  return { specific: specific.map(about), defaults: defaults.map(about) };
}

/** What decides whether the values of a field may be shown. */
function cluesOf(
  { specific, defaults, installed, desired, config }: TargetOn,
  subject: Subject,
  declared: Ranked,
): Clues {
  if (subject.kind !== 'value') return { key: '', mark: false };
  const key = subject.option;
  // Of an integration that errors leave out it is not known.
  const deciding = decidingEntries([...specific, ...defaults]);
  const isAsked = deciding.some(managesAnything);
  const isLeftOut = installed !== undefined && desired === undefined && isAsked;
  const all = [...declared.specific, ...declared.defaults];
  const marks = all.map((list) => setterIn(list, 'sensitive')?.value);
  // What nulls take back the server may still hold.
  const takenBack = all.filter((list) => setterIn(list, 'value') === undefined);
  const wasSecret = takenBack.some((list) =>
    list.some((each) => saysSecret(each, config)),
  );
  const secrecy = desired?.settings.options.get(key)?.secrecy;
  return {
    key,
    type: installed?.options.get(key)?.type,
    // One that says secret counts before all that say public.
    mark: marks.includes(true) || marks.find((mark) => mark === false),
    isSecretByValue: isLeftOut || wasSecret || secrecy?.isSecretByValue,
  };
}

/** Whether a declaration marks a secret, or has a value from outside. */
function saysSecret(
  declaration: Declaration,
  { values }: WrittenConfig,
): boolean {
  if (isSetterOf(declaration, 'value'))
    return isFromOutside(declaration, values);
  return declaration.field === 'sensitive' && declaration.value === true;
}

/** What a server holds of a field; undefined if it was not read or has no such field. */
function liveSide(
  { installed }: Target,
  subject: Subject,
  clues: Clues,
): ShownSide | undefined {
  const option = installed?.options.get(optionOf(subject) ?? '');
  let side = option?.value;
  if (subject.kind === 'permission')
    side = option && flagSide(option.permission);
  if (subject.kind === 'autosubscribe') {
    side = installed && flagSide(installed.autosubscribe);
  }
  if (side === undefined) return undefined;
  if (side.kind === 'hidden') return { value: null, hidden: true };
  const isNothing = side.kind === 'shown' && isEmpty(side.value);
  if (side.kind === 'unset' || isNothing) return { value: null };
  return shownSide(side.value, clues);
}

/** What a declaration says, with its references; a named value is not put in, so nothing is shown that it holds. */
function declaredSide(
  { values }: WrittenConfig,
  declaration: Declaration,
  clues: Clues,
): ShownSide | undefined {
  const { field, value } = declaration;
  if (value === null) return undefined;
  if (field === 'autosubscribe' || field === 'permission') return { value };
  if (declaration.field !== 'value') return undefined;
  const source = sourceOf(declaration.value);
  if (source !== undefined) {
    return { value: null, reference: shownReference(source, clues) };
  }
  const { want } = resolveValue(declaration, { values }).wanted ?? {};
  return want?.kind === 'literal' ? shownSide(want.value, clues) : undefined;
}

/** A value, unless it is a secret. */
function shownSide(
  value: OptionValue | Secret<OptionValue>,
  clues: Clues,
): ShownSide {
  const isOne = isHidden(value) || isSecret({ ...clues, values: [value] });
  return isOne ? { value: null, secret: true } : { value };
}

/** The named values in a declaration, and where they are. */
function namedIn(
  { values }: WrittenConfig,
  { field, value }: Declaration,
): ShownOrigin['values'] {
  if (field !== 'value' || value === null) return [];
  const named: { name: string; source: Place }[] = [];
  for (const name of namesIn(value)) {
    const source = values.get(name)?.place;
    if (source !== undefined) named.push({ name, source });
  }
  return named;
}
