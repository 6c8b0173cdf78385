import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import { type DesiredIntegration, type DesiredState, isManaged } from '../model/desired.ts';
import type { LiveIntegration } from '../model/live.ts';
import { Suggestions } from '../model/near-names.ts';
import { present } from '../model/present.ts';
import { isHidden } from '../model/secret.ts';
import { diffIntegration, type HeldField, type WritesHidden } from './diff.ts';
import { isSkipped, misfitDefaults } from './known-option.ts';
import type { Origins } from './origins.ts';
import type { CannotTell, Change, IntegrationPlan, ServerPlan } from './plan.ts';
import { type Risk, treatmentOf } from './risk.ts';
import { summarise } from './summary.ts';
import { type LeaveAlone, narrower } from './waivers.ts';

/** What a plan is made from. */
interface PlanInput {
  readonly server: Pick<ServerPlan, 'name' | 'url' | 'snapshot' | 'policy' | 'only'>;
  readonly desired: DesiredState;
  readonly live: readonly LiveIntegration[];
  /** Why an integration could not be read, by its id. */
  readonly unread?: ReadonlyMap<string, Diagnostic>;
  /** How many requests it took to read `live`. */
  readonly reads: number;
  readonly writesHidden: WritesHidden;
  /** Where differences come from; undefined without a base. */
  readonly origins?: Origins | undefined;
  /** Which differences are left alone; undefined for none. */
  readonly leaves?: LeaveAlone | undefined;
}

/** A plan, and what else its comparison with a reviewed plan needs. */
export interface Planned {
  readonly plan: ServerPlan;
  /** The managed fields that are as desired, by integration id. */
  readonly held: ReadonlyMap<string, readonly HeldField[]>;
  /** The ids of all integrations that the server has. */
  readonly installed: ReadonlySet<string>;
  /** The addresses of secrets to be written whose options users do not see, as far as the server shows that. */
  readonly unseen: ReadonlySet<string>;
  /** How many differences a reviewed plan lacks. */
  readonly unreviewed: number;
  /** What is desired. */
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
  const erring = new Set([...misfitting, ...(input.unread?.keys() ?? [])]);
  const planned = diffServer(input, live, suggestions, erring).map((each) =>
    planOne(each, input, misfitting.has(each.desired.id)),
  );
  const released = input.origins?.releasedWhole(live, input.server.only) ?? [];
  const integrations = withReleased(planned, released);
  const plan = {
    ...input.server,
    ...present({ base: input.origins?.base ?? input.leaves?.reviewed?.base }),
    summary: summarise(
      planned.map(({ plan }) => plan),
      input.reads,
    ),
    integrations,
  };
  const held = new Map(planned.map((each) => [each.plan.id, each.held]));
  return {
    value: {
      plan,
      held,
      installed: new Set(live.keys()),
      desired: input.desired.integrations,
      unreviewed: planned.reduce((sum, each) => sum + each.unreviewed, 0),
      unseen: new Set(integrations.flatMap((each) => unseenSecrets(each, live.get(each.id)))),
    },
    diagnostics: [
      ...planned.flatMap(({ diagnostics }) => diagnostics),
      ...misfits.map(({ finding }) => finding),
      ...notRunning(integrations),
      ...hidesSecrets(integrations, held),
      ...flagsNotShown(planned.flatMap(({ untold }) => untold)),
    ],
  };
}

/** The plan of one integration, and what else is known of its comparison. */
function planOne(
  { desired, integration, diff, unreviewed, ...rest }: ReturnType<typeof diffServer>[number],
  input: PlanInput,
  isMisfit: boolean,
) {
  const unread = input.unread?.get(desired.id);
  const diagnostics = unread ? [unread] : diff.diagnostics;
  const isUnplanned = hasErrors(diagnostics) || isMisfit;
  const { held, ...fields } = isUnplanned ? NOTHING : diff;
  const left = isUnplanned ? {} : leftByBranch(desired, integration, diff.held, input.origins);
  const plan = integrationPlan(desired, integration, { ...fields, ...rest, ...left });
  const untold = untoldFlags(desired, fields.cannotTell);
  return {
    plan: isUnplanned ? { ...plan, unplanned: true as const } : plan,
    held,
    diagnostics,
    untold,
    unreviewed,
  };
}

/** What is planned of an integration that has an error. */
const NOTHING = { held: [], changes: [], cannotTell: [] };

