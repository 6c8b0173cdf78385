import { join } from 'node:path';
import { PROJECT_FILE } from '../../core/config/project.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import type { ServerPlan } from '../../core/plan/plan.ts';
import { type Policy, strictest } from '../../core/plan/risk.ts';
import { Failure } from '../failure.ts';
import type { Run } from '../run.ts';
import { projectsOver } from '../sources/project.ts';

/** What projects ask of a run, whichever way its servers are named. */
interface Governing {
  readonly policy: Policy;
  /** Days after which a secret should be replaced; infinite where no project says. */
  readonly secretMaxAge: number;
}

/**
 * The strictest that the projects over the working directory and over each file of configuration ask: neither an address nor
 * another folder loosens it.
 */
export async function governing(run: Run): Promise<Governing> {
  const projects = await projectsOver(run, [join(run.runtime.cwd, PROJECT_FILE), ...run.configFiles]);
  const found = projects.flatMap(({ diagnostics }) => diagnostics);
  if (hasErrors(found)) throw new Failure(found);
  const ages = projects.map(({ project }) => project.secretMaxAge ?? Number.POSITIVE_INFINITY);
  return {
    policy: strictest(projects.map(({ project }) => project.policy)),
    secretMaxAge: Math.min(...ages),
  };
}

/** Plans with a policy at least as strict as what governs the run. */
export async function governed(run: Run, plans: readonly ServerPlan[]): Promise<readonly ServerPlan[]> {
  const { policy: here } = await governing(run);
  return plans.map((plan) => {
    const policy = strictest([here, plan.policy ?? {}]);
    return Object.keys(policy).length === 0 ? plan : { ...plan, policy };
  });
}
