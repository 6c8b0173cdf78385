import { plainAddress } from '../../core/config/server-url.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { listed } from '../../core/findings/words.ts';
import type { ServerDocument } from '../../core/plan/plan.ts';
import { fail } from '../failure.ts';
import type { Run } from '../run.ts';
import { type FoundServers, findServers } from '../servers/server.ts';
import { findProject } from '../sources/project.ts';

/**
 * Finds the servers of a saved plan or of a report, or those that flags name.
 * Fails if one of them is not in it, or has another address there.
 */
export async function findSavedServers(
  run: Run,
  saved: readonly ServerDocument[],
): Promise<FoundServers> {
  const { options } = run;
  const { file = [], server, url } = options;
  const isNamed = server !== undefined || url !== undefined || file.length > 0;
  const names = saved.map(({ name }) => name);
  const project = isNamed ? undefined : (await findProject(run))?.project;
  const isOfProject = project?.servers.some(({ name }) => names.includes(name));
  const selecting = isOfProject ? { ...options, server: names } : options;
  const found = await findServers(run, selecting);
  const isUndo = run.command === 'undo';
  const foreign: Diagnostic[] = [];
  for (const { name, url } of found.servers) {
    const then = saved.find((server) => server.name === name)?.url;
    const now = plainAddress(url.href);
    if (then === now) continue;
    const others = listed(saved.map((server) => server.url));
    const file = `The ${isUndo ? 'report' : 'plan'} for ${name}`;
    const problem = `it was made for ${then ?? others}, not for ${now}`;
    const hint = isUndo
      ? 'Only the server that was written can be taken back: name it, under the same address.'
      : undefined;
    foreign.push(diagnostic('file-unusable', { file, problem, hint }));
  }
  if (foreign.length > 0) fail(...foreign);
  return found;
}
