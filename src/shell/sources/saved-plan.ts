import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import type { ServerPlan } from '../../core/plan/plan.ts';
import { decodeSavedPlan } from '../../core/plan/saved.ts';
import { fail, systemReason } from '../failure.ts';
import { refuseReportOnto } from '../report-target.ts';
import type { Run } from '../run.ts';

/** The largest plan that is read, in bytes. */
const LARGEST_PLAN = 256 * 1024 * 1024;

/** The reviewed plan of each server, by its name. */
export type ReviewedPlans = ReadonlyMap<string, ServerPlan<null>>;

/** Reads a plan that `plan --report json=FILE` wrote; fails where the file holds none. */
export async function readSavedPlan(run: Run, path: string): Promise<ReviewedPlans> {
  const absolute = resolve(run.runtime.cwd, path);
  await refuseReportOnto(run.reportFiles, absolute);
  const malformed = (problem: string) => fail(diagnostic('plan-malformed', { path, problem }));
  const unreadable = (thrown: unknown) =>
    fail(diagnostic('file-unreadable', { path, reason: systemReason(thrown) }));
  const found = await stat(absolute).catch(unreadable);
  if (!found.isFile()) malformed('it is not a regular file');
  if (found.size > LARGEST_PLAN) malformed(`it has more than ${LARGEST_PLAN} bytes`);
  const text = new TextDecoder().decode(await readFile(absolute).catch(unreadable));
  const saved = decodeSavedPlan(jsonOf(text));
  return 'problem' in saved
    ? malformed(saved.problem)
    : new Map(saved.map((server) => [server.name, server]));
}

/** The document in a text; undefined, which is not a document either, where the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
