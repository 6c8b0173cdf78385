import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { ValueSetting } from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import { present } from '../model/json.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { isSecret } from '../model/secrecy.ts';
import { flagSide, type LiveSide, type Side } from '../model/side.ts';
import type { Subject } from '../model/subject.ts';
import { isEmpty } from '../model/value.ts';
import {
  type Comparison,
  compareFlags,
  compareValues,
  liveOption,
  type OptionSecrecy,
  unmasked,
} from '../plan/compare.ts';
import {
  type IntegrationPlan,
  type LeftField,
  NOTHING,
  type ServerPlan,
  type ShownChange,
  summaryOf,
} from '../plan/plan.ts';
import { type ShownSides, shownValue } from '../plan/shown-sides.ts';
import { unmetOnly } from '../plan/unmet.ts';
import {
  type Ambiguous,
  type NamedPair,
  type Pairing,
  pairIntegrations,
} from './pair-integrations.ts';

/** A server, or a snapshot of one, as far as it was read. */
export interface ServerState {
  readonly name: string;
  readonly url: string;
  readonly snapshot?: { readonly takenAt: string } | undefined;
  /** All that is installed, with all options. */
  readonly live: readonly LiveIntegration[];
  /** The ids of integrations that could not be read. */
  readonly unread: ReadonlySet<string>;
  readonly reads: number;
}

/** Two servers, and the integrations that are meant. */
export interface ServerPair {
  readonly before: ServerState;
  readonly after: ServerState;
  /** A glob on names and ids. */
  readonly only?: string | undefined;
}

