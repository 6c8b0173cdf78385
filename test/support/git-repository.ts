import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { tempFolder, writeFiles } from './temp.ts';

/** Files of a repository, by their paths; null for one that is not there. */
export type Files = Readonly<Record<string, string | null>>;

/** A repository of git whose work tree a test changes. */
export interface GitRepository {
  readonly root: string;
  /** Calls git in it, and returns what it printed. */
  readonly git: (...args: readonly string[]) => string;
  /** Changes files of the work tree. */
  readonly write: (files: Files) => Promise<void>;
  /** Commits all of the work tree, and returns the id of the commit. */
  readonly commit: (files?: Files) => Promise<string>;
}

/** A new repository with a first commit of these files on the branch `main`, in a new folder or in one with files. */
export async function gitRepository(
  files: Files = {},
  folder?: string,
): Promise<GitRepository> {
  const root = folder ?? (await tempFolder());
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      env: ENVIRONMENT,
      stdio: 'pipe',
    });
  const write = async (changes: Files) => {
    const written = Object.entries(changes).flatMap(([path, text]) =>
      text === null ? [] : [[path, text]],
    );
    await writeFiles(root, Object.fromEntries(written));
    for (const [path, text] of Object.entries(changes))
      if (text === null) await rm(`${root}/${path}`);
  };
  const commit = async (changes: Files = {}) => {
    await write(changes);
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'change');
    return git('rev-parse', 'HEAD').trim();
  };
  git('init', '--quiet', '--initial-branch=main');
  await commit(files);
  return { root, git, write, commit };
}

/** No settings but these, whoever runs the tests. Git would replace /dev/null if a test changed them. */
const ENVIRONMENT = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/nowhere/gitconfig',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};
