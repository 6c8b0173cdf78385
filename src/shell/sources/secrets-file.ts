import { constants, open } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { hide, reveal, type Secret } from '../../core/model/secret.ts';
import { type Settings, settingsOf } from '../../core/pull/dotenv.ts';
import { errorCode, fail, systemReason } from '../failure.ts';
import { openRepository } from '../git/git.ts';
import { ignoredIn } from '../git/ignored.ts';
import { gitRoot } from '../git-root.ts';
import { isThere, writeNewFile } from '../new-file.ts';
import { isInside, isOfGit, realPath, refuseReportOnto } from '../report-target.ts';
import type { Run } from '../run.ts';
import { WORK_TREE } from './work-tree.ts';

/** A file that secrets may be written to: its owner alone can read it, and git does not take it. */
export interface SecretsFile {
  readonly folder: string;
  readonly name: string;
  /** What it holds; undefined where there is none yet. */
  readonly text: Secret<string> | undefined;
  /** The variables that it sets, and their texts. */
  readonly settings: Settings;
}

/** For its owner alone. */
const MODE = 0o600;

/** The most bytes of a file that is added to. */
const LARGEST = 4 * 1024 * 1024;

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

interface Refusal {
  readonly reason: string;
  readonly hint?: string;
}

const NEW_NAME = 'Name a new file in an existing folder, or a regular file of your own.';

/** What the run itself makes. */
interface Own {
  /** A folder that need not be there yet. */
  readonly folder: string;
  readonly isWritten: (real: string) => Promise<boolean>;
}

/** Looks whether secrets may be written to a file, before anything is asked of a server. Fails where not. */
export async function secretsFile(run: Run, path: string, own: Own): Promise<SecretsFile> {
  const refuse = (refusal: Refusal) =>
    fail(diagnostic('file-unwritable', { path, of: 'refused', hint: NEW_NAME, ...refusal }));
  const named = resolve(run.runtime.cwd, path);
  const [name, folder] = [basename(named), await realPath(dirname(named))];
  const real = join(folder, name);
  await refuseReportOnto(run.reportFiles, real);
  if (await own.isWritten(real)) refuse({ reason: 'the pull itself writes it' });
  if (isOfGit(real)) refuse({ reason: 'it belongs to git' });
  if (/\.ya?ml$/i.test(name)) refuse({ reason: 'it is named like a configuration file' });
  const made = await realPath(own.folder);
  if (folder !== made && !isInside(folder, made) && (await WORK_TREE.kindOf(folder)) !== 'folder')
    refuse({ reason: 'there is no such folder' });
  const root = await gitRoot(folder);
  const taken = root === undefined ? undefined : await takenByGit(run, root, real);
  if (taken !== undefined) refuse(taken);
  if (!(await isThere(real))) return { folder, name, text: undefined, settings: new Map() };
  const text = await ownText(real);
  if (typeof text !== 'string') return refuse(text);
  return { folder, name, text: hide(text), settings: settingsOf(hide(text)) };
}

/** Why the next commit may take a file. The rules of a repository count; those of its user are not there for others. */
async function takenByGit(run: Run, root: string, path: string): Promise<Refusal | undefined> {
  const repository = await openRepository(run, root);
  const isListed = async (...flags: readonly string[]) =>
    (await ignoredIn(repository, [path], flags)).length > 0;
  if (await isListed()) return undefined;
  return (await isListed('--no-index'))
    ? {
        reason: 'git tracks it, although a .gitignore lists it',
        hint: 'Take it out of the index with git rm --cached.',
      }
    : {
        reason: 'it is in a git work tree, and no .gitignore there leaves it out',
        hint: 'Name a file outside of every git work tree, or one that .gitignore lists.',
      };
}

/** The text of a file that nobody else can read, or why it is none. */
async function ownText(path: string): Promise<string | Refusal> {
  try {
    const file = await open(path, constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0));
    try {
      const found = await file.stat();
      if (!found.isFile()) return { reason: 'it is not a regular file' };
      if (found.size > LARGEST) return { reason: `it has more than ${LARGEST} bytes` };
      if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
        return { reason: 'others than its owner may read it', hint: 'Make it private with chmod 600.' };
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (thrown) {
    return { reason: errorCode(thrown) === 'ELOOP' ? 'it is a link' : systemReason(thrown) };
  }
}

/** Makes the file, or adds lines at its end. Returns why not. */
export async function addSecrets(
  { folder, name, text }: SecretsFile,
  lines: Secret<string>,
): Promise<string | undefined> {
  if (text === undefined) return writeNewFile(folder, name, reveal(lines), MODE);
  const start = /[^\n]$/.test(reveal(text)) ? '\n' : '';
  try {
    const file = await open(join(folder, name), constants.O_WRONLY | constants.O_APPEND | NO_FOLLOW);
    try {
      await file.writeFile(start + reveal(lines));
      await file.sync();
      return undefined;
    } finally {
      await file.close();
    }
  } catch (thrown) {
    return systemReason(thrown);
  }
}
