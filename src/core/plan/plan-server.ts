import { type Checked, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { type DesiredIntegration, type DesiredState, isManaged } from '../model/desired.ts';
import type { LiveIntegration } from '../model/live.ts';
import { diffIntegration, type HeldField, type SecretKeeping } from './diff.ts';
import { isSkipped, misfitDefaults } from './known-option.ts';
import type { IntegrationPlan, PlanSummary, ServerPlan } from './plan.ts';
import { requestsOf } from './requests.ts';

/** What a plan is made from. */
export interface PlanInput {
  readonly server: Pick<ServerPlan, 'name' | 'url' | 'policy' | 'only'>;
  readonly desired: DesiredState;
  readonly live: readonly LiveIntegration[];
  /** How many other integrations the configuration manages, those that were not selected. */
  readonly managedElsewhere?: number;
  /** How many requests the reading took. */
  readonly reads: number;
  readonly secrets: SecretKeeping;
}

/** A plan, and beside it what the comparison with a reviewed plan needs. */
export interface Planned {
  readonly plan: ServerPlan;
  /** The managed fields that are as desired, by integration id. */
  readonly held: ReadonlyMap<string, readonly HeldField[]>;
  /** The ids of all integrations that the server has. */
  readonly installed: ReadonlySet<string>;
}

/** Compares all that is desired of one server with what is live. A pure function: same input, same plan, in any order. */
export function planServer(input: PlanInput): Checked<Planned> {
  const live = new Map(input.live.map((integration) => [integration.id, integration]));
  const diffs = input.desired.integrations.flatMap((desired) => {
    const integration = live.get(desired.id);
    return integration === undefined || isIdle(desired, integration)
      ? []
      : [{ desired, integration, diff: diffIntegration(desired, integration, input.secrets) }];
  });
  const integrations = diffs.map(({ desired, integration, diff }): IntegrationPlan => {
    const changes = diff.changes.map((change) => withoutSecrets(change, input.secrets.scrub));
    const cannotTell = diff.cannotTell.map((each) => withoutSecrets(each, input.secrets.scrub));
    const blocked = isStopped(integration) && changes.length > 0;
    const unmanagedOptions = unmanaged(desired, integration);
    return {
      name: desired.name,
      id: desired.id,
      status: integration.status ?? null,
      blocked,
      changes,
      cannotTell,
      unmanagedOptions,
    };
  });
  const diagnostics = [
    ...diffs.flatMap(({ diff }) => diff.diagnostics),
    ...misfitDefaults(input.desired, live),
    ...integrations.flatMap(warnings),
  ];
  const managedInAll = integrations.length + (input.managedElsewhere ?? 0);
  const summary = summarise(integrations, managedInAll, input.live.length, input.reads);
  const held = new Map(diffs.map(({ desired, diff }) => [desired.id, diff.held]));
  const plan: ServerPlan = { ...input.server, summary, integrations };
  return { value: { plan, held, installed: new Set(live.keys()) }, diagnostics };
}

/** Whether nothing is managed there: defaults ask for nothing that it has. */
function isIdle({ autosubscribe, options }: DesiredIntegration, live: LiveIntegration): boolean {
  return autosubscribe === undefined && options.every((option) => isSkipped(option, live));
}

/** What a plan repeats of the YAML can hold a secret that is there in clear text. */
function withoutSecrets<T extends { readonly reference?: string; readonly comment?: string }>(
  one: T,
  scrub: (text: string) => string,
): T {
  const { reference, comment } = one;
  return {
    ...one,
    ...(reference === undefined ? {} : { reference: scrub(reference) }),
    ...(comment === undefined ? {} : { comment: scrub(comment) }),
  };
}

/** A status that is not served says nothing; any other than `running` is likely to refuse. */
function isStopped({ status }: LiveIntegration): boolean {
  return status !== undefined && status !== 'running';
}

function unmanaged(desired: DesiredIntegration, live: LiveIntegration): number {
  const managed = new Set(desired.options.filter(isManaged).map(({ key }) => key));
  return live.optionKeys.filter((key) => !managed.has(key)).length;
}

function warnings({ id, status, blocked }: IntegrationPlan): Diagnostic[] {
  return blocked && status !== null ? [diagnostic('not-running', { integration: id, status })] : [];
}

function summarise(
  integrations: readonly IntegrationPlan[],
  managedInAll: number,
  installed: number,
  reads: number,
): PlanSummary {
  const sum = (count: (integration: IntegrationPlan) => number) =>
    integrations.reduce((total, each) => total + count(each), 0);
  return {
    managed: integrations.length,
    managedInAll,
    changed: sum(({ changes }) => (changes.length > 0 ? 1 : 0)),
    changes: sum(({ changes }) => changes.length),
    blocked: sum(({ blocked }) => (blocked ? 1 : 0)),
    cannotTell: sum(({ cannotTell }) => cannotTell.length),
    unmanagedOptions: sum(({ unmanagedOptions }) => unmanagedOptions),
    unmanagedIntegrations: installed - integrations.length,
    reads,
    writes: sum((integration) => requestsOf(integration).length),
  };
}
