import { compareText, type Diagnostic, diagnostic, onServer } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import type { Verdict } from '../../core/plan/compare.ts';
import { refusedForSize, refusedRisks } from '../../core/plan/guard.ts';
import { judge, reachedBy, type Written } from '../../core/plan/judge.ts';
import { movedSince } from '../../core/plan/moved.ts';
import { hasChanges, type ServerPlan } from '../../core/plan/plan.ts';
import { type Policy, strictest } from '../../core/plan/risk.ts';
import { renderPlans } from '../../core/report/plan-text.ts';
import { scrubber } from '../../core/report/secret.ts';
import { readBackOf, wantedOf, writePlan } from '../apply.ts';
import { paintFor } from '../colour.ts';
import { type ErrorWatchOptions, errorsSince, readErrorsBefore } from '../error-watch.ts';
import { Failure, fail } from '../failure.ts';
import { Gate } from '../gate.ts';
import type { Api } from '../http/api.ts';
import type { Wanted } from '../http/live.ts';
import {
  type LivePlan,
  onlyNothing,
  type PlanningOptions,
  type Preparation,
  type Prepared,
  planLive,
  planReport,
  prepare,
  unwrittenSecrets,
} from '../planning.ts';
import { type CommandResult, type Run, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { narrowed, prepareAgain, readSavedPlan } from '../saved-plan.ts';
import { findingsOn, onServers } from '../servers.ts';
import { findProject } from '../targets.ts';

export interface ApplyOptions extends PlanningOptions, ErrorWatchOptions {
  readonly yes?: boolean | undefined;
  readonly accept?: readonly string[] | undefined;
  /** The exact number of integrations that may change where they are many. */
  readonly allowChanges?: number | undefined;
  readonly failFast?: boolean | undefined;
}

/** What became of one server. */
interface Applied {
  readonly plan: ServerPlan;
  readonly diagnostics: readonly Diagnostic[];
}

/** Leaves of a plan what may be written. */
type Narrow = (planned: LivePlan, server: Prepared) => LivePlan;

/**
 * Makes servers as their configuration says, as far as a saved plan has it where one is given: plans all, asks once, writes,
 * reads back, reports what became of each integration.
 */
export function apply(path: string | undefined, options: ApplyOptions, runtime: Runtime): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    if (options.yes !== true && !runtime.canAsk) fail(diagnostic('needs-confirmation', {}));
    if (path === undefined) return applyAll(run, options, await prepare(run, options), (planned) => planned);
    refuseChoices(options);
    const reviewed = await readSavedPlan(run, path);
    return applyAll(run, options, await prepareAgain(run, reviewed, options), (planned, { target }) =>
      narrowed(planned, reviewed.get(target.name)),
    );
  });
}

/** What a saved plan has chosen is not open to choice again. */
function refuseChoices({ writeSecrets, only }: ApplyOptions): void {
  const given = [
    ...(writeSecrets === undefined ? [] : ['--write-secrets']),
    ...(only === undefined ? [] : ['--only']),
  ];
  if (given.length === 0) return;
  const problem = `${given.join(', ')} cannot be combined with a saved plan, which has made this choice.`;
  fail(diagnostic('usage', { problem, hint: 'Pass it to setpoint plan, and save that plan.' }));
}

async function applyAll(
  run: Run,
  options: ApplyOptions,
  { servers, warnings }: Preparation,
  narrow: Narrow,
): Promise<CommandResult> {
  const here = await policyHere(run);
  const policies = new Map(servers.map(({ target }) => [target.name, strictest([here, target.policy])]));
  const objections: Diagnostic[] = [];
  const gate = new Gate<LivePlan>(servers.length, async (planned, missing) => {
    objections.push(...(await objectionsTo(run, options, policies, planned, missing)));
    return objections.length === 0;
  });
  const results = await onServers(run, options, 'write', servers, async (api, server) => {
    const planOne = async () => narrow(await planLive(run, api, server), server);
    const planned = await planOne().catch((thrown) => {
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
    report: planReport(plans, plans.length === servers.length),
    reached: reachedBy(plans),
  };
}

/** The policy of the project that this folder is in, however the server is named: an address does not loosen it. */
async function policyHere(run: Run): Promise<Policy> {
  const found = await findProject(run);
  if (found !== undefined && hasErrors(found.diagnostics)) throw new Failure(found.diagnostics);
  return found?.project.policy ?? {};
}

async function applyPlan(run: Run, api: Api, planned: LivePlan, options: ApplyOptions): Promise<Applied> {
  if (!hasChanges(planned.plan) && planned.verdicts.size === 0) return planned;
  const open = openPart(planned);
  const touched = open.integrations.filter(({ changes }) => changes.length > 0).map(wantedOf);
  const verdicts =
    options.yes === true ? planned.verdicts : await verdictsNow({ ...planned, plan: open }, touched);
  const writes = touched.some(({ id }) => isWritten(verdicts.get(id)));
  const errors = writes ? await readErrorsBefore(api, options) : [];
  const written = await writePlan(run, api, planned, verdicts, { failFast: options.failFast ?? false });
  const readBack = writes ? await readBackOf(run, planned, touched) : new Map();
  const applied = judge(planned.plan, written, readBack, planned.fingerprint);
  const sent = planned.plan.integrations.filter(({ id }) => isSent(written.get(id)));
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

function isWritten(verdict: Verdict | undefined): boolean {
  return verdict === undefined || verdict.kind === 'write';
}

/** The verdicts once a person has answered: the server may have moved meanwhile. */
async function verdictsNow(planned: LivePlan, touched: readonly Wanted[]): Promise<LivePlan['verdicts']> {
  const { plan, reader, fingerprint, verdicts } = planned;
  if (touched.length === 0) return verdicts;
  const moved = movedSince(plan, await reader.again(touched), fingerprint);
  const stale = [...moved].map(([id, fields]): [string, Verdict] => [id, { kind: 'stale', moved: fields }]);
  return new Map([...verdicts, ...stale]);
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
  const sizes = planned.map(({ size }) => size).sort((a, b) => compareText(a.name, b.name));
  const objections = [...refused, ...refusedForSize(sizes, options.allowChanges)];
  if (objections.length > 0) return objections;
  const agreed = options.yes === true || (await confirmed(run, plans, options));
  return agreed ? [] : [diagnostic('not-confirmed', {})];
}

/** A plan without what is not written: what is stale, and what is done. */
function openPart({ plan, verdicts }: LivePlan): ServerPlan {
  if (verdicts.size === 0) return plan;
  const integrations = plan.integrations.map((each) =>
    isWritten(verdicts.get(each.id)) ? each : { ...each, changes: [] },
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
