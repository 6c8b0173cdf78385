import {
  type Declaration,
  decisive,
  isSetterOf,
  type Ranked,
  speaksOf,
} from '../config/declaration.ts';
import {
  aboutOption,
  type Entry,
  isDefault,
  type WrittenConfig,
} from '../config/entry.ts';
import { isFromOutside, resolveValue } from '../config/resolve.ts';
import { namesIn, writtenReferences } from '../config/template.ts';
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
  spellings,
} from '../model/subject.ts';
import { type Choice, isEmpty, type OptionValue } from '../model/value.ts';
import type { IntegrationPlan, SourcedPlan } from '../plan/plan.ts';
import { namedBy, type Target, targetsOf } from './targets.ts';

/** A server with its configuration, and what was read of it. */
export interface ServerToShow {
  name: string;
  url: string;
  config: WrittenConfig;
  /** Absent if the server was not read. */
  planned?: SourcedPlan | undefined;
}

/** What a word names on each server: the JSON of `show`. */
export interface Shown {
  servers: readonly ShownServer[];
}

export interface ShownServer {
  name: string;
  url: string;
  isRead: boolean;
  integrations: readonly ShownIntegration[];
}

/**
 * An installed integration with some of its fields, or an entry that means
 * none; then it has no id.
 */
export interface ShownIntegration {
  name: string;
  id?: string | undefined;
  displayName?: string | undefined;
  acronym?: string | undefined;
  description?: string | undefined;
  status?: string | undefined;
  errors?: number | undefined;
  /** The entries that hold for it; specific ones override defaults. */
  entries: readonly ShownEntry[];
  autosubscribe?: ShownField | undefined;
  options: readonly ShownOption[];
}

interface ShownEntry {
  entry: string;
  isDefault: boolean;
  source: Place;
}

export interface ShownOption {
  option: string;
  type?: string | undefined;
  multiple?: boolean | undefined;
  title?: string | undefined;
  description?: string | undefined;
  choices?: readonly Choice[] | undefined;
  value?: ShownField | undefined;
  permission?: ShownField | undefined;
}

/** A field, as far as it may be shown. */
export interface ShownField {
  address: string;
  live?: ShownSide | undefined;
  state?: FieldState | undefined;
  desired?: ShownSide | undefined;
  /**
   * All that declares it: defaults before specific entries, earlier layers
   * before later ones.
   */
  origins: readonly ShownOrigin[];
}

/** How a field compares. `unread`: its reference has no value in this run. */
type FieldState = 'as-desired' | 'differs' | 'hidden' | 'unread';

/**
 * A value; null if it is not set, a secret, hidden by the server, or a
 * reference.
 */
export interface ShownSide {
  value: OptionValue | null;
  secret?: true;
  hidden?: true;
  reference?: string;
}

/** A line that declares a field, or a null that stops its management. */
interface ShownOrigin extends ShownEntry {
  wins: boolean;
  declared?: ShownSide | undefined;
  /** The named values in it. */
  values: readonly { name: string; source: Place }[];
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
  for (const { name, installed, fields } of targets) {
    names.add(name);
    if (installed) names.add(`${baseOfId(installed.id)}_*`);
    known.push(...fields.flatMap(spellings));
  }
  const of = 'integration or field';
  return diagnostic('unknown-name', { word, of, names: [...names], known });
}

/** A target with what is known of it on its server. */
interface TargetOn extends Target {
  config: WrittenConfig;
  /** What is asked of it; absent if errors leave it out, or nothing is. */
  desired?: DesiredIntegration | undefined;
  /** Absent if it is not planned. */
  plan?: IntegrationPlan | undefined;
}

function showTarget(
  { config, planned }: ServerToShow,
  target: Target,
): ShownIntegration {
  const { name, installed, specific, defaults } = target;
  const isOfTarget = ({ id }: { id: string }) => id === installed?.id;
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
  const source = match?.place ?? place;
  return { entry: name, isDefault: isDefault(entry), source };
}

/** How a field compares, and what a plan would write. */
interface ComparedField {
  state?: FieldState | undefined;
  after?: Side;
}

/**
 * How a field compares that is asked for; empty if nobody knows, or its server
 * does not have it.
 */
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
  for (const { subject: left, because } of plan.left) {
    if (fieldKey(left) !== key) continue;
    if (because === 'hidden' || because === 'unread') return { state: because };
    // Without a base and a review, only a waiver is left.
    return { state: 'differs' };
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
  return {
    address: addressOf(subject),
    live: liveSide(target, subject, clues),
    state,
    desired: after?.kind === 'shown' ? { value: after.value } : wanted,
    origins: [
      ...declared.defaults.flatMap((list) => originsIn(list, true)),
      ...declared.specific.flatMap((list) => originsIn(list, false)),
    ],
  };
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
  { installed, desired, config }: TargetOn,
  subject: Subject,
  { specific, defaults }: Ranked,
): Clues {
  if (subject.kind !== 'value') return { key: '', mark: false };
  const key = subject.option;
  const lists = [...specific, ...defaults];
  // What nulls take back counts too: the server may still hold it.
  const values = lists.map((list) =>
    list.findLast((each) => isSetterOf(each, 'value')),
  );
  const marks = lists.map(
    (list) => list.findLast((each) => isSetterOf(each, 'sensitive'))?.value,
  );
  const isOutside = values.some(
    (value) => value !== undefined && isFromOutside(value, config.values),
  );
  const secrecy = desired?.settings.options.get(key)?.secrecy;
  return {
    key,
    type: installed?.options.get(key)?.type,
    // One that says secret counts before all that say public.
    mark: marks.includes(true) || marks.find((mark) => mark === false),
    isSecretByValue: isOutside || secrecy?.isSecretByValue,
  };
}

/**
 * What a server holds of a field; undefined if it was not read or has no such
 * field.
 */
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
  return sideUnlessSecret(side.value, clues);
}

/**
 * What a declaration says, with its references; a named value is not put in, so
 * nothing is shown that it holds.
 */
function declaredSide(
  { values }: WrittenConfig,
  declaration: Declaration,
  clues: Clues,
): ShownSide | undefined {
  const { field, value } = declaration;
  if (value === null) return undefined;
  if (field === 'autosubscribe' || field === 'permission') return { value };
  if (declaration.field !== 'value') return undefined;
  const source = writtenReferences(declaration.value);
  if (source !== undefined) {
    return { value: null, reference: shownReference(source, clues) };
  }
  const { want } = resolveValue(declaration, { values }).wanted ?? {};
  return want?.kind === 'literal'
    ? sideUnlessSecret(want.value, clues)
    : undefined;
}

/** A value, unless it is a secret. */
function sideUnlessSecret(
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
