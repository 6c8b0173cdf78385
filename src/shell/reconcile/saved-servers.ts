import { plainAddress } from '../../core/config/server-url.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { listed } from '../../core/findings/words.ts';
import { present } from '../../core/model/json.ts';
import type { ServerDocument } from '../../core/plan/plan.ts';
import { fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Run } from '../run.ts';
import {
  type FoundServers,
  findServers,
  type Server,
} from '../servers/server.ts';
import { findProject } from '../sources/project.ts';

/**
 * Finds the servers of a saved plan or of a report, or those that flags name.
 * Fails if one of them is not in it, or has another address there.
 */
export async function findSavedServers(
  run: Run,
  options: Options,
  saved: readonly ServerDocument[],
): Promise<FoundServers> {
  const isUndo = run.command === 'undo';
  const { file = [], server, url } = options;
  const isNamed = server !== undefined || url !== undefined || file.length > 0;
  const names = saved.map(({ name }) => name);
  // Without a project, a variable names the server.
  const project = isNamed ? undefined : (await findProject(run))?.project;
  const isOfProject = project?.servers.some(({ name }) => names.includes(name));
  const isByFlags = isNamed || run.runtime.env['SETPOINT_URL'] !== undefined;
  if (!isOfProject && !isByFlags && isUndo) {
    failUsage(
      'No setpoint.yaml names the server of the report.',
      `Name it: setpoint undo REPORT --url ${saved[0]?.url ?? 'URL'}`,
    );
  }
  const selecting = isOfProject ? { ...options, server: names } : options;
  const found = await findServers(run, selecting);
  const foreign = found.servers.flatMap((known) =>
    foreignServer(known, saved, isUndo),
  );
  if (foreign.length > 0) fail(...foreign);
  return found;
}

/** The finding for a server that a saved document lacks, or has elsewhere. */
function foreignServer(
  { name, url }: Server,
  saved: readonly ServerDocument[],
  isUndo: boolean,
): Diagnostic[] {
  const then = saved.find((server) => server.name === name)?.url;
  const now = plainAddress(url.href);
  if (then === now) return [];
  const others = listed(saved.map((server) => server.url));
  const problem = `it was made for ${then ?? others}, not for ${now}`;
  const file = `The ${isUndo ? 'report' : 'plan'} for ${name}`;
  const hint = isUndo ? REPORT_HINT : undefined;
  const facts = { file, problem, ...present({ hint }) };
  return [diagnostic('file-unusable', facts)];
}

const REPORT_HINT =
  'Only the server that was written can be taken back: name it, under the same address.';
