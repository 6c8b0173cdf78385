import { compareText, type Diagnostic, diagnostic, onServer } from '../../core/findings/diagnostic.ts';
import { refusedForSize } from '../../core/plan/guard.ts';
import { movedSince, standingIn } from '../../core/plan/moved.ts';
import { judge, reachedBy, type Written } from '../../core/plan/outcome.ts';
import { hasChanges, type Policy, type ServerPlan } from '../../core/plan/plan.ts';
import { refusedRisks, strictest } from '../../core/plan/risk.ts';
import { renderPlans } from '../../core/report/plan-text.ts';
import { scrubber } from '../../core/report/secret.ts';
import { readBackOf, wantedOf, writePlan } from '../apply.ts';
import { paintFor } from '../colour.ts';
import { type ErrorWatchOptions, errorsSince, readErrorsBefore } from '../error-watch.ts';
import { fail } from '../failure.ts';
import { Gate } from '../gate.ts';
import type { Api } from '../http/api.ts';
import type { Wanted } from '../http/live.ts';
import {
  type KeyedServer,
  type LivePlan,
  onlyNothing,
  type PlanningOptions,
  type Prepared,
  planLive,
  planReport,
  prepare,
  unwrittenSecrets,
} from '../planning.ts';
import { policyAt, policyHere } from '../policy.ts';
import { type CommandResult, type Run, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { readSavedPlan, recallPlan, type SavedServer } from '../saved-plan.ts';
import { findingsOn, onServers } from '../servers.ts';

export interface ApplyOptions extends PlanningOptions, ErrorWatchOptions {
  readonly yes?: boolean | undefined;
  readonly accept?: readonly string[] | undefined;
  /** The exact number of integrations that may change where they are many. */
  readonly allowChanges?: number | undefined;
  /** A git ref whose policy holds beside that of the working tree. */
  readonly policyFrom?: string | undefined;
  readonly failFast?: boolean | undefined;
}

/** What came of one server. */
interface Applied {
  readonly plan: ServerPlan;
  readonly diagnostics: readonly Diagnostic[];
}

/** What is to be applied: the servers, and how each comes to its plan. */
interface Job<S extends KeyedServer> {
  readonly servers: readonly S[];
  readonly warnings: readonly Diagnostic[];
  readonly planOn: (api: Api, server: S) => Promise<LivePlan>;
}

/**
 * Makes servers as their configuration says, or as a saved plan says: plans all, asks once, writes, reads back, tells what
 * came of each integration.
 */
export function apply(path: string | undefined, options: ApplyOptions, runtime: Runtime): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    if (options.yes !== true && !runtime.canAsk) fail(diagnostic('needs-confirmation', {}));
    if (path === undefined) {
      const planOn = (api: Api, server: Prepared) => planLive(run, api, server);
      return applyAll(run, options, { ...(await prepare(run, options)), planOn });
    }
    refuseChoices(options);
    const servers = await readSavedPlan(run, path, options);
    const planOn = (api: Api, server: SavedServer) => recallPlan(run, api, server);
    return applyAll(run, options, { servers, warnings: [], planOn });
  });
}

/** A saved plan has said what is to be done where: nothing of that is open to choice. */
function refuseChoices(options: ApplyOptions): void {
  const { file = [], server = [], writeSecrets = [], only } = options;
  const given = [
    ...(file.length > 0 ? ['--file'] : []),
    ...(server.length > 0 ? ['--server'] : []),
    ...(writeSecrets.length > 0 ? ['--write-secrets'] : []),
    ...(only === undefined ? [] : ['--only']),
  ];
  if (given.length > 0)
    fail(
      diagnostic('usage', {
        problem: `${given.join(', ')} cannot be combined with a saved plan, which is applied as it is.`,
        hint: 'Pass it to setpoint plan, and save that plan.',
      }),
    );
}

async function applyAll<S extends KeyedServer>(
  run: Run,
  options: ApplyOptions,
  { servers, warnings, planOn }: Job<S>,
): Promise<CommandResult> {
  const reference = options.policyFrom === undefined ? {} : await policyAt(run, options.policyFrom);
  const here = await policyHere(run);
  const policies = new Map(
    servers.map(({ target }) => [target.name, strictest([reference, here, target.policy])]),
  );
  const objections: Diagnostic[] = [];
  const gate = new Gate<LivePlan>(servers.length, async (planned, missing) => {
    objections.push(...(await objectionsTo(run, options, policies, planned, missing)));
    return objections.length === 0;
  });
  const results = await onServers(run, options, 'write', servers, async (api, server) => {
    const planned = await planOn(api, server).catch((thrown) => {
      gate.miss();
      throw thrown;
    });
    return (await gate.pass(planned)) ? applyPlan(run, api, planned, options) : planned;
  });
  const plans = results.flatMap(({ value }) => value?.plan ?? []);
  return {
    diagnostics: [
      ...warnings,
      ...findingsOn(results),
      ...objections,
      ...onlyNothing(options.only, plans),
      ...unwrittenSecrets(options.writeSecrets, plans),
    ],
    report: planReport(servers, plans),
    reached: reachedBy(plans),
  };
}

