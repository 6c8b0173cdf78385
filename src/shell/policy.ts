import { dirname } from 'node:path';
import { parseProject } from '../core/config/project.ts';
import { diagnostic } from '../core/findings/diagnostic.ts';
import { hasErrors } from '../core/findings/explain.ts';
import type { Policy } from '../core/plan/plan.ts';
import { gitRoot, PROJECT_FILE } from './config-source.ts';
import { Failure, fail } from './failure.ts';
import { commitAt, readAtCommit } from './git.ts';
import type { Run } from './run.ts';
import { findProject } from './targets.ts';

/** The policy of the project that this folder is in, whichever server is named how: an address does not loosen it. */
export async function policyHere(run: Run): Promise<Policy> {
  const found = await findProject(run);
  if (found !== undefined && hasErrors(found.diagnostics)) throw new Failure(found.diagnostics);
  return found?.project.policy ?? {};
}

/**
 * The policy of `setpoint.yaml` at a git ref: that of this folder or of the nearest one above it that has one there. Fails
 * where the ref has none: who asks for its policy would otherwise go without any.
 */
export async function policyAt(run: Run, ref: string): Promise<Policy> {
  const { cwd } = run.runtime;
  const root = await gitRoot(cwd);
  if (root === undefined)
    return fail(
      diagnostic('usage', {
        problem: '--policy-from works only inside a git work tree.',
        hint: 'Run it in a clone of the configuration repository.',
      }),
    );
  const commit = await commitAt(cwd, ref);
  const text = await nearest(cwd, root, commit);
  if (text === undefined)
    return fail(
      diagnostic('usage', {
        problem: `There is no ${PROJECT_FILE} at ${ref}.`,
        hint: 'Name a ref that has one, such as the target branch.',
      }),
    );
  const path = `${ref}:${PROJECT_FILE}`;
  run.sources.set(path, text);
  const { value, diagnostics } = parseProject({ path, text });
  if (value === undefined || hasErrors(diagnostics)) throw new Failure(diagnostics);
  return value.policy;
}

async function nearest(folder: string, root: string, commit: string): Promise<string | undefined> {
  const text = await readAtCommit(folder, commit, PROJECT_FILE);
  return text !== undefined || folder === root ? text : nearest(dirname(folder), root, commit);
}
