import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import type { DesiredIntegration, DesiredState } from '../model/desired.ts';
import { present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { Suggestions } from '../model/near-names.ts';
import { diffIntegration, type IntegrationDiff } from './diff.ts';
import { misfitDefaults } from './fit.ts';
import type { WriteEnd } from './judge.ts';
import {
  labelledPlan,
  type PlanRules,
  type Revisions,
  releasedWhole,
  revisionsOf,
  rulesOf,
  withPastSecrecy,
} from './labels.ts';
import { narrow } from './narrow.ts';
import { type Change, type IntegrationPlan, NOTHING, type PlanBase, type ServerPlan } from './plan.ts';
import { requestCount } from './requests.ts';
import { type Policy, type Risk, treatmentOf } from './risk.ts';

/** What a plan is made from. */
interface PlanInput extends PlanRules {
  readonly server: Pick<ServerPlan, 'name' | 'url' | 'snapshot' | 'policy' | 'only'>;
  readonly desired: DesiredState;
  readonly live: readonly LiveIntegration[];
  /** Why an integration could not be read, by its id. */
  readonly unread?: ReadonlyMap<string, Diagnostic>;
  /** How many requests it took to read `live`. */
  readonly reads: number;
  /** What this branch and its base declare, with references open, for the same live integrations. */
  readonly base?:
    | { readonly base: PlanBase; readonly before: DesiredState; readonly after: DesiredState }
    | undefined;
}

/** The plan of a server, and what it was made from. */
export interface Planned {
  readonly plan: ServerPlan;
  readonly desired: readonly DesiredIntegration[];
  /** The ids of all integrations that the server has. */
  readonly installed: ReadonlySet<string>;
  /** By id, what of a reviewed plan is not to be written: it is done, or stale. */
  readonly verdicts: ReadonlyMap<string, WriteEnd>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compares what is desired of one server with what is live. The same input in any order makes the same plan. An integration
 * with an error is left out of it, as are those of defaults that fit none of them.
 */
export function planServer(input: PlanInput): Planned {
  const { server, base, reviewed, reads } = input;
  const revisions = base && revisionsOf(base.before, base.after);
  const desired = withPastSecrecy(input.desired, base?.before, reviewed);
  const live = new Map(input.live.map((integration) => [integration.id, integration]));
  const made = planEach({ ...input, desired }, live, revisions);
  const { plans, diagnostics, same, unreviewed } = made;
  const released = revisions === undefined ? [] : releasedWhole(revisions, live, server.only);
  const integrations = [...plans, ...released].sort(
    (a, b) => compareText(a.name, b.name) || compareText(a.id, b.id),
  );
  const counts = { managed: plans.length, unmanagedOptions: made.unmanagedOptions, reads };
  const head = { ...server, ...present({ base: base?.base ?? reviewed?.base }) };
  const plan = { ...head, summary: summaryOf(integrations, counts), integrations };
  const installed = new Set(live.keys());
  const narrowed = reviewed && narrow(plan, { same, installed }, reviewed);
  const left = unreviewed === 0 ? [] : [diagnostic('not-reviewed', { differences: unreviewed })];
  return {
    ...{ plan, desired: desired.integrations, installed, verdicts: new Map() },
    ...narrowed,
    diagnostics: [...diagnostics, ...notesOn(made), ...left],
  };
}

/** Plans each integration that is installed and has something to manage; `same` is by id. */
function planEach(
  input: PlanInput,
  live: ReadonlyMap<string, LiveIntegration>,
  revisions: Revisions | undefined,
) {
  const { server, desired, unread } = input;
  const plans: IntegrationPlan[] = [];
  const diagnostics: Diagnostic[] = [];
  const same = new Map<string, readonly Change[]>();
  const sums = { unmanagedOptions: 0, unreviewed: 0, showsSecret: false };
  const suggestions = new Suggestions();
  // What defaults ask for, one that is not selected may have, and the server need not list it.
  const misfits = server.only === undefined ? misfitDefaults(desired, live, suggestions) : [];
  const misfitting = new Set(misfits.flatMap(({ ids }) => ids));
  const rules = { ...rulesOf(input, revisions), suggestions };
  for (const each of desired.integrations) {
    const { id } = each;
    const installed = live.get(id);
    const error = unread?.get(id);
    const isOut = error !== undefined || misfitting.has(id);
    if (installed === undefined || (!isOut && isIdle(each, installed))) continue;
    const diff = diffIntegration(each, installed, rules);
    const found = error === undefined ? diff.diagnostics : [error];
    const kept = isOut || hasErrors(found) ? undefined : diff;
    plans.push(planOne(each, installed, kept, server.policy, revisions));
    for (const finding of found) diagnostics.push(finding);
    same.set(id, diff.same);
    sums.unmanagedOptions += unmanagedIn(each, installed);
    sums.unreviewed += diff.unreviewed;
    sums.showsSecret ||= diff.showsSecret;
  }
  diagnostics.push(...misfits.map(({ finding }) => finding));
  return { plans, diagnostics, same, ...sums };
}

function unmanagedIn({ settings }: DesiredIntegration, { optionKeys }: LiveIntegration): number {
  const managed = new Set(settings.map(({ option }) => option));
  return [...optionKeys].filter((key) => !managed.has(key)).length;
}

/** Whether nothing is managed there: defaults ask for nothing that it has. */
function isIdle({ settings }: DesiredIntegration, { optionKeys }: LiveIntegration): boolean {
  return settings.every(
    (each) => each.field !== 'autosubscribe' && each.isDefault === true && !optionKeys.has(each.option),
  );
}

/** The plan of one integration; one with an error has no changes. */
function planOne(
  desired: DesiredIntegration,
  live: LiveIntegration,
  diff: IntegrationDiff | undefined,
  policy: Policy = {},
  revisions: Revisions | undefined,
): IntegrationPlan {
  const { name, id } = desired;
  const { status } = live;
  const head = { ...NOTHING, name, id, status: status ?? null };
  if (diff === undefined) return { ...head, unplanned: true };
  const isTold = (risk: Risk) => treatmentOf(policy, risk) !== 'off';
  const changes = diff.changes.map((change) => ({ ...change, risks: change.risks.filter(isTold) }));
  // A status that is not served says nothing; any other than `running` is likely to refuse.
  const blocked = status !== undefined && status !== 'running' && changes.length > 0;
  const plan = { ...head, blocked, changes, cannotTell: diff.cannotTell, waived: diff.waived };
  return revisions === undefined ? plan : labelledPlan(plan, live, diff.same, revisions);
}

function summaryOf(
  all: readonly IntegrationPlan[],
  { managed, unmanagedOptions, reads }: Pick<ServerPlan['summary'], 'managed' | 'unmanagedOptions' | 'reads'>,
): ServerPlan['summary'] {
  const sum = (count: (plan: IntegrationPlan) => number) =>
    all.reduce((total, each) => total + count(each), 0);
  return {
    managed,
    changed: sum(({ changes }) => Math.min(changes.length, 1)),
    changes: sum(({ changes }) => changes.length),
    hidden: sum(({ cannotTell }) => cannotTell.length),
    waived: sum(({ waived }) => waived.length),
    settled: sum(({ settled }) => settled.length),
    released: sum(({ released }) => released.length),
    ...{ unmanagedOptions, reads },
    writes: sum(requestCount),
  };
}

/** One finding each for all that do not run, all secrets if they read as empty, and all permissions that are not shown. */
function notesOn({ plans, showsSecret }: ReturnType<typeof planEach>): Diagnostic[] {
  const stopped = plans.flatMap(({ id, status, blocked }) =>
    blocked && status !== null ? [{ id, status }] : [],
  );
  const hidden = plans.flatMap(({ cannotTell }) => cannotTell);
  const flags = hidden.map(({ address }) => address).filter((address) => address.endsWith('.permission'));
  const secrets = plans
    .flatMap(({ changes }) => changes)
    .filter(({ field, sensitive }) => field === 'value' && sensitive);
  const isEmpty = secrets.length > 0 && !secrets.some((each) => each.before !== null || each.unreadable);
  const isShown = showsSecret || hidden.some(({ reason }) => reason === 'masked');
  const addresses = secrets.map(({ address }) => address);
  return [
    ...(stopped.length === 0 ? [] : [diagnostic('not-running', { stopped })]),
    ...(isEmpty && !isShown ? [diagnostic('hides-secrets', { addresses, isSent: false })] : []),
    ...(flags.length === 0 ? [] : [diagnostic('hidden-field', { addresses: flags })]),
  ];
}