/** In what two servers differ. */
export interface ServerDifference {
  readonly server: ServerPlan;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compares two servers, managed or not: what one holds is desired, what the
 * other holds is there.
 */
export function compareServers(servers: ServerPair): ServerDifference {
  const { before, after, only } = servers;
  const pairing = pairIntegrations({ before: before.live, after: after.live });
  const isMeant = globMatcher(only ?? '*');
  const selected = pairing.pairs.filter((pair) => {
    return namesOf(pair).some(isMeant);
  });
  const integrations: IntegrationPlan[] = [];
  let equal = 0;
  for (const pair of selected) {
    const compared = comparePair(pair, servers);
    integrations.push(compared.integration);
    equal += compared.equal;
  }
  const summary = summaryOf(integrations, {
    managed: integrations.length,
    reads: before.reads + after.reads,
  });
  const server: ServerPlan = {
    ...headOf(after),
    comparedWith: headOf(before),
    ...present({ only }),
    summary: { ...summary, equal },
    integrations,
  };
  const diagnostics = ambiguousAmong(pairing, integrations);
  if (only !== undefined && selected.length === 0) {
    const names = pairing.pairs.map(({ name }) => name);
    const ids = [...before.live, ...after.live].map(({ id }) => id);
    diagnostics.push(...unmetOnly(only, names, ids));
  }
  return { server, diagnostics };
}

/** Warns of integrations that no name tells apart, if they are compared. */
function ambiguousAmong(
  { ambiguous }: Pairing,
  compared: readonly IntegrationPlan[],
): Diagnostic[] {
  const ids = new Set(compared.map(({ id }) => id));
  const findings: Diagnostic[] = [];
  for (const group of ambiguous) {
    const all = [...group.before, ...group.after];
    if (all.some(({ id }) => ids.has(id))) {
      findings.push(ambiguousFinding(group));
    }
  }
  return findings;
}

function headOf({
  name,
  url,
  snapshot,
}: ServerState): NonNullable<ServerPlan['comparedWith']> {
  return { name, url, ...present({ snapshot }) };
}

/** The names of a pair that `--only` takes. */
function namesOf({ name, before, after }: NamedPair): string[] {
  const names = [name];
  if (before !== undefined) names.push(before.id);
  if (after !== undefined) names.push(after.id);
  return names;
}

/** How many integrations a finding lists. */
const CANDIDATES_SHOWN = 8;

function ambiguousFinding({ base, before, after }: Ambiguous): Diagnostic {
  const integrations = [...before, ...after];
  const candidates: string[] = [];
  for (const { id, name = '-' } of integrations.slice(0, CANDIDATES_SHOWN)) {
    candidates.push(`${name}, ${id}`);
  }
  return diagnostic('several-matches', {
    selector: base,
    candidates,
    total: integrations.length,
    onEach: [before.length, after.length],
  });
}

/** An integration on two servers, compared. */
interface ComparedIntegration {
  readonly integration: IntegrationPlan;
  /** How many of its fields are equal. */
  readonly equal: number;
}

function comparePair(
  pair: NamedPair,
  servers: ServerPair,
): ComparedIntegration {
  const { before, after } = pair;
  if (before === undefined || after === undefined) return compareSingle(pair);
  const isUnread =
    servers.before.unread.has(before.id) || servers.after.unread.has(after.id);
  if (isUnread) {
    const integration = { ...integrationOf(pair), unplanned: true } as const;
    return { integration, equal: 0 };
  }
  const fields = comparedFields(pair.name, before, after);
  const shown: ShownChange[] = [];
  const sameSecrets: Subject[] = [];
  const left: LeftField[] = [];
  let equal = 0;
  for (const field of fields) {
    if (!('state' in field)) {
      shown.push(field);
      continue;
    }
    const { subject, state } = field;
    if (state === 'differs') shown.push(changeOf(field));
    if (state === 'hidden') left.push({ subject, because: 'hidden' });
    if (state !== 'same') continue;
    equal += 1;
    if (isSameSecret(field)) sameSecrets.push(subject);
  }
  const integration = { ...integrationOf(pair), shown, left, sameSecrets };
  return { integration, equal };
}

/** An integration that only one of the servers has. */
function compareSingle(pair: NamedPair): ComparedIntegration {
  const { name, before, after } = pair;
  const change: ShownChange = {
    subject: { kind: 'installed', integration: name },
    sides: { before: before !== undefined, after: after !== undefined },
  };
  const integration = { ...integrationOf(pair), shown: [change] };
  return { integration, equal: 0 };
}

function integrationOf({ name, before, after }: NamedPair): IntegrationPlan {
  const { id } = after ?? before;
  const counterpart = after === undefined ? undefined : before?.id;
  return { ...NOTHING, name, id, counterpart, status: null };
}

/** A field that both servers have, or an option that only one has. */
type ComparedField = Comparison | ShownChange;

function comparedFields(
  integration: string,
  before: LiveIntegration,
  after: LiveIntegration,
): ComparedField[] {
  const fields: ComparedField[] = [];
  const keys = new Set([...keysOf(before), ...keysOf(after)]);
  for (const key of keys) {
    const old = optionIn(before, key);
    const now = optionIn(after, key);
    if (old !== undefined && now !== undefined) {
      fields.push(...compareOption(integration, old, now));
    } else if (old !== undefined) {
      fields.push(singleOption(integration, old, 'before'));
    } else if (now !== undefined) {
      fields.push(singleOption(integration, now, 'after'));
    }
  }
  const autosubscribe = compareFlags({
    subject: { kind: 'autosubscribe', integration },
    setting: { kind: 'autosubscribe', want: false, place: NOWHERE },
    before: flagSide(before.autosubscribe),
    after: flagSide(after.autosubscribe),
    isSecret: false,
  });
  fields.push(autosubscribe);
  return fields;
}

function keysOf({ optionKeys, options }: LiveIntegration): string[] {
  return [...optionKeys, ...options.keys()];
}

/** An option; undefined if the integration surely lacks it. */
function optionIn(live: LiveIntegration, key: string): LiveOption | undefined {
  if (keysOf(live).length > 0) return liveOption(key, live);
  // Nothing is known of the options of such an integration.
  return liveOption(key, { ...live, optionKeys: new Set([key]) });
}

/** Nothing in a file asks for what a server holds. */
const NOWHERE = { file: '', line: 1, column: 1 };

/** What another server holds takes the place of what YAML would ask for. */
const NOT_WRITTEN: ValueSetting = {
  kind: 'value',
  want: { kind: 'literal', value: '' },
  place: NOWHERE,
};

/** Compares the permission and the value of an option. */
function compareOption(
  integration: string,
  before: LiveOption,
  after: LiveOption,
): Comparison[] {
  const { key } = before;
  const secrecy = secrecyOf(before, after);
  const value = compareValues({
    subject: { kind: 'value', integration, option: key },
    setting: NOT_WRITTEN,
    before: sideOf(before, secrecy),
    after: sideOf(after, secrecy),
    secrecy,
  });
  const permission = compareFlags({
    subject: { kind: 'permission', integration, option: key },
    setting: { kind: 'permission', want: 'lock-and-hide', place: NOWHERE },
    before: flagSide(before.permission),
    after: flagSide(after.permission),
    isSecret: value.isSecret,
    type: secrecy.clues.type,
  });
  return [permission, value];
}

/** A secret of either server is one. */
function secrecyOf(before: LiveOption, after: LiveOption): OptionSecrecy {
  const { key } = before;
  const type = commonType(before.type, after.type);
  const isOfSecrets =
    isSecret({ key, type: before.type }) || isSecret({ key, type: after.type });
  return { clues: { key, type }, isOfSecrets };
}

/** The type of an option; undefined if two versions do not agree on it. */
function commonType(
  before: string | undefined,
  after: string | undefined,
): string | undefined {
  if (before === undefined || after === undefined) return before ?? after;
  return before === after ? before : undefined;
}

/** What a server holds; nothing if that is empty. */
function sideOf({ value }: LiveOption, secrecy: OptionSecrecy): LiveSide {
  const isNothing = value.kind === 'shown' && isEmpty(value.value);
  return isNothing ? { kind: 'unset' } : unmasked(value, secrecy);
}

function isSameSecret({ isSecret, before }: Comparison): boolean {
  return isSecret && before.kind === 'secret';
}

/** A field that differs; null stands for what is not set. */
function changeOf(comparison: Comparison): ShownChange {
  const { subject, before, after, type, isSecret } = comparison;
  const isHeld = isSecret && subject.kind === 'value';
  const sides: ShownSides = isHeld
    ? { before: secretText(before), after: secretText(after), secret: true }
    : { before: shownValue(before), after: shownValue(after) };
  return { subject, type, sides };
}

/** Null for a secret, empty if it is not set. */
function secretText({ kind }: Side): '' | null {
  return kind === 'unset' ? '' : null;
}

/** An option that only one of the servers has. */
function singleOption(
  integration: string,
  option: LiveOption,
  onlyOn: 'before' | 'after',
): ShownChange {
  const secrecy = secrecyOf(option, option);
  const side = sideOf(option, secrecy);
  const { key: name } = option;
  const subject = { kind: 'value', integration, option: name } as const;
  // Compared with nothing, it is shown as far as any value may be.
  const nothing: Side = { kind: 'unset' };
  const compared = compareValues({
    subject,
    setting: NOT_WRITTEN,
    before: onlyOn === 'before' ? side : nothing,
    after: onlyOn === 'after' ? side : nothing,
    secrecy,
  });
  const isSeen = side.kind !== 'hidden';
  const change = changeOf({
    ...compared,
    isSecret: compared.isSecret || !isSeen,
  });
  return { ...change, onlyOn };
}
