import { resolve } from 'node:path';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import type { ServerPlan } from '../../core/plan/plan.ts';
import { decodeSavedPlan } from '../../core/plan/saved.ts';
import { fail } from '../failure.ts';
import type { Run } from '../run.ts';
import { readRegularFile, unreadable } from './regular-file.ts';

/** The largest plan that is read, in bytes. */
const LARGEST_PLAN = 256 * 1024 * 1024;

/** The reviewed plan of each server, by its name. */
export type ReviewedPlans = ReadonlyMap<string, ServerPlan<null>>;

/** A saved plan, and what was found when it was made. */
export interface ReadPlan {
  readonly plans: ReviewedPlans;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a plan that `plan --report json=FILE` wrote; fails where the file holds none. */
export async function readSavedPlan(run: Run, path: string): Promise<ReadPlan> {
  const content = await readRegularFile(run, resolve(run.runtime.cwd, path), { most: LARGEST_PLAN });
  if ('reason' in content) return fail(unreadable(path, content));
  const malformed = (problem: string) => fail(diagnostic('plan-malformed', { path, problem }));
  const saved = decodeSavedPlan(jsonOf(new TextDecoder().decode(content.bytes)));
  if ('problem' in saved) return malformed(saved.problem);
  const { servers, diagnostics } = saved;
  return { plans: new Map(servers.map((server) => [server.name, server])), diagnostics };
}

/** The document in a text; undefined, which is not a document either, where the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
