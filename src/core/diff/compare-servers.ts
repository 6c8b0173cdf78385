import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { ValueSetting } from '../model/desired.ts';
import { baseOfId } from '../model/ids.ts';
import { present } from '../model/json.ts';
import { grouped } from '../model/lists.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { isSecret } from '../model/secrecy.ts';
import { selectedBy } from '../model/selected.ts';
import { flagSide, type LiveSide, type Side } from '../model/side.ts';
import type { Subject } from '../model/subject.ts';
import { isEmpty } from '../model/value.ts';
import {
  type Comparison,
  compareFlags,
  compareValues,
  liveOption,
  type OptionSecrecy,
  type ShownSides,
  shownValue,
  unmasked,
} from '../plan/compare.ts';
import {
  type IntegrationPlan,
  type LeftField,
  NOTHING,
  type PlanHead,
  type Planned,
  type ShownChange,
} from '../plan/plan.ts';
import { byName } from '../plan/plan-server.ts';
import { summaryOf } from '../plan/summary.ts';
import { unmetOnly } from '../plan/unmet.ts';

/** A server, or a snapshot of one, as far as it was read. */
export interface ServerState {
  name: string;
  url: string;
  snapshot?: { takenAt: string } | undefined;
  /** All that is installed, with all options. */
  live: readonly LiveIntegration[];
  /** The ids of integrations that could not be read. */
  unread: ReadonlySet<string>;
  reads: number;
}

/** Two servers, and the integrations that are meant. */
export interface ServerPair {
  before: ServerState;
  after: ServerState;
  /** A glob on names and ids. */
  only?: string | undefined;
}

/**
 * Compares two servers, managed or not: what one holds is desired, what the
 * other holds is there.
 */
export function compareServers(servers: ServerPair): Planned {
  const { before, after, only } = servers;
  const { pairs, ambiguous } = pairIntegrations(before.live, after.live);
  const isMeant = selectedBy(only);
  const integrations: IntegrationPlan[] = [];
  const names: string[] = [];
  let equal = 0;
  for (const [base, alike] of grouped(pairs, ({ id }) => baseOfId(id))) {
    for (const pair of alike) {
      // What its ids have in common, unless several have that in common.
      const name = alike.length === 1 ? base : pair.id;
      names.push(name);
      const { before, after } = pair;
      const own = [before?.id, before?.name, after?.id, after?.name];
      if (!isMeant(name, ...own)) continue;
      const integration = comparePair(name, pair, servers);
      integrations.push(integration);
      equal += integration.equal ?? 0;
    }
  }
  integrations.sort(byName);
  const ids = new Set(integrations.map(({ id }) => id));
  const isCompared = ({ live }: Installed) => ids.has(live.id);
  const unclear = ambiguous.filter((alike) => alike.some(isCompared));
  const diagnostics = unclear.map(ambiguousFinding);
  if (only !== undefined && integrations.length === 0) {
    const installed = [...before.live, ...after.live].map(({ id }) => id);
    diagnostics.push(...unmetOnly(only, names, installed, 'integration'));
  }
  const summary = summaryOf(integrations, {
    managed: integrations.length,
    reads: before.reads + after.reads,
  });
  const plan = {
    ...headOf(after),
    comparedWith: headOf(before),
    ...present({ only }),
    summary: { ...summary, equal },
    integrations,
  };
  return { plan, diagnostics };
}

function headOf({ name, url, snapshot }: ServerState): PlanHead {
  return present({ name, url, snapshot });
}

/** An integration on one of two servers. */
interface Installed {
  side: 'before' | 'after';
  live: LiveIntegration;
}

/** An integration on two servers, or on the one that has it. */
interface IntegrationPair {
  /** Its id on the second server, or on the one that has it. */
  id: string;
  before?: LiveIntegration | undefined;
  after?: LiveIntegration | undefined;
}

/** By what two integrations are the same, if no others share it. */
const IDENTITIES: readonly ((live: LiveIntegration) => string)[] = [
  ({ id }) => id,
  ({ id }) => baseOfId(id),
  ({ id, name = id }) => JSON.stringify([baseOfId(id), name]),
];

/**
 * Pairs the integrations of two servers. `ambiguous` are those of one base that
 * stand alone because nobody can tell which belong together.
 */
function pairIntegrations(
  before: readonly LiveIntegration[],
  after: readonly LiveIntegration[],
) {
  let alone: Installed[] = [];
  for (const live of before) alone.push({ side: 'before', live });
  for (const live of after) alone.push({ side: 'after', live });
  const pairs: IntegrationPair[] = [];
  for (const identityOf of IDENTITIES) {
    const groups = grouped(alone, ({ live }) => identityOf(live));
    alone = [];
    for (const group of groups.values()) {
      const [one, other, ...more] = group;
      if (other === undefined || more.length > 0 || one.side === other.side)
        alone.push(...group);
      else
        pairs.push({ id: other.live.id, before: one.live, after: other.live });
    }
  }
  for (const { side, live } of alone) pairs.push({ id: live.id, [side]: live });
  const groups = grouped(alone, ({ live }) => baseOfId(live.id));
  const ambiguous = [...groups.values()].filter((alike) => {
    return new Set(alike.map(({ side }) => side)).size > 1;
  });
  return { pairs, ambiguous };
}

/** How many integrations a finding lists. */
const CANDIDATES_SHOWN = 8;

