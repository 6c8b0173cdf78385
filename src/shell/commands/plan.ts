import { hasChanges } from '../../core/plan/plan.ts';
import { renderPlan } from '../../core/report/plan-text.ts';
import { withServer } from '../connection.ts';
import { type PlanningOptions, planDocument, planLive, prepare } from '../planning.ts';
import { runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';

export interface PlanOptions extends PlanningOptions {
  readonly exitCode?: boolean | undefined;
  readonly showRequests?: boolean | undefined;
}

/** Shows how a server differs from its configuration. It cannot write: its transport refuses to. */
export function plan(options: PlanOptions, runtime: Runtime): Promise<number> {
  return runCommand(options, runtime, async (run) => {
    const prepared = await prepare(run, options);
    const planned = await withServer(run, options, { ...prepared, mode: 'read' }, (api) =>
      planLive(run, api, prepared),
    );
    const { plan: found } = planned;
    const showRequests = options.showRequests ?? false;
    return {
      diagnostics: [...prepared.warnings, ...planned.diagnostics],
      document: planDocument(prepared, found),
      text: (paint, width, scrub) => renderPlan(found, { paint, width, scrub, showRequests }),
      differs: options.exitCode === true && hasChanges(found),
    };
  });
}