async function applyPlan(run: Run, api: Api, planned: LivePlan, options: ApplyOptions): Promise<Applied> {
  if (!hasChanges(planned.plan)) return planned;
  const touched = planned.plan.integrations.filter(({ changes }) => changes.length > 0).map(wantedOf);
  const standing = options.yes === true ? planned : await standingNow(planned, touched);
  const isLeftAlone = ({ id }: { readonly id: string }) => standing.moved.has(id) || standing.settled.has(id);
  const errors = touched.every(isLeftAlone) ? [] : await readErrorsBefore(api, options);
  const written = await writePlan(run, api, planned, standing, { failFast: options.failFast ?? false });
  const readBack = await readBackOf(run, planned, touched);
  const applied = judge(planned.plan, written, readBack, planned.fingerprint);
  const sent = planned.plan.integrations.filter((each) => isSent(written.get(each.id)) && !isLeftAlone(each));
  const risen = sent.length === 0 ? [] : await errorsSince(run, api, errors, sent, options);
  const summary = { ...applied.plan.summary, reads: api.reads };
  return {
    plan: { ...applied.plan, summary },
    diagnostics: [...planned.diagnostics, ...applied.diagnostics, ...risen],
  };
}

/** Whether something may have reached the server. */
function isSent(written: Written | undefined): boolean {
  return written?.kind === 'acknowledged' || written?.kind === 'unclear' || written?.kind === 'refused';
}

const NOTHING_SETTLED: ReadonlySet<string> = new Set();

/** While a person was reading, the server may have moved. */
async function standingNow(
  { plan, reader, fingerprint, isSaved }: LivePlan,
  touched: readonly Wanted[],
): Promise<Pick<LivePlan, 'moved' | 'settled'>> {
  const live = await reader.again(touched);
  if (isSaved) return standingIn(plan, live, fingerprint);
  return { moved: movedSince(plan, live, fingerprint), settled: NOTHING_SETTLED };
}

/** Why nothing may be written anywhere; none where there is nothing to write, or everything is in order and agreed to. */
async function objectionsTo(
  run: Run,
  options: ApplyOptions,
  policies: ReadonlyMap<string, Policy>,
  planned: readonly LivePlan[],
  missing: number,
): Promise<Diagnostic[]> {
  const plans = planned.map(openPart).sort((a, b) => compareText(a.name, b.name));
  if (!plans.some(hasChanges)) return [];
  if (missing > 0) return [diagnostic('held-back', {})];
  const refused = plans.flatMap((plan) =>
    refusedRisks(plan, policies.get(plan.name) ?? {}, options.accept ?? []).map((facts) => {
      const found = diagnostic('risk-refused', facts);
      return plans.length > 1 ? onServer(found, plan.name) : found;
    }),
  );
  // Who names the number that the plan told is right also where a part of it is done by now.
  const isAsPlanned =
    refusedForSize(
      planned.map(({ plan }) => plan),
      options.allowChanges,
    ).length === 0;
  const objections = [...refused, ...(isAsPlanned ? [] : refusedForSize(plans, options.allowChanges))];
  if (objections.length > 0) return objections;
  const agreed = options.yes === true || (await confirmed(run, plans, options));
  return agreed ? [] : [diagnostic('not-confirmed', {})];
}

/** A plan without what an earlier apply of it has done: nobody has to agree to that again. */
function openPart({ plan, settled }: LivePlan): ServerPlan {
  const integrations = plan.integrations.map((each) =>
    settled.has(each.id) ? { ...each, changes: [] } : each,
  );
  const open = integrations.filter(({ changes }) => changes.length > 0);
  const changes = open.reduce((sum, each) => sum + each.changes.length, 0);
  return { ...plan, integrations, summary: { ...plan.summary, changed: open.length, changes } };
}

/** Shows the plans and asks; only the full word counts. */
async function confirmed(run: Run, plans: readonly ServerPlan[], options: ApplyOptions): Promise<boolean> {
  const { stderr, env } = run.runtime;
  const paint = paintFor(options.color ?? 'auto', env, stderr);
  const view = { paint, width: stderr.columns, scrub: scrubber(run.secrets), showRequests: false };
  run.console.show(renderPlans(plans, view));
  const names = plans.filter(hasChanges).map(({ name }) => name);
  const answer = await run.console.ask(
    `\nApply these changes to ${names.join(', ')}? Type yes: `,
    run.interruption.stopping,
  );
  return answer?.trim().toLowerCase() === 'yes';
}
