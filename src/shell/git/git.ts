import { type ExecFileException, execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, parse } from 'node:path';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { cut } from '../../core/findings/words.ts';
import { errorCode, fail } from '../failure.ts';
import { isInside, realPath } from '../paths.ts';
import type { Run } from '../run.ts';

/** A repository with a work tree. Git reads it, without a shell. */
export interface Repository {
  /** The folder of its work tree. */
  readonly root: string;
  /** Calls git. Fails if git cannot read the repository, or the run ends. */
  readonly call: Call<GitAnswer>;
  /** Calls git, fails unless it succeeds, and returns what it prints. */
  readonly ask: Call<Buffer>;
}

type Call<Result> = (
  args: readonly string[],
  options?: CallOptions,
) => Promise<Result>;

interface CallOptions {
  /** What git reads from stdin. */
  readonly input?: string | undefined;
  /** The most bytes of an answer. */
  readonly most?: number | undefined;
}

/** How a call of git ended. */
interface GitAnswer {
  /** Undefined if it did not end by itself. */
  readonly code: number | undefined;
  readonly bytes: Buffer;
  /** Why there is no good answer, in words. */
  readonly reason: string;
}

/** Opens the repository whose work tree is `root`. Fails without git. */
export async function openRepository(
  run: Run,
  root: string,
): Promise<Repository> {
  const { runtime, interruption } = run;
  const folders = await safeFolders(runtime.env['PATH'] ?? '', root);
  const program = await findGit(folders);
  if (program === undefined) {
    const problem = 'git was not found in the folders of PATH';
    const hint =
      'Install git, or name its folder in PATH by an absolute path outside of the repository.';
    return fail(diagnostic('no-revision', { problem, hint }));
  }
  const call: Call<GitAnswer> = async (args, options) => {
    const signal = interruption.stopping;
    const answer = await callGit({ program, root, args, signal, options });
    if (answer.code === undefined) {
      interruption.check();
      return failGit(answer.reason);
    }
    // With the same code git says `fatal: `, or nothing, of an unknown name.
    if (answer.reason.startsWith('error: ')) return failGit(answer.reason);
    return answer;
  };
  const ask: Call<Buffer> = async (args, options) => {
    const { code, bytes, reason } = await call(args, options);
    return code === 0 ? bytes : failGit(reason);
  };
  return { root, call, ask };
}

/** Finds the folders of PATH that are absolute, and not in `root`. */
async function safeFolders(path: string, root: string): Promise<string[]> {
  const realRoot = await realpath(root);
  const folders: string[] = [];
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const real = await realPath(folder);
    if (real !== realRoot && !isInside(realRoot, real)) folders.push(folder);
  }
  return folders;
}

async function findGit(
  folders: readonly string[],
): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  for (const folder of folders) {
    const program = join(folder, name);
    const status = await stat(program).catch(() => undefined);
    if (status?.isFile() === true) return program;
  }
  return undefined;
}

function failGit(reason: string): never {
  const problem = `git cannot read the repository: ${reason}`;
  const hint = `${REFETCH} Elsewhere run git fsck, or clone the repository again.`;
  return fail(diagnostic('no-revision', { problem, hint }));
}

/** How a partial clone gets what it lacks. */
export const REFETCH =
  'In a partial clone: git fetch --refetch --no-filter origin.';

/** Milliseconds that one call of git may take: it reads local objects. */
const MOST_TIME = 30_000;

/** The most bytes that git may print about a repository itself. */
const MOST_TALK = 64 * 1024;

/**
 * All of the environment that git gets: no secret, no program, no settings of
 * the user or the system, no history but that of commits, nothing to fetch
 * from.
 */
const ENVIRONMENT = {
  PATH: '/dev/null',
  LC_ALL: 'C',
  GIT_ALLOW_PROTOCOL: '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_GRAFT_FILE: '/dev/null',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
} as const;

interface GitCall {
  /** The path of git. */
  readonly program: string;
  readonly root: string;
  readonly args: readonly string[];
  /** Kills git when it is aborted. */
  readonly signal: AbortSignal;
  readonly options: CallOptions | undefined;
}

/** Calls git; attributes need the work tree. */
function callGit(call: GitCall): Promise<GitAnswer> {
  const { program, root, signal } = call;
  const { input = '', most = MOST_TALK } = call.options ?? {};
  const paths = ['--git-dir', join(root, '.git'), '--work-tree', root];
  // These settings start a program, and print advice before what went wrong.
  const settings = ['core.fsmonitor=false', 'advice.graftFileDeprecated=false'];
  const flags = settings.flatMap((setting) => ['-c', setting]);
  const args = ['-C', root, ...paths, ...flags, ...call.args];
  const options = {
    cwd: parse(root).root,
    signal,
    env: ENVIRONMENT,
    encoding: 'buffer',
    timeout: MOST_TIME,
    killSignal: 'SIGKILL',
    // Complaints count too.
    maxBuffer: Math.max(most, MOST_TALK),
  } as const;
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (error, bytes, talk) => {
      if (error === null) return resolve({ code: 0, bytes, reason: '' });
      const code = typeof error.code === 'number' ? error.code : undefined;
      resolve({ code, bytes, reason: reasonOf(error, talk) });
    });
    // It may end before it has read all.
    child.stdin?.on('error', () => {}).end(input);
  });
}

function reasonOf(error: ExecFileException, complaint: Buffer): string {
  if (errorCode(error) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return 'it holds more than setpoint reads';
  }
  if (error.killed === true) return `it took more than ${MOST_TIME / 1000} s`;
  const lines = complaint.toString().trim().split('\n');
  const line = lines.find((text) => text.startsWith('fatal: ')) ?? lines[0];
  if (!line) return 'git gave no reason';
  return cut(line.replace(/^fatal: /, ''), undefined, 200);
}