/** The differences of all managed integrations. */
function diffServer(
  input: PlanInput,
  live: ReadonlyMap<string, LiveIntegration>,
  suggestions: Suggestions,
  erring: ReadonlySet<string>,
) {
  const { desired, writesHidden } = input;
  const all = desired.integrations.flatMap((each) => {
    const integration = live.get(each.id);
    if (integration === undefined || (isIdle(each, integration) && !erring.has(each.id))) return [];
    const diffed = (left?: ReadonlySet<string>) =>
      diffIntegration(each, integration, writesHidden, suggestions, left);
    return [{ desired: each, integration, diff: diffed(), diffed }];
  });
  const narrowed = narrower(input);
  const { policy = {} } = input.server;
  const isOn = (risk: Risk) => treatmentOf(policy, risk) !== 'off';
  const withoutOff = (change: Change): Change => ({ ...change, risks: change.risks.filter(isOn) });
  return all.map((each) => {
    const { waived, ...left } = narrowed(each.desired, each.integration, each.diff, each.diffed);
    const diff = { ...left.diff, changes: left.diff.changes.map(withoutOff) };
    return { ...each, ...left, diff, waived: waived.length === 0 ? undefined : waived };
  });
}

/** Notes that every managed secret of a server reads as empty. */
function hidesSecrets(
  integrations: readonly IntegrationPlan[],
  held: ReadonlyMap<string, readonly HeldField[]>,
): Diagnostic[] {
  const secrets = integrations.flatMap(({ changes }) =>
    changes.flatMap((each) => (each.field === 'value' && each.sensitive ? [each] : [])),
  );
  const isShown =
    secrets.some(({ before, unreadable }) => before !== null || unreadable) ||
    [...held.values()].flat().some(({ value }) => isHidden(value));
  const addresses = secrets.map(({ address }) => address);
  return isShown || addresses.length === 0 ? [] : [diagnostic('hides-secrets', { addresses, isSent: false })];
}

/** All integrations of a plan, ordered by name. */
function withReleased(
  planned: readonly { readonly plan: IntegrationPlan }[],
  released: readonly IntegrationPlan[],
): readonly IntegrationPlan[] {
  const managed = planned.map(({ plan }) => plan);
  if (released.length === 0) return managed;
  return [...managed, ...released].sort((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id));
}

function integrationPlan(
  desired: DesiredIntegration,
  { status, optionKeys }: LiveIntegration,
  fields: Pick<IntegrationPlan, 'changes' | 'cannotTell' | 'settled' | 'released' | 'waived'>,
): IntegrationPlan {
  const { changes, cannotTell, settled, released, waived } = fields;
  const managed = new Set(desired.options.filter(isManaged).map(({ key }) => key));
  return {
    name: desired.name,
    id: desired.id,
    status: status ?? null,
    // A status that is not served says nothing; any other than `running` is likely to refuse.
    blocked: status !== undefined && status !== 'running' && changes.length > 0,
    changes,
    cannotTell,
    ...present({ settled, released, waived }),
    unmanagedOptions: optionKeys.size - [...managed].filter((key) => optionKeys.has(key)).length,
  };
}

/** The fields of an integration that this branch has settled and released, ordered by address. */
function leftByBranch(
  desired: DesiredIntegration,
  live: LiveIntegration,
  held: readonly HeldField[],
  origins: Origins | undefined,
): Pick<IntegrationPlan, 'settled' | 'released'> {
  if (origins === undefined) return {};
  const settled = held.filter(({ address }) => origins.isTouched(live.id, address));
  return {
    settled: settled.map(({ address }) => address).sort(compareText),
    released: origins.releasedIn(desired, live).toSorted(compareText),
  };
}

/** Whether nothing is managed there: defaults ask for nothing that it has. */
function isIdle({ autosubscribe, options }: DesiredIntegration, live: LiveIntegration): boolean {
  return autosubscribe === undefined && options.every((option) => isSkipped(option, live));
}

/** The addresses of permissions that cannot be told. */
function untoldFlags({ name, options }: DesiredIntegration, cannotTell: readonly CannotTell[]): string[] {
  const untold = new Set(cannotTell.map(({ address }) => address));
  const addresses = options.map(({ key }) => `${name}.options.${key}.permission`);
  return addresses.filter((address) => untold.has(address));
}

/** The addresses of the secrets that a plan writes where users do not see them, and leaves hidden. */
function unseenSecrets({ changes }: IntegrationPlan, live: LiveIntegration | undefined): string[] {
  const flagged = new Set(changes.flatMap((each) => (each.field === 'permission' ? [each.option] : [])));
  return changes.flatMap((change) => {
    if (change.field !== 'value' || !change.sensitive || flagged.has(change.option)) return [];
    return live?.options.get(change.option)?.permission === 'lock-and-show' ? [] : [change.address];
  });
}

/** One finding for all of them: the server is likely to show no flags at all. */
function flagsNotShown(addresses: readonly string[]): Diagnostic[] {
  return addresses.length === 0 ? [] : [diagnostic('hidden-field', { addresses })];
}

/** One warning for all integrations that are to be changed and do not run. */
function notRunning(integrations: readonly IntegrationPlan[]): Diagnostic[] {
  const stopped = integrations.flatMap(({ id, status, blocked }) =>
    blocked && status !== null ? [{ id, status }] : [],
  );
  return stopped.length === 0 ? [] : [diagnostic('not-running', { stopped })];
}
