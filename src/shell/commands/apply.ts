import { compareText, type Diagnostic, diagnostic } from '../../core/diagnostic.ts';
import { refusedForSize } from '../../core/plan/guard.ts';
import { judge } from '../../core/plan/outcome.ts';
import { hasChanges, type Policy, type ServerPlan } from '../../core/plan/plan.ts';
import { refusedRisks } from '../../core/plan/risk.ts';
import { movedSince } from '../../core/plan/settle.ts';
import { renderPlans } from '../../core/report/plan-text.ts';
import { scrubber } from '../../core/report/secret.ts';
import { wantedOf, writePlan } from '../apply.ts';
import { paintFor } from '../colour.ts';
import { fail } from '../failure.ts';
import { Gate } from '../gate.ts';
import type { Api } from '../http/api.ts';
import type { Wanted } from '../http/live.ts';
import {
  type LivePlan,
  onlyNothing,
  type PlanningOptions,
  type Prepared,
  planDocument,
  planLive,
  prepare,
  unwrittenSecrets,
} from '../planning.ts';
import { type CommandResult, type Run, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { named, onServers } from '../servers.ts';

export interface ApplyOptions extends PlanningOptions {
  readonly yes?: boolean | undefined;
  readonly accept?: readonly string[] | undefined;
  /** The exact number of integrations that may change where they are many. */
  readonly allowChanges?: number | undefined;
  readonly failFast?: boolean | undefined;
}

/** What came of one server. */
interface Applied {
  readonly plan: ServerPlan;
  readonly diagnostics: readonly Diagnostic[];
}

/** Makes servers as their configuration says: plans all, asks once, writes, reads back, tells what came of each integration. */
export function apply(options: ApplyOptions, runtime: Runtime): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    if (options.yes !== true && !runtime.canAsk) fail(diagnostic('needs-confirmation', {}));
    const { servers, warnings } = await prepare(run, options);
    const policies = new Map(servers.map(({ target }) => [target.name, target.policy]));
    const objections: Diagnostic[] = [];
    const gate = new Gate<LivePlan>(servers.length, async (planned, missing) => {
      objections.push(...(await objectionsTo(run, options, policies, planned, missing)));
      return objections.length === 0;
    });
    const results = await onServers(run, options, 'write', servers, (api, server) =>
      applyLive(run, api, server, gate, options),
    );
    const plans = results.flatMap(({ value }) => value?.plan ?? []);
    const found = results.flatMap(({ server, value, diagnostics }) => [
      ...diagnostics,
      ...named(value?.diagnostics ?? [], servers.length > 1 ? server.target.name : undefined),
    ]);
    return {
      diagnostics: [
        ...warnings,
        ...found,
        ...objections,
        ...onlyNothing(options.only, plans),
        ...unwrittenSecrets(options.writeSecrets, plans),
      ],
      document: planDocument(servers, plans),
      text: (paint, width, scrub) => renderPlans(plans, { paint, width, scrub, showRequests: false }),
    };
  });
}

async function applyLive(
  run: Run,
  api: Api,
  prepared: Prepared,
  gate: Gate<LivePlan>,
  options: ApplyOptions,
): Promise<Applied> {
  const planned = await planLive(run, api, prepared).catch((thrown) => {
    gate.miss();
    throw thrown;
  });
  const mayWrite = await gate.pass(planned);
  if (!mayWrite || !hasChanges(planned.plan)) return planned;
  const touched = planned.plan.integrations.filter(({ changes }) => changes.length > 0).map(wantedOf);
  const moved = options.yes === true ? NOTHING_MOVED : await movedMeanwhile(planned, touched);
  const written = await writePlan(run, api, planned, moved, { failFast: options.failFast ?? false });
  const readBack = await planned.reader.again(touched).catch(() => undefined);
  const applied = judge(planned.plan, written, readBack, planned.fingerprint);
  const summary = { ...applied.plan.summary, reads: api.reads };
  return {
    plan: { ...applied.plan, summary },
    diagnostics: [...planned.diagnostics, ...applied.diagnostics],
  };
}

const NOTHING_MOVED: ReadonlyMap<string, readonly string[]> = new Map();

/** While a person was reading, the server may have moved. */
async function movedMeanwhile({ plan, reader, fingerprint }: LivePlan, touched: readonly Wanted[]) {
  return movedSince(plan, await reader.again(touched), fingerprint);
}

/** Why nothing may be written anywhere; none where there is nothing to write, or everything is in order and agreed to. */
async function objectionsTo(
  run: Run,
  options: ApplyOptions,
  policies: ReadonlyMap<string, Policy>,
  planned: readonly LivePlan[],
  missing: number,
): Promise<Diagnostic[]> {
  const plans = planned.map(({ plan }) => plan).sort((a, b) => compareText(a.name, b.name));
  if (!plans.some(hasChanges)) return [];
  if (missing > 0) return [diagnostic('held-back', {})];
  const refused = plans.flatMap((plan) =>
    refusedRisks(plan, policies.get(plan.name) ?? {}, options.accept ?? []),
  );
  const objections = [
    ...refused.map((facts) => diagnostic('risk-refused', facts)),
    ...refusedForSize(plans, options.allowChanges),
  ];
  if (objections.length > 0) return objections;
  const agreed = options.yes === true || (await confirmed(run, plans, options));
  return agreed ? [] : [diagnostic('not-confirmed', {})];
}

/** Shows the plans and asks; only the full word counts. */
async function confirmed(run: Run, plans: readonly ServerPlan[], options: ApplyOptions): Promise<boolean> {
  const { stderr, env } = run.runtime;
  const paint = paintFor(options.color ?? 'auto', env, stderr);
  const view = { paint, width: stderr.columns, scrub: scrubber(run.secrets), showRequests: false };
  run.talk.show(renderPlans(plans, view));
  const names = plans.filter(hasChanges).map(({ name }) => name);
  const answer = await run.talk.ask(
    `\nApply these changes to ${names.join(', ')}? Type yes: `,
    run.interruption.stopping,
  );
  return answer?.trim().toLowerCase() === 'yes';
}
