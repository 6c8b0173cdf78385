import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import type { DesiredIntegration, DesiredState, Setting } from '../model/desired.ts';
import { present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { Suggestions } from '../model/near-names.ts';
import { type FieldName, fieldAddress, namesField } from '../model/place.ts';
import type { Waiver } from '../model/waiver.ts';
import { type DiffRules, diffIntegration, type IntegrationDiff } from './diff.ts';
import type { ServerDocument } from './document.ts';
import { misfitDefaults } from './fit.ts';
import type { Written } from './judge.ts';
import {
  isTouched,
  labelled,
  type Revisions,
  releasedIn,
  releasedWhole,
  revisionsOf,
  withPastSecrecy,
} from './labels.ts';
import { narrow } from './narrow.ts';
import type { Change, IntegrationPlan, PlanBase, ServerPlan } from './plan.ts';
import { requestCount } from './requests.ts';
import { type Policy, treatmentOf } from './risk.ts';

/** What a plan is made from. */
interface PlanInput {
  readonly server: Pick<ServerPlan, 'name' | 'url' | 'snapshot' | 'policy' | 'only'>;
  readonly desired: DesiredState;
  readonly live: readonly LiveIntegration[];
  /** Why an integration could not be read, by its id. */
  readonly unread?: ReadonlyMap<string, Diagnostic>;
  /** How many requests it took to read `live`. */
  readonly reads: number;
  /** The hidden fields to write: `all`, or addresses. */
  readonly writeHidden?: readonly string[] | undefined;
  /** What this branch and its base declare, with references open, for the same live integrations. */
  readonly base?:
    | { readonly base: PlanBase; readonly before: DesiredState; readonly after: DesiredState }
    | undefined;
  /** The waivers for the server that are not over. */
  readonly waivers?: readonly Waiver[] | undefined;
  /** The reviewed plan that the run applies: what is not in it is left out. */
  readonly reviewed?: ServerDocument | undefined;
}

/** The plan of a server, and what it was made from. */
export interface Planned {
  readonly plan: ServerPlan;
  readonly desired: readonly DesiredIntegration[];
  /** The ids of all integrations that the server has. */
  readonly installed: ReadonlySet<string>;
  /** By id, what of a reviewed plan is not to be written: it is done, or stale. */
  readonly verdicts: ReadonlyMap<string, Written>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compares what is desired of one server with what is live. The same input in any order makes the same plan. An integration
 * with an error is left out of it, as are those of defaults that fit none of them.
 */
export function planServer(input: PlanInput): Planned {
  const { server, base, reviewed } = input;
  const revisions = base && revisionsOf(base.base, base.before, base.after);
  const desired = withPastSecrecy(input.desired, base?.before, reviewed);
  const live = new Map(input.live.map((integration) => [integration.id, integration]));
  const { planned, diagnostics } = planAll({ ...input, desired }, live, revisions);
  const plans = planned.map(({ plan }) => plan);
  const released = revisions === undefined ? [] : releasedWhole(revisions, live, server.only);
  const integrations = [...plans, ...released].sort(
    (a, b) => compareText(a.name, b.name) || compareText(a.id, b.id),
  );
  const parts = { ...present({ base: base?.base ?? reviewed?.base }), integrations };
  const plan = { ...server, summary: summaryOf(plans, input.reads), ...parts };
  const same = new Map(planned.map((each) => [each.plan.id, each.diff.same]));
  const installed = new Set(live.keys());
  const unreviewed = planned.reduce((sum, { diff }) => sum + diff.unreviewed, 0);
  return {
    ...{ plan, desired: desired.integrations, installed, verdicts: new Map() },
    ...(reviewed === undefined ? {} : narrow({ plan, same, installed }, reviewed)),
    diagnostics: [
      ...diagnostics,
      ...notesOn(planned),
      ...(unreviewed === 0 ? [] : [diagnostic('not-reviewed', { differences: unreviewed })]),
    ],
  };
}

interface PlannedIntegration {
  readonly plan: IntegrationPlan;
  readonly diff: IntegrationDiff;
  readonly found: readonly Diagnostic[];
}

/** Plans each integration that is installed and has something to manage. */
function planAll(
  input: PlanInput,
  live: ReadonlyMap<string, LiveIntegration>,
  revisions: Revisions | undefined,
): { readonly planned: readonly PlannedIntegration[]; readonly diagnostics: readonly Diagnostic[] } {
  const { server, desired, unread } = input;
  const suggestions = new Suggestions();
  // What defaults ask for, one that is not selected may have, and the server need not list it.
  const misfits = server.only === undefined ? misfitDefaults(desired, live, suggestions) : [];
  const misfitting = new Set(misfits.flatMap(({ ids }) => ids));
  const rules = { ...rulesOf(input, revisions), suggestions };
  const planned = desired.integrations.flatMap((each): PlannedIntegration[] => {
    const installed = live.get(each.id);
    const error = unread?.get(each.id);
    const isMisfit = misfitting.has(each.id);
    if (installed === undefined) return [];
    if (isIdle(each, installed) && error === undefined && !isMisfit) return [];
    const diff = diffIntegration(each, installed, rules);
    const found = error === undefined ? diff.diagnostics : [error];
    const isUnplanned = isMisfit || hasErrors(found);
    const plan = planOne(each, installed, isUnplanned ? undefined : diff, server.policy, revisions);
    return [{ plan, diff, found }];
  });
  const diagnostics = [...planned.flatMap(({ found }) => found), ...misfits.map(({ finding }) => finding)];
  return { planned, diagnostics };
}

type Asked = Pick<DesiredIntegration, 'id' | 'name'>;

/**
 * Hidden fields are written if a flag or the reviewed plan names them, or the branch changed their declaration. What is waived
 * is left alone, unless the branch changed it, and so is what a reviewed plan does not have.
 */
function rulesOf({ waivers = [], reviewed, writeHidden = [] }: PlanInput, revisions?: Revisions): DiffRules {
  const labels = new Map(
    reviewed?.integrations.flatMap(({ id, changes }) =>
      changes.map(({ address, label }) => [`${id} ${address}`, label]),
    ),
  );
  const labelOf = ({ id, name }: Asked, setting: Setting) =>
    labels.get(`${id} ${fieldAddress(name, setting)}`);
  const isOfBranch = ({ id }: Asked, setting: Setting) =>
    revisions !== undefined && isTouched(revisions, id, setting);
  const isWaived = ({ name }: Asked, setting: Setting) =>
    waivers.some(({ address }) => namesField(address, name, setting));
  return {
    keepsSame: revisions !== undefined || reviewed !== undefined,
    writesHidden: (desired, setting) =>
      labelOf(desired, setting) !== undefined ||
      isChosen(writeHidden, desired.name, setting) ||
      isOfBranch(desired, setting),
    leavesAlone: (desired, setting) => {
      const label = labelOf(desired, setting);
      const isReviewed = reviewed?.base !== undefined && label !== undefined && label !== 'drift';
      if (!isReviewed && isWaived(desired, setting) && !isOfBranch(desired, setting)) return 'waived';
      return reviewed !== undefined && label === undefined ? 'unreviewed' : undefined;
    },
  };
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
  const { name, id, settings } = desired;
  const { status, optionKeys } = live;
  const managed = new Set(settings.map(({ option }) => option));
  const unmanagedOptions = [...optionKeys].filter((key) => !managed.has(key)).length;
  const head = { name, id, status: status ?? null, unmanagedOptions };
  if (diff === undefined) return { ...head, blocked: false, changes: [], cannotTell: [], unplanned: true };
  const changes = diff.changes
    .map((change) => (revisions === undefined ? change : labelled(change, live, revisions)))
    .map((change) => ({
      ...change,
      risks: change.risks.filter((risk) => treatmentOf(policy, risk) !== 'off'),
    }));
  return {
    ...head,
    // A status that is not served says nothing; any other than `running` is likely to refuse.
    blocked: status !== undefined && status !== 'running' && changes.length > 0,
    ...{ changes, cannotTell: diff.cannotTell },
    ...(revisions === undefined ? {} : leftByBranch(revisions, desired, live, diff.same)),
    ...(diff.waived.length === 0 ? {} : { waived: diff.waived }),
  };
}

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

/** The counts of the plans of managed integrations; `reads` is how many requests it took to read them. */
function summaryOf(plans: readonly IntegrationPlan[], reads: number): ServerPlan['summary'] {
  const sum = (count: (plan: IntegrationPlan) => number) =>
    plans.reduce((total, each) => total + count(each), 0);
  return {
    managed: plans.length,
    changed: sum(({ changes }) => Math.min(changes.length, 1)),
    changes: sum(({ changes }) => changes.length),
    unmanagedOptions: sum(({ unmanagedOptions }) => unmanagedOptions),
    reads,
    writes: sum(requestCount),
  };
}

/** One finding each for all that do not run, all secrets if they read as empty, and all permissions that are not shown. */
function notesOn(planned: readonly PlannedIntegration[]): Diagnostic[] {
  const plans = planned.map(({ plan }) => plan);
  const stopped = plans.flatMap(({ id, status, blocked }) =>
    blocked && status !== null ? [{ id, status }] : [],
  );
  const empty = emptySecrets(planned);
  const flags = plans
    .flatMap(({ cannotTell }) => cannotTell.map(({ address }) => address))
    .filter((address) => address.endsWith('.permission'));
  return [
    ...(stopped.length === 0 ? [] : [diagnostic('not-running', { stopped })]),
    ...(empty.length === 0 ? [] : [diagnostic('hides-secrets', { addresses: empty, isSent: false })]),
    ...(flags.length === 0 ? [] : [diagnostic('hidden-field', { addresses: flags })]),
  ];
}

/** The managed secrets of a server if every one of them reads as empty. */
function emptySecrets(planned: readonly PlannedIntegration[]): string[] {
  const secrets = planned
    .flatMap(({ plan }) => plan.changes)
    .filter(({ field, sensitive }) => field === 'value' && sensitive);
  const isShown =
    secrets.some(({ before, unreadable }) => before !== null || unreadable) ||
    planned.some(
      ({ plan, diff }) => diff.showsSecret || plan.cannotTell.some(({ reason }) => reason === 'masked'),
    );
  return isShown ? [] : secrets.map(({ address }) => address);
}

/** Whether the words of a flag name a field. */
export function isChosen(words: readonly string[], integration: string, field: FieldName): boolean {
  return words.some((word) => word === 'all' || namesField(word, integration, field));
}
