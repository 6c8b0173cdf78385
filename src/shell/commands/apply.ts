import { type Diagnostic, diagnostic } from '../../core/diagnostic.ts';
import { judge, movedSince } from '../../core/plan/outcome.ts';
import { hasChanges, type ServerPlan } from '../../core/plan/plan.ts';
import { refusedRisks } from '../../core/plan/risk.ts';
import { renderPlan } from '../../core/report/plan-text.ts';
import { scrubber } from '../../core/report/secret.ts';
import { writePlan } from '../apply.ts';
import { paintFor } from '../colour.ts';
import { withServer } from '../connection.ts';
import { fail } from '../failure.ts';
import type { Api } from '../http/api.ts';
import {
  type LivePlan,
  type PlanningOptions,
  type Prepared,
  planDocument,
  planLive,
  prepare,
} from '../planning.ts';
import { type Run, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';

export interface ApplyOptions extends PlanningOptions {
  readonly yes?: boolean | undefined;
  readonly accept?: readonly string[] | undefined;
  readonly failFast?: boolean | undefined;
}

interface ApplyResult {
  readonly plan: ServerPlan;
  readonly diagnostics: readonly Diagnostic[];
}

/** Makes a server as its configuration says: plans, asks, writes, reads back, and says what came of each integration. */
export function apply(options: ApplyOptions, runtime: Runtime): Promise<number> {
  return runCommand(options, runtime, async (run) => {
    if (options.yes !== true && !runtime.canAsk) fail(diagnostic('needs-confirmation', {}));
    const prepared = await prepare(run, options);
    const applied = await withServer(run, options, { ...prepared, mode: 'write' }, (api) =>
      applyLive(run, api, prepared, options),
    );
    return {
      diagnostics: [...prepared.warnings, ...applied.diagnostics],
      document: planDocument(prepared, applied.plan),
      text: (paint, width, scrub) => renderPlan(applied.plan, { paint, width, scrub, showRequests: false }),
    };
  });
}

async function applyLive(
  run: Run,
  api: Api,
  prepared: Prepared,
  options: ApplyOptions,
): Promise<ApplyResult> {
  const planned = await planLive(run, api, prepared);
  if (!hasChanges(planned.plan)) return planned;
  const refused = refusedRisks(planned.plan, options.accept ?? []).map((facts) =>
    diagnostic('risk-refused', facts),
  );
  if (refused.length > 0) return { plan: planned.plan, diagnostics: [...planned.diagnostics, ...refused] };
  if (options.yes !== true && !(await confirmed(run, planned, options))) {
    return { plan: planned.plan, diagnostics: [...planned.diagnostics, diagnostic('not-confirmed', {})] };
  }
  const moved =
    options.yes === true
      ? new Map<string, readonly string[]>()
      : await readAgain(run, api, prepared, planned);
  const written = await writePlan(run, api, planned, moved, { failFast: options.failFast ?? false });
  const readBack = await planLive(run, api, prepared).catch(() => undefined);
  const applied = judge(planned.plan, written, readBack?.plan);
  const summary = { ...applied.plan.summary, reads: api.reads };
  return {
    plan: { ...applied.plan, summary },
    diagnostics: [...planned.diagnostics, ...applied.diagnostics],
  };
}

/** Shows the plan and asks; only the full word counts. */
async function confirmed(run: Run, planned: LivePlan, options: ApplyOptions): Promise<boolean> {
  const { stderr, env } = run.runtime;
  const paint = paintFor(options.color ?? 'auto', env, stderr);
  const view = { paint, width: stderr.columns, scrub: scrubber(run.secrets), showRequests: false };
  stderr.write(`${renderPlan(planned.plan, view)}\n`);
  const answer = await run.talk.ask(
    `Apply these changes to ${planned.plan.name}? Type yes: `,
    run.interruption.stopping,
  );
  return answer?.trim().toLowerCase() === 'yes';
}

/** While a person was reading, the server may have moved. */
async function readAgain(
  run: Run,
  api: Api,
  prepared: Prepared,
  planned: LivePlan,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const fresh = await planLive(run, api, prepared);
  return movedSince(planned.plan, fresh.plan);
}
