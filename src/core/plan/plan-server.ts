import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import type { DesiredIntegration, DesiredState, Setting } from '../model/desired.ts';
import { present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { Suggestions } from '../model/near-names.ts';
import { fieldAddress, namesField } from '../model/place.ts';
import type { Waiver } from '../model/waiver.ts';
import { type DiffRules, diffIntegration, type IntegrationDiff } from './diff.ts';
import type { ServerDocument } from './document.ts';
import { misfitDefaults } from './known-option.ts';
import { isTouched, labelled, type Revisions, releasedIn, releasedWhole } from './labels.ts';
import type { Change, IntegrationPlan, PlanSummary, ServerPlan } from './plan.ts';
import { requestsOf } from './requests.ts';
import { treatmentOf } from './risk.ts';

/** What a plan is made from. */
interface PlanInput {
  readonly server: Pick<ServerPlan, 'name' | 'url' | 'snapshot' | 'policy' | 'only'>;
  readonly desired: DesiredState;
  readonly live: readonly LiveIntegration[];
  /** Why an integration could not be read, by its id. */
  readonly unread?: ReadonlyMap<string, Diagnostic>;
  /** How many requests it took to read `live`. */
  readonly reads: number;
  readonly writesHidden: DiffRules['writesHidden'];
  /** What this branch and its base declare; undefined without a base. */
  readonly revisions?: Revisions | undefined;
  /** Which differences are left alone; undefined for none. */
  readonly leaves?: LeaveAlone | undefined;
}

/** A plan, and what else its comparison with a reviewed plan needs. */
export interface Planned {
  readonly plan: ServerPlan;
  /** The managed fields that are as desired, by integration id; only with a base or a reviewed plan. */
  readonly same: ReadonlyMap<string, readonly Change[]>;
  /** The ids of all integrations that the server has. */
  readonly installed: ReadonlySet<string>;
  /** How many differences a reviewed plan lacks. */
  readonly unreviewed: number;
  readonly desired: readonly DesiredIntegration[];
}

/**
 * Compares what is desired of one server with what is live. The same input in any order makes the same plan. An integration
 * with an error is left out of it, as are those of defaults that fit none of them.
 */
export function planServer(input: PlanInput): {
  readonly value: Planned;
  readonly diagnostics: readonly Diagnostic[];
} {
  const live = new Map(input.live.map((integration) => [integration.id, integration]));
  const suggestions = new Suggestions();
  const misfits = misfitDefaults(input.desired, live, suggestions);
  const misfitting = new Set(misfits.flatMap(({ ids }) => ids));
  const { leaves, revisions, writesHidden } = input;
  const keepsSame = revisions !== undefined || leaves?.reviewed !== undefined;
  const leavesAlone = leaves && leavingAlone(leaves, revisions);
  const rules = { writesHidden, leavesAlone, keepsSame, suggestions };
  const planned = input.desired.integrations.flatMap((desired) => {
    const integration = live.get(desired.id);
    const unread = input.unread?.get(desired.id);
    const isMisfit = misfitting.has(desired.id);
    if (integration === undefined) return [];
    if (isIdle(desired, integration) && unread === undefined && !isMisfit) return [];
    const diff = diffIntegration(desired, integration, rules);
    return [planOne(desired, integration, { diff, unread, isMisfit }, input)];
  });
  const plans = planned.map(({ plan }) => plan);
  const released = revisions === undefined ? [] : releasedWhole(revisions, live, input.server.only);
  const integrations = [...plans, ...released].sort(
    (a, b) => compareText(a.name, b.name) || compareText(a.id, b.id),
  );
  return {
    value: {
      plan: {
        ...input.server,
        ...present({ base: revisions?.base ?? leaves?.reviewed?.base }),
        summary: summaryOf(plans, input.reads),
        integrations,
      },
      same: new Map(planned.map(({ plan, diff }) => [plan.id, diff.same])),
      installed: new Set(live.keys()),
      desired: input.desired.integrations,
      unreviewed: planned.reduce((sum, { diff }) => sum + diff.unreviewed, 0),
    },
    diagnostics: [
      ...planned.flatMap(({ diagnostics }) => diagnostics),
      ...misfits.map(({ finding }) => finding),
      ...notRunning(plans),
      ...hidesSecrets(planned),
      ...flagsNotShown(plans),
    ],
  };
}

/** The comparison of one integration, and what keeps it from being planned. */
interface Comparison {
  readonly diff: IntegrationDiff;
  readonly unread: Diagnostic | undefined;
  readonly isMisfit: boolean;
}

/** The plan of one integration; one with an error has no changes. */
function planOne(
  desired: DesiredIntegration,
  live: LiveIntegration,
  { diff: compared, unread, isMisfit }: Comparison,
  { revisions, server: { policy = {} } }: PlanInput,
) {
  const diagnostics = unread === undefined ? compared.diagnostics : [unread];
  const isUnplanned = isMisfit || hasErrors(diagnostics);
  const diff = isUnplanned ? { ...compared, ...NOTHING } : compared;
  const changes = diff.changes
    .map((change) => (revisions === undefined ? change : labelled(change, live, revisions)))
    .map((change) => ({
      ...change,
      risks: change.risks.filter((risk) => treatmentOf(policy, risk) !== 'off'),
    }));
  const { name, id } = desired;
  const { status, optionKeys } = live;
  const managed = new Set(desired.settings.map(({ option }) => option));
  const plan: IntegrationPlan = {
    ...{ name, id, status: status ?? null },
    // A status that is not served says nothing; any other than `running` is likely to refuse.
    blocked: status !== undefined && status !== 'running' && changes.length > 0,
    ...{ changes, cannotTell: diff.cannotTell },
    ...(revisions === undefined || isUnplanned ? {} : leftByBranch(revisions, desired, live, diff.same)),
    ...present({ waived: diff.waived.length === 0 ? undefined : diff.waived }),
    unmanagedOptions: [...optionKeys].filter((key) => !managed.has(key)).length,
    ...(isUnplanned ? { unplanned: true as const } : {}),
  };
  return { plan, diff, diagnostics };
}

/** What is planned of an integration that has an error. */
const NOTHING = { same: [], changes: [], cannotTell: [], showsSecret: false };

/** The fields of an integration that this branch has settled and released. */
function leftByBranch(
  revisions: Revisions,
  desired: DesiredIntegration,
  live: LiveIntegration,
  same: readonly Change[],
): Pick<IntegrationPlan, 'settled' | 'released'> {
  const settled = same.filter(({ setting }) => isTouched(revisions, live.id, setting));
  return {
    settled: settled.map(({ address }) => address).sort(compareText),
    released: releasedIn(revisions, desired, live),
  };
}

/** Whether nothing is managed there: defaults ask for nothing that it has. */
function isIdle({ settings }: DesiredIntegration, { optionKeys }: LiveIntegration): boolean {
  const isSkipped = (each: Setting) =>
    each.field !== 'autosubscribe' && each.isDefault === true && !optionKeys.has(each.option);
  return settings.every(isSkipped);
}

/** The counts of the plans of managed integrations; `reads` is how many requests it took to read them. */
function summaryOf(plans: readonly IntegrationPlan[], reads: number): PlanSummary {
  const sum = (count: (plan: IntegrationPlan) => number) =>
    plans.reduce((total, each) => total + count(each), 0);
  return {
    managed: plans.length,
    changed: sum(({ changes }) => Math.min(changes.length, 1)),
    changes: sum(({ changes }) => changes.length),
    unmanagedOptions: sum(({ unmanagedOptions }) => unmanagedOptions),
    reads,
    writes: sum((plan) => requestsOf(plan).length),
  };
}

/** Notes that every managed secret of a server reads as empty. */
function hidesSecrets(
  planned: readonly { readonly plan: IntegrationPlan; readonly diff: IntegrationDiff }[],
): Diagnostic[] {
  const secrets = planned.flatMap(({ plan }) =>
    plan.changes.flatMap((each) => (each.field === 'value' && each.sensitive ? [each] : [])),
  );
  const isShown =
    secrets.some(({ before, unreadable }) => before !== null || unreadable) ||
    planned.some(({ diff }) => diff.showsSecret || diff.cannotTell.some(({ reason }) => reason === 'masked'));
  const addresses = secrets.map(({ address }) => address);
  return isShown || addresses.length === 0 ? [] : [diagnostic('hides-secrets', { addresses, isSent: false })];
}

/** One finding for all permissions that are not shown: the server is likely to show no flags at all. */
function flagsNotShown(plans: readonly IntegrationPlan[]): Diagnostic[] {
  const hidden = plans.flatMap(({ cannotTell }) => cannotTell.map(({ address }) => address));
  const addresses = hidden.filter((address) => address.endsWith('.permission'));
  return addresses.length === 0 ? [] : [diagnostic('hidden-field', { addresses })];
}

/** One warning for all integrations that are to be changed and do not run. */
function notRunning(plans: readonly IntegrationPlan[]): Diagnostic[] {
  const stopped = plans.flatMap(({ id, status, blocked }) =>
    blocked && status !== null ? [{ id, status }] : [],
  );
  return stopped.length === 0 ? [] : [diagnostic('not-running', { stopped })];
}

/** Which differences of a server are left alone. */
export interface LeaveAlone {
  /** The waivers for the server. */
  readonly waivers: readonly Waiver[];
  /** The day of the run, in UTC: `2026-11-22`. */
  readonly today: string;
  /** The reviewed plan that the run applies: what is not in it is left out. */
  readonly reviewed?: ServerDocument | undefined;
}

/** Leaves alone what is waived, unless the branch changed it, and what a reviewed plan does not have. */
function leavingAlone(
  { waivers, today, reviewed }: LeaveAlone,
  revisions: Revisions | undefined,
): DiffRules['leavesAlone'] {
  const active = waivers.filter(({ until }) => until >= today);
  const labels = new Map(
    reviewed?.integrations.flatMap(({ id, changes }) =>
      changes.map(({ address, label }) => [`${id} ${address}`, label]),
    ),
  );
  if (active.length === 0 && reviewed === undefined) return undefined;
  return ({ id, name }, setting) => {
    const label = labels.get(`${id} ${fieldAddress(name, setting)}`);
    const isOfBranch =
      reviewed === undefined
        ? revisions !== undefined && isTouched(revisions, id, setting)
        : reviewed.base !== undefined && label !== undefined && label !== 'drift';
    if (!isOfBranch && active.some(({ address }) => namesField(address, name, setting))) return 'waived';
    return reviewed !== undefined && label === undefined ? 'unreviewed' : undefined;
  };
}
