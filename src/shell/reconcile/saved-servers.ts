import { plainAddress } from '../../core/config/server-url.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { listed } from '../../core/findings/words.ts';
import { present } from '../../core/model/json.ts';
import type { ServerDocument } from '../../core/plan/plan.ts';
import { fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Run } from '../run.ts';
import { type FoundServers, findServers } from '../servers/server.ts';
import { findProject } from '../sources/project.ts';

/** Where a saved document comes from. */
type SavedAs = 'plan' | 'report';

/**
 * Finds the servers of a saved plan or of a report, or those that flags name.
 * Fails if one of them is not in it, or has another address there.
 */
export async function findSavedServers(
  run: Run,
  options: Options,
  saved: readonly ServerDocument[],
  as: SavedAs = 'plan',
): Promise<FoundServers> {
  const { file = [], server, url } = options;
  const isNamed = server !== undefined || url !== undefined || file.length > 0;
  const names = saved.map(({ name }) => name);
  // Without a project, a variable names the server.
  const project = isNamed ? undefined : (await findProject(run))?.project;
  const isOfProject = project?.servers.some(({ name }) => names.includes(name));
  const isByFlags = isNamed || run.runtime.env['SETPOINT_URL'] !== undefined;
  if (!isOfProject && !isByFlags && as === 'report') {
    failUsage(
      'No setpoint.yaml names the server of the report.',
      `Name it: setpoint undo REPORT --url ${saved[0]?.url ?? 'URL'}`,
    );
  }
  const selecting = isOfProject ? { ...options, server: names } : options;
  const found = await findServers(run, selecting);
  const foreign: Diagnostic[] = [];
  for (const { name, url: address } of found.servers) {
    const then = saved.find((known) => known.name === name)?.url;
    const now = plainAddress(address.href);
    if (then === now) continue;
    const others = listed(saved.map((known) => known.url));
    const problem = `it was made for ${then ?? others}, not for ${now}`;
    const hint = as === 'report' ? REPORT_HINT : undefined;
    const facts = {
      file: `The ${as} for ${name}`,
      problem,
      ...present({ hint }),
    };
    foreign.push(diagnostic('file-unusable', facts));
  }
  if (foreign.length > 0) fail(...foreign);
  return found;
}

const REPORT_HINT =
  'Only the server that was written can be taken back: name it, under the same address.';
