import type { Origin } from '../../core/report/document.ts';
import { webAddress } from '../../core/report/repository.ts';
import { openRepository } from '../git/git.ts';
import { gitRoot } from '../paths.ts';
import type { Run } from '../run.ts';
import { revParse } from './commit.ts';

/**
 * Reads from git where the files of the working directory come from. A report
 * is written without it if there is no git, or no repository.
 */
export async function readOrigin(run: Run): Promise<Origin> {
  const root = await gitRoot(run.runtime.cwd);
  if (root === undefined) return {};
  try {
    const repository = await openRepository(run, root);
    const key = 'remote.origin.url';
    const [remote, commit] = await Promise.all([
      repository.call(['config', '--local', '--get', key]),
      revParse(repository, 'HEAD'),
    ]);
    if (remote.code !== 0) return { commit };
    const url = remote.bytes.toString().replace(/\n$/, '');
    return { repository: webAddress(url), commit };
  } catch {
    return {};
  }
}
