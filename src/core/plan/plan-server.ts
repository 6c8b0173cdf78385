import { type Checked, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { type DesiredIntegration, type DesiredState, isManaged } from '../model/desired.ts';
import type { LiveIntegration } from '../model/live.ts';
import { literalsOf, neededBy } from '../model/recipe.ts';
import type { OptionValue } from '../model/value.ts';
import { diffIntegration, type SecretKeeping } from './diff.ts';
import { isSkipped, misfitDefaults } from './known-option.ts';
import type { Change, IntegrationPlan, PlanSummary, ServerPlan } from './plan.ts';
import { requestsOf } from './requests.ts';

/** What a plan is made from. */
export interface PlanInput {
  readonly server: Pick<ServerPlan, 'name' | 'url' | 'policy' | 'root'>;
  readonly desired: DesiredState;
  readonly live: readonly LiveIntegration[];
  /** How many other integrations the configuration manages, those that were not selected. */
  readonly managedElsewhere?: number;
  /** How many requests the reading took. */
  readonly reads: number;
  readonly secrets: SecretKeeping;
}

/** A plan, and beside it the sensitive values that it must not hold: by integration id, then by address. */
export interface Planned {
  readonly plan: ServerPlan;
  readonly withheld: Withheld;
}

type Withheld = ReadonlyMap<string, ReadonlyMap<string, OptionValue>>;

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
    const changes = diff.changes.map((change) =>
      withCleanRecipe(withoutSecrets(change, input.secrets.scrub), input.secrets.scrub),
    );
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
  const plan: ServerPlan = { ...headOf(input.server, integrations), summary, integrations };
  return {
    value: { plan, withheld: new Map(diffs.map(({ desired, diff }) => [desired.id, diff.withheld])) },
    diagnostics,
  };
}

/** Whether nothing is managed there: defaults ask for nothing that it has. */
function isIdle({ autosubscribe, options }: DesiredIntegration, live: LiveIntegration): boolean {
  return autosubscribe === undefined && options.every((option) => isSkipped(option, live));
}

/** What a plan says of its server, without what nothing of it needs. */
function headOf(
  { name, url, policy, root }: PlanInput['server'],
  integrations: readonly IntegrationPlan[],
): PlanInput['server'] {
  const needsFile = integrations.some(({ changes }) =>
    changes.some(
      (change) =>
        change.field === 'value' &&
        change.recipe !== undefined &&
        neededBy(change.recipe).some(({ kind }) => kind === 'file'),
    ),
  );
  return {
    name,
    url,
    ...(policy === undefined || Object.keys(policy).length === 0 ? {} : { policy }),
    ...(needsFile && root !== undefined ? { root } : {}),
  };
}

/** What a plan repeats of the YAML can hold a secret that stands there in clear. */
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

/** A recipe with a secret in clear is left out: with a gap in it, it would make another value. */
function withCleanRecipe(change: Change, scrub: (text: string) => string): Change {
  if (change.field !== 'value' || change.recipe === undefined) return change;
  const { recipe, ...rest } = change;
  return literalsOf(recipe).every((text) => scrub(text) === text) ? change : rest;
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