/** Warns of integrations that no name tells apart. */
function ambiguousFinding(alike: readonly Installed[]): Diagnostic {
  const candidates = alike.slice(0, CANDIDATES_SHOWN).map(({ live }) => {
    return `${live.name ?? '-'}, ${live.id}`;
  });
  const [selector = ''] = alike.map(({ live }) => baseOfId(live.id));
  const facts = { selector, candidates, total: alike.length };
  return diagnostic('several-matches', { ...facts, isCompared: true });
}

/** Compares an integration, or says that only one server has it. */
function comparePair(
  name: string,
  { id, before, after }: IntegrationPair,
  servers: ServerPair,
): IntegrationPlan {
  const plan = { ...NOTHING, name, id, status: null };
  if (before === undefined || after === undefined) {
    const sides = { before: before !== undefined, after: after !== undefined };
    const subject = { kind: 'installed', integration: name } as const;
    return { ...plan, shown: [{ subject, sides }] };
  }
  const counterpart = before.id;
  const isUnread =
    servers.before.unread.has(before.id) || servers.after.unread.has(after.id);
  if (isUnread) return { ...plan, counterpart, unplanned: true };
  const shown: ShownChange[] = [];
  const sameSecrets: Subject[] = [];
  const left: LeftField[] = [];
  let equal = 0;
  for (const { onlyOn, ...comparison } of comparedFields(name, before, after)) {
    const { subject, state } = comparison;
    if (state === 'differs' || onlyOn !== undefined) {
      shown.push({ ...changeOf(comparison), onlyOn });
    } else if (state === 'hidden') {
      left.push({ subject, because: 'hidden' });
    } else {
      equal += 1;
      if (comparison.before.kind === 'secret') sameSecrets.push(subject);
    }
  }
  return { ...plan, counterpart, shown, left, sameSecrets, equal };
}

/**
 * A field that both servers have, or the value of an option that only one has.
 */
interface ComparedField extends Comparison {
  onlyOn?: 'before' | 'after' | undefined;
}

/** Compares the options of an integration, and its subscription. */
function comparedFields(
  integration: string,
  before: LiveIntegration,
  after: LiveIntegration,
): ComparedField[] {
  const fields: ComparedField[] = [];
  for (const key of new Set([...keysOf(before), ...keysOf(after)])) {
    const old = optionIn(before, key);
    const now = optionIn(after, key);
    const secrecy = secrecyOf(key, [old, now]);
    const value = compareValues({
      subject: { kind: 'value', integration, option: key },
      setting: NOT_WRITTEN,
      before: sideOf(old, secrecy),
      after: sideOf(now, secrecy),
      secrecy,
    });
    if (old === undefined || now === undefined) {
      const onlyOn = old === undefined ? 'after' : 'before';
      // Compared with nothing, it is shown as far as any value may be.
      const isSecret = value.isSecret || value.state === 'hidden';
      fields.push({ ...value, isSecret, onlyOn });
      continue;
    }
    const permission = compareFlags({
      subject: { kind: 'permission', integration, option: key },
      setting: NOT_WRITTEN,
      before: flagSide(old.permission),
      after: flagSide(now.permission),
      isSecret: value.isSecret,
      type: secrecy.clues.type,
    });
    fields.push(permission, value);
  }
  const subscription = compareFlags({
    subject: { kind: 'autosubscribe', integration },
    setting: NOT_WRITTEN,
    before: flagSide(before.autosubscribe),
    after: flagSide(after.autosubscribe),
    isSecret: false,
  });
  return [...fields, subscription];
}

/** What another server holds takes the place of what YAML would ask for. */
const NOT_WRITTEN: ValueSetting = {
  kind: 'value',
  want: { kind: 'literal', value: '' },
  place: { file: '', line: 1, column: 1 },
};

function keysOf({ optionKeys, options }: LiveIntegration): string[] {
  return [...optionKeys, ...options.keys()];
}

/** An option; undefined if the integration surely lacks it. */
function optionIn(live: LiveIntegration, key: string): LiveOption | undefined {
  if (keysOf(live).length > 0) return liveOption(key, live);
  // Nothing is known of the options of such an integration.
  return liveOption(key, { ...live, optionKeys: new Set([key]) });
}

/** A secret of either server is one. */
function secrecyOf(
  key: string,
  options: readonly (LiveOption | undefined)[],
): OptionSecrecy {
  const held = options.filter((option) => option !== undefined);
  const isOfSecrets = held.some(({ type }) => isSecret({ key, type }));
  const types = held.flatMap(({ type }) => type ?? []);
  // It is not known if two versions do not agree on it.
  const type = new Set(types).size === 1 ? types[0] : undefined;
  return { clues: { key, type }, isOfSecrets };
}

/** What a server holds; nothing if that is empty. */
function sideOf(
  option: LiveOption | undefined,
  secrecy: OptionSecrecy,
): LiveSide {
  const held =
    option === undefined ? undefined : unmasked(option.value, secrecy);
  const isNothing = held?.kind === 'shown' && isEmpty(held.value);
  return held === undefined || isNothing ? { kind: 'unset' } : held;
}

/** A field that differs; null stands for what is not set. */
function changeOf(comparison: Comparison): ShownChange {
  const { subject, before, after, type, isSecret } = comparison;
  const isHeld = isSecret && subject.kind === 'value';
  // A secret is null, and empty if it is not set.
  const textOf = ({ kind }: Side) => (kind === 'unset' ? '' : null);
  const sides: ShownSides = isHeld
    ? { before: textOf(before), after: textOf(after), secret: true }
    : { before: shownValue(before), after: shownValue(after) };
  return { subject, type, sides };
}
