import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { diagnosticDocuments, hasErrors } from '../../core/findings/explain.ts';
import { present } from '../../core/model/json.ts';
import { unmetChoices } from '../../core/plan/choice.ts';
import { judge } from '../../core/plan/judge.ts';
import {
  type Planned,
  type ServerPlan,
  summaryOf,
} from '../../core/plan/plan.ts';
import { refusals } from '../../core/plan/refusals.ts';
import { unmetEverywhere } from '../../core/plan/unmet-waivers.ts';
import { documentOf } from '../../core/report/document.ts';
import { linesReport } from '../../core/report/report.ts';
import { withShownTexts } from '../../core/report/text/diagnostics.ts';
import { renderText } from '../../core/report/text/plan.ts';
import { fail } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Run } from '../run.ts';
import {
  eachAtOnce,
  named,
  type ServerResult,
  unworked,
  withServers,
} from '../servers/sessions.ts';
import { applyPlan } from './apply.ts';
import { type LivePlan, planLive } from './plan.ts';
import type { Preparation } from './prepare.ts';

/** What planning a server led to, and what writes the plan in the same session. */
interface PlannedServer extends ServerResult<LivePlan> {
  readonly write: (plan: LivePlan) => Promise<ServerResult<Planned>>;
}

/**
 * Plans all servers side by side, decides for all whether to write, and writes one after another. Returns what became of each,
 * what objected, the choices of flags that are unmet, and whether a person has seen the plans.
 */
export function reconcile(
  run: Run,
  options: Options,
  { servers, names, warnings }: Preparation,
) {
  return withServers(
    run,
    { ...options, mode: 'write' },
    servers,
    async (open) => {
      const planned = await eachAtOnce(
        run,
        options,
        open,
        async ({ api, server, attempt }) => {
          const result = await attempt(async () => {
            const made = await planLive(run, api, server);
            if (options.failFast && hasErrors(made.diagnostics))
              fail(...made.diagnostics);
            return made;
          });
          return {
            ...result,
            write: (plan: LivePlan) =>
              attempt(() => applyPlan(run, plan, options)),
          };
        },
      );
      const made = planned.flatMap(({ value }) => value ?? []);
      const unmet = [
        ...unmetChoices(options, names, made),
        ...unmetEverywhere(made),
      ];
      const odd = [...warnings, ...unmet];
      const { objections, isSeen } = hasErrors(unmet)
        ? { objections: unmet, isSeen: false }
        : await decide(run, options, planned, odd);
      const results =
        objections.length > 0
          ? planned
          : await writeInOrder(run, planned, options);
      return { results, objections, unmet, isSeen };
    },
  );
}

/** Decides for all servers whether to write: what objects, and whether a person has seen the plans, who is asked last. */
async function decide(
  run: Run,
  options: Options,
  planned: readonly PlannedServer[],
  warnings: readonly Diagnostic[],
) {
  const decided = (...objections: readonly Diagnostic[]) => ({
    objections,
    isSeen: false,
  });
  const made = planned.flatMap(({ value }) => value ?? []);
  const plans = made.map(openPart);
  const changing = plans.filter(({ summary }) => summary.changes > 0);
  if (changing.length === 0) return decided();
  const unplanned = unworked(planned);
  if (unplanned.length > 0 && options.keepGoing !== true)
    return decided(
      diagnostic('not-attempted', { integrations: [], unplanned }),
    );
  const isNamed = (run.part.shard?.servers ?? planned).length > 1;
  const refused = refusals(plans, options, 'apply', isNamed);
  if (refused.length > 0) return decided(...refused);
  if (options.yes === true) return decided();
  const findings = made.flatMap((each) =>
    named(isNamed, each.plan.name, [
      ...each.diagnostics,
      ...judge(each.plan, new Map()).diagnostics,
    ]),
  );
  run.writer.preview(
    linesReport(documentOf({ command: 'plan', servers: plans }), renderText),
  );
  const known = [...warnings, ...run.notices, ...findings];
  run.writer.findings(
    diagnosticDocuments(known),
    withShownTexts(run.sources, known),
  );
  const names = changing.map(({ name }) => name);
  const question = `Apply these changes to ${names.join(', then ')}?`;
  const isAgreed = await run.writer.confirm(
    question,
    run.interruption.stopping,
  );
  return {
    objections: isAgreed ? [] : [diagnostic('not-confirmed', {})],
    isSeen: true,
  };
}

/** A plan without the changes of integrations that are left alone. */
function openPart({ plan }: LivePlan): ServerPlan {
  const integrations = plan.integrations.map((each) =>
    each.end === undefined ? each : { ...each, changes: [] },
  );
  return {
    ...plan,
    integrations,
    summary: summaryOf(integrations, plan.summary),
  };
}

/** A server after its part of an apply. */
type AppliedServer = ServerResult<
  Pick<LivePlan, 'plan' | 'diagnostics' | 'leftOut'>
>;

/** Writes one server after another. After a failure the rest is not attempted, unless `--keep-going`. */
async function writeInOrder(
  run: Run,
  servers: readonly PlannedServer[],
  options: Options,
): Promise<readonly AppliedServer[]> {
  const written: AppliedServer[] = [];
  for (const { write, ...result } of servers) {
    const { value: planned } = result;
    const isOver = options.keepGoing !== true && written.some(hasFailed);
    if (planned === undefined) written.push(result);
    else if (isOver || run.interruption.stopping.aborted)
      written.push({ ...result, value: notTried(planned) });
    else {
      const { value, ...ended } = await write(planned);
      written.push({
        ...ended,
        value:
          value === undefined ? notTried(planned) : { ...planned, ...value },
      });
    }
  }
  const isAttempted = written.some(({ value }) =>
    value?.plan.integrations.some(({ outcome }) => outcome !== undefined),
  );
  return isAttempted ? written.map(withErrors) : written;
}

/** The end of a plan that another server, or an interruption, kept from being written. */
function notTried(planned: LivePlan): LivePlan {
  const end = { kind: 'not-attempted' } as const;
  const integrations = planned.plan.integrations.map(({ end: _, ...each }) =>
    each.changes.length === 0 ? each : { ...each, end },
  );
  const { plan, diagnostics } = judge(
    { ...planned.plan, integrations },
    new Map(),
  );
  return {
    ...planned,
    plan,
    diagnostics: [...planned.diagnostics, ...diagnostics],
  };
}

/** Whether a server keeps those after it from being attempted. */
function hasFailed({ value, diagnostics }: AppliedServer): boolean {
  const outcomes = value?.plan.integrations.map(({ outcome }) => outcome) ?? [];
  const isBad = outcomes.some(
    (each) =>
      each === 'failed' || each === 'unknown' || each === 'not-converged',
  );
  return isBad || diagnostics.length > 0;
}

/** Gives what errors left out of a plan its outcome, once anything else was attempted. */
function withErrors({ value, ...server }: AppliedServer): AppliedServer {
  if (value === undefined || value.leftOut.length === 0)
    return { ...server, ...present({ value }) };
  const integrations = value.plan.integrations.map((each) =>
    each.unplanned ? { ...each, outcome: 'not-attempted' as const } : each,
  );
  const found = diagnostic('not-attempted', { integrations: value.leftOut });
  const plan = { ...value.plan, integrations };
  return {
    ...server,
    value: { ...value, plan, diagnostics: [...value.diagnostics, found] },
  };
}
