import type { Origin } from '../../core/report/document.ts';
import { webAddress } from '../../core/report/repository.ts';
import { openRepository, type Repository } from '../git/git.ts';
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
    const [address, commit] = await Promise.all([
      remoteAddress(repository),
      revParse(repository, 'HEAD'),
    ]);
    return { repository: address, commit };
  } catch {
    return {};
  }
}

async function remoteAddress({
  call,
}: Repository): Promise<string | undefined> {
  const { code, bytes } = await call([
    'config',
    '--local',
    '--get',
    'remote.origin.url',
  ]);
  if (code !== 0) return undefined;
  return webAddress(bytes.toString().replace(/\n$/, ''));
}
